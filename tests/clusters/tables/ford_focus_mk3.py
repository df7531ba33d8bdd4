"""Ford Focus mk3 / LW (BM5T): medium-speed bus, big endian, no counter, no checksum."""

from ..table import Cluster, Field, Frame, all_optional, be, bit, byte, lamp, presence

CLUSTER = Cluster(
    "ford-focus-mk3",
    [
        Frame(
            0x080,
            "BodyState",
            60,
            "77 .. 07 3F D9 07 03 81",
            [Field(byte(1), lambda car: 0x83 if car.SideLights or car.DippedBeam else 0x03)],
            darkens=("everything",),
        ),
        Frame(
            0x110,
            "EngineSpeed",
            50,
            "C0 03 0A 00 .. .. .. ..",
            [
                Field(be(4, 8, bits=14), lambda car: car.EngineRpm, 2, shows="rpm"),
                Field(be(4, 8, bits=16), lambda car: 0xC000 | round(car.EngineRpm / 2)),
                Field(be(6, 8), lambda car: car.kmh, 1 / 96, shows="speed"),
            ],
        ),
        Frame(
            0x03A,
            "TurnSignals",
            50,
            "80 .. 01 00 00 00 00 00",
            [
                lamp(bit(1, 2), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(1, 3), "right", lambda car: car.RightTurnLamp),
            ],
            timeout=2000,
            darkens=("turn signals",),
        ),
        Frame(0x040, "Restraints", 50, "66 ?? 80 FF BE 00 80 00", darkens=("airbag",)),
        Frame(0x060, "Belts", 50, "D0 00 ?? ?? ?? ?? ?? ??", darkens=("belt",)),
        Frame(
            0x070,
            "Stability",
            60,
            "00 98 .. 80 .. F4 E8 10",
            [
                Field(byte(2), lambda car: 0x04, lights=("ABS",), lit=(0, 6, 7)),
                Field(byte(4), lambda car: 0x10, lights=("ESC",), lit=(0x40, 0x60)),
            ],
            darkens=("ABS", "ESC"),
        ),
        presence(0x1B0, "HillStart", 100, "01 50 27 00 00 00 80 00", ["hill start message"]),
        presence(0x1E0, "Immobiliser", 100, "42 80 38 00 80 00 80 00", ["immobiliser message"]),
        presence(0x2A0, "EngineState", 300, "06 00 00 00 3E 4F 80 E5", ["engine message"]),
        presence(0x290, "Fluids", 300, "98 00 01 00 04 03 92 37", ["brake fluid", "washer"]),
        Frame(
            0x240,
            "ParkingBrake",
            120,
            "?? ?? ?? .. ?? ?? ?? ??",
            [Field(byte(3), lambda car: 0xC0 if car.ParkingBrake else 0x40, lights=("parking brake",), lit=(0xC0,))],
        ),
        Frame(
            0x250,
            "EngineLamps",
            120,
            ".. .. 18 04 1C 11 ?? ??",
            [
                Field(byte(0), lambda car: 0x00 if car.IndicatorLamp else 0x20, lights=("MIL",), lit=(0, 0x30, 0x40)),
                Field(byte(1), lambda car: 0xD5),
                Field(bit(1, 1), lambda car: 0, lights=()),
            ],
            darkens=("MIL", "oil pressure"),
        ),
        Frame(0x300, "Charge", 400, "?? ?? ?? ?? .. 00 ?? ??", [Field(byte(4), lambda car: 0x80)], darkens=("charge",)),
        Frame(
            0x320,
            "Fuel",
            300,
            "?? ?? .. .. 00 00 ?? ??",
            [
                Field(
                    be(2, 8),
                    lambda car: round(7936 - 530 * car.FuelShare) | 0x1000,
                    shows="fuel",
                    value=lambda raw: (7936 - raw) / 5.3,
                    resolution=0.2,
                )
            ],
        ),
        Frame(
            0x360,
            "Coolant",
            300,
            "E0 00 38 40 00 E0 69 ..",
            [Field(byte(7), lambda car: car.CoolantTemperature, 1, -60, shows="coolant")],
        ),
        Frame(
            0x1A4,
            "Outside",
            50,
            "?? ?? ?? .. .. 80 ?? 01",
            [
                Field(
                    be(3, 8),
                    lambda car: 512 + 4 * car.AmbientTemperature,
                    shows="outside",
                    value=lambda raw: (raw - 512) / 4,
                )
            ],
        ),
        Frame(
            0x1B4,
            "Lights",
            100,
            ".. .. ?? ?? ?? ?? ?? ??",
            [
                lamp(bit(0, 7), "lights", lambda car: car.SideLights or car.DippedBeam),
                lamp(bit(0, 5), "fog", lambda car: car.FrontFogLights or car.RearFogLights),
                lamp(bit(1, 7), "main beam", lambda car: car.MainBeam),
            ],
        ),
        *all_optional(
            [
                Frame(
                    0x4B0,
                    "WheelSpeeds",
                    50,
                    ".. .. .. .. .. .. .. ..",
                    [
                        Field(be(0, 8), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 1 / 96),
                        Field(be(2, 8), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 1 / 96),
                        Field(be(4, 8), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, 1 / 96),
                        Field(be(6, 8), lambda car: abs(car.WheelSpeedRearRight) * 3.6, 1 / 96),
                    ],
                ),
                Frame(0x213, "AbsState", 100, "00 00 00 00 00 00 00 00"),
            ]
        ),
    ],
)

CM5T = Cluster(
    "ford-focus-mk3-cm5t",
    [
        *(frame for frame in CLUSTER.frames if frame.id != 0x1B0),
        presence(0x230, "TyrePressure", 50, "00 95 04 82 00 00 00 00", ["tyres"]),
        Frame(
            0x1A8,
            "RearLights",
            50,
            "00 .. .. 22 00 00 00 00",
            [
                lamp(bit(1, 0), "main beam", lambda car: car.MainBeam),
                lamp(bit(2, 6), "rear fog", lambda car: car.RearFogLights),
            ],
        ),
        Frame(
            0x1B0,
            "FrontFog",
            100,
            "FF FF .. 22 50 FF 00 00",
            [lamp(bit(2, 3), "front fog", lambda car: car.FrontFogLights)],
        ),
        Frame(0x466, "Compass", 50, "FF FF 00 22 50 FF 00 00", optional=True),
    ],
)
