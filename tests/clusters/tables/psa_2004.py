"""Peugeot / Citroën AEE2004: 407, C5 II, 3008 I."""

from ..table import Cluster, Field, Frame, bit, byte, lamp
from .psa import BOTH, NEVER, OWN, gear, lights

CLUSTER = Cluster(
    "psa-aee2004",
    [
        *BOTH,
        Frame(
            0x128,
            "Lamps",
            200,
            ".. .. .. .. .. .. .. ..",
            [
                lamp(bit(0, 6), "belt", lambda car: not car.BeltDriver),
                lamp(bit(0, 5), "parking brake", lambda car: car.ParkingBrake),
                lamp(bit(0, 4), "low fuel", lambda car: car.FuelShare < 0.1),
                lamp(bit(0, 1), "belt", lambda car: not car.BeltPassenger),
                *(lamp(bit(1, number), "door", lambda car: car.doors) for number in (3, 4)),
                lamp(bit(2, 1), "hazard", lambda car: car.HazardLights),
                Field(byte(7, 4, 3), lambda car: 2 * (car.DriveMode in {2, 3} or car.SelectorShown == 5)),
                Field(byte(7, 0, 2), lambda car: car.SelectorShown == 0),
                *lights(4),
                Field(bit(5, 7), lambda car: 1),
                gear(6),
            ],
        ),
        Frame(
            0x0E6,
            "Brakes",
            100,
            "?? ?? ?? ?? ?? .. ??",
            [Field(byte(5), lambda car: car.BatteryVoltage, 0.05, 7)],
            optional=True,
        ),
        Frame(
            0x168,
            "Alerts",
            200,
            ".. .. .. .. .. .. .. ..",
            [
                lamp(bit(3, 1), "MIL", lambda car: car.IndicatorLamp),
            ],
            darkens=("ABS", "ESP"),
        ),
    ],
    own=OWN,
    never=NEVER,
)
