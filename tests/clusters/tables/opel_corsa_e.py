"""Opel Corsa E: single-wire GMLAN, big endian, no counter, no checksum; one lamp shines at 0."""

from ..car import Car
from ..table import Cluster, Field, Frame, all_optional, be, bit, byte, lamp, presence

ZEROS = "00 00 00 00 00 00 00 00"
MPH = 1.609344
YARD = 0.9144
LANGUAGES = {1: 1, 2: 4, 3: 2, 4: 5, 6: 6, 8: 3}
"""0 English, 1 German, 2 Italian, 3 Swedish, 4 French, 5 Spanish, 6 Dutch, by the numbers of the body."""


def brake(car: Car) -> float:
    return bool(car.ParkingBrake)


CLUSTER = Cluster(
    "opel-corsa-e",
    [
        presence(0x100, "NetworkAlive", 3000, "", ["everything"]),
        Frame(
            0x10210040,
            "Speed",
            50,
            ".. .. 80 00 .. .. 80 00",
            [
                Field(be(0, 8), lambda car: car.kmh, MPH / 100, shows="speed"),
                Field(be(4, 8), lambda car: car.kmh, MPH / 100),
            ],
        ),
        Frame(
            0x102CA040,
            "EngineSpeed",
            50,
            "00 00 .. .. 00 00 00 00",
            [Field(be(2, 8), lambda car: car.EngineRpm, 0.25, shows="rpm")],
        ),
        presence(0x1022A040, "Abs", 1000, "00 B0 00 00 00 00 00", ["ABS"]),
        presence(0x10240040, "Stability", 1000, "83 FA 88 01 FF 31 00 00", ["ESC"]),
        Frame(
            0x1020C040,
            "Lights",
            500,
            "00 .. 00 .. 00",
            [
                Field(bit(1, 6), lambda car: car.DippedBeam),
                lamp(bit(1, 5), "main beam", lambda car: car.MainBeam),
                lamp(bit(1, 4), "rear fog", lambda car: car.RearFogLights),
                lamp(bit(3, 5), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(3, 1), "right", lambda car: car.RightTurnLamp),
            ],
        ),
        Frame(
            0x10644040,
            "Backlight",
            1000,
            "02 .. ..",
            [Field(byte(1), lambda car: 255 * car.Dimming), Field(byte(2), lambda car: 255 * car.Dimming)],
            feeds=("backlight",),
        ),
        Frame(0x103B4040, "ParkingBrake", 1000, "..", [lamp(bit(0, 2), "parking brake", brake)]),
        Frame(0x10630000, "DoorFrontLeft", 1000, "..", [lamp(bit(0, 0), "doors", lambda car: car.DoorFrontLeft)]),
        Frame(0x0C2F6040, "DoorFrontRight", 1000, "..", [lamp(bit(0, 0), "doors", lambda car: car.DoorFrontRight)]),
        Frame(0x0C2F8040, "DoorRearLeft", 1000, "..", [lamp(bit(0, 0), "doors", lambda car: car.DoorRearLeft)]),
        Frame(0x0C2FA040, "DoorRearRight", 1000, "..", [lamp(bit(0, 0), "doors", lambda car: car.DoorRearRight)]),
        Frame(0x106AA040, "Boot", 1000, "..", [lamp(bit(0, 0), "doors", lambda car: car.Boot)]),
        Frame(0x10728040, "Bonnet", 1000, "..", [lamp(bit(0, 1), "doors", lambda car: car.Bonnet)]),
        Frame(
            0x10330058,
            "Airbag",
            1000,
            ".. 73 73 00 00 00",
            [Field(byte(0), lambda car: 0x73 if car.BeltDriver else 0xB3, lights=("belt",), lit=(0xB3,))],
            darkens=("airbag",),
        ),
        Frame(
            0x10780040,
            "EngineLamp",
            1000,
            "00 00 .. 00 08 00 00 00",
            [Field(bit(2, 0), lambda car: not car.IndicatorLamp, lights=("MIL",), lit=(0,))],
            darkens=("MIL",),
        ),
        Frame(
            0x10800040,
            "Fuel",
            250,
            "00 .. 00 00 00 00",
            [Field(byte(1), lambda car: car.FuelShare * 100, 100 / 255, shows="fuel")],
        ),
        presence(0x10806040, "FuelMessage", 1000, "00 00 00 00 14", ["fuel message"]),
        Frame(
            0x102E0040,
            "Coolant",
            250,
            "00 00 00 00 00 00 00 ..",
            [Field(byte(7), lambda car: car.CoolantTemperature, 90 / 136, shows="coolant")],
        ),
        presence(0x103DC040, "TyreState", 1000, "05 85", ["tyres"]),
        presence(0x103D4040, "TyrePressures", 1000, "24 24 38 38 38 38", ["tyres"]),
        Frame(
            0x106C0040,
            "Odometer",
            1000,
            ".. .. .. .. 00",
            [Field(be(0, 5, bytes_=4), lambda car: car.Odometer / 1000 * 64 // 1)],
        ),
        *all_optional(
            [
                Frame(
                    0x106B8040,
                    "WheelSpeeds",
                    200,
                    ".. .. .. .. .. .. .. ..",
                    [
                        Field(be(0, 8), lambda car: abs(car.WheelSpeedFrontLeft), YARD / 100),
                        Field(be(2, 8), lambda car: abs(car.WheelSpeedRearLeft), YARD / 100),
                        Field(be(4, 8), lambda car: abs(car.WheelSpeedFrontRight), YARD / 100),
                        Field(be(6, 8), lambda car: abs(car.WheelSpeedRearRight), YARD / 100),
                    ],
                ),
                Frame(0x102CC040, "Gearbox", 1000, "00 00 CD 00 00 00 00 00"),
                Frame(0x102D0040, "Range", 1000, "00 00 01 A0 FF 00 00 FF"),
                Frame(0x10264040, "Consumption", 1000, "00 00 00 00 00 00 00 ??"),
                Frame(
                    0x10730080,
                    "Language",
                    1000,
                    "..",
                    [Field(byte(0), lambda car: LANGUAGES.get(int(car.Language), 0))],
                ),
            ]
        ),
    ],
    never=(0x10EC8040,),
)
