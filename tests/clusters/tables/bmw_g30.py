"""BMW G30 and kin: the frames of an F with another wake-up, other terminals, drive modes and fuel senders."""

from dataclasses import replace

from ..car import Car
from ..checksums import bmw_f
from ..table import Cluster, Counter, Field, Frame, all_optional, byte, interpolated, le, presence
from .bmw_f import ALIVE, protected
from .bmw_f import CLUSTER as F

FULL, EMPTY = 0x0200, 0x2500
LEFT_OUT = {0x34F, 0x368, 0x33B}
"""Frames of an F that neither program sends."""


def sender(car: Car) -> float:
    return EMPTY + (FULL - EMPTY) * car.FuelShare


def state(car: Car) -> float:
    """0A while the engine runs, E7 with the ignition, 01 without."""
    return (0x0A if car.EngineWorking else 0xE7) if car.ignition else 0x01


NEW = [
    replace(presence(0x510, "NetworkAlive", 100, "40 10 00 02 02 12 11 00", ["everything"])),
    Frame(0x03C, "KeyState", 100, "00 6E 00 00 00 00 .. 00", [Field(byte(6), state)], darkens=("everything",)),
    protected(
        0x12F,
        "Terminals",
        100,
        0x44,
        "70 .. DD FF FF FF 01",
        [Field(byte(2), lambda car: 0xFA if car.ignition else 0x01)],
    ),
    Frame(
        0x0F3,
        "EngineSpeed",
        20,
        ".. .. .. C0 F0 C4 FF FF",
        [Field(le(12, 12), lambda car: car.EngineRpm, 10, shows="rpm")],
        [ALIVE],
        (byte(0), bmw_f(0x7A)),
    ),
    Frame(
        0x3FD,
        "Selector",
        100,
        ".. .. .. 00 FF",
        [
            Field(byte(1, 4, 4), lambda car: max(car.GearboxGear, 0)),
            Field(
                byte(2),
                lambda car: {1: 0x20, 2: 0x40, 3: 0x60, 4: 0x80, 5: 0x81, 6: 0x81}.get(int(car.SelectorShown), 0x80),
            ),
        ],
        [ALIVE],
        (byte(0), bmw_f(0xD6)),
        darkens=("gearbox message",),
    ),
    Frame(
        0x3D8,
        "DriveMode",
        100,
        "CF .. FF FF FF FF FF FF",
        [
            Field(byte(1, 0, 4), lambda car: {1: 7, 2: 1, 3: 2}.get(int(car.DriveMode), 4)),
            Field(byte(1, 4, 4), lambda car: 0xC),
        ],
    ),
    Frame(0x31B, "StabilityMode", 100, "00 00 .. 00 00 00 00 00", optional=True),
    Frame(0x0DF, "ShiftLights", 20, "?? 00 00 00 00 00 00 00", optional=True),
    Frame(
        0x349,
        "FuelSenders",
        100,
        ".. .. .. .. FF",
        [
            Field(
                le(0),
                sender,
                shows="fuel",
                value=interpolated([(FULL, 100), (EMPTY, 0)]),
                resolution=0.2,
            ),
            Field(le(16), sender),
        ],
    ),
    protected(
        0x3F9,
        "Oil",
        100,
        0xF1,
        "10 82 4E .. .. 05 89",
        [
            Field(byte(4), lambda car: car.CoolantTemperature, 1, -48),
            Field(byte(5), lambda car: car.OilTemperature, 1, -48, shows="oil"),
        ],
    ),
    protected(0x2A7, "Steering", 100, 0x9E, "F0 FE 00 14", darkens=("steering",)),
    presence(0x294, "SteeringColumn", 100, "73 C7 FE FF 14", ["steering"]),
    protected(0x0AB, "Restraints", 100, 0xFF, "40 40 55 FD FF FF FF", darkens=("airbag",)),
    Frame(
        0x581,
        "Belt",
        100,
        "40 4D 00 .. FF FF FF FF",
        [Field(byte(3), lambda car: 0x28 if car.BeltDriver else 0x29, lights=("belt",), lit=(0x29,))],
        darkens=("belt",),
    ),
    Frame(
        0x30B,
        "StartStop",
        100,
        "00 .. ?? C8 FF FF FF FF",
        [Field(byte(1, 4, 4), lambda car: 5)],
        [Counter(byte(1, 0, 4))],
        darkens=("start-stop",),
    ),
    Frame(0x2C3, "EmergencyCall", 500, ".. 15 0F 00 00 70 FF FF", counters=[Counter(byte(0), last=(11,))]),
    *all_optional(
        [
            Frame(0x36A, "HighBeamAssist", 100, "FF FF FF FF 00 00 00 00"),
            Frame(0x3A0, "VehicleStatus", 100, "FF FF C0 FF FF FF F0 FC"),
            Frame(0x381, "OilLevel", 1000, "20 FF"),
        ]
    ),
]

CLUSTER = Cluster(
    "bmw-g30",
    [
        *(frame for frame in F.frames if frame.id not in LEFT_OUT | {0x19B, 0x3A7} | {new.id for new in NEW}),
        *NEW,
    ],
    wake=(0x03C, lambda data: data[6] in {0x0A, 0xE7}),
    own=F.own,
    never=F.never,
)
