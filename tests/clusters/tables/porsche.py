"""Porsche Panamera 970, and 911 (997) with Boxster and Cayman (987): little endian, no checksum wanted."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, lamp, le, presence

ZEROS = "00 00 00 00 00 00 00 00"
MPH = 1.609344


def oil(car: Car) -> float:
    """81 at 155 °F and D0 at 300 °F, on a straight line."""
    return 0x81 + (0xD0 - 0x81) * (car.OilTemperature * 1.8 + 32 - 155) / (300 - 155)


def selector(car: Car) -> float:
    """5 D, 6 N, 7 R, 8 P; E by hand."""
    if not car.SelectorShown:
        return {0: 6, -1: 7}.get(int(car.GearboxGear), 0xE)
    return {1: 8, 2: 7, 3: 6, 4: 5, 5: 5, 6: 0xE}[int(car.SelectorShown)]


PANAMERA = Cluster(
    "porsche-panamera-970",
    [
        Frame(0x3C0, "Ignition", 100, "00 00 .. 00", [Field(byte(2), lambda car: 3 if car.ignition else 0)]),
        Frame(
            0x105,
            "Speed",
            100,
            "00 00 .. 00 00 .. 00 00",
            [
                Field(byte(2), lambda car: car.kmh, MPH / 2, shows="speed"),
                Field(byte(5), lambda car: car.kmh, MPH / 2),
            ],
        ),
        Frame(
            0x3A3,
            "EngineSpeed",
            10,
            "00 00 .. .. 00 00 00 00",
            [Field(le(16), lambda car: car.EngineRpm, 3, shows="rpm")],
        ),
        Frame(
            0x522,
            "Temperatures",
            100,
            "00 00 00 00 .. .. 10 00",
            [
                Field(byte(4), lambda car: car.OilPressure / 6.894757 * 6.75),
                Field(byte(5), lambda car: car.CoolantTemperature, 0.5, shows="coolant"),
            ],
        ),
        Frame(0x6B5, "OilTemperature", 100, "00 00 00 00 00 .. 00 00", [Field(byte(5), oil)]),
        Frame(
            0x310,
            "Gear",
            100,
            ".. .. 00 00 00 00 00 00",
            [Field(byte(0), lambda car: max(car.GearboxGear, 0)), Field(byte(1, 4, 4), selector)],
        ),
        Frame(
            0x363,
            "TurnSignals",
            100,
            "00 00 .. 00 00 00 00 00",
            [
                lamp(bit(2, 2), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(2, 3), "right", lambda car: car.RightTurnLamp),
            ],
        ),
        Frame(0x662, "Lights", 100, "00 00 03 00 00 00 00 00", feeds=("backlight",)),
        Frame(
            0x30D,
            "ParkingBrake",
            100,
            ".. 00 00 00 00 00 00 00",
            [Field(byte(0), lambda car: bool(car.ParkingBrake), lights=("parking brake",))],
            darkens=("parking brake",),
        ),
        Frame(
            0x38C,
            "Stability",
            100,
            "00 00 00 00 .. 00 00 00",
            [lamp(bit(4, 4), "PSM", lambda car: car.EscEngaged or car.TcsEngaged)],
            darkens=("PSM",),
        ),
        Frame(
            0x040,
            "Airbag",
            100,
            "00 00 00 00 .. 00 00 00",
            [lamp(bit(4, 0), "belt", lambda car: not car.BeltDriver)],
            darkens=("airbag",),
        ),
        presence(0x384, "Wear", 100, ZEROS, ["brake pads"]),
        Frame(
            0x663,
            "Battery",
            100,
            "00 00 00 00 00 .. 00 00",
            [Field(byte(5), lambda car: car.BatteryVoltage, 0.05, 5, shows="battery")],
        ),
        Frame(
            0x677,
            "Outside",
            100,
            "00 00 00 00 00 00 .. 00",
            [Field(byte(6), lambda car: car.AmbientTemperature, 0.5, shows="outside")],
        ),
        *all_optional(
            [
                Frame(
                    0x312,
                    "Cruise",
                    100,
                    "00 00 00 00 00 00 00 ..",
                    [Field(byte(7), lambda car: {1: 0x40, 2: 0x60}.get(int(car.CruiseState), 0))],
                ),
                Frame(0x444, "Boot", 100, ".. 00 00 00 00 00 00 00", [lamp(bit(0, 4), "boot", lambda car: car.Boot)]),
                Frame(0x539, "Compass", 100, "00 00 00 00 ?? ?? 00 00"),
                Frame(0x31C, "Overboost", 100, ZEROS),
                Frame(0x674, "Tyres", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x5EC, "Doors", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x5FA, "Height", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x590, "Menu", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x30C, "EmergencyBraking", 100, ZEROS),
                Frame(
                    0x1E1,
                    "Presence1E1",
                    100,
                    ".. .. 01 FF FF FF",
                    [Field(byte(0, 4, 4), lambda car: 0xF), Field(byte(1, 4, 4), lambda car: 0xF)],
                    [Counter(byte(0, 0, 4)), Counter(byte(1, 0, 4))],
                ),
                Frame(0x5BF, "WheelButtons", 100, "00 00 00"),
            ]
        ),
    ],
    wake=(0x3C0, lambda data: data[2] in {2, 3}),
)

P997 = Cluster(
    "porsche-997",
    [
        Frame(
            0x242,
            "EngineSpeed",
            10,
            "01 BE .. .. 4F .. 2E 32",
            [
                Field(le(16), lambda car: car.EngineRpm, 0.25, shows="rpm"),
                Field(byte(5), lambda car: car.Throttle * 100),
            ],
        ),
        Frame(
            0x245,
            "Engine2",
            10,
            ".. .. C0 ?? 5E ?? ?? ??",
            [
                Field(
                    byte(1),
                    lambda car: car.CoolantTemperature * 1.35 + 75,
                    shows="coolant",
                    value=lambda raw: (raw - 75) / 1.35,
                )
            ],
            [Counter(byte(0), values=(0x00, 0x42, 0x81, 0xE5), repeat=2)],
        ),
        Frame(
            0x246,
            "Engine3",
            10,
            "00 00 ?? .. ?? ?? .. ..",
            [Field(byte(3), lambda car: car.Throttle * 100)],
            [Counter(le(48), values=(0x4200, 0x8002), repeat=2)],
        ),
        Frame(
            0x441,
            "EngineLamps",
            10,
            ".. .. 00 .. 00 .. ?? 3A",
            [
                lamp(bit(0, 1), "MIL", lambda car: car.IndicatorLamp),
                Field(bit(1, 7), lambda car: car.EngineWorking),
                Field(byte(5), lambda car: car.OilTemperature, shows="oil"),
            ],
            [Counter(byte(3), last=(255,))],
            darkens=("coolant", "fuel"),
        ),
        Frame(
            0x24A,
            "WheelSpeed",
            20,
            "?? ?? ?? ?? .. .. ?? ??",
            [Field(le(32), lambda car: car.kmh, 0.02, shows="speed")],
        ),
        Frame(
            0x440,
            "Gearbox",
            10,
            "00 .. 00 00 00 00 00 85",
            [Field(byte(1), lambda car: {0: 0x6F, -1: 0x70}.get(int(car.GearboxGear), 0x50))],
            optional=True,
        ),
        *all_optional(
            [
                Frame(0x443, "GearboxState", 10, "00 00 00 00 00"),
                Frame(0x513, "Presence513", 1000, "11 08 E9 1A 38 00 00 00"),
                Frame(0x669, "Presence669", 1000, ZEROS),
                Frame(0x66B, "Presence66B", 1000, "41 42 09 35 53 47 41 09"),
                Frame(0x716, "Presence716", 1000, "07 51 11 10 00 00 00 00"),
            ]
        ),
    ],
)
