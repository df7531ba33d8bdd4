"""Mazda MX-5 ND and kin: big endian. Readers' equations: RaceChrono's of an MX-5, opendbc's bits of a CX-5."""

from ..table import Cluster, Field, Frame, all_optional, be, bit, byte, lamp
from .ecu import pressed, wheels

CLUSTER = Cluster(
    "mazda-mx5-nd",
    [
        # RaceChrono: bytesToUInt(0, 2) / 4, bytesToInt(2, 2) / 360 m/s, E / 2.5
        Frame(
            514,
            "EngineData",
            10,
            ".. .. .. .. .. ?? ?? ??",
            [
                Field(be(0, 8), lambda car: car.EngineRpm, 1 / 4, shows="rpm"),
                Field(be(2, 8), lambda car: car.kmh, 3.6 / 360, shows="speed"),
                Field(byte(4), lambda car: 100 * car.Throttle, 1 / 2.5),
            ],
        ),
        Frame(533, "WheelSpeeds", 10, ".. .. .. .. .. .. .. ..", wheels([be(2 * n, 8) for n in range(4)], 0.01, -100)),
        Frame(
            1056,
            "CheckAndTemp",
            100,
            ".. ?? ?? ?? .. .. ?? ..",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(bit(4, 0), lambda car: abs(car.Speed) < 0.1),
                lamp(bit(4, 6), "charge", lambda car: car.ChargeIndicator),
                lamp(bit(5, 3), "oil pressure", lambda car: car.OilPressure < 50),
                Field(byte(7), lambda car: car.AmbientTemperature, 0.25, -63),
            ],
            darkens=("charge", "oil pressure"),
        ),
        Frame(
            1045,
            "Traction",
            100,
            ".. .. ?? ?? ?? ?? .. ??",
            [
                lamp(byte(0, 0, 2), "ABS", lambda car: 0),
                lamp(bit(0, 2), "brake", lambda car: car.ParkingBrake),
                lamp(byte(0, 5, 2), "DSC", lambda car: 0),
                Field(bit(1, 4), lambda car: abs(car.Speed) >= 0.1),
                Field(bit(6, 7), pressed),
            ],
            darkens=("ABS", "DSC", "brake"),
        ),
        Frame(
            154,
            "BlinkInfo",
            100,
            ".. ?? .. ?? 00 ?? ?? ??",
            [
                Field(byte(0, 4, 2), lambda car: car.DippedBeam),
                Field(byte(0, 6, 2), lambda car: car.MainBeam, lights=("main beam",)),
                lamp(bit(2, 2), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(2, 3), "right", lambda car: car.RightTurnLamp),
            ],
        ),
        Frame(
            832,
            "Seatbelt",
            100,
            "?? ?? ?? .. ?? ?? ?? ??",
            [
                Field(bit(3, 2), lambda car: car.BeltPassenger, lights=("belts",), lit=(0,)),
                Field(bit(3, 3), lambda car: car.BeltDriver, lights=("belts",), lit=(0,)),
            ],
        ),
        # ElfSbc: front left 5, front right 4, rear left 3, rear right 2 of byte 4
        Frame(
            1086,
            "Doors",
            100,
            "00 ?? ?? 00 .. 00 ?? ??",
            [
                Field(bit(4, 5), lambda car: car.DoorFrontLeft, lights=("doors",)),
                Field(bit(4, 4), lambda car: car.DoorFrontRight, lights=("doors",)),
                Field(bit(4, 3), lambda car: car.DoorRearLeft, lights=("doors",)),
                Field(bit(4, 2), lambda car: car.DoorRearRight, lights=("doors",)),
                Field(bit(4, 0), lambda car: car.Boot, lights=("boot",)),
            ],
        ),
        *all_optional(
            [
                # RaceChrono: (16000 - raw) * 0.1, positive to the right
                Frame(
                    134,
                    "Steering",
                    20,
                    ".. .. ?? ?? ?? ?? ?? ??",
                    [Field(be(0, 8), lambda car: car.SteeringWheelAngle, 0.1, -1600)],
                ),
                Frame(
                    357,
                    "Pedals",
                    20,
                    ".. ?? ?? .. ?? ?? ?? ??",
                    [Field(bit(0, 4), pressed), Field(bit(3, 2), lambda car: abs(car.Speed) < 0.1)],
                ),
            ]
        ),
    ],
)
