"""Nissan 350Z / 370Z / Qashqai J10: big endian; no checksum on the needles."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp, le

FREE = "?? ?? ?? ?? ?? ?? ?? ??"

PRESENT = {0x216: 2, 0x245: 8, 0x292: 8, 0x2DE: 8, 0x351: 8, 0x385: 7, 0x54C: 8, 0x6E2: 3}
"""Identifiers of other control units, with their lengths."""

WHEEL = 0.005714286  # [km/h]: 175 counts for a km/h, as the Qashqai was measured


def cruise(car: Car) -> float:
    """FF off, FE standing by, else the set speed [km/h]."""
    return {0: 0xFF, 1: 0xFE}.get(int(car.CruiseState), min(round(car.CruiseSpeed * 3.6), 0xFD))


CLUSTER = Cluster(
    "nissan-370z",
    [
        Frame(
            0x1F9,
            "EngineSpeed",
            10,
            "?? ?? .. .. ?? ?? ?? ??",
            [Field(be(2, 8), lambda car: car.EngineRpm, 0.125, shows="rpm")],
        ),
        Frame(
            0x180,
            "Engine",
            10,
            ".. .. ?? ?? ?? .. .. ??",
            [Field(be(0, 8), lambda car: car.EngineRpm, 0.125), Field(byte(5), lambda car: car.Throttle * 255)],
            [Counter(byte(6), values=tuple(range(0x30, 0x40)))],
            optional=True,
        ),
        Frame(
            0x280,
            "Speed",
            20,
            "?? ?? ?? ?? .. .. ?? ??",
            [Field(be(4, 8), lambda car: car.kmh, 0.01, shows="speed")],
        ),
        Frame(
            0x284,
            "WheelsFront",
            20,
            ".. .. .. .. .. .. .. ..",
            [
                Field(be(0, 8), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, WHEEL),
                Field(be(2, 8), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, WHEEL),
                Field(be(4, 8), lambda car: car.kmh, 0.01),
            ],
            [Counter(byte(6), last=(255,))],
            (byte(7), lambda _, data: (data[6] + 134) & 0xFF),
            optional=True,
        ),
        Frame(
            0x285,
            "WheelsRear",
            20,
            ".. .. .. .. .. .. .. ..",
            [
                Field(be(0, 8), lambda car: abs(car.WheelSpeedRearRight) * 3.6, WHEEL),
                Field(be(2, 8), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, WHEEL),
                Field(be(4, 8), lambda car: car.kmh, 0.01),
            ],
            [Counter(byte(6), last=(255,))],
            (byte(7), lambda _, data: (data[6] + 135) & 0xFF),
            optional=True,
        ),
        Frame(
            0x354,
            "Brakes",
            40,
            ".. .. ?? ?? .. .. ?? ??",
            [
                Field(be(0, 8), lambda car: car.kmh, 0.01),
                Field(bit(6, 4), lambda car: car.Brake > 0.01),
                Field(bit(6, 1), lambda car: car.ParkingBrake),
            ],
            [Counter(byte(5), values=(0x00, 0x08, 0x10, 0x18))],
            darkens=("ABS", "ESP"),
        ),
        Frame(
            0x355,
            "Speeds",
            40,
            ".. .. .. .. 20 00 60",
            [Field(be(0, 7), lambda car: car.kmh, 0.01), Field(be(2, 7), lambda car: car.kmh, 0.01)],
            optional=True,
        ),
        Frame(
            0x551,
            "Coolant",
            100,
            ".. ?? ?? ?? .. ?? ?? ??",
            [
                Field(byte(4), cruise),
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(bit(5, 4), lambda car: car.EngineWorking),
            ],
        ),
        Frame(0x421, "Gear", 50, "?? 41", optional=True),
        Frame(0x358, "Body358", 100, ".. ?? ?? ?? ?? ?? ?? ??", [Field(bit(0, 0), lambda car: 1)], optional=True),
        Frame(
            0x35D,
            "Body35D",
            100,
            "80 03 ?? ?? ?? ?? ?? ??",
            [Field(bit(4, 4), lambda car: car.Brake > 0.01)],
            optional=True,
        ),
        Frame(
            0x60D,
            "Body",
            100,
            ".. .. .. .. ?? ?? ?? ??",
            [
                Field(bit(0, 3), lambda car: car.DoorFrontLeft),
                Field(bit(0, 4), lambda car: car.DoorFrontRight),
                Field(bit(0, 5), lambda car: car.DoorRearLeft),
                Field(bit(0, 6), lambda car: car.DoorRearRight),
                Field(bit(3, 5), lambda car: car.Boot),
                lamp(bit(1, 6), "right", lambda car: car.RightTurnLamp),
                lamp(bit(1, 5), "left", lambda car: car.LeftTurnLamp),
                Field(byte(1, 1, 2), lambda car: 2 if car.Key > 0 else 3 if car.ignition else 0),
                lamp(bit(1, 3), "main beam", lambda car: car.MainBeam),
                Field(bit(0, 2), lambda car: car.SideLights),
                Field(bit(0, 1), lambda car: car.DippedBeam),
                lamp(bit(1, 0), "front fog", lambda car: car.FrontFogLights),
                lamp(bit(2, 2), "rear fog", lambda car: car.RearFogLights),
            ],
        ),
        Frame(
            0x625,
            "Lights",
            100,
            "?? .. .. ?? ?? ??",
            [
                Field(bit(1, 6), lambda car: car.SideLights),
                Field(bit(1, 5), lambda car: car.DippedBeam),
                Field(bit(1, 4), lambda car: car.MainBeam),
                Field(bit(1, 3), lambda car: car.FrontFogLights),
                Field(byte(2), lambda car: car.BatteryVoltage, 1 / 16),
            ],
        ),
        *all_optional(
            [
                Frame(
                    0x23D,
                    "Engine350Z",
                    50,
                    ".. ?? ?? ?? ?? ?? ?? ..",
                    [Field(byte(7), lambda car: car.CoolantTemperature, 1, -50), Field(byte(0, 0, 2), lambda car: 3)],
                    [Counter(byte(0, 5, 2), last=(3,))],
                ),
                Frame(0x160, "Pedal", 10, FREE[3:]),
                Frame(0x182, "Engine182", 10, FREE),
                Frame(0x580, "Engine580", 100, FREE[9:]),
                Frame(
                    0x002,
                    "Steering",
                    10,
                    ".. .. ?? ?? ??",
                    [Field(le(0), lambda car: round(car.SteeringWheelAngle / -0.1) % 65536)],
                ),
                *(
                    Frame(can_id, f"Presence{can_id:03X}", 100, FREE[3 * (8 - length) :])
                    for can_id, length in PRESENT.items()
                ),
            ]
        ),
    ],
    own=(0x5C5,),
)
