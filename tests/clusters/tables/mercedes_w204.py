"""Mercedes W204 / W212: CAN-E and CAN-B; no checksum; byte 0 of 0x001 alone decides whether it is on."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, be, bit, byte, lamp

ZEROS = "00 00 00 00 00 00 00 00"
WHEEL = 0.0603  # [km/h]


def wheel(number: int, shows: str = "") -> list[Field]:
    """Speed of a wheel and whether it moves, in two bytes."""
    names = ("WheelSpeedFrontLeft", "WheelSpeedFrontRight", "WheelSpeedRearLeft", "WheelSpeedRearRight")
    name = names[number]
    return [
        Field(
            be(2 * number, 8, bits=13), lambda car: abs(getattr(car, name)) * 3.6, WHEEL, shows=shows, resolution=2.0
        ),
        Field(bit(2 * number, 6), lambda car: abs(getattr(car, name)) > 0.1),
    ]


def gear(car: Car) -> float:
    """The letter of the lever as ASCII does not fit: P, R, N and D have codes of their own; else the gear itself."""
    shown = {1: 0x50, 2: 0x52, 3: 0x4E, 4: 0x44, 5: 0x44}.get(int(car.SelectorShown))
    if shown is None:
        number = int(car.GearboxGear)
        shown = {-1: 0x52, 0: 0x4E}.get(number, number)
    return shown


def mode(car: Car) -> float:
    """A letter: comfort, eco, sport, sport plus, automatic; or that the driver shifts by hand."""
    if car.SelectorShown == 6:
        return ord("M")
    return {0: ord("C"), 1: ord("E"), 2: ord("S"), 3: ord("T")}.get(int(car.DriveMode), ord("A"))


def door(number: int, name: str) -> Field:
    """Two bits: 1 closed, 2 open."""
    return Field(byte(0, 2 * number, 2), lambda car: 2 if getattr(car, name) else 1)


CLUSTER = Cluster(
    "mercedes-w204",
    [
        Frame(
            0x001,
            "Ignition",
            100,
            ".. ?? ?? ?? ?? ?? ?? ??",
            [Field(byte(0), lambda car: 0xCC if car.ignition else 0x00)],
        ),
        Frame(
            0x203,
            "WheelSpeeds",
            100,
            ".. .. .. .. .. .. .. ..",
            [*wheel(0), *wheel(1), *wheel(2, "speed"), *wheel(3)],
        ),
        Frame(
            0x105,
            "EngineSpeed",
            100,
            ".. .. 7F 00 00 C9 63 1A",
            [Field(be(0, 8, bits=13), lambda car: car.EngineRpm, shows="rpm")],
        ),
        Frame(
            0x30D,
            "Temperatures",
            100,
            ".. F0 ?? 80 48 1A 8F 09",
            [
                Field(
                    byte(0),
                    lambda car: car.CoolantTemperature * 1.05 + 35,
                    shows="coolant",
                    value=lambda r: (r - 35) / 1.05,
                ),
            ],
        ),
        Frame(
            0x2F3,
            "Selector",
            100,
            ".. .. ?? ?? ?? 01 ?? ..",
            [Field(byte(0), gear), Field(byte(1), mode)],
            [Counter(byte(7), last=(253, 254, 255))],
        ),
        Frame(
            0x0F3,
            "Gear",
            100,
            ".. 00 00 00 00 01 00 ..",
            [Field(byte(0), gear)],
            [Counter(byte(7), last=(253, 254, 255))],
            optional=True,
        ),
        Frame(
            0x2F5,
            "Gear2",
            100,
            ".. 00 00 00 00 01 00 ..",
            [Field(byte(0), gear)],
            [Counter(byte(7), last=(253, 254, 255))],
            optional=True,
        ),
        Frame(
            0x247,
            "Stability",
            100,
            "?? .. .. .. .. ?? ?? ??",
            [lamp(bit(2, 0), "traction", lambda car: 0), lamp(bit(2, 2), "ABS", lambda car: 0)],
            darkens=("ABS", "traction"),
        ),
        Frame(0x33D, "EngineLamps", 100, ".. ?? ?? .. ?? .. ?? 10", darkens=("EPC",)),
        Frame(0x340, "Steering", 100, ZEROS, darkens=("steering",)),
        Frame(0x375, "Restraints", 100, ZEROS, darkens=("airbag",)),
        Frame(0x378, "DistanceControl", 100, "09 32 00 00 00 00 00 00", darkens=("distance control",)),
        Frame(0x2FF, "Tyres", 100, "00 00 00 20 40 40 40 40", darkens=("tyres",)),
        Frame(0x2F8, "Key", 100, "00 FF 00 00 00 00 00 00", darkens=("key message",)),
        Frame(0x206, "Parking", 100, ZEROS, darkens=("parking aid",)),
        Frame(0x208, "EmergencyCall", 100, ZEROS, darkens=("SOS",)),
        Frame(0x005, "Traction", 100, ZEROS, darkens=("traction",)),
        Frame(0x2FA, "BrakeLevel", 100, ZEROS, darkens=("brake",)),
        Frame(0x379, "AirSuspension", 100, ZEROS, darkens=("suspension",)),
        Frame(0x045, "Buttons", 50, "?? ?? ?? ?? FF ?? ?? ??", feeds=("display",)),
        Frame(
            0x283,
            "Doors",
            100,
            ".. ?? ?? ?? ?? ?? ?? ??",
            [
                door(0, "DoorFrontLeft"),
                door(1, "DoorFrontRight"),
                door(2, "DoorRearLeft"),
                door(3, "DoorRearRight"),
            ],
            optional=True,
        ),
        *all_optional(
            [
                Frame(0x0F8, "FuelSenders", 100, ".. .. ?? ?? ?? ?? ?? ??"),
                Frame(0x139, "Body", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
                Frame(0x17A, "Body2", 100, "?? ?? ?? ?? ?? ?? ?? ??"),
            ]
        ),
    ],
    wake=(0x001, lambda data: data[0] in {0x04, 0xCC}),
    own=(0x015, 0x39D, 0x1C1),
    never=(0x204,),
)

BODY = Cluster(
    "mercedes-w204-b",
    [
        Frame(
            0x069,
            "Lights",
            100,
            ".. .. ?? ?? ?? ?? ?? ??",
            [
                Field(bit(0, 2), lambda car: car.Dimming > 0),
                lamp(bit(1, 1), "front fog", lambda car: car.FrontFogLights),
                lamp(bit(1, 2), "lights", lambda car: car.SideLights or car.DippedBeam),
                lamp(bit(1, 5), "rear fog", lambda car: car.RearFogLights),
            ],
        ),
        Frame(
            0x006,
            "Beam",
            100,
            ".. ?? ?? .. .. ?? ?? ??",
            [
                lamp(bit(0, 6), "main beam", lambda car: car.MainBeam),
                Field(byte(3), lambda car: car.AmbientTemperature, 0.5, -40, shows="outside"),
                lamp(bit(4, 1), "parking brake", lambda car: car.ParkingBrake),
            ],
        ),
        Frame(
            0x029,
            "TurnSignals",
            100,
            "00 FE .. ?? ?? ?? ?? ??",
            [
                lamp(bit(2, 0), "left", lambda car: car.LeftTurnLamp),
                lamp(bit(2, 1), "right", lambda car: car.RightTurnLamp),
            ],
        ),
        Frame(
            0x321,
            "Fuel",
            100,
            ".. .. .. ??",
            [
                Field(
                    byte(0),
                    lambda car: 240 * (1 - car.FuelShare),
                    shows="fuel",
                    value=lambda raw: 100 - raw / 2.4,
                    resolution=0.5,
                ),
                Field(byte(1), lambda car: 240 * (1 - car.FuelShare)),
                Field(byte(2), lambda car: 240 * (1 - car.FuelShare)),
            ],
        ),
        Frame(0x002, "Door", 100, ".. ?? ?? ?? ?? ?? ?? ??", [Field(byte(0), lambda car: 2 if car.doors else 1)]),
        Frame(0x206, "Parking", 100, ZEROS, darkens=("parking aid",)),
        Frame(0x208, "EmergencyCall", 100, ZEROS, darkens=("SOS",)),
        Frame(0x30E, "BrakeLevel", 100, ZEROS, darkens=("brake fluid",)),
    ],
)


def tank(car: Car) -> tuple[float, float]:
    """The two senders of a W221's tank, each for a part of it."""
    share = 100 * car.FuelShare
    return (0.0, 210 - (share - 40) * 3.1667) if share > 40 else ((40 - share) * 5.25, 210.0)


