"""Honda Civic, 10th generation, as a log of a car reads: protected as a Civic 8, its bytes where nothing moves."""

from collections.abc import Callable

from ..car import Car
from ..checksums import honda
from ..table import Cluster, Field, Frame, Place, all_optional, be, bit, byte, lamp
from .honda_civic8 import protected

WHEELS: tuple[Callable[[Car], float], ...] = (
    lambda car: abs(car.WheelSpeedFrontLeft) * 3.6,
    lambda car: abs(car.WheelSpeedFrontRight) * 3.6,
    lambda car: abs(car.WheelSpeedRearLeft) * 3.6,
    lambda car: abs(car.WheelSpeedRearRight) * 3.6,
)


def miles(car: Car) -> float:
    return car.kmh / 1.609344 // 1


def braked(car: Car) -> float:
    return car.Brake > 0.02


CLUSTER = Cluster(
    "honda-civic10",
    [
        protected(
            0x17C,
            "Powertrain",
            ".. 00 .. .. .. 00 .. ..",
            [
                Field(byte(0), lambda car: 255 * car.Throttle),
                Field(be(2, 8), lambda car: car.EngineRpm, shows="rpm"),
                # 10 at rest, 30 while the clutch is moved, B0 with the pedal
                Field(byte(4), lambda car: 0x10 + (0x80 if car.Throttle > 0.02 else 0) + braked(car)),
                Field(bit(6, 5), braked),
            ],
            period=10,
        ),
        protected(
            0x158,
            "Speed",
            ".. .. 00 00 .. .. .. ..",
            [
                Field(be(0, 8), lambda car: car.kmh, 0.01, shows="speed"),
                Field(be(4, 8), lambda car: car.kmh, 0.01),
                Field(byte(6), lambda car: car.Odometer, counts="trip", rate=0.1),
            ],
            period=10,
        ),
        protected(
            0x324,
            "Temperatures",
            ".. .. 00 00 00 00 0A ..",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(byte(1), lambda car: car.IntakeTemperature, 1, -40),
            ],
            period=100,
        ),
        protected(0x1A4, "Vsa", "00 67 04 24 10 80 01 ..", darkens=("VSA", "ABS")),
        protected(
            0x305,
            "Belts",
            ".. .. F7 00 01 00 ..",
            [
                lamp(bit(0, 7), "belts", lambda car: not car.BeltDriver),
                Field(
                    byte(1),
                    lambda car: 0x40 | (0x20 if car.BeltDriver else 0x10) | (0x08 if car.BeltPassenger else 0x04),
                ),
            ],
            darkens=("belts",),
            period=100,
        ),
        protected(
            0x326,
            "Body",
            "?? ?? .. .. 00 00 00 ..",
            [
                Field(bit(2, 1), lambda car: car.DoorFrontLeft),
                Field(bit(2, 2), lambda car: car.GearboxGear < 0),
                lamp(bit(3, 2), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(3, 3), "right", lambda car: car.RightTurnLamp),
                Field(bit(3, 4), lambda car: car.CruiseState > 0),
                lamp(bit(3, 5), "brake", lambda car: car.ParkingBrake),
            ],
            darkens=("brake",),
            period=100,
        ),
        protected(
            0x37B,
            "Lights",
            "00 00 00 20 .. 00 00 ..",
            [
                lamp(bit(4, 2), "main beam", lambda car: car.MainBeam),
                Field(bit(4, 3), lambda car: car.DippedBeam),
                Field(bit(4, 4), lambda car: car.SideLights),
            ],
            period=100,
        ),
        protected(
            0x405,
            "Doors",
            "00 00 00 00 .. .. 80 ..",
            [
                Field(bit(4, 5), lambda car: car.DoorFrontLeft, lights=("doors",)),
                Field(bit(4, 6), lambda car: car.DoorFrontRight, lights=("doors",)),
                Field(bit(4, 7), lambda car: car.DoorRearLeft, lights=("doors",)),
                Field(bit(5, 0), lambda car: car.DoorRearRight, lights=("doors",)),
                Field(bit(5, 1), lambda car: car.Boot, lights=("boot",)),
            ],
            period=300,
        ),
        *all_optional(
            [
                protected(
                    0x1DC, "EngineSpeed", "00 .. .. 00 00 00 10 ..", [Field(be(1, 8), lambda car: car.EngineRpm)]
                ),
                Frame(
                    0x1D0,
                    "Wheels",
                    20,
                    ".. .. .. .. .. .. .. ..",
                    # 15 bits each, one after the other from the highest bit
                    [Field(Place(49 - 15 * n, 15, "big"), source, 0.01) for n, source in enumerate(WHEELS)],
                    check=(byte(7, 0, 4), honda),
                ),
                Frame(
                    0x255,
                    "WheelsRough",
                    40,
                    ".. .. .. .. 55 55 ?? ??",
                    [Field(byte(n), source) for n, source in enumerate(WHEELS)],
                ),
                protected(
                    0x309,
                    "Display",
                    ".. .. .. .. .. .. 40 ..",
                    [
                        Field(be(0, 8), lambda car: car.kmh, 0.01),
                        Field(byte(2), miles),
                        Field(byte(3), miles),
                        Field(be(4, 8), lambda car: car.kmh, 0.01),
                        Field(bit(7, 7), lambda car: car.SpeedUnit),
                    ],
                    period=100,
                ),
                protected(
                    0x374,
                    "LightsOn",
                    "00 00 00 00 00 .. .. ..",
                    [
                        Field(bit(5, 7), lambda car: car.MainBeam),
                        Field(bit(6, 6), lambda car: bool(car.DippedBeam or car.MainBeam)),
                    ],
                    period=100,
                ),
            ]
        ),
    ],
    never=(0x516,),
)
