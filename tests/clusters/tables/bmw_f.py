"""BMW F10 / F30 / Mini F5x (K-CAN2): CRC-8 in byte 0 with a constant of each identifier, counter in byte 1."""

from collections.abc import Sequence

from ..car import Car
from ..checksums import bmw_f
from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, interpolated, lamp, le

ALIVE = Counter(byte(1, 0, 4), last=(13, 14))
COUNTS_PER_METRE = 104.4
COUNTS_PER_LITRE = 4104.0
TANK = [(0, 37), (25, 27), (50, 18), (60, 11), (75, 8), (100, 4)]
SENDER = interpolated(TANK)
UNITS = {False: (0x59, 0x42, 0x42, 0x4C), True: (0x91, 0x93, 0x93, 0xCE)}


def protected(
    can_id: int,
    name: str,
    period: float,
    constant: int,
    template: str,
    fields: Sequence[Field] = (),
    *,
    darkens: Sequence[str] = (),
    counter: Counter = ALIVE,
) -> Frame:
    """A frame whose template begins with the high nibble of byte 1."""
    first, *rest = template.split()
    high = Field(byte(1, 4, 4), lambda car: int(first, 16) >> 4)
    return Frame(
        can_id,
        name,
        period,
        " ".join(["..", "..", *rest]),
        [high, *fields],
        [counter],
        (byte(0), bmw_f(constant)),
        darkens=darkens,
    )


def moving(can_id: int, name: str, lamp_name: str) -> Frame:
    """Eight bytes that count together; a lamp is lit while they stand still."""
    counters = [Counter(byte(number), last=(254, 255)) for number in range(8)]
    return Frame(can_id, name, 100, " ".join([".."] * 8), counters=counters, darkens=(lamp_name,))


def gear(car: Car) -> float:
    return {-1: 2, 0: 1}.get(int(car.GearboxGear), int(car.GearboxGear) + 4)


def drive_mode(car: Car) -> float:
    return {0: 2, 1: 7, 2: 4, 3: 5}.get(int(car.DriveMode), 2)


