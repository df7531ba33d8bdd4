"""Hyundai / Kia: Elantra MD, Sonata YF, Optima TF, Soul PS. Little endian, no checksum; lights differ by car."""

from ..table import Cluster, Field, Frame, all_optional, bit, byte, lamp, le

ZEROS = "00 00 00 00 00 00 00 00"

CLUSTER = Cluster(
    "hyundai-kia",
    "cluster-hyundai-kia",
    [
        Frame(
            0x316,
            "EMS1",
            25,
            "?? ?? .. .. ?? ?? .. ??",
            [
                Field(le(16), lambda car: car.EngineRpm, 0.25, shows="rpm"),
                Field(byte(6), lambda car: car.kmh),
            ],
        ),
        Frame(
            0x329,
            "EMS2",
            25,
            "?? .. ?? ?? ?? ?? ?? ??",
            [Field(byte(1), lambda car: car.CoolantTemperature, 0.75, -48, shows="coolant")],
        ),
        Frame(
            0x440,
            "TCU2",
            25,
            "?? ?? .. ?? ?? ?? ?? ..",
            [
                Field(byte(2), lambda car: car.kmh // 1),
                Field(byte(7), lambda car: car.kmh % 1 * 128),
                Field(byte(2), lambda car: car.kmh // 1, shows="speed"),
            ],
        ),
        Frame(
            0x43F,
            "TCU1",
            25,
            "?? .. ?? ?? ?? ?? ?? ??",
            [
                Field(
                    byte(1),
                    lambda car: {1: 0x10, 2: 0x07, 3: 0x06, 4: 0x05, 6: 0x08}.get(int(car.SelectorShown), 0x05),
                )
            ],
        ),
        Frame(
            0x1F1,
            "TCS5",
            25,
            ".. 00 ?? ?? ?? ?? ?? ??",
            [
                lamp(bit(0, 0), "ABS", lambda car: 0),
                lamp(bit(0, 1), "brake", lambda car: 0),
                lamp(bit(0, 2), "ESC off", lambda car: 0),
            ],
            darkens=("ABS", "brake", "ESC"),
        ),
        Frame(
            0x260,
            "EMS6",
            25,
            "?? ?? ?? .. ?? ?? ?? ??",
            [
                lamp(bit(3, 1), "cruise main", lambda car: car.CruiseState in {1, 2}),
                lamp(bit(3, 2), "cruise set", lambda car: car.CruiseState == 2),
            ],
        ),
        Frame(
            0x545,
            "EMS4",
            25,
            ".. .. .. .. ?? ?? ?? ??",
            [
                lamp(bit(0, 0), "immobiliser", lambda car: 0),
                lamp(bit(0, 1), "MIL", lambda car: car.IndicatorLamp),
                Field(le(8), lambda car: car.FuelUsed, counts="litres", rate=1 / 0.128e-6),
                Field(byte(3), lambda car: car.BatteryVoltage, 0.1016),
            ],
            darkens=("MIL",),
        ),
        Frame(0x5E4, "MDPS1", 25, ZEROS, darkens=("steering",)),
        Frame(0x5F0, "TPMS", 25, ZEROS, darkens=("tyres",)),
        *all_optional(
            [
                Frame(0x100, "Body100", 25, "00 00 ?? 00 ?? 00 00 00"),
                Frame(0x104, "Body104", 25, "?? 00 ?? ?? ?? ?? 00 00"),
            ]
        ),
    ],
)
