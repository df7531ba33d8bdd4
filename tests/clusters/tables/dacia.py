"""Dacia Sandero / Logan 2: big endian, no checksum seen; it wakes by 0x350."""

from ..table import Cluster, Field, Frame, Place, all_optional, be, bit, byte, lamp

CLUSTER = Cluster(
    "dacia-sandero2",
    [
        Frame(
            0x350,
            "Wake",
            100,
            "FF 00 ?? ?? ?? ?? .. ..",
            [
                Field(byte(6, 4, 2), lambda car: 2 if car.DoorFrontLeft else 1),
                Field(byte(6, 2, 2), lambda car: 2 if car.DoorFrontRight else 1),
                Field(byte(7, 2, 2), lambda car: 2 if car.DoorRearLeft or car.DoorRearRight or car.Boot else 1),
            ],
        ),
        Frame(
            0x186,
            "EngineSpeed",
            10,
            ".. .. ?? ?? ?? ?? ??",
            [Field(be(0, 7), lambda car: car.EngineRpm, 0.125, shows="rpm")],
        ),
        Frame(
            0x217,
            "Speed",
            50,
            "?? ?? ?? .. .. ?? ??",
            [Field(be(3, 7), lambda car: car.kmh, 0.00627, shows="speed")],
        ),
        Frame(
            0x5DE,
            "Lights",
            100,
            ".. .. ?? ?? ?? ?? ?? ??",
            [
                Field(byte(0, 5, 2), lambda car: int(car.LeftTurnLamp) | int(car.RightTurnLamp) << 1),
                lamp(bit(0, 5), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(0, 6), "right", lambda car: car.RightTurnLamp),
                lamp(bit(0, 4), "rear fog", lambda car: car.RearFogLights),
                lamp(bit(0, 3), "front fog", lambda car: car.FrontFogLights),
                lamp(bit(0, 2), "side lights", lambda car: car.SideLights),
                lamp(bit(0, 1), "dipped beam", lambda car: car.DippedBeam),
                lamp(bit(0, 0), "main beam", lambda car: car.MainBeam),
                Field(bit(1, 3), lambda car: car.DoorFrontLeft),
                Field(bit(1, 1), lambda car: car.DoorFrontRight),
            ],
        ),
        Frame(
            0x5DA,
            "Coolant",
            100,
            ".. ?? ?? ?? ?? ?? ?? ??",
            [Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant")],
        ),
        Frame(
            0x4F8,
            "Handbrake",
            100,
            ".. ?? ?? ?? ?? ?? ?? ??",
            [Field(byte(0, 2, 2), lambda car: 2 if car.ParkingBrake else 1, lights=("parking brake",), lit=(2,))],
        ),
        Frame(
            0x653,
            "Airbag",
            100,
            "00 .. 08 00",
            [lamp(bit(1, 6), "belt", lambda car: not car.BeltDriver)],
            darkens=("airbag",),
        ),
        Frame(0x666, "Stability", 100, "30 00 00 00", darkens=("handbrake", "traction")),
        *all_optional(
            [
                Frame(
                    0x29A,
                    "WheelSpeeds",
                    20,
                    ".. .. .. .. ?? ?? ?? ??",
                    [
                        Field(be(0, 8), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 0.00627),
                        Field(be(2, 8), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 0.00627),
                    ],
                ),
                Frame(0x18A, "Pedal", 10, "?? ?? .. ?? ?? ??", [Field(byte(2), lambda car: car.Throttle * 200)]),
                Frame(
                    0x55D,
                    "GearState",
                    100,
                    "?? ?? ?? ?? ?? ?? ?? ??",
                    [Field(byte(1, 2, 3), lambda car: 6 if not car.GearboxGear else 1 if car.GearboxGear < 0 else 5)],
                ),
                Frame(
                    0x3B7,
                    "Illumination",
                    100,
                    "?? .. .. ?? ?? ??",
                    [Field(Place(31, 4, "big"), lambda car: 5 if car.SideLights or car.DippedBeam else 14)],
                ),
                Frame(0x352, "Brake", 40, "?? ?? ?? ??"),
                Frame(0x3F7, "Automatic", 60, "?? 00 04"),
                Frame(0x12E, "Accelerations", 10, "?? ?? ?? ?? ?? ?? ??"),
            ]
        ),
    ],
    wake=(0x350, lambda data: data[0] == 0xFF),
)
