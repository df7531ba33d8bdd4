"""Units and scaling ids of service 06 (SAE J1979, annex E): value = raw * factor + offset.

Numbers 01 to 7F have no sign, 81 to FE have one. Times are in seconds, all else in the unit of the standard.
"""

from typing import Final, NamedTuple

SIGNED: Final = 0x80
"""The bit of an id whose numbers have a sign."""


class ScalingUnit(NamedTuple):
    """A unit and scaling: what one step is worth, and raw 0."""

    factor: float
    offset: float = 0.0


_PLAIN: Final = {
    0x01: 1.0,
    0x02: 0.1,
    0x03: 0.01,
    0x04: 0.001,
    0x05: 2 / 65536,
    0x06: 20 / 65536,
    0x0A: 0.122,  # mV
    0x0B: 0.001,  # V
    0x0C: 0.01,  # V
    0x0D: 1 / 256,  # mA
    0x0E: 0.001,  # A
    0x10: 0.001,  # s
    0x1C: 0.01,  # deg
    0x1D: 0.5,  # deg
    0x28: 1.0,  # g/s
    0x29: 0.25,  # Pa/s
    0x2D: 0.01,  # mg per stroke
    0x2F: 0.01,  # %
}
"""Ids that have the same scaling with a sign, 80 above."""

_UNSIGNED: Final = {
    0x07: 0.25,  # 1/min
    0x08: 0.01,  # km/h
    0x09: 1.0,  # km/h
    0x0F: 0.01,  # A
    0x11: 0.1,  # s
    0x12: 1.0,  # s
    0x13: 1.0,  # mOhm
    0x14: 1.0,  # Ohm
    0x15: 1.0,  # kOhm
    0x17: 0.01,  # kPa
    0x18: 0.0117,  # kPa
    0x19: 0.079,  # kPa
    0x1A: 1.0,  # kPa
    0x1B: 10.0,  # kPa
    0x1E: 2 / 65536,  # lambda
    0x1F: 0.05,  # air to fuel
    0x20: 1 / 256,  # ratio
    0x21: 1.0,  # mHz
    0x22: 1.0,  # Hz
    0x23: 1.0,  # kHz
    0x24: 1.0,  # count
    0x25: 1.0,  # km
    0x26: 0.1,  # mV/ms
    0x27: 0.01,  # g/s
    0x2A: 0.001,  # kg/h
    0x2B: 1.0,  # switches
    0x2C: 0.01,  # g per cylinder
    0x30: 100 / 65535,  # %
    0x31: 0.001,  # l
    0x32: 2 / 65536,  # inch
    0x33: 1 / 4096,  # lambda
    0x34: 60.0,  # s
    0x35: 0.01,  # s
    0x36: 0.01,  # g
    0x37: 0.1,  # g
    0x38: 1.0,  # g
}

_OF_A_SIGN: Final = {
    0x96: 0.1,  # °C
    0x99: 0.1,  # kPa
    0xAE: 0.1,  # mg per stroke
    0xB0: 100 / 32767,  # %
    0xB1: 2.0,  # mV/s
    0xFC: 0.01,  # kPa
    0xFD: 0.001,  # kPa
    0xFE: 0.25,  # Pa
}

_SHIFTED: Final = {
    0x16: ScalingUnit(0.1, -40.0),  # °C
    0x39: ScalingUnit(0.01, -327.68),  # %
}

UNITS: Final = {
    **{number: ScalingUnit(factor) for number, factor in (_PLAIN | _UNSIGNED | _OF_A_SIGN).items()},
    **{SIGNED | number: ScalingUnit(factor) for number, factor in _PLAIN.items()},
    **_SHIFTED,
}
"""All of them, by id."""
