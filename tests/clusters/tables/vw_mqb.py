"""VW MQB: little endian; E2E profile 2 with sixteen data ids of each identifier.

Places are those of opendbc's database; data ids are opendbc's where it has them.
"""

from collections.abc import Sequence

from opendbc.car.volkswagen.mqbcan import VOLKSWAGEN_MQB_MEB_CONSTANTS  # type: ignore[import-untyped]

from ..checksums import mqb
from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, lamp, le

FREE = "?? ?? ?? ?? ?? ?? ?? ??"
PULSES_PER_METRE = 44.7

DATA_IDS = {
    0x31B: bytes.fromhex("67 8A AE 22 4D D0 51 80 5C B9 CE 1E DF 02 2D D4"),
    0x32A: bytes([0x29] * 16),
    0x394: bytes.fromhex("47 94 92 6A 67 B5 0D 38 E3 8A 5D B4 54 AB AE 27"),
    0x31E: bytes.fromhex("78 68 3A 31 16 08 4F DE F7 35 19 E6 28 2F 59 82"),
    0x641: bytes([0x47] * 16),
    0x3D5: bytes([0x07] * 16),
}


def protected(
    can_id: int,
    name: str,
    period: float,
    fields: Sequence[Field] = (),
    *,
    template: str = FREE,
    darkens: Sequence[str] = (),
    feeds: Sequence[str] = (),
    drops: Sequence[str] = (),
    optional: bool = False,
) -> Frame:
    """A frame with the checksum in byte 0 and the counter in byte 1."""
    ids = DATA_IDS.get(can_id) or VOLKSWAGEN_MQB_MEB_CONSTANTS[can_id]
    return Frame(
        can_id,
        name,
        period,
        template,
        fields,
        [Counter(byte(1, 0, 4))],
        (byte(0), mqb(list(ids))),
        darkens=darkens,
        feeds=feeds,
        drops=drops,
        optional=optional,
    )