W221 = Cluster(
    "mercedes-w221",
    [
        *(frame for frame in CLUSTER.frames if frame.id not in {0x283, 0x378, 0x0F8, 0x139, 0x17A}),
        Frame(0x378, "DistanceControl", 100, ZEROS, darkens=("distance control",)),
        Frame(0x30E, "BrakeFluid", 100, ZEROS, darkens=("brake fluid",)),
        Frame(
            0x029,
            "TurnSignals",
            100,
            ".. C8 00 00 00 00 00 00",
            [
                Field(
                    byte(0),
                    lambda car: 100 * bool(car.LeftTurnLamp) + 150 * bool(car.RightTurnLamp),
                    lights=("turn signals",),
                    lit=(100, 150, 250),
                )
            ],
        ),
        Frame(
            0x0F8,
            "FuelSenders",
            100,
            ".. .. 00 00 00 00 00 00",
            [Field(byte(0), lambda car: tank(car)[0]), Field(byte(1), lambda car: tank(car)[1])],
        ),
        Frame(
            0x139,
            "Status",
            100,
            ".. 00 00 .. 00 .. 00 00",
            [
                Field(byte(0), lambda car: 2 if car.doors else 0),
                Field(byte(3), lambda car: car.MainBeam, lights=("main beam",), lit=(1,)),
                Field(byte(5), lambda car: car.AmbientTemperature, 0.5, -40, shows="outside"),
            ],
        ),
        Frame(
            0x17A,
            "ParkingBrake",
            100,
            "00 .. 00 00 00 00 00 00",
            [lamp(bit(1, 2), "parking brake", lambda car: car.ParkingBrake)],
        ),
        Frame(0x35D, "Language", 60000, "0A 0A 0A 0A 0A 0A 0A 0A", once=True, timeout=2000),
    ],
    wake=CLUSTER.wake,
    own=CLUSTER.own,
    never=CLUSTER.never,
)
