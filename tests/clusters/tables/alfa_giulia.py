"""Alfa Romeo Giulia: frames by a database of a Stelvio (opendbc) and firmware that runs in both cars (BACCAble)."""

from ..car import Car
from ..checksums import crc8
from ..table import Cluster, Counter, Field, Frame, Place, all_optional, bit, byte, lamp

ZEROS = "00 00 00 00 00 00 00 00"


def j1850(_: int, data: bytes) -> int:
    """BACCAble: CRC-8 of SAE J1850 over all but the last byte; as recorded frames of opendbc have it (test_judges)."""
    return crc8(0x1D, 0xFF, 0xFF, data[:-1])


def protected(can_id: int, name: str, period: int, template: str, fields: list[Field]) -> Frame:
    return Frame(can_id, name, period, template, fields, [Counter(byte(6, 0, 4))], (byte(7), j1850))


def placed(most: int, length: int) -> Place:
    """Bits of an eight-byte frame, as the database writes them: the most significant bit, then downwards."""
    return Place(63 - (most // 8 * 8 + 7 - most % 8) - length + 1, length, "big")


def gear(car: Car) -> float:
    """BACCAble: 0 neutral, 1 to 6, 7 reverse, 8 to 10 the gears 7 to 9."""
    number = int(car.GearboxGear)
    return 7 if number < 0 else number if number < 7 else min(number, 9) + 1


def mode(car: Car) -> float:
    """BACCAble: natural 0, dynamic 2, all weather 4, race 12."""
    return {1: 4, 2: 2, 3: 12, 5: 4}.get(int(car.DriveMode), 0)


def lights(*, rear_fog: bool) -> list[Field]:
    """Both frames of lights: fog 10, main beam 04; left 80, dipped 40; right 20, stalks 02 and 01 (bytes 0, 1, 2)."""
    rear = [Field(bit(1, 2), lambda car: car.RearFogLights, lights=("rear fog",))] if rear_fog else []
    return [
        Field(bit(0, 4), lambda car: car.FrontFogLights, lights=("fog",)),
        lamp(bit(0, 2), "main beam", lambda car: car.MainBeam),
        Field(bit(0, 1), lambda car: car.SideLights),
        lamp(bit(1, 7), "left", lambda car: car.LeftTurnLamp),
        Field(bit(1, 6), lambda car: car.DippedBeam),
        *rear,
        Field(bit(2, 7), lambda car: car.SideLights),
        lamp(bit(2, 5), "right", lambda car: car.RightTurnLamp),
        Field(bit(2, 2), lambda car: car.Brake > 0),
        Field(bit(2, 1), lambda car: car.TurnSignal == 1),
        Field(bit(2, 0), lambda car: car.TurnSignal == 2),
    ]


KMH = 1 / 16

CLUSTER = Cluster(
    "alfa-giulia",
    [
        # BACCAble: the low half of the first byte is 8 where the key is at run
        protected(0x1EF, "Ignition", 100, "08 00 00 00 00 00 .. ..", []),
        # opendbc ENGINE_1; BACCAble: reverse in two bits, the alternator's fault in bit 1 of byte 3
        protected(
            0x0FC,
            "Engine",
            10,
            ".. .. .. .. 00 00 .. ..",
            [
                Field(placed(7, 14), lambda car: car.EngineRpm, shows="rpm"),
                Field(placed(20, 8), lambda car: 100 * car.Throttle, 0.4),
                Field(byte(3, 2, 2), lambda car: car.GearboxGear < 0),
                Field(bit(3, 1), lambda car: car.ChargeIndicator, lights=("charge",)),
            ],
        ),
        Frame(
            0x0FB,
            "Torque",
            10,
            "00 00 .. .. 00 00 00 00",
            [Field(placed(22, 11), lambda car: car.EngineTorque, 1, -500)],
            optional=True,
        ),
        # opendbc ABS_1
        protected(
            0x0EE,
            "WheelSpeeds",
            10,
            ".. .. .. .. .. .. .. ..",
            [
                Field(placed(7, 13), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, KMH),
                Field(placed(10, 13), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, KMH),
                Field(placed(29, 13), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, KMH),
                Field(placed(32, 13), lambda car: abs(car.WheelSpeedRearRight) * 3.6, KMH),
            ],
        ),
        # both: pressed 10, released 01
        Frame(
            0x0FA,
            "Brake",
            10,
            ".. 00 00 00 00 00 00 00",
            [Field(byte(0, 2, 2), lambda car: 2 if car.Brake > 0 else 1)],
            optional=True,
        ),
        protected(
            0x101,
            "Speed",
            10,
            ".. .. .. 00 00 00 .. ..",
            [Field(placed(1, 13), lambda car: car.kmh, KMH, shows="speed")],
        ),
        Frame(
            0x2ED,
            "Temperatures",
            100,
            ".. 00 00 00 00 00 00 00",
            [Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant")],
        ),
        Frame(0x2EF, "Gear", 100, ".. 00 00 00 00 00 00 00", [Field(byte(0, 4, 4), gear)]),
        protected(
            0x384,
            "Body",
            100,
            "08 .. 00 .. 00 00 .. ..",
            [
                Field(byte(1, 2, 5), mode),
                Field(bit(3, 7), lambda car: car.DippedBeam),
                lamp(bit(3, 3), "brake", lambda car: car.ParkingBrake),
            ],
        ),
        # BACCAble: 0.1 bar; -40 °C
        Frame(
            0x4B2,
            "Oil",
            100,
            ".. .. .. .. 00 00 00 00",
            [
                Field(placed(0, 8), lambda car: car.OilPressure, 10),
                Field(placed(21, 8), lambda car: car.OilTemperature, 1, -40, shows="oil"),
            ],
        ),
        Frame(
            0x4B1,
            "Doors",
            100,
            ".. .. 00 00 00 00 00 00",
            [
                Field(bit(0, 4), lambda car: car.Bonnet),
                Field(bit(0, 0), lambda car: car.DoorFrontLeft, lights=("doors",)),
                Field(bit(1, 7), lambda car: car.DoorFrontRight, lights=("doors",)),
                Field(bit(1, 6), lambda car: car.DoorRearLeft, lights=("doors",)),
                Field(bit(1, 5), lambda car: car.DoorRearRight, lights=("doors",)),
                Field(bit(1, 4), lambda car: car.Boot, lights=("boot",)),
            ],
        ),
        # opendbc BCM_1: stalks, 4 Hz; BACCAble: the lamps, 250 ms
        Frame(0x73E, "Lights", 250, ".. .. .. 00", lights(rear_fog=False)),
        *all_optional(
            [
                Frame(
                    0x5A5,
                    "Cruise",
                    100,
                    ".. 00 00 00 00 00 00 00",
                    [Field(bit(0, 7), lambda car: car.CruiseState > 0)],
                ),
                # BACCAble: -250 A, 0.1 A a count
                Frame(0x41A, "Battery", 1000, "00 50 00 00 9C 40 00 00"),
            ]
        ),
    ],
)

BODY = Cluster(
    "alfa-giulia-body",
    [
        Frame(0x354, "Lights", 250, ".. .. .. 00", lights(rear_fog=True)),
        Frame(
            0x3E6,
            "EngineSpeed",
            100,
            "00 00 00 .. .. .. 00 00",
            [Field(placed(26, 14), lambda car: car.EngineRpm, shows="rpm")],
        ),
        Frame(
            0x3E8,
            "Gear",
            100,
            "00 00 00 .. 00 00 00 00",
            [
                Field(
                    byte(3, 0, 4),
                    lambda car: 13 if car.SelectorShown == 1 else 14 if car.GearboxGear < 0 else car.GearboxGear,
                )
            ],
        ),
        Frame(
            0x46C,
            "Body",
            100,
            "00 00 00 00 00 00 .. ..",
            [
                Field(byte(6, 1, 2), lambda car: {1: 2, 2: 1}.get(int(car.TurnSignal), 0)),
                Field(byte(7, 0, 5), mode),
            ],
        ),
    ],
)
