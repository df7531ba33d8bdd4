"""Ford Mustang S550: big endian, no counter, no checksum; the speedometer wants more than the bus of a car says."""

from ..car import Car
from ..table import Cluster, Field, Frame, all_optional, be, bit, byte, lamp

VALID = 0x60


def doors(car: Car) -> float:
    return bool(car.DoorFrontRight) | bool(car.DoorFrontLeft) << 1 | bool(car.RightTurn) * 0xC


CLUSTER = Cluster(
    "mustang-s550",
    [
        Frame(
            0x3B3,
            "Body",
            100,
            ".. .. ?? ?? .. 00 .. ..",
            [
                Field(bit(6, 7), lambda car: car.ParkingBrake),
            ],
            darkens=("everything",),
        ),
        Frame(
            0x204,
            "EngineSpeed",
            10,
            ".. .. ?? .. .. ?? ?? ??",
            [
                Field(be(3, 8), lambda car: car.EngineRpm, 2, shows="rpm"),
                Field(be(0, 8, bits=10), lambda car: car.Throttle * 100, 0.1),
            ],
        ),
        Frame(
            0x202,
            "Speed",
            20,
            "?? ?? ?? ?? 60 ?? .. ..",
            [Field(be(6, 8), lambda car: car.kmh, 1 / 109, shows="speed")],
        ),
        Frame(
            0x156,
            "Temperatures",
            10,
            ".. .. ?? ?? .. ?? ?? ??",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -60, shows="coolant"),
                Field(byte(1), lambda car: car.OilTemperature, 1, -60, shows="oil"),
                Field(byte(4), lambda car: 0x08 if car.CoolantTemperature > 120 else 0x03),
            ],
        ),
        Frame(0x171, "Gear", 30, ".. .. ?? ?? ?? ?? ?? ??", optional=True),
        Frame(
            0x04C,
            "Airbag",
            100,
            "0? .. ?? ?? ?? ?? ?? ??".replace("0?", ".."),
            [
                Field(
                    byte(1),
                    lambda car: 0x5F if car.BeltDriver and car.BeltPassenger else 0x6F if car.BeltDriver else 0xAF,
                )
            ],
            darkens=("airbag", "belt"),
        ),
        Frame(0x416, "Stability", 100, "50 00 FE 00 01 .. .. ??", darkens=("ABS", "traction")),
        Frame(0x178, "Launch", 100, "?? ?? ?? ?? ?? ?? ?? ??", optional=True),
        Frame(0x179, "Service", 100, "00 00 00 00 96 00 02 C8", darkens=("service",)),
        Frame(0x421, "OilPressure", 100, "00 00 00 00 00 00 00 00", darkens=("oil pressure",)),
        Frame(0x3B5, "Tyres", 500, "?? .. ?? .. ?? .. ?? ..", darkens=("tyres",)),
        Frame(
            0x3C3,
            "Lights",
            100,
            ".. ?? .. .. ?? ?? ?? ??",
            [
                Field(byte(0, 0, 4), lambda car: 0xE if car.MainBeam else 0, lights=("main beam",), lit=(0xE,)),
                lamp(bit(2, 4), "parking brake", lambda car: car.ParkingBrake),
            ],
        ),
        *all_optional(
            [
                Frame(0x42D, "Intake", 100, "?? .. .. ?? ?? ?? ?? ??"),
                Frame(0x43E, "Mixture", 100, "?? ?? ?? .. .. .. ?? ??"),
                Frame(0x470, "GearboxOil", 100, "?? ?? FF .. ?? ?? ?? ??"),
                Frame(0x076, "Accelerations", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x081, "Buttons", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
            ]
        ),
    ],
    never=(0x430,),
)
