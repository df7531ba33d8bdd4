"""Subaru WRX / WRX STI VA: as afreiday's log of a car has it, with counters, two parities and a sum."""

from collections.abc import Callable
from dataclasses import replace

from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp, le
from .toyota_gt86 import CLUSTER as GT86

SPEED = 0.05625  # [km/h]
WHOLE = (255,)


def parity(bit: int) -> Callable[[int, bytes], int]:
    """The bit that makes the number of ones in the frame odd, as in 13,400 frames of three cars' logs."""
    return lambda _, data: 1 - (int.from_bytes(data, "little") & ~(1 << bit)).bit_count() % 2


def total(_: int, data: bytes) -> int:
    """Bytes 0 to 3."""
    return sum(data[:4]) & 0xFF


OWN = [
    Frame(
        0x002,
        "SteeringAngle",
        10,
        ".. .. 70 .. .. 00 00 00",
        [Field(be(0, 8), lambda car: round(car.SteeringWheelAngle / 0.1) % 65536)],
        [Counter(byte(3), values=(1, 3, 5, 7, 9, 11, 13, 15))],
        (byte(4), total),
    ),
    Frame(0x0D1, "Speed", 20, ".. .. ?? 80", [Field(le(0), lambda car: car.kmh, SPEED, shows="speed")]),
    Frame(
        0x0D4,
        "WheelSpeeds",
        20,
        ".. .. .. .. .. .. .. ..",
        [
            Field(le(0), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, SPEED),
            Field(le(16), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, SPEED),
            Field(le(32), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, SPEED),
            Field(le(48), lambda car: abs(car.WheelSpeedRearRight) * 3.6, SPEED),
        ],
    ),
    Frame(
        0x144,
        "Brake",
        20,
        "C0 00 ?? 7E 50 24 .. 00",
        [Field(bit(6, 3), lambda car: car.Brake > 0.01), Field(byte(6, 4, 4), lambda car: 0xA)],
        optional=True,
    ),
    Frame(
        0x152,
        "Body",
        20,
        ".. .. 00 00 00 00 .. 80",
        [
            Field(byte(0, 4, 4), lambda car: 0xE),
            Field(byte(0, 0, 3), lambda car: 1),
            Field(byte(1, 0, 4), lambda car: 0xC),
            lamp(bit(6, 3), "parking brake", lambda car: car.ParkingBrake),
            Field(bit(6, 4), lambda car: car.Brake > 0.01),
        ],
        [Counter(byte(1, 4, 4))],
        (bit(0, 3), parity(3)),
    ),
    Frame(
        0x372,
        "Airbag",
        100,
        "00 .. 00 00 00 00 00 00",
        counters=[Counter(byte(1, 4, 4))],
        check=(bit(1, 3), parity(11)),
        darkens=("airbag",),
    ),
    Frame(
        0x361,
        "GearMil",
        50,
        ".. .. ?? D1 .. 00 00 00",
        [
            Field(byte(4, 4, 4), lambda car: 4),
            Field(byte(0, 0, 3), lambda car: max(car.GearboxGear, 0)),
            Field(byte(1), lambda car: 0x41 if car.IndicatorLamp else 0x21, lights=("MIL",), lit=(0x41,)),
        ],
        [Counter(byte(4, 0, 4))],
        darkens=("MIL",),
    ),
    *all_optional(
        [
            Frame(0x374, "Doors1", 1000, "08 ?? 00 ?? 80 00 00 00"),
            Frame(
                0x375,
                "Doors2",
                1000,
                "03 .. 00 .. 20 00 02 00",
                [
                    Field(bit(1, 0), lambda car: car.DoorFrontLeft),
                    Field(bit(1, 1), lambda car: car.DoorFrontRight),
                    Field(bit(1, 5), lambda car: car.Boot),
                    Field(bit(3, 0), lambda car: 1),
                    Field(bit(3, 3), lambda car: car.SideLights or car.DippedBeam),
                ],
            ),
            Frame(0x280, "Climate", 20, "00 .. 10 00 00 00 00 00", counters=[Counter(byte(1, 0, 4))]),
            Frame(0x284, "Unit284", 100, "C1 .. 00 0E 00 00 00 00", counters=[Counter(byte(1, 0, 4))]),
            Frame(0x0D2, "Presence0D2", 20, "00 00 FF FF 10 00 00 00"),
            Frame(0x156, "Presence156", 20, "01 00 00 00 00 00 00 28"),
            Frame(
                0x25C,
                "Presence25C",
                60,
                ".. 00 00 00 00 00 00 00",
                counters=[Counter(byte(0), values=(0x20, 0xA1, 0xA2, 0x23, 0xA4, 0x25, 0x26, 0xA7))],
            ),
            Frame(0x281, "Climate281", 1000, "00 00 FC FC 40 00 00 00"),
            Frame(0x362, "Load362", 50, "?? ?? ?? ?? ?? ?? ?? ??"),
            Frame(0x371, "Torque371", 20, "?? 00 ?? ?? ?? ?? 00 00"),
            Frame(0x376, "Presence376", 50, "AD"),
            Frame(
                0x378,
                "Presence378",
                1000,
                ".. 00 00 00 00 00 00 00",
                [Field(byte(0, 0, 4), lambda car: 1)],
                [Counter(byte(0, 4, 4))],
            ),
            Frame(0x37A, "Presence37A", 1000, "00 00 00 00 00 04 00 00"),
            Frame(0x3D1, "Presence3D1", 100, "?? 10 00 00 FD 00 00 00"),
            Frame(0x660, "Trip660", 500, "FF FF 0B AD 00 00 ?? ??"),
            Frame(0x6C8, "Presence6C8", 1000, ".. 00 00 00 00 00 00 00", counters=[Counter(byte(0, 4, 4))]),
        ]
    ),
]

CLUSTER = Cluster(
    "subaru-wrx-va",
    [
        *(replace(frame) for frame in GT86.frames if frame.id not in {0x440} | {own.id for own in OWN}),
        *OWN,
    ],
    own=(0x282, 0x6D1),
)
