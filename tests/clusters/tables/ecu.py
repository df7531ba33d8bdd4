"""The car around an engine control unit, as the programs in such units read it: FOME, rusEFI, Speeduino; and a logger.

Each field is the inverse of a reader's equation; needles are what the engine control unit knows afterwards.
"""

from collections.abc import Callable, Sequence

from ..car import Car
from ..checksums import xor
from ..table import Cluster, Counter, Field, Frame, Place, all_optional, be, bit, byte, le

WHEELS: Sequence[Callable[[Car], float]] = (
    lambda car: abs(car.WheelSpeedFrontLeft) * 3.6,
    lambda car: abs(car.WheelSpeedFrontRight) * 3.6,
    lambda car: abs(car.WheelSpeedRearLeft) * 3.6,
    lambda car: abs(car.WheelSpeedRearRight) * 3.6,
)


def wheels(places: Sequence[Place], scale: float, offset: float = 0.0) -> list[Field]:
    return [Field(place, source, scale, offset) for place, source in zip(places, WHEELS, strict=True)]


def pressed(car: Car) -> float:
    return car.Brake > 0.02


BMW_E46 = Cluster(
    "ecu-bmw-e46",
    [
        # FOME: two bytes each, of the second the low half, sixteenths of a km/h
        Frame(
            0x1F0,
            "WheelSpeeds",
            10,
            ".. .. .. .. .. .. .. ..",
            wheels([le(16 * n, 12) for n in range(4)], 0.0625),
            timeout=500,
        ),
        # RaceChrono's table: bitsToUIntLe(11, 13) / 16, and an angle with a sign bit
        Frame(
            0x153,
            "Speed",
            10,
            "00 .. .. FF 00 FF FF 80",
            [Field(le(11, 13), lambda car: car.kmh, 0.0625, shows="speed")],
        ),
        Frame(
            0x1F5,
            "SteeringAngle",
            10,
            ".. .. 00 00 00 00 00 00",
            [
                Field(le(0, 15), lambda car: abs(car.SteeringWheelAngle), 0.04394),
                Field(bit(1, 7), lambda car: car.SteeringWheelAngle > 0),
            ],
        ),
    ],
)

BMW_E90 = Cluster(
    "ecu-bmw-e90",
    [
        Frame(
            0x0CE,
            "WheelSpeeds",
            10,
            ".. .. .. .. .. .. .. ..",
            wheels([le(16 * n) for n in range(4)], 0.0625),
            timeout=500,
        ),
        Frame(
            0x1A0,
            "Speed",
            20,
            ".. .. ?? ?? ?? .. .. ..",
            [
                Field(le(0, 12), lambda car: car.kmh, 0.1, shows="speed"),
                Field(byte(1, 4, 3), lambda car: 0 if car.kmh < 0.05 else 1 if car.Speed > 0 else 2),
            ],
            [Counter(byte(6, 4, 4), last=(15, 14))],
            (byte(7), xor),
        ),
        Frame(
            0x19E,
            "Brakes",
            20,
            "00 E0 ?? FC CC .. 00 ??",
            [Field(bit(5, 6), pressed)],
            [Counter(byte(2, 4, 4), last=(2,))],
        ),
    ],
)

MERCEDES_W202 = Cluster(
    "ecu-mercedes-w202",
    [
        Frame(
            0x200,
            "Brakes",
            20,
            "?? ?? .. .. ?? ?? ?? ??",
            [Field(be(2, 8), lambda car: car.kmh, 0.0625, shows="speed")],
        )
    ],
)

MAZDA_MX5_NC = Cluster(
    "ecu-mazda-mx5-nc",
    [
        Frame(
            0x4B0,
            "WheelSpeeds",
            10,
            ".. .. .. .. .. .. .. ..",
            wheels([be(2 * n, 8) for n in range(4)], 0.01, -100),
            timeout=500,
        ),
        *all_optional(
            [
                Frame(
                    0x085,
                    "Brakes",
                    10,
                    ".. .. .. ?? ?? ?? ?? ??",
                    [Field(be(0, 8), lambda car: 100 * car.BrakePressure, 0.2, -20.4), Field(bit(2, 7), pressed)],
                )
            ]
        ),
    ],
)

WIDEBAND_RUSEFI = Cluster(
    "ecu-wideband-rusefi",
    [
        Frame(
            0x190,
            "Lambda",
            10,
            "A0 .. .. .. ?? ?? 00 00",
            [
                Field(byte(1), lambda car: car.EngineWorking),
                Field(le(16), lambda car: min(car.Lambda, 6.5), 0.0001, shows="lambda"),
            ],
            timeout=21,
        ),
        Frame(
            0x191,
            "Diagnosis",
            10,
            "?? ?? ?? ?? ?? .. ?? 00",
            [Field(byte(5), lambda car: 2 if car.EngineWorking else 0)],
            timeout=21,
        ),
    ],
)

WIDEBAND_AEM = Cluster(
    "ecu-wideband-aem",
    [
        Frame(
            0x180,
            "Lambda",
            10,
            ".. .. ?? ?? ?? 00 .. 00",
            [
                Field(be(0, 8), lambda car: min(car.Lambda, 6.5), 0.0001, shows="lambda"),
                Field(bit(6, 7), lambda car: car.EngineWorking),
            ],
            timeout=21,
        ),
    ],
)

CLUSTERS = (BMW_E46, BMW_E90, MERCEDES_W202, MAZDA_MX5_NC, WIDEBAND_RUSEFI, WIDEBAND_AEM)
