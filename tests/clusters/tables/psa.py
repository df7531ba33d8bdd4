"""What PSA's AEE2004 and AEE2010 have in common: big endian, no checksum on what the dials need."""

import math

from ..car import Car
from ..table import Field, Frame, Place, all_optional, be, bit, byte, lamp


def turn(car: Car) -> float:
    """1 right, 2 left, 3 both."""
    return int(car.RightTurnLamp) | int(car.LeftTurnLamp) << 1


def consumption(car: Car) -> float:
    """[l/100 km]; all bits set where there is none."""
    return 6553.5 if math.isnan(car.FuelConsumption) else car.FuelConsumption


BOTH = [
    Frame(
        0x036,
        "BsiCommands",
        100,
        "?? ?? .. .. .. ?? ?? ..",
        [
            Field(byte(3, 0, 4), lambda car: 15 * car.Dimming),
            Field(bit(3, 5), lambda car: car.SideLights or car.DippedBeam),
            Field(byte(4, 0, 3), lambda car: 1),
            Field(byte(7, 4, 4), lambda car: 0xA),
        ],
    ),
    Frame(
        0x0B6,
        "Fast",
        50,
        ".. .. .. .. .. .. .. D0",
        [
            Field(be(0, 8), lambda car: car.EngineRpm, 0.125, shows="rpm"),
            Field(be(2, 8), lambda car: car.kmh, 0.01, shows="speed"),
            Field(be(4, 8), lambda car: car.Odometer, counts="trip", rate=10),
            Field(byte(6), lambda car: car.FuelUsed, counts="litres", rate=12500),
        ],
        feeds=("consumption",),
        drops=(),
    ),
    Frame(
        0x0F6,
        "Slow",
        500,
        ".. .. .. .. .. .. .. ..",
        [
            Field(byte(0), lambda car: 0x8E if car.ignition else 0x86),
            Field(byte(1), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
            Field(be(2, 8, bytes_=3), lambda car: car.Odometer / 100 // 1),
            Field(byte(5), lambda car: car.AmbientTemperature, 0.5, -40),
            Field(byte(6), lambda car: car.AmbientTemperature, 0.5, -40, shows="outside"),
            Field(bit(7, 7), lambda car: car.GearboxGear < 0 or car.SelectorShown == 2),
            Field(byte(7, 4, 2), lambda car: 2),
            Field(byte(7, 0, 2), turn),
        ],
    ),
    Frame(
        0x161,
        "Gauges",
        500,
        "?? ?? .. .. ?? ?? ??",
        [
            Field(byte(2), lambda car: car.OilTemperature, 1, -40, shows="oil"),
            Field(byte(3), lambda car: car.FuelShare * 100, shows="fuel"),
        ],
    ),
    Frame(
        0x1A8,
        "Cruise",
        200,
        ".. .. .. ?? ?? .. .. ..",
        [
            Field(byte(0, 6, 2), lambda car: {0: 0, 3: 2}.get(int(car.CruiseState), 1)),
            Field(be(1, 8), lambda car: car.CruiseSpeed * 3.6, 0.01),
            Field(be(5, 8, bytes_=3), lambda car: car.Trip),
        ],
    ),
    Frame(0x1A1, "Message", 200, "?? ?? 00 ?? ?? ?? ?? ??"),
    Frame(
        0x221,
        "TripComputer",
        1000,
        "?? .. .. ?? ?? ?? ??",
        [Field(be(1, 7), consumption, 0.1)],
        optional=True,
    ),
    Frame(
        0x3F6,
        "Units",
        1000,
        ".. .. .. .. .. .. ..",
        [
            Field(Place(36, 20, "big"), lambda car: (car.Hour * 60 + car.Minute) * 60 + car.Second),
            Field(Place(24, 12, "big"), lambda car: car.DayOfYear - 1),
            Field(byte(4), lambda car: car.Year - 2000),
            Field(bit(5, 2), lambda car: car.ConsumptionUnit > 0),
            Field(bit(5, 1), lambda car: car.ConsumptionUnit in {1, 2}),
            Field(bit(5, 0), lambda car: car.SpeedUnit),
            Field(bit(5, 7), lambda car: 1),
            Field(bit(5, 5), lambda car: car.TemperatureUnit),
            Field(
                byte(6),
                lambda car: {0: 1, 1: 2, 2: 0, 3: 4, 4: 3, 5: 5, 6: 6, 7: 9}.get(int(car.Language), 1),
            ),
        ],
        optional=True,
    ),
    *all_optional(
        [
            Frame(0x2A1, "Trip1", 1000, "?? .. .. ?? ?? ?? ??", [Field(be(1, 7), lambda car: car.Trip / 1000 // 1)]),
            Frame(0x261, "Trip2", 1000, "?? .. .. ?? ?? ?? ??", [Field(be(1, 7), lambda car: car.Trip / 1000 // 1)]),
            Frame(0x3E7, "Service", 1000, "?? ?? ?? .. .. ?? ?? ??", [Field(be(3, 8), lambda car: 15000, 20.1)]),
            Frame(
                0x220,
                "Doors",
                500,
                ".. ??",
                [
                    Field(bit(0, 7), lambda car: car.DoorFrontLeft),
                    Field(bit(0, 6), lambda car: car.DoorFrontRight),
                    Field(bit(0, 5), lambda car: car.DoorRearLeft),
                    Field(bit(0, 4), lambda car: car.DoorRearRight),
                    Field(bit(0, 3), lambda car: car.Boot),
                    Field(bit(0, 2), lambda car: car.Bonnet),
                ],
            ),
        ]
    ),
]

NEVER = (0x336, 0x3B6, 0x2B6)
OWN = (0x217, 0x257, 0x15B, 0x317)


def lights(number: int) -> list[Field]:
    """The byte of the lights, which both generations have in different places."""
    return [
        lamp(bit(number, 7), "side lights", lambda car: car.SideLights),
        lamp(bit(number, 6), "dipped beam", lambda car: car.DippedBeam),
        lamp(bit(number, 5), "main beam", lambda car: car.MainBeam),
        lamp(bit(number, 4), "front fog", lambda car: car.FrontFogLights),
        lamp(bit(number, 3), "rear fog", lambda car: car.RearFogLights),
        lamp(bit(number, 2), "right", lambda car: car.RightTurnLamp),
        lamp(bit(number, 1), "left", lambda car: car.LeftTurnLamp),
    ]


def gear(number: int) -> Field:
    """Selector or gear as both generations show it."""
    forward = {1: 0x90, 2: 0x80, 3: 0x70, 4: 0x60, 5: 0x50, 6: 0x40}

    def code(car: Car) -> float:
        selector = int(car.SelectorShown)
        if selector in {4, 5}:
            return 0x30 + 2 * max(int(car.GearboxGear), 0)
        return {0: 0xB0, 1: 0x00, 2: 0x10, 3: 0x20}.get(selector, forward.get(int(car.GearboxGear), 0xB0))

    return Field(byte(number), code)
