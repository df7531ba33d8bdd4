"""Toyota GT86 / Subaru BRZ, 2013 to 2020: little endian, no checksum seen."""

from ..table import Cluster, Counter, Field, Frame, all_optional, bit, byte, lamp, le

SPEED = 0.015694 * 3.6  # [km/h]

CLUSTER = Cluster(
    "toyota-gt86",
    [
        Frame(
            0x140,
            "Engine",
            10,
            ".. .. .. .. ?? ?? ?? ??",
            [
                Field(byte(0), lambda car: car.Throttle * 255),
                Field(bit(1, 7), lambda car: car.Clutch > 0.01),
                Field(le(16, 14), lambda car: car.EngineRpm),
                Field(le(30, 1), lambda car: car.Throttle < 0.005),
            ],
            [Counter(byte(1, 0, 4))],
        ),
        Frame(
            0x141,
            "Tachometer",
            10,
            "?? ?? ?? ?? .. ?? ?? ??",
            [
                Field(le(32, 14), lambda car: car.EngineRpm, shows="rpm"),
                Field(
                    byte(6, 0, 4),
                    lambda car: 7 if not car.GearboxGear else 1 if car.GearboxGear < 0 else car.GearboxGear,
                ),
            ],
        ),
        Frame(
            0x0D1,
            "Speed",
            20,
            ".. .. ?? ??",
            [Field(le(0), lambda car: car.kmh, SPEED, shows="speed")],
        ),
        Frame(
            0x0D4,
            "WheelSpeeds",
            20,
            ".. .. .. .. .. .. .. ..",
            [
                Field(le(0), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, SPEED),
                Field(le(16), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, SPEED),
                Field(le(32), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, SPEED),
                Field(le(48), lambda car: abs(car.WheelSpeedRearRight) * 3.6, SPEED),
            ],
        ),
        Frame(
            0x0D0,
            "Steering",
            20,
            ".. .. .. .. 00 00 .. ..",
            [
                Field(le(0), lambda car: round(car.SteeringWheelAngle / -0.1) % 65536),
                Field(le(16), lambda car: round(-car.YawRate / 0.286478897) % 65536),
                Field(byte(6), lambda car: round(car.LateralAcceleration / 0.2) % 256),
                Field(byte(7), lambda car: round(car.Acceleration / -0.1) % 256),
            ],
            darkens=("VSC",),
        ),
        Frame(
            0x0D3,
            "Stability",
            20,
            "00 06 ?? ?? ?? ?? ..",
            counters=[Counter(byte(6), last=(255,))],
            darkens=("VSC", "ABS"),
        ),
        Frame(
            0x144,
            "Brake",
            20,
            "?? ?? ?? ?? ?? ?? ?? ??",
            [Field(bit(6, 3), lambda car: car.Brake > 0.01)],
            optional=True,
        ),
        Frame(
            0x152,
            "Handbrake",
            20,
            "F0 .. 00 00 00 00 .. 82",
            [
                Field(byte(1, 0, 4), lambda _: 0xC),
                lamp(bit(6, 3), "parking brake", lambda car: car.ParkingBrake),
                Field(bit(6, 4), lambda car: car.Brake > 0.01),
            ],
            [Counter(byte(1, 4, 4), last=(15,))],
        ),
        Frame(
            0x360,
            "Temperatures",
            50,
            "?? ?? .. .. ?? .. ?? ..",
            [
                Field(byte(5), lambda car: {0: 0x00, 2: 0x30}.get(int(car.CruiseState), 0x10)),
                Field(byte(7), lambda car: car.CruiseSpeed * 3.6),
                Field(byte(2), lambda car: car.OilTemperature, 1, -40, shows="oil"),
                Field(byte(3), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
            ],
        ),
        Frame(
            0x361,
            "GearMil",
            50,
            ".. .. ?? ?? .. ?? ?? ??",
            [
                Field(byte(4, 4, 4), lambda _: 0),
                Field(byte(0, 0, 3), lambda car: max(car.GearboxGear, 0)),
                Field(
                    byte(1),
                    lambda car: 0x40 if car.IndicatorLamp else 0x20,
                    lights=("MIL",),
                    lit=(0x40, 0x60, 0x80, 0xA0),
                ),
            ],
            counters=[Counter(byte(4, 0, 4), last=(15,))],
            darkens=("MIL",),
        ),
        Frame(0x372, "Airbag", 100, "?? .. 00 ?? ?? ?? ?? ??", counters=[Counter(byte(1, 4, 4))], darkens=("airbag",)),
        *all_optional(
            [
                Frame(0x374, "Doors", 1000, "08 ?? 00 ?? ?? ?? ?? ??"),
                Frame(
                    0x375,
                    "Doors2",
                    1000,
                    "?? .. ?? .. ?? ?? ?? ??",
                    [
                        Field(bit(1, 0), lambda car: car.DoorFrontLeft),
                        Field(bit(1, 1), lambda car: car.DoorFrontRight),
                        Field(bit(1, 5), lambda car: car.Boot),
                        Field(bit(3, 3), lambda car: car.SideLights or car.DippedBeam),
                    ],
                ),
                Frame(
                    0x370, "SteeringAid", 50, "?? ?? ?? ?? ?? .. ?? ??", counters=[Counter(byte(5, 0, 4), last=(15,))]
                ),
                Frame(0x280, "Climate", 20, "?? .. ?? ?? ?? ?? ?? ??", counters=[Counter(byte(1, 0, 4))]),
                Frame(0x284, "Unit284", 100, "C0 .. 00 02 00 00 00 00", counters=[Counter(byte(1, 0, 4))]),
                Frame(0x440, "Body", 400, "42 02 ?? ?? ?? ?? ?? ??"),
            ]
        ),
    ],
    own=(0x282, 0x156, 0x442),
)
