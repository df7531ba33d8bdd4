"""Hyundai / Kia: Elantra MD, Sonata YF, Optima TF, Soul PS. Little endian, no checksum; lights differ by car."""

from collections.abc import Sequence

from ..car import Car
from ..table import Cluster, Field, Frame, Place, bit, byte, lamp, le

ZEROS = "00 00 00 00 00 00 00 00"


def lever(car: Car) -> float:
    """P, R, N or D; by hand, or without a lever, 8: then byte 0 has the gear."""
    if not car.SelectorShown:
        return {-1: 0x07, 0: 0x06}.get(int(car.GearboxGear), 0x08)
    return {1: 0x10, 2: 0x07, 3: 0x06, 4: 0x05, 5: 0x05, 6: 0x08}[int(car.SelectorShown)]


ENGINE = [
    Frame(
        0x316,
        "EMS1",
        10,
        "?? ?? .. .. ?? ?? .. ??",
        [
            Field(le(16), lambda car: car.EngineRpm, 0.25, shows="rpm"),
            Field(byte(6), lambda car: car.kmh),
        ],
    ),
    Frame(
        0x329,
        "EMS2",
        10,
        "?? .. ?? ?? ?? ?? ?? ??",
        [Field(byte(1), lambda car: car.CoolantTemperature, 0.75, -48, shows="coolant")],
    ),
    Frame(
        0x440,
        "TCU2",
        10,
        "?? ?? .. ?? ?? ?? ?? ..",
        [
            Field(byte(2), lambda car: car.kmh // 1),
            Field(byte(7), lambda car: car.kmh % 1 * 128 // 1),
            Field(byte(2), lambda car: car.kmh // 1, shows="speed"),
        ],
    ),
    Frame(
        0x43F,
        "TCU1",
        10,
        "?? .. ?? ?? ?? ?? ?? ??",
        [Field(byte(1), lever)],
    ),
    Frame(
        0x1F1,
        "TCS5",
        20,
        ".. 00 ?? ?? ?? ?? ?? ??",
        [
            lamp(bit(0, 0), "ABS", lambda car: 0),
            lamp(bit(0, 1), "brake", lambda car: car.ParkingBrake),
            lamp(bit(0, 2), "ESC off", lambda car: 0),
        ],
        darkens=("ABS", "brake", "ESC"),
    ),
    Frame(
        0x260,
        "EMS6",
        10,
        "?? ?? ?? .. ?? ?? ?? ??",
        [
            lamp(bit(3, 1), "cruise main", lambda car: car.CruiseState > 0),
            lamp(bit(3, 2), "cruise set", lambda car: car.CruiseState == 2),
        ],
    ),
    Frame(
        0x545,
        "EMS4",
        10,
        ".. .. .. .. ?? ?? ?? ??",
        [
            lamp(bit(0, 0), "immobiliser", lambda car: 0),
            lamp(bit(0, 1), "MIL", lambda car: car.IndicatorLamp),
            Field(le(8), lambda car: car.FuelUsed, counts="litres", rate=7812500),
            Field(byte(3), lambda car: car.BatteryVoltage, 0.1016),
        ],
        darkens=("MIL",),
    ),
    Frame(0x5E4, "MDPS1", 20, ZEROS, darkens=("steering",)),
    Frame(0x5F0, "TPMS", 50, "00 00", darkens=("tyres",)),
]


def tail(car: Car) -> float:
    return bool(car.SideLights or car.DippedBeam)


def body(can_id: int, name: str, fields: Sequence[Field]) -> Frame:
    """A frame of the body, zeros but for its fields."""
    return Frame(can_id, name, 20, ZEROS, fields)


def main_beam(place: Place) -> Field:
    return lamp(place, "main beam", lambda car: car.MainBeam)


def fog(place: Place) -> Field:
    return lamp(place, "front fog", lambda car: car.FrontFogLights)


def ignition(place: Place) -> Field:
    return Field(place, lambda car: car.ignition)


def left(place: Place) -> Field:
    return lamp(place, "left", lambda car: car.LeftTurnLamp)


def right(place: Place) -> Field:
    return lamp(place, "right", lambda car: car.RightTurnLamp)


def outside(can_id: int) -> Frame:
    return body(can_id, "Outside", [Field(byte(3), lambda car: car.AmbientTemperature, 0.5, -40, shows="outside")])


CLUSTERS = [
    Cluster("hyundai-kia", ENGINE),
    Cluster("kia-optima-tf", [*ENGINE, body(0x044, "Outside", [Field(byte(3), lambda car: 0x84)])]),
    Cluster(
        "kia-soul-ps",
        [
            *ENGINE,
            body(
                0x018,
                "Lights",
                [
                    Field(bit(0, 5), tail),
                    Field(bit(4, 0), tail),
                    main_beam(bit(2, 1)),
                    fog(bit(1, 1)),
                    ignition(bit(6, 5)),
                    left(bit(5, 6)),
                    right(bit(5, 5)),
                ],
            ),
            outside(0x350),
        ],
    ),
    Cluster(
        "hyundai-elantra-md-body",
        [
            body(0x100, "Lights", [Field(bit(2, 3), tail), fog(bit(4, 0))]),
            body(0x104, "Beam", [main_beam(bit(2, 5)), ignition(bit(0, 5))]),
        ],
    ),
    Cluster(
        "hyundai-sonata-yf-body",
        [
            body(0x100, "Beam", [main_beam(bit(4, 1)), fog(bit(4, 0))]),
            body(0x104, "Lights", [Field(bit(2, 3), tail)]),
        ],
    ),
    Cluster(
        "kia-optima-tf-body",
        [
            body(0x100, "Lights", [Field(bit(4, 6), tail)]),
            body(
                0x104,
                "Beam",
                [main_beam(bit(2, 5)), fog(bit(2, 2)), ignition(bit(5, 6)), left(bit(3, 0)), right(bit(3, 1))],
            ),
        ],
    ),
]
