"""Nissan 350Z / 370Z / Qashqai J10: big endian; no checksum on the needles."""

from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp

FREE = "?? ?? ?? ?? ?? ?? ?? ??"

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
            [Field(be(0, 8), lambda car: car.EngineRpm, 0.125)],
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
            [Field(be(4, 8), lambda car: car.kmh, 0.01)],
            [Counter(byte(6), last=(255,))],
            (byte(7), lambda _, data: (data[6] + 134) & 0xFF),
            optional=True,
        ),
        Frame(
            0x285,
            "WheelsRear",
            20,
            ".. .. .. .. .. .. .. ..",
            [Field(be(4, 8), lambda car: car.kmh, 0.01)],
            [Counter(byte(6), last=(255,))],
            (byte(7), lambda _, data: (data[6] + 135) & 0xFF),
            optional=True,
        ),
        Frame(
            0x354,
            "Brakes",
            45,
            ".. .. ?? ?? .. .. .. ??",
            [Field(be(0, 8), lambda car: car.kmh, 0.01)],
            [Counter(byte(5), values=(0x00, 0x08, 0x10, 0x18))],
            darkens=("ABS", "ESP"),
        ),
        Frame(
            0x355, "Speeds", 45, ".. .. .. .. ?? 20 00 60", [Field(be(0, 8), lambda car: car.kmh, 0.01)], optional=True
        ),
        Frame(
            0x551,
            "Coolant",
            110,
            ".. .. ?? ?? .. .. ?? ..",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(bit(5, 4), lambda car: car.EngineWorking),
            ],
        ),
        Frame(0x421, "Gear", 55, ".. 41 ?? ?? ?? ?? ?? ??", optional=True),
        Frame(0x358, "Body358", 110, FREE, optional=True),
        Frame(0x35D, "Body35D", 110, "80 03 ?? ?? .. ?? ?? ??", optional=True),
        Frame(
            0x60D,
            "Body",
            110,
            ".. .. .. .. ?? ?? ?? ??",
            [
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
            110,
            "?? .. .. ?? ?? ?? ?? ??",
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
                Frame(0x23D, "Engine350Z", 50, FREE),
                Frame(0x160, "Pedal", 10, FREE),
                Frame(0x182, "Engine182", 10, FREE),
                Frame(0x580, "Engine580", 110, FREE),
                Frame(0x002, "Steering", 10, FREE),
                *(
                    Frame(can_id, f"Presence{can_id:03X}", 110, FREE)
                    for can_id in (0x216, 0x245, 0x292, 0x2DE, 0x351, 0x385, 0x54C, 0x6E2)
                ),
            ]
        ),
    ],
    own=(0x5C5,),
)
