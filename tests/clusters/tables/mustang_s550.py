"""Ford Mustang S550: big endian; counters and checksums as recorded cars have them, and no cluster asks for."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp


def doors(car: Car) -> float:
    """Bonnet in the low nibble; in the high one the front doors and the right turn."""
    high = bool(car.DoorFrontRight) | bool(car.DoorFrontLeft) << 1
    if car.HazardLights:
        high |= 0x8 * bool(car.RightTurnLamp)
    elif car.RightTurnLamp:
        high |= 0xC
    return high << 4 | (0xA if car.Bonnet else 0x2)


def gear(car: Car) -> float:
    if car.SelectorShown in {1, 3} or car.GearboxGear < 1:
        return 0x14
    return 0x14 + 0x10 * car.GearboxGear


def selector(car: Car) -> float:
    """P, R, N, D or S; of a car without a lever what its gear is."""
    shown = int(car.SelectorShown) or (4 if car.GearboxGear > 0 else 3 if not car.GearboxGear else 2)
    return {1: 0x00, 2: 0x20, 3: 0x40, 4: 0x60, 5: 0x80, 6: 0x80}[shown]


def valid_speed(_: int, data: bytes) -> int:
    """FF less counter, quality and both bytes of the speed."""
    return 0xFF - (data[2] >> 3 & 0xF) - (data[4] >> 5 & 3) - data[6] - data[7] & 0xFF


def brake_pedal(_: int, data: bytes) -> int:
    """FF less the counter and the state of the pedal."""
    return 0xFF - (data[0] & 0xF) - (data[0] >> 6)


def belts(car: Car) -> float:
    return {(1, 1): 0x5F, (1, 0): 0x6F, (0, 1): 0x9F}.get((int(car.BeltDriver), int(car.BeltPassenger)), 0xAF)


CLUSTER = Cluster(
    "mustang-s550",
    [
        Frame(
            0x3B3,
            "Body",
            500,
            ".. .. ?? ?? .. 00 .. ..",
            [
                Field(byte(0), lambda car: 0x44 if car.SideLights or car.DippedBeam else 0x40),
                Field(bit(0, 0), lambda car: car.Boot),
                Field(
                    byte(1),
                    lambda car: 0x4A if car.HazardLights else 0x88 if car.SideLights or car.DippedBeam else 0x48,
                ),
                Field(byte(4), lambda car: 0x18 if car.LeftTurnLamp or car.RightTurnLamp else 0x10),
                lamp(bit(6, 6), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(6, 7), "parking brake", lambda car: car.ParkingBrake),
                Field(byte(7), doors),
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
            "04 .. .. 00 60 00 .. ..",
            [
                Field(be(6, 8), lambda car: car.kmh, 1 / 109, shows="speed"),
                Field(bit(0, 3), lambda car: car.GearboxGear < 0),
                Field(bit(2, 3), lambda car: 1),
            ],
            [Counter(byte(2, 4, 3), last=(7,))],
            (byte(1), valid_speed),
        ),
        Frame(
            0x156,
            "Temperatures",
            100,
            ".. .. ?? ?? .. ?? ?? ??",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -60, shows="coolant"),
                Field(byte(1), lambda car: car.OilTemperature, 1, -60, shows="oil"),
                Field(byte(4), lambda car: 0x08 if car.CoolantTemperature > 120 else 0x03),
            ],
        ),
        Frame(
            0x171,
            "Gear",
            30,
            ".. .. ?? ?? ?? ?? ?? ??",
            [
                Field(byte(0), gear),
                Field(byte(1), selector),
            ],
            optional=True,
        ),
        Frame(
            0x04C,
            "Airbag",
            100,
            "?? .. ?? ?? ?? ?? ?? ??",
            [Field(byte(1), belts)],
            darkens=("airbag", "belt"),
        ),
        Frame(
            0x416,
            "Stability",
            100,
            ".. 00 .. 00 01 .. .. ??",
            [Field(byte(0, 4, 4), lambda car: 9 if car.Brake > 0.01 else 5)],
            [Counter(byte(0, 0, 4))],
            (byte(2), brake_pedal),
            darkens=("ABS", "traction"),
        ),
        Frame(0x178, "Launch", 100, "?? ?? ?? ?? ?? ?? ?? ??", optional=True),
        Frame(0x179, "Service", 100, "00 00 00 00 96 00 02 C8", darkens=("service",)),
        Frame(0x421, "OilPressure", 100, "00 00 00 00 00 00 00 00", darkens=("oil pressure",)),
        Frame(0x3B5, "Tyres", 500, "00 ?? 00 ?? 00 ?? 00 ??", darkens=("tyres",)),
        Frame(
            0x3C3,
            "Lights",
            1000,
            "?? ?? .. .. ?? ?? ?? ??",
            [
                Field(byte(0, 0, 4), lambda car: 0xE if car.MainBeam else 0, lights=("main beam",), lit=(0xE,)),
                lamp(bit(2, 4), "parking brake", lambda car: car.ParkingBrake),
            ],
        ),
        *all_optional(
            [
                Frame(
                    0x42D,
                    "Intake",
                    100,
                    "?? .. .. ?? ?? ?? ?? ??",
                    [Field(be(1, 8, bits=10), lambda car: round(4 * (car.IntakeTemperature + 128)))],
                ),
                Frame(
                    0x43E,
                    "Mixture",
                    50,
                    "?? ?? ?? ?? .. ?? ?? ??",
                    [Field(byte(4), lambda car: car.CoolantTemperature, 1, -60)],
                ),
                Frame(
                    0x470,
                    "GearboxOil",
                    100,
                    "?? ?? FF .. ?? ?? ?? ??",
                    [Field(byte(3), lambda car: car.TransmissionTemperature, 1, -60)],
                ),
                Frame(
                    0x076,
                    "SteeringWheel",
                    20,
                    ".. .. 40 00 00 00 00 00",
                    [Field(be(0, 8, bits=15), lambda car: car.SteeringWheelAngle, 0.1, -1600)],
                ),
                Frame(0x081, "Buttons", 100, "00 00 00 00 00 00 00 00"),
            ]
        ),
    ],
    never=(0x430,),
)
