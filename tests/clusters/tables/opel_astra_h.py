"""Opel Astra H on its low-speed bus, as one car showed it: big endian, no counter, no checksum."""

from ..car import Car
from ..table import Cluster, Field, Frame, all_optional, be, byte

MILLIMETRES = 15.748
MILLILITRES = 0.03054


def turn(car: Car) -> float:
    """Left 25 43 7F, right 3A 43 7F, hazard 5F 32 7F; zeros when dark."""
    left, right = bool(car.LeftTurnLamp), bool(car.RightTurnLamp)
    return {(False, False): 0, (True, False): 0x25437F, (False, True): 0x3A437F, (True, True): 0x5F327F}[left, right]


CLUSTER = Cluster(
    "opel-astra-h",
    [
        Frame(0x100, "WakeUp", 1000, "", once=True),
        Frame(
            0x108,
            "SpeedRpm",
            50,
            ".. .. .. 00 .. .. 00 00",
            [
                Field(byte(0), lambda car: 0x23 if abs(car.Speed) > 0.1 else 0x13),
                Field(be(1, 8), lambda car: car.kmh, 1 / 128, shows="speed"),
                Field(be(4, 8), lambda car: car.EngineRpm, shows="rpm"),
            ],
        ),
        Frame(
            0x110,
            "Distance",
            100,
            "00 .. .. .. ..",
            [
                Field(be(1, 5), lambda car: car.Odometer, counts="trip", rate=1000 / MILLIMETRES),
                Field(be(3, 5), lambda car: car.Odometer * (1000 / MILLIMETRES) // 1 % 65536),
            ],
        ),
        Frame(
            0x130,
            "FuelInjection",
            200,
            "00 .. .. 00 00 00 00",
            [Field(be(1, 7), lambda car: car.FuelUsed, counts="litres", rate=1000 / MILLILITRES)],
        ),
        Frame(
            0x145,
            "Engine",
            100,
            ".. .. ?? .. .. 04 00 00",
            [
                Field(byte(0), lambda car: 0 if car.EngineWorking else 0x40 if car.EngineStarting else 0x20),
                Field(byte(1), lambda car: car.EngineWorking),
                Field(byte(3), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(byte(4), lambda car: 0xA0 if car.EngineWorking else 0),
            ],
        ),
        Frame(0x260, "TurnSignal", 1000, ".. .. ..", [Field(be(0, 3, bytes_=3), turn, lights=("turn",))], event=True),
        Frame(
            0x235, "Brightness", 1000, "00 ..", [Field(byte(1), lambda car: 255 * car.Dimming)], feeds=("backlight",)
        ),
        *all_optional(
            [
                Frame(0x445, "Battery", 1000, "00 ..", [Field(byte(1), lambda car: car.BatteryVoltage, 1 / 8)]),
                Frame(0x500, "Outside", 1500, "00 ..", [Field(byte(1), lambda car: car.AmbientTemperature, 0.5, -40)]),
            ]
        ),
    ],
    never=(0x190,),
)