CLUSTER = Cluster(
    "bmw-f",
    [
        protected(
            0x12F,
            "Terminals",
            100,
            0x44,
            "80 .. DD F1 01 30 06",
            [Field(byte(2), lambda car: 0x8A if car.ignition else 0x08)],
        ),
        protected(
            0x1A1,
            "Speed",
            100,
            0xA9,
            "C0 .. .. ..",
            [
                Field(le(16), lambda car: car.kmh, 1 / 64.01, shows="speed"),
                Field(byte(4), lambda car: 0x91 if car.kmh > 0.05 else 0x81),
            ],
        ),
        Frame(
            0x0F3,
            "EngineSpeed",
            100,
            ".. .. .. C0 F0 .. FF FF",
            [
                Field(le(12, 12), lambda car: car.EngineRpm, 16 / 1.557, shows="rpm"),
                Field(byte(5), gear),
            ],
            [ALIVE],
            (byte(0), bmw_f(0x7A)),
        ),
        protected(
            0x3FD,
            "Selector",
            100,
            0xD6,
            "00 .. FC FF",
            [
                Field(
                    byte(2),
                    lambda car: {1: 0x20, 2: 0x40, 3: 0x60, 4: 0x80, 5: 0x81, 6: 0x81}.get(
                        int(car.SelectorShown), 0x80
                    ),
                )
            ],
            darkens=("gearbox message",),
        ),
        Frame(
            0x2C4,
            "FuelUsed",
            100,
            ".. .. FF 64 64 64 01 F1",
            [Field(byte(1), lambda car: car.FuelUsed, counts="litres", rate=COUNTS_PER_LITRE)],
            check=(byte(0), bmw_f(0xC6)),
            feeds=("consumption",),
        ),
        protected(
            0x2BB,
            "Distance",
            100,
            0xDE,
            "F0 .. .. F2",
            [Field(le(16), lambda car: car.Odometer, counts="trip", rate=COUNTS_PER_METRE)],
        ),
        Frame(
            0x349,
            "FuelSenders",
            100,
            ".. .. .. .. 00",
            [
                Field(
                    be(0, 5),
                    lambda car: SENDER(car.FuelShare * 100),
                    shows="fuel",
                    value=interpolated([(raw, share) for share, raw in reversed(TANK)]),
                    resolution=4.0,
                ),
                Field(be(2, 5), lambda car: SENDER(car.FuelShare * 100)),
            ],
        ),
        protected(
            0x3F9,
            "Oil",
            100,
            0xF1,
            "10 82 4E .. .. 05 89",
            [
                Field(byte(4), lambda car: car.CoolantTemperature, 1, -48),
                Field(byte(5), lambda car: car.OilTemperature, 1, -50, shows="oil"),
            ],
        ),
        protected(0x36E, "Abs", 100, 0xD8, "F0 FE FF 14", darkens=("ABS",)),
        protected(0x2A7, "Steering", 100, 0x9E, "F0 FE FF 14", darkens=("steering",)),
        protected(
            0x36F,
            "ParkingBrake",
            100,
            0x17,
            "F0 38 00 ..",
            [Field(byte(4), lambda car: 0x15 if car.ParkingBrake else 0x14, lights=("parking brake",), lit=(0x15,))],
            darkens=("parking brake",),
        ),
        protected(0x19B, "Restraints", 100, 0xFF, "40 40 55 FD FF FF FF", darkens=("airbag",)),
        protected(0x297, "Belts", 100, 0x28, "E0 F1 F0 F2 F2 FE", darkens=("belt",)),
        protected(0x369, "Tyres", 100, 0xC5, "F0 A2 A0 A0", darkens=("tyres",)),
        protected(0x289, "Cruise", 100, 0x82, "F0 E0 E0 E1 00 EC 01", darkens=("cruise",)),
        protected(
            0x33B,
            "DistanceControl",
            100,
            0x6B,
            "F0 5C 70 00 00",
            darkens=("distance control",),
            counter=Counter(byte(1, 0, 4), step=4, modulus=15),
        ),
        protected(
            0x3A7, "DriveMode", 500, 0x4A, "F0 00 00 .. 11 C0", [Field(byte(4), drive_mode)], darkens=("drive mode",)
        ),
        Frame(
            0x0D7, "AirbagAlive", 100, ".. FF", counters=[Counter(byte(0), last=(253, 254, 255))], darkens=("airbag",)
        ),
        moving(0x2C3, "EmergencyCall", "SOS"),
        moving(0x368, "TyrePressure", "tyres"),
        Frame(
            0x1F6,
            "TurnSignals",
            500,
            ".. F0",
            [
                Field(
                    byte(0),
                    lambda car: (
                        0x80 | bool(car.LeftTurn or car.RightTurn) | int(car.LeftTurn) << 4 | int(car.RightTurn) << 5
                    ),
                ),
                lamp(bit(0, 4), "left", lambda car: car.LeftTurn),
                lamp(bit(0, 5), "right", lambda car: car.RightTurn),
            ],
        ),
        Frame(
            0x21A,
            "Lights",
            500,
            ".. C0 F7",
            [
                lamp(bit(0, 1), "main beam", lambda car: car.MainBeam),
                Field(bit(0, 2), lambda car: car.DippedBeam or car.SideLights),
                lamp(bit(0, 5), "front fog", lambda car: car.FrontFogLights),
                lamp(bit(0, 6), "rear fog", lambda car: car.RearFogLights),
            ],
        ),
        Frame(0x202, "Backlight", 500, ".. FF", [Field(byte(0), lambda car: 253 * car.Dimming)], feeds=("backlight",)),
        Frame(
            0x291,
            "Units",
            1000,
            ".. .. .. 00 00 00 00 00",
            [
                Field(byte(0), lambda car: {1: 1, 9: 0}.get(int(car.Language), 2)),
                Field(byte(1), lambda car: 0x22 if car.TemperatureUnit else 0x12),
                Field(byte(2), lambda car: UNITS[bool(car.SpeedUnit)][int(car.ConsumptionUnit)]),
            ],
        ),
        Frame(
            0x34F,
            "Handbrake",
            100,
            ".. ??",
            [Field(byte(0), lambda car: 0xFE if car.ParkingBrake else 0xFD)],
            optional=True,
        ),
        *all_optional(
            [
                Frame(
                    0x39E,
                    "Clock",
                    30000,
                    ".. .. .. .. .. .. .. F2",
                    [
                        Field(byte(0), lambda car: car.Hour),
                        Field(byte(1), lambda car: car.Minute),
                        Field(byte(2), lambda car: car.Second),
                        Field(byte(3), lambda car: car.Day),
                        Field(byte(4), lambda car: int(car.Month) << 4 | 0xF),
                        Field(le(40), lambda car: car.Year),
                    ],
                ),
                Frame(0x5C0, "CheckControl", 5000, "40 ?? ?? ?? FF FF FF FF", event=True),
                Frame(0x1EE, "StalkButton", 1000, "?? FF", event=True),
            ]
        ),
    ],
    wake=(0x12F, lambda data: data[2] == 0x8A),
    own=(0x330,),
    never=(0x380,),
)
