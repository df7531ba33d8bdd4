"""Ford Mustang S197 (2005 to 2009): big endian, no counter, no checksum; every frame each 50 ms on two buses."""

from ..car import Car
from ..table import Cluster, Field, Frame, be, bit, byte, interpolated, lamp

MPH = 1.609344
COOLANT = ((40, 0x55), (60, 0x6B), (70, 0x6F), (90, 0x7F), (110, 0x9A), (120, 0x9F), (125, 0xA1))
"""[°C]: which temperatures these points of the dial are stands in no table, and is what the profile says."""


def phase(car: Car) -> float:
    """10, 11, 17 round and round: 321 ms each at 120 mph."""
    return (0x10, 0x11, 0x17)[int(car.Odometer / (120 * MPH / 3.6 * 0.321) // 1) % 3]


CLUSTER = Cluster(
    "mustang-s197",
    [
        Frame(
            0x201,
            "SpeedAndRpm",
            50,
            ".. .. FF FF .. .. 00 00",
            [
                Field(be(0, 8), lambda car: min(car.EngineRpm, 7000), 0.25, shows="rpm"),
                Field(be(4, 8), lambda car: car.kmh, 0.0065 * MPH, -67 * MPH, shows="speed"),
            ],
        ),
        Frame(
            0x420,
            "Coolant",
            50,
            ".. .. 00 00 .. .. .. 00",
            [
                Field(
                    byte(0),
                    lambda car: interpolated(COOLANT)(car.CoolantTemperature),
                    shows="coolant",
                    value=interpolated([(raw, celsius) for celsius, raw in COOLANT]),
                    resolution=3.0,
                ),
                Field(byte(1), phase),
                lamp(byte(4, 6, 2), "MIL", lambda car: car.IndicatorLamp),
                lamp(bit(5, 3), "charge", lambda car: car.ChargeIndicator),
                lamp(bit(5, 7), "powertrain", lambda car: 0),
                Field(bit(6, 3), lambda car: car.CruiseState == 2),
            ],
            darkens=("MIL", "charge"),
        ),
    ],
)

BODY = Cluster(
    "mustang-s197-body",
    [
        Frame(
            0x10A,
            "Lights",
            50,
            ".. .. 00 00",
            [
                Field(byte(0), lambda car: 255 * car.Dimming),
                Field(bit(1, 7), lambda car: bool(car.SideLights or car.DippedBeam or car.MainBeam)),
            ],
            feeds=("backlight",),
        ),
        Frame(
            0x383,
            "TurnSignals",
            50,
            ".. 00 00 00",
            [
                lamp(bit(0, 5), "right", lambda car: car.RightTurnLamp),
                lamp(bit(0, 6), "left", lambda car: car.LeftTurnLamp),
            ],
        ),
        Frame(0x3A5, "Tyres", 50, "00 00 00 00 00", darkens=("tyres",)),
        Frame(
            0x3B1,
            "Doors",
            50,
            ".. 00 00 00",
            [
                Field(
                    byte(0),
                    lambda car: 0x80 * car.DoorFrontLeft + 0x60 * car.DoorFrontRight + 0x02 * car.Boot,
                    lights=("doors",),
                )
            ],
        ),
        Frame(0x3B3, "Beeper", 50, "80 00 00 00", optional=True),
        Frame(0x3B8, "HighBeam", 50, ".. 00 00 00", [lamp(bit(0, 7), "main beam", lambda car: car.MainBeam)]),
        Frame(
            0x3C1,
            "Brakes",
            50,
            ".. 00 00 00",
            [
                lamp(bit(0, 5), "brake", lambda car: car.ParkingBrake or car.Handbrake > 0),
                lamp(bit(0, 6), "brake", lambda car: 0),
            ],
            darkens=("brake",),
        ),
        Frame(
            0x400,
            "Fuel",
            50,
            ".. .. FE 00 00 00 00 00",
            [
                Field(
                    be(0, 8),
                    lambda car: interpolated([(0, 0x011F), (0.5, 0x01CF), (1, 0x02CF)])(car.FuelShare),
                    shows="fuel",
                    value=interpolated([(0x011F, 0), (0x01CF, 50), (0x02CF, 100)]),
                    resolution=0.3,
                )
            ],
        ),
        Frame(
            0x445,
            "Oil",
            50,
            ".. 00 00 00",
            [lamp(bit(0, 7), "oil pressure", lambda car: car.OilPressure < 50)],
            feeds=("oil",),
        ),
    ],
)
