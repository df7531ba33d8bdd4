"""Mazda RX-8 (Series 1): big endian, no counter, no checksum."""

from ..car import Car
from ..table import Cluster, Field, Frame, all_optional, be, bit, byte, lamp

METRES_PER_PULSE = 1 / 2.58


def gear(car: Car) -> float:
    """P, R, N or D in the low nibble, the gear in the high one; in byte 1 whether it is chosen by hand."""
    selector = int(car.SelectorShown)
    if not selector:
        return 0x0F00
    shown = max(int(car.GearboxGear), 0) if selector == 6 else 0
    return (shown << 4 | min(selector, 4)) << 8 | (0x80 if selector == 6 else 0)


CLUSTER = Cluster(
    "mazda-rx8",
    [
        Frame(
            0x201,
            "EngineSpeed",
            100,
            ".. .. FF FF .. .. .. FF",
            [
                Field(be(0, 8), lambda car: car.EngineRpm, 0.25, shows="rpm"),
                Field(be(4, 8), lambda car: car.kmh, 0.01, -100, shows="speed"),
                Field(byte(6), lambda car: car.Throttle * 100, 0.5),
            ],
        ),
        Frame(
            0x420,
            "Lamps",
            100,
            ".. .. 00 00 .. .. ..",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -69, shows="coolant"),
                Field(byte(1), lambda car: car.Odometer, counts="trip", rate=1 / METRES_PER_PULSE),
                Field(byte(4), lambda car: car.EngineWorking, lights=("oil pressure",), lit=(0,)),
                lamp(bit(5, 6), "MIL", lambda car: car.IndicatorLamp),
                lamp(bit(6, 6), "charge", lambda car: car.ChargeIndicator),
            ],
            timeout=2000,
            darkens=("MIL", "charge", "oil pressure", "coolant"),
        ),
        Frame(
            0x212,
            "DynamicStability",
            100,
            "00 00 00 .. .. .. 00",
            [
                lamp(bit(4, 3), "ABS", lambda car: 0),
                lamp(bit(4, 6), "brake", lambda car: 0),
            ],
            darkens=("ABS", "brake", "DSC"),
        ),
        Frame(0x231, "Gear", 100, ".. .. FF FF 00", [Field(be(0, 5), gear)], darkens=("gearbox",)),
        Frame(0x300, "PowerSteering", 100, "00", darkens=("power steering",)),
        Frame(
            0x650,
            "Cruise",
            100,
            "..",
            [
                lamp(bit(0, 7), "cruise main", lambda car: car.CruiseState in {1, 2}),
                lamp(bit(0, 6), "cruise set", lambda car: car.CruiseState == 2),
            ],
            darkens=("cruise",),
        ),
        Frame(0x620, "AbsPresence", 100, "00 00 00 00 10 00 ??", darkens=("ABS",)),
        Frame(0x630, "AbsPresence2", 100, "08 00 00 00 00 00 6A 6A", darkens=("ABS",)),
        *all_optional(
            [
                Frame(0x215, "Engine215", 100, "02 2D 02 2D 02 2A 06 81"),
                Frame(0x240, "Engine240", 100, "04 00 28 00 02 37 06 81"),
                Frame(0x203, "Engine203", 100, "13 13 13 13 AF 03 13"),
                Frame(0x4BE, "Brake", 20, ".. ?? ?? ?? ?? ?? ?? ??", [Field(byte(0), lambda car: car.Brake * 200)]),
                Frame(
                    0x075,
                    "Handbrake",
                    20,
                    ".. ??",
                    [
                        Field(bit(0, 0), lambda car: car.ParkingBrake or car.Handbrake > 0),
                        Field(bit(0, 1), lambda car: car.GearboxGear == 0),
                    ],
                ),
                Frame(
                    0x4B0,
                    "WheelSpeeds",
                    20,
                    ".. .. .. .. .. .. .. ..",
                    [
                        Field(be(0, 8), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 0.01, -100),
                        Field(be(2, 8), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 0.01, -100),
                        Field(be(4, 8), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, 0.01, -100),
                        Field(be(6, 8), lambda car: abs(car.WheelSpeedRearRight) * 3.6, 0.01, -100),
                    ],
                ),
            ]
        ),
    ],
)
"""`METRES_PER_PULSE` stands in no table: it is what the profile says, and the trip is judged by it alone."""