CLUSTER = Cluster(
    "vw-mqb",
    [
        protected(
            0x3C0,
            "Klemmen_Status_01",
            50,
            [
                Field(le(16, 1), lambda car: car.ignition),
                Field(le(17, 1), lambda car: car.ignition),
                Field(le(18, 1), lambda car: car.Key == 0),
                Field(le(19, 1), lambda car: car.Key > 0),
            ],
            template="?? ?? ?? ??",
        ),
        Frame(
            0x5F0,
            "Dimmung_01",
            500,
            ".. ?? .. ?? ?? ?? ?? ??",
            [Field(byte(0), lambda car: 253 * car.Dimming), Field(byte(2), lambda car: 100 * car.Dimming)],
            feeds=("backlight",),
        ),
        protected(
            0x0FD,
            "ESP_21",
            20,
            [Field(le(32), lambda car: car.kmh, 0.01, shows="speed")],
            darkens=("ABS", "ESC"),
        ),
        protected(
            0x31B,
            "ESP_24",
            50,
            [
                lamp(le(12, 1), "ESC", lambda car: car.EscEngaged or car.TcsEngaged),
                lamp(le(13, 1), "ABS", lambda car: 0),
                lamp(le(16, 1), "traction", lambda car: 0),
                Field(le(17, 15), lambda car: car.kmh, 0.015),
                Field(le(40, 11), lambda car: car.Odometer, counts="trip", rate=PULSES_PER_METRE),
                lamp(le(55, 1), "ESC off", lambda car: 0),
            ],
            darkens=("ABS", "ESC"),
        ),
        protected(
            0x116,
            "ESP_10",
            20,
            [
                Field(le(16, 10), lambda car: car.PulsesFrontLeft % 1001),
                Field(le(26, 10), lambda car: car.PulsesFrontRight % 1001),
                Field(le(36, 10), lambda car: car.PulsesRearLeft % 1001),
                Field(le(46, 10), lambda car: car.PulsesRearRight % 1001),
            ],
            darkens=("ABS",),
        ),
        protected(
            0x65D,
            "ESP_20",
            500,
            [
                Field(byte(1, 4, 4), lambda car: 3),
                Field(le(16, 8), lambda car: 48),
                Field(le(52, 12), lambda car: 1935),
                Field(byte(6, 0, 4), lambda car: 4),
            ],
            template=".. .. .. 12 00 00 .. ..",
        ),
        Frame(
            0x107,
            "Motor_04",
            20,
            FREE,
            [
                Field(le(24, 12), lambda car: car.EngineRpm, 3, shows="rpm"),
                Field(le(48, 15), lambda car: car.FuelUsed, counts="litres", rate=1e6),
            ],
        ),
        Frame(
            0x640,
            "Motor_07",
            500,
            FREE,
            [
                Field(byte(1), lambda car: car.IntakeTemperature, 0.75, -48),
                Field(byte(2), lambda car: car.OilTemperature, 1, -60, shows="oil"),
                Field(byte(3), lambda car: car.CoolantTemperature, 0.75, -48),
            ],
        ),
        Frame(
            0x647,
            "Motor_09",
            500,
            FREE,
            [Field(byte(0), lambda car: car.CoolantTemperature, 0.75, -48, shows="coolant")],
        ),
        protected(0x3BE, "Motor_14", 50, [Field(le(28, 1), lambda car: car.Brake > 0.01)]),
        Frame(
            0x3C7,
            "Motor_26",
            500,
            FREE,
            [lamp(le(49, 1), "MIL", lambda car: car.IndicatorLamp), lamp(le(60, 1), "oil pressure", lambda car: 0)],
            darkens=("MIL",),
        ),
        protected(
            0x040,
            "Airbag_01",
            50,
            [lamp(le(24, 1), "airbag", lambda car: 0), lamp(le(32, 1), "belt", lambda car: not car.BeltDriver)],
            darkens=("airbag",),
        ),
        protected(0x32A, "LH_EPS_01", 50, [lamp(le(17, 1), "steering", lambda car: 0)], darkens=("steering",)),
        Frame(
            0x3DB,
            "Gateway_72",
            100,
            FREE,
            [
                Field(le(24, 1), lambda car: car.DoorFrontRight),
                Field(le(26, 1), lambda car: car.DoorFrontLeft),
                Field(byte(7), lambda car: car.AmbientTemperature, 0.5, -50, shows="outside"),
            ],
        ),
        Frame(0x64A, "TyrePressure", 500, "00 00 00 00 00 00 00 00", darkens=("tyres",)),
        *all_optional(
            [
                protected(
                    0x394,
                    "WBA_03",
                    50,
                    [
                        Field(
                            byte(1, 4, 4),
                            lambda car: {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}.get(int(car.SelectorShown), 0),
                        ),
                    ],
                ),
                protected(
                    0x31E, "TSK_07", 50, [Field(byte(1, 4, 4), lambda car: 0xE)], template=".. .. 3F 00 00 00 00 40"
                ),
                protected(
                    0x641,
                    "Motor_Code_01",
                    500,
                    [Field(byte(1, 4, 4), lambda car: 1)],
                    template=".. .. 00 E8 03 00 00 00",
                ),
                Frame(
                    0x366,
                    "Blinkmodi_02",
                    100,
                    "00 .. 04 .. 0A FC 00 00",
                    [Field(byte(3), lambda car: 0x0A * car.LeftTurnLamp + 0x14 * car.RightTurnLamp)],
                    [Counter(byte(1, 0, 4))],
                ),
                Frame(
                    0x30D,
                    "ParkingBrake",
                    100,
                    "?? ?? ?? ??",
                    [lamp(bit(0, 2), "parking brake", lambda car: car.ParkingBrake)],
                ),
                Frame(
                    0x658,
                    "Lights",
                    500,
                    FREE,
                    [
                        lamp(bit(1, 6), "main beam", lambda car: car.MainBeam),
                        Field(byte(2, 0, 2), lambda car: 3 * car.RearFogLights, lights=("rear fog",)),
                    ],
                ),
                Frame(
                    0x583,
                    "ZV_02",
                    500,
                    FREE,
                    [
                        Field(bit(3, 0), lambda car: car.DoorFrontLeft),
                        Field(bit(3, 1), lambda car: car.DoorFrontRight),
                        Field(bit(3, 2), lambda car: car.DoorRearLeft),
                        Field(bit(3, 3), lambda car: car.DoorRearRight),
                        Field(bit(3, 4), lambda car: car.Boot),
                    ],
                ),
                Frame(0x5E1, "Outside", 500, FREE, [Field(byte(0), lambda car: car.AmbientTemperature, 0.5, -50)]),
                Frame(0x5BF, "WheelButtons", 100, "00 00 00 40"),
                protected(
                    0x3D5,
                    "Lights_01",
                    1000,
                    [Field(byte(1, 4, 4), lambda car: 0xC)],
                    template=".. .. C0 00 00 00 00 00",
                    optional=True,
                ),
                Frame(0x3D6, "Lights_02", 1000, ".. 08 00 00 00 00 00 00", counters=[Counter(byte(0, 0, 4))]),
                Frame(0x663, "RKA_01", 1000, "60 28 20 07 0D BC 2C 00"),
                Frame(0x391, "OBD_01", 1000, "2A 89 22 2C 00 26 00 20"),
                Frame(0x670, "Motor_18", 1000, "00 00 00 00 FE 00 00 80"),
                Frame(0x3DF, "Gateway_76", 1000, "04 91 00 28 15 00 00 00"),
                Frame(0x65A, "BCM_01", 1000, FREE),
            ]
        ),
    ],
    wake=(0x3C0, lambda data: bool(data[2] & 2)),
    own=(0x30B,),
    never=(0x6B4,),
)
