"""BMW E8x / E9x / E60 (K-CAN): little endian; the E9x checks no checksum, counters must go on."""

from ..car import Car
from ..checksums import xor
from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, interpolated, lamp, le

COUNTS_PER_METRE = 48.96

LEFT_TANK = [(0, 625), (25, 1950), (50, 3600), (75, 6250), (87.5, 8200), (100, 9700)]
RIGHT_TANK = [(0, 950), (25, 2200), (50, 3350), (75, 4600), (87.5, 5400), (100, 8400)]


def terminals(car: Car) -> float:
    if not car.ignition:
        return 0x00
    return 0x55 if car.Key > 0 else 0x45


def selector(car: Car) -> float:
    return {1: 0xE1, 2: 0xD2, 3: 0xB4, 4: 0x78}.get(int(car.SelectorShown), 0x78)


CLUSTER = Cluster(
    "bmw-e9x",
    [
        Frame(
            0x130,
            "Terminals",
            100,
            ".. 42 69 8F ..",
            [Field(byte(0), terminals)],
            [Counter(byte(4), last=(255, 254, 253))],
        ),
        Frame(
            0x0AA,
            "EngineSpeed",
            50,
            "5F 59 FF 00 .. .. 80 99",
            [Field(le(32), lambda car: car.EngineRpm, 0.25, shows="rpm")],
        ),
        Frame(
            0x1A6,
            "Distance",
            100,
            ".. .. .. .. .. .. .. ..",
            [
                Field(le(0), lambda car: car.Odometer, counts="trip", rate=COUNTS_PER_METRE),
                Field(le(16), lambda car: car.Odometer * COUNTS_PER_METRE // 1 % 65536),
                Field(le(32), lambda car: car.Odometer * COUNTS_PER_METRE // 1 % 65536),
                Field(byte(7, 4, 4), lambda car: 0xF),
            ],
            [Counter(le(48, 12), step=400, modulus=4096)],
            feeds=("speed",),
            drops=("speed",),
        ),
        Frame(
            0x1A0,
            "Speed",
            100,
            ".. .. ?? ?? ?? .. .. ..",
            [
                Field(le(0, 12), lambda car: car.kmh, 0.1, shows="speed"),
                Field(byte(1, 4, 3), lambda car: 0 if car.kmh < 0.05 else 1 if car.Speed > 0 else 2),
            ],
            [Counter(byte(6, 4, 4), last=(15, 14))],
            (byte(7), xor),
            feeds=("average speed", "consumption"),
        ),
        Frame(
            0x1D0,
            "EngineTemperatures",
            100,
            ".. .. .. CD .. .. CD A8",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -48, shows="coolant"),
                Field(byte(1), lambda car: car.OilTemperature, 1, -48, shows="oil"),
                Field(byte(2, 4, 2), lambda car: 2 if car.EngineWorking else 1 if car.EngineStarting else 0),
                Field(le(32), lambda car: car.FuelUsed, counts="litres", rate=1e6),
            ],
            [Counter(byte(2, 0, 4), last=(15, 14))],
            feeds=("consumption",),
        ),
        Frame(
            0x0C0,
            "AbsAlive",
            200,
            ".. FF",
            [Field(byte(0, 4, 4), lambda car: 0xF)],
            counters=[Counter(byte(0, 0, 4), last=(15, 14))],
            darkens=("ABS",),
        ),
        Frame(
            0x0D7, "AirbagAlive", 200, ".. FF", counters=[Counter(byte(0), last=(255, 254, 253))], darkens=("airbag",)
        ),
        Frame(
            0x19E,
            "Dsc",
            200,
            "00 E0 .. FC CC 00 00 ??",
            [Field(byte(2, 0, 4), lambda car: 3)],
            [Counter(byte(2, 4, 4), last=(2,))],
            darkens=("ABS", "DSC", "brake"),
        ),
        Frame(0x0C4, "Steering", 100, "83 00 00 00 00 FF F1", darkens=("steering",)),
        Frame(0x12F, "EngineStatus", 100, "3F 00 00 00 00 40 01 00", darkens=("engine",)),
        Frame(0x0C1, "EmergencyCall", 500, "?? FF", darkens=("SOS",)),
        Frame(
            0x21A,
            "Lights",
            200,
            ".. 00 F7",
            [
                Field(
                    bit(0, 0),
                    lambda car: any(
                        (car.SideLights, car.DippedBeam, car.MainBeam, car.FrontFogLights, car.RearFogLights)
                    ),
                ),
                lamp(bit(0, 1), "main beam", lambda car: car.MainBeam),
                Field(bit(0, 2), lambda car: car.DippedBeam or car.SideLights),
                lamp(bit(0, 5), "front fog", lambda car: car.FrontFogLights),
                lamp(bit(0, 6), "rear fog", lambda car: car.RearFogLights),
            ],
        ),
        Frame(
            0x1F6,
            "TurnSignals",
            600,
            ".. ??",
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
            0x34F,
            "Handbrake",
            200,
            ".. FF",
            [Field(byte(0), lambda car: 0xFE if car.ParkingBrake else 0xFD, lights=("parking brake",), lit=(0xFE,))],
        ),
        Frame(
            0x202,
            "Backlight",
            1000,
            ".. FF",
            [Field(byte(0), lambda car: 253 * car.Dimming)],
            feeds=("backlight",),
        ),
        Frame(
            0x349,
            "FuelSenders",
            200,
            ".. .. .. .. ??",
            [
                Field(
                    le(0),
                    lambda car: interpolated(LEFT_TANK)(car.FuelShare * 100),
                    shows="fuel",
                    value=interpolated([(raw, share) for share, raw in LEFT_TANK]),
                    resolution=0.1,
                ),
                Field(le(16), lambda car: interpolated(RIGHT_TANK)(car.FuelShare * 100)),
            ],
        ),
        Frame(
            0x1D2,
            "Gear",
            100,
            ".. .. FF .. .. FF",
            [
                Field(byte(0), selector),
                Field(byte(1), lambda car: 0x40 + 0x10 * car.GearboxGear if car.SelectorShown == 6 else 0x0F),
                Field(byte(3, 0, 4), lambda car: 0xC),
                Field(byte(4), lambda car: {5: 0xF1, 6: 0xF2}.get(int(car.SelectorShown), 0xF0)),
            ],
            [Counter(byte(3, 4, 4), last=(15, 14))],
        ),
        *all_optional(
            [
                Frame(
                    0x193,
                    "Cruise",
                    200,
                    ".. .. .. ?? ?? .. .. ??",
                    [
                        Field(byte(1), lambda car: car.CruiseSpeed * 3.6 if car.CruiseState > 0 else 0xFE),
                        Field(byte(2), lambda car: 0xF1 if not car.CruiseState else 0xF5 if car.SpeedUnit else 0xF4),
                        Field(byte(5), lambda car: 0x58 if car.CruiseState > 1 else 0x50),
                    ],
                    [Counter(byte(0), step=17, modulus=256)],
                ),
                Frame(
                    0x39E,
                    "Clock",
                    1000,
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
                Frame(0x381, "OilLevel", 10000, "35 F0 ??"),
                Frame(0x592, "CheckControl", 5000, "40 ?? ?? ?? FF FF FF FF", event=True),
                Frame(0x1EE, "StalkButton", 1000, "?? FF", event=True),
                Frame(0x581, "Belt", 5000, "40 4D 00 ?? FF FF FF FF", event=True),
                Frame(0x394, "Belt2", 5000, "40 4D 00 ?? FF FF FF FF", event=True),
            ]
        ),
    ],
    wake=(0x130, lambda data: data[0] in {0x45, 0x55}),
    own=(0x330, 0x1B4, 0x310, 0x2CA, 0x2F8, 0x2C0),
)
