"""Dodge Charger LD: what moves a cluster on a bench; counters and checksums as a recorded Durango has them."""

from ..car import Car
from ..checksums import crc8
from ..table import Cluster, Counter, Field, Frame, be, bit, byte, lamp

ZEROS = "00 00 00 00 00 00 00 00"


def j1850(_: int, data: bytes) -> int:
    """CRC-8 0x1D, inverted, over the first seven bytes: 892 of 892 frames of 108 in the log."""
    return crc8(0x1D, 0xFF, 0xFF, data[:7])


def protected(can_id: int, name: str, period: int, template: str, fields: list[Field], *darkens: str) -> Frame:
    return Frame(can_id, name, period, template, fields, [Counter(byte(6, 4, 4))], (byte(7), j1850), darkens=darkens)


def selector(car: Car) -> float:
    """P 2, R 4, N 6, D 8."""
    if not car.SelectorShown:
        return 8 if car.GearboxGear > 0 else 4 if car.GearboxGear < 0 else 6
    return {1: 2, 2: 4, 3: 6}.get(int(car.SelectorShown), 8)


CLUSTER = Cluster(
    "dodge-charger-ld",
    [
        Frame(0x112, "Ignition", 20, "84 00"),
        protected(
            0x108, "Rpm", 10, ".. .. 07 D0 07 D0 .. ..", [Field(be(0, 8), lambda car: car.EngineRpm, shows="rpm")]
        ),
        # the bench: 1.8 times m/s in byte 4
        protected(
            0x11C,
            "Speed",
            20,
            "80 00 00 00 .. .. .. ..",
            [Field(be(4, 8), lambda car: car.kmh, 1 / (1.8 / 3.6 * 256), shows="speed")],
        ),
        protected(0x170, "Gear", 20, "82 FC 50 02 00 00 .. ..", [Field(byte(6, 0, 4), selector)]),
        protected(0x22F, "ElectronicThrottle", 20, "00 FF 00 00 00 00 .. ..", [], "throttle"),
        Frame(
            0x2E0,
            "Esc",
            50,
            "00 00 00 00 0E CC .. ..",
            [
                lamp(bit(7, 1), "ESC", lambda car: car.TcsEngaged or car.EscEngaged),
                lamp(bit(7, 2), "ABS", lambda car: 0),
                Field(bit(7, 3), lambda car: car.AbsEngaged),
            ],
            darkens=("ESC", "ABS"),
        ),
        Frame(0x1D0, "Airbag", 100, ZEROS, darkens=("airbag",)),
        Frame(0x12C, "PowerSteering", 100, ZEROS, darkens=("steering",)),
        Frame(
            0x180,
            "Temperatures",
            100,
            ".. .. 00 00 00 00 00 00",
            [
                Field(byte(0), lambda car: car.IntakeTemperature, 1, -40),
                Field(byte(1), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
            ],
            darkens=("charge",),
        ),
        Frame(
            0x2A0,
            "EngineLamps",
            100,
            ".. 00 .. .. 00 00 00 00",
            [
                lamp(byte(0), "MIL", lambda car: car.IndicatorLamp),
                Field(byte(2), lambda car: car.OilPressure, 4),
                Field(byte(3), lambda car: car.OilTemperature, 1, -40, shows="oil"),
            ],
            darkens=("MIL",),
        ),
        Frame(
            0x334,
            "Lights",
            100,
            ".. .. .. .. 00 00 F0 ..",
            [
                lamp(bit(0, 2), "fog", lambda car: car.FrontFogLights),
                Field(bit(1, 0), lambda car: car.DippedBeam),
                lamp(bit(2, 7), "brake", lambda car: car.ParkingBrake),
                lamp(bit(3, 6), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(3, 7), "right", lambda car: car.RightTurnLamp),
                lamp(bit(7, 2), "main beam", lambda car: car.MainBeam),
            ],
        ),
        Frame(0x278, "RedBackground", 100, "00 00 00 00 20 00 00 00", feeds=("backlight",)),
        Frame(
            0x200,
            "Fuel",
            100,
            "A4 1C 0B 52 .. .. 79 FF",
            [
                Field(byte(4), lambda car: 2 + int(car.FuelShare * 255) % 16),
                Field(byte(5), lambda car: 10 + int(car.FuelShare * 255) // 16),
            ],
            feeds=("fuel",),
        ),
        Frame(0x304, "Tyres", 100, "00 00 00 23 23 23 23 23", darkens=("tyres",)),
    ],
)
