"""Honda Civic, 8th generation: big endian; the last byte has a counter of two bits and a nibble sum."""

from collections.abc import Sequence

from ..checksums import honda
from ..table import Cluster, Counter, Field, Frame, Place, be, byte


def protected(
    can_id: int,
    name: str,
    template: str,
    fields: Sequence[Field] = (),
    darkens: Sequence[str] = (),
    *,
    period: int = 20,
    counted: bool = True,
) -> Frame:
    """A frame whose last byte is the protection."""
    last = len(template.split()) - 1
    return Frame(
        can_id,
        name,
        period,
        template,
        fields,
        [Counter(byte(last, 4, 2), last=(3,))] if counted else [],
        (byte(last, 0, 4), honda),
        darkens=darkens,
    )


CLUSTER = Cluster(
    "honda-civic8",
    [
        protected(0x1DC, "EngineSpeed", "02 .. .. ..", [Field(be(1, 4), lambda car: car.EngineRpm, shows="rpm")]),
        protected(
            0x158,
            "Speed",
            ".. .. 00 00 .. .. .. ..",
            [
                Field(be(0, 8), lambda car: car.kmh, 0.01, shows="speed"),
                Field(be(4, 8), lambda car: car.kmh, 0.01),
                Field(byte(6), lambda car: car.Odometer, counts="trip", rate=0.1),
            ],
            period=10,
        ),
        protected(
            0x324,
            "Temperatures",
            ".. .. ?? ?? ?? ?? ?? ..",
            [
                Field(byte(0), lambda car: car.CoolantTemperature, 1, -40, shows="coolant"),
                Field(byte(1), lambda car: car.IntakeTemperature, 1, -40),
            ],
            period=100,
        ),
        protected(
            0x17C,
            "Powertrain",
            "00 00 .. .. 00 00 00 ..",
            [Field(be(2, 8), lambda car: car.EngineRpm)],
            darkens=("MIL",),
            period=10,
        ),
        protected(0x166, "HybridAid", "50 1D EC ..", darkens=("hybrid",)),
        protected(0x039, "Airbag", "?? ..", darkens=("airbag",)),
        protected(0x18E, "Steering", "?? 00 ..", darkens=("steering",), period=10),
        protected(0x333, "Tyres", "?? ?? ?? ?? ?? ?? ?? ..", darkens=("tyres",)),
        protected(0x1A4, "Stability", "?? ?? ?? ?? ?? ?? ?? ..", darkens=("stability",)),
        protected(
            0x1D0,
            "WheelSpeeds",
            ".. .. .. .. .. .. .. ..",
            [
                Field(Place(49, 15, "big"), lambda car: abs(car.WheelSpeedFrontLeft) * 3.6, 0.01),
                Field(Place(34, 15, "big"), lambda car: abs(car.WheelSpeedFrontRight) * 3.6, 0.01),
                Field(Place(19, 15, "big"), lambda car: abs(car.WheelSpeedRearLeft) * 3.6, 0.01),
                Field(Place(4, 15, "big"), lambda car: abs(car.WheelSpeedRearRight) * 3.6, 0.01),
            ],
            counted=False,
        ),
        protected(0x1B0, "Brakes1B0", "00 00 00 00 00 00 ..", [Field(byte(6, 6, 2), lambda car: 1)]),
        protected(0x294, "Body294", "04 8C 00 02 96 0C 00 ..", period=40),
        protected(0x305, "Belts305", "8E ..", period=100),
        protected(0x37C, "Unit37C", "00 00 00 00 ..", period=100),
    ],
)
