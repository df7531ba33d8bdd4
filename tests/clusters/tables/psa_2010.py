"""Peugeot / Citroën AEE2010: 208 I, 308 T9, 3008 II. STOP and (!) shine without a lively 0x0E6."""

from ..checksums import psa
from ..table import Cluster, Counter, Field, Frame, be, bit, byte, lamp
from .psa import BOTH, NEVER, OWN, gear, lights

CLUSTER = Cluster(
    "psa-aee2010",
    [
        *BOTH,
        Frame(
            0x128,
            "Lamps",
            200,
            ".. .. .. .. .. ?? ?? ..",
            [
                *lights(0),
                gear(1),
                lamp(bit(3, 1), "parking brake", lambda car: car.ParkingBrake),
                Field(bit(4, 6), lambda car: car.doors),
                lamp(bit(5, 7), "low fuel", lambda car: car.FuelShare < 0.1),
                lamp(bit(5, 6), "belt", lambda car: not car.BeltDriver),
                Field(bit(2, 1), lambda car: car.SelectorShown in {4, 5}),
                Field(bit(2, 5), lambda car: car.DriveMode in {2, 3} or car.SelectorShown == 5),
            ],
        ),
        Frame(
            0x168,
            "Alerts",
            200,
            ".. .. .. .. .. .. .. ..",
            [
                lamp(bit(3, 1), "MIL", lambda car: car.IndicatorLamp),
                lamp(bit(2, 3), "brake", lambda car: car.ParkingBrake),
            ],
            darkens=("ABS", "ESP"),
        ),
        Frame(
            0x228,
            "CruiseDisplay",
            200,
            ".. .. .. 80 00 00 00 00",
            [
                Field(be(0, 8), lambda car: car.CruiseSpeed * 3.6, 0.01),
                Field(byte(2), lambda car: {1: 0x40, 2: 0x48, 3: 0x84}.get(int(car.CruiseState), 0)),
            ],
            optional=True,
        ),
        Frame(
            0x0E6,
            "Brakes",
            100,
            "?? ?? ?? ?? ?? .. ?? ..",
            [
                Field(byte(5), lambda car: car.BatteryVoltage, 0.05, 7),
            ],
            [Counter(byte(7, 4, 4))],
            (byte(7, 0, 4), psa(0xC)),
            darkens=("STOP", "brake"),
        ),
    ],
    own=OWN,
    never=NEVER,
)
