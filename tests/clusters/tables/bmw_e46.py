"""BMW E46, the CAN part: little endian; only the gearbox is protected. Speed comes by pulses, not by CAN."""

from ..car import Car
from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, lamp, le


def gear(car: Car) -> float:
    if car.SelectorShown == 6:
        return {5: 9, 6: 0xA}.get(int(car.GearboxGear), max(int(car.GearboxGear), 0))
    return {0: 0, 1: 8, 2: 7, 3: 6, 4: 5, 5: 5}[int(car.SelectorShown)]


def gear_check(_: int, data: bytes) -> int:
    """The inverse of counter xor gear."""
    return ~((data[3] & 0xF) ^ data[1]) & 0xF


CLUSTER = Cluster(
    "bmw-e46",
    [
        Frame(
            0x316,
            "DME1",
            10,
            "05 14 .. .. 14 17 00 16",
            [Field(le(16), lambda car: car.EngineRpm, 0.15625, shows="rpm")],
        ),
        Frame(
            0x329,
            "DME2",
            10,
            "07 .. B2 19 00 .. 00 00",
            [
                Field(byte(1), lambda car: car.CoolantTemperature, 0.75, -48.373, shows="coolant"),
                Field(byte(5), lambda car: car.Throttle * 254),
            ],
        ),
        Frame(
            0x545,
            "DME4",
            10,
            ".. .. .. .. .. 10 00 18",
            [
                lamp(bit(0, 1), "MIL", lambda car: car.IndicatorLamp),
                lamp(bit(0, 3), "cruise", lambda car: car.CruiseState == 2),
                lamp(bit(0, 4), "EML", lambda car: 0),
                Field(le(8), lambda car: car.FuelUsed, counts="litres", rate=1e6),
                lamp(bit(3, 3), "overheat", lambda car: car.CoolantTemperature > 115),
                Field(byte(4), lambda car: car.OilTemperature, 1, -48, shows="oil"),
            ],
            darkens=("MIL",),
        ),
        Frame(
            0x153,
            "ASC1",
            10,
            "?? .. 27 FF 00 FF FF 80",
            [lamp(bit(1, 0), "ASC", lambda car: 0)],
            darkens=("ASC",),
        ),
        Frame(0x1F3, "ASC3", 20, "40 80 00 FF 41 7F 00 08", darkens=("ABS", "ASC")),
        *all_optional(
            [
                Frame(
                    0x43F,
                    "EGS1",
                    10,
                    "?? .. .. .. ?? ?? ?? ??",
                    [
                        Field(byte(1), gear),
                        Field(byte(2), lambda car: {5: 0x40, 6: 0x20}.get(int(car.SelectorShown), 0)),
                    ],
                    [Counter(byte(3, 0, 4))],
                    (byte(3, 4, 4), gear_check),
                ),
            ]
        ),
    ],
    own=(0x613, 0x615),
)
