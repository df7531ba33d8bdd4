"""VW PQ25 / PQ35 / PQ46: little endian; the speed needle drops when Bremse_2's pulses are not in step with it."""

from ..car import Car
from ..checksums import xor
from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, lamp, le

CIRCUMFERENCE = 1.9  # [m]
PULSES = 45  # a turn

PAGES = Counter(byte(0, 6, 2), values=(0, 1, 2, 3), repeat=4)


def gear(car: Car) -> float:
    """What the display shows: P, R, N and D of a lever, else the gear itself."""
    shown = {1: 0x00, 2: 0x36, 3: 0x40, 4: 0x56, 5: 0x56}.get(int(car.SelectorShown))
    if shown is None:
        number = int(car.GearboxGear)
        shown = {-1: 0x36, 0: 0x40}.get(number, number + 1 << 4 | 0xE)
    return shown


CLUSTER = Cluster(
    "vw-pq",
    [
        Frame(
            0x280,
            "Motor_1",
            50,
            "49 0E .. .. 0E 00 1B 0E",
            [Field(le(16), lambda car: car.EngineRpm, 0.25, shows="rpm")],
        ),
        Frame(
            0x288,
            "Motor_2",
            20,
            ".. .. .. ?? ?? ?? ?? ??",
            [
                Field(byte(1), lambda car: car.CoolantTemperature, 0.75, -48, shows="coolant"),
                lamp(le(22, 2), "cruise", lambda car: car.CruiseState == 2),
            ],
            [PAGES],
        ),
        Frame(
            0x480,
            "Motor_5",
            20,
            "?? .. .. .. ?? .. ?? ..",
            [
                lamp(le(9, 1), "preheat", lambda car: 0),
                lamp(le(10, 1), "EPC", lambda car: 0),
                lamp(le(11, 1), "MIL", lambda car: car.IndicatorLamp),
                lamp(le(12, 1), "coolant hot", lambda car: car.CoolantTemperature > 115),
                Field(le(16, 15), lambda car: car.FuelUsed, counts="litres", rate=1e6),
                Field(le(31, 1), lambda car: car.FuelUsed * 1e6 >= 32768),
                lamp(le(41, 1), "DPF", lambda car: 0),
            ],
            counters=[PAGES],
            check=(byte(7), xor),
            darkens=("MIL", "EPC"),
            feeds=("consumption",),
        ),
        Frame(
            0x1A0,
            "Bremse_1",
            10,
            "00 .. .. .. FE FE 00 ..",
            [
                Field(le(8, 8), lambda car: 0x40),
                lamp(le(8, 1), "ABS", lambda car: 0),
                lamp(le(9, 1), "ESP", lambda car: car.EscEngaged or car.TcsEngaged),
                lamp(le(10, 1), "brake", lambda car: 0),
                Field(le(17, 15), lambda car: car.kmh, 0.01, shows="speed"),
                Field(byte(7, 4, 4), lambda car: 1),
            ],
            [Counter(byte(7, 0, 4))],
            darkens=("ABS", "ESP", "brake"),
        ),
        Frame(
            0x5A0,
            "Bremse_2",
            50,
            "?? .. .. ?? ?? .. .. AD",
            [
                Field(le(9, 15), lambda car: car.kmh / 3.6 / CIRCUMFERENCE, 0.002),
                Field(le(40, 11), lambda car: car.Odometer, counts="trip", rate=PULSES / CIRCUMFERENCE),
            ],
            feeds=("speed",),
            drops=("speed",),
        ),
        Frame(
            0x540,
            "Getriebe_2",
            20,
            ".. 00 FF 00 FF 00 02 ..",
            [Field(byte(7), gear)],
            [Counter(byte(0, 4, 4))],
            optional=True,
        ),
        Frame(
            0x470,
            "BSG_Kombi",
            50,
            ".. .. .. 00 00 .. 00 ..",
            [
                lamp(bit(0, 0), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(0, 1), "right", lambda car: car.RightTurnLamp),
                lamp(bit(0, 7), "charge", lambda car: car.ChargeIndicator),
                Field(bit(1, 0), lambda car: car.DoorFrontLeft),
                Field(bit(1, 1), lambda car: car.DoorFrontRight),
                Field(bit(1, 2), lambda car: car.DoorRearLeft),
                Field(bit(1, 3), lambda car: car.DoorRearRight),
                Field(bit(1, 4), lambda car: car.Bonnet),
                Field(bit(1, 5), lambda car: car.Boot),
                Field(byte(2), lambda car: 100 * car.Dimming),
                lamp(bit(7, 6), "main beam", lambda car: car.MainBeam),
                lamp(bit(7, 5), "front fog", lambda car: car.FrontFogLights),
            ],
        ),
        Frame(
            0x050,
            "Airbag_1",
            20,
            "?? ?? ?? ..",
            [lamp(le(8, 1), "airbag", lambda car: 0), lamp(le(13, 1), "belt", lambda car: not car.BeltDriver)],
            [Counter(le(20, 4))],
            (byte(3), xor),
            darkens=("airbag",),
        ),
        Frame(0x3D0, "Lenkhilfe_1", 20, "00 80 00 ?? ?? ?? ?? ??", darkens=("steering",)),
        *all_optional(
            [
                Frame(
                    0x4A0,
                    "Bremse_3",
                    10,
                    ".. .. .. .. .. .. .. ..",
                    [
                        Field(le(1, 15), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 0.01),
                        Field(le(17, 15), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 0.01),
                        Field(le(33, 15), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, 0.01),
                        Field(le(49, 15), lambda car: abs(car.WheelSpeedRearRight) * 3.6, 0.01),
                    ],
                ),
                Frame(
                    0x588,
                    "Motor_7",
                    100,
                    "?? ?? ?? ?? ?? ?? ?? ..",
                    [Field(byte(7), lambda car: car.OilTemperature, 1, -60, shows="oil")],
                ),
                Frame(0x58C, "StartStop", 100, "00 ?? ?? ?? ?? ?? ?? ??"),
                Frame(
                    0x531,
                    "Lights",
                    100,
                    ".. ?? ?? ?? ?? ?? ?? ??",
                    [
                        Field(bit(0, 1), lambda car: car.SideLights or car.DippedBeam),
                        Field(bit(0, 2), lambda car: car.MainBeam),
                        Field(bit(0, 3), lambda car: car.FrontFogLights),
                        Field(bit(0, 4), lambda car: car.RearFogLights),
                    ],
                ),
                Frame(
                    0x635,
                    "Dimming",
                    100,
                    ".. .. ??",
                    [
                        Field(byte(0, 0, 7), lambda car: 100 * car.Dimming),
                        Field(byte(1, 0, 7), lambda car: 100 * car.Dimming),
                    ],
                ),
                Frame(
                    0x572,
                    "ZAS_1",
                    100,
                    ".. ??",
                    [
                        Field(byte(0, 0, 2), lambda car: 3 * car.ignition),
                        Field(bit(0, 2), lambda car: car.Key == 0),
                        Field(bit(0, 3), lambda car: car.Key > 0),
                    ],
                ),
                Frame(0x5C1, "WheelButtons", 100, "?? ?? ?? ??"),
                Frame(0x1A8, "Bremse_6", 20, "?? ?? ..", check=(byte(2), xor)),
                Frame(
                    0x4A8,
                    "Bremse_5",
                    20,
                    "?? ?? ?? ?? ?? ?? .. ..",
                    counters=[Counter(le(52, 4))],
                    check=(byte(7), xor),
                ),
                Frame(
                    0x1AC,
                    "Bremse_8",
                    20,
                    ".. .. ?? ?? ?? ?? ?? ??",
                    counters=[Counter(le(8, 4))],
                    check=(byte(0), xor),
                ),
                Frame(
                    0x3A0,
                    "Bremse_10",
                    20,
                    ".. ?? ?? ?? ?? ?? ?? ??",
                    counters=[Counter(le(8, 4))],
                    check=(byte(0), xor),
                ),
                Frame(0x5B7, "Bremse_11", 20, ".. ?? ?? ?? ?? ?? ?? ??", check=(byte(0), xor)),
            ]
        ),
    ],
    own=(0x320, 0x420, 0x520),
)
