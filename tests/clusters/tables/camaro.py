"""Chevrolet Camaro, 5th generation, on its powertrain bus: bytes as a log of a car has them, places of opendbc."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp

MPH = 1.609344
ROLLING = (0x00, 0x07, 0x0A, 0x0D)
"""A count of two bits with its check, as 0C9 and 0F1 of the log go on."""


def state(car: Car) -> float:
    return 0x84 if car.EngineWorking else 0x40 if car.EngineStarting else 0


def lever(park: int, reverse: int, neutral: int, drive: int) -> Field:
    def shown(car: Car) -> float:
        if car.SelectorShown == 1:
            return park
        return reverse if car.GearboxGear < 0 else drive if car.GearboxGear > 0 else neutral

    return Field(byte(0, 0, 3) if not park else byte(3, 0, 4), shown)


CLUSTER = Cluster(
    "chevrolet-camaro",
    [
        Frame(
            0x0C9,
            "ECMEngineStatus",
            13,
            ".. .. .. .. .. 40 08 00",
            [
                Field(byte(0), state),
                Field(be(1, 8), lambda car: car.EngineRpm, 0.25, shows="rpm"),
                Field(byte(4), lambda car: 255 * car.ThrottleSignal),
            ],
            [Counter(byte(3), values=ROLLING)],
        ),
        Frame(
            0x3E9,
            "ECMVehicleSpeed",
            100,
            ".. .. 00 00 .. .. 00 00",
            [
                Field(be(0, 8), lambda car: car.kmh, 0.01 * MPH, shows="speed"),
                Field(be(4, 8), lambda car: car.kmh, 0.01 * MPH),
            ],
        ),
        Frame(
            0x4C1,
            "ECMEngineCoolantTemp",
            500,
            "00 C7 .. .. 50 00 00 00",
            [
                Field(byte(2), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(byte(3), lambda car: car.IntakeTemperature, 1, -40),
            ],
        ),
        Frame(
            0x4D1,
            "Oil",
            500,
            "00 .. .. 02 33 .. 00 76",
            [
                Field(byte(1), lambda car: car.OilTemperature, 1, -40),
                Field(byte(2), lambda car: car.OilPressure, 4),
                Field(byte(5), lambda car: 255 * car.FuelShare),
            ],
        ),
        Frame(
            0x140,
            "BCMTurnSignals",
            1000,
            ".. 02 ..",
            [
                Field(byte(2), lambda car: 1 + 4 * car.LeftTurn + 8 * car.RightTurn, lights=("turn",), lit=(5, 9, 13)),
                lamp(bit(0, 7), "main beam", lambda car: car.MainBeam),
            ],
        ),
        Frame(
            0x12A,
            "BCMDoorBeltStatus",
            100,
            "50 .. .. ?? 00 00 .. ??",
            [
                Field(byte(1, 5, 3), lambda car: 7),
                Field(bit(1, 0), lambda car: car.DoorRearLeft, lights=("doors",)),
                Field(bit(1, 1), lambda car: car.DoorFrontLeft, lights=("doors",)),
                Field(bit(1, 2), lambda car: car.DoorFrontRight, lights=("doors",)),
                Field(bit(1, 4), lambda car: car.BeltDriver, lights=("belts",), lit=(0,)),
                Field(byte(2, 0, 7), lambda car: 0x70),
                Field(bit(2, 7), lambda car: car.DoorRearRight, lights=("doors",)),
                Field(byte(6), lambda car: 0x90 + 0x20 * car.BeltPassenger),
            ],
        ),
        Frame(0x1F5, "ECMPRDNL2", 25, "ED 00 00 .. 18 00 83 00", [lever(1, 2, 3, 4)]),
        Frame(0x1F1, "PowerMode", 100, "AE 0A 00 00 18 00 00 7A", darkens=("everything",)),
        *all_optional(
            [
                Frame(
                    0x0F1,
                    "EBCMBrakePedalPosition",
                    10,
                    ".. .. 00 40 00 00",
                    [Field(bit(0, 1), lambda car: car.Brake > 0.02), Field(byte(1), lambda car: 255 * car.Brake)],
                    [Counter(byte(0, 2, 4), values=ROLLING)],
                ),
                Frame(0x135, "ECMPRDNL", 100, ".. 00 04 16 66 18 18 ??", [lever(0, 3, 1, 2)]),
                Frame(
                    0x348,
                    "EBCMWheelSpdFront",
                    50,
                    ".. .. .. .. 00",
                    [
                        Field(be(0, 5), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 0.0311),
                        Field(be(2, 5), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 0.0311),
                    ],
                ),
                Frame(
                    0x34A,
                    "EBCMWheelSpdRear",
                    50,
                    ".. .. .. .. 00",
                    [
                        Field(be(0, 5), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, 0.0311),
                        Field(be(2, 5), lambda car: abs(car.WheelSpeedRearRight) * 3.6, 0.0311),
                    ],
                ),
                Frame(
                    0x3D1,
                    "ECMCruiseControl",
                    100,
                    "00 00 .. .. .. 00 00 00",
                    [
                        Field(byte(2, 4, 4), lambda car: 8),
                        Field(be(2, 8, bits=12), lambda car: car.CruiseSpeed * 3.6, 0.0625),
                        Field(bit(4, 7), lambda car: car.CruiseState == 2),
                    ],
                ),
            ]
        ),
    ],
)
