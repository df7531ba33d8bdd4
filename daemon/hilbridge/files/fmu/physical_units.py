"""Physical units of FMI: a value in base units is `factor * value + offset` (FMI 2.0.4, 2.2.2; FMI 3.0, 2.4.3).

Radians have no dimension here, as some tools write 1/s for the unit of an angular speed.
"""

from collections.abc import Mapping
from math import pi
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError, quoted

BASE: Final[Mapping[str, Mapping[str, float]]] = {
    "m/s": {"m": 1, "s": -1},
    "m/s2": {"m": 1, "s": -2},
    "m": {"m": 1},
    "s": {"s": 1},
    "min": {"s": 1, "factor": 60},
    "h": {"s": 1, "factor": 3600},
    "rpm": {"rad": 1, "s": -1, "factor": 2 * pi / 60},
    "deg": {"rad": 1, "factor": pi / 180},
    "deg/s": {"rad": 1, "s": -1, "factor": pi / 180},
    "N": {"kg": 1, "m": 1, "s": -2},
    "Nm": {"kg": 1, "m": 2, "s": -2},
    "kW": {"kg": 1, "m": 2, "s": -3, "factor": 1000},
    "kWh": {"kg": 1, "m": 2, "s": -2, "factor": 3.6e6},
    "kPa": {"kg": 1, "m": -1, "s": -2, "factor": 1000},
    "V": {"kg": 1, "m": 2, "s": -3, "A": -1},
    "A": {"A": 1},
    "°C": {"K": 1, "offset": 273.15},
    "g/s": {"kg": 1, "s": -1, "factor": 0.001},
    "l": {"m": 3, "factor": 0.001},
    "l/h": {"m": 3, "s": -1, "factor": 0.001 / 3600},
    "l/100km": {"m": 2, "factor": 1e-8},
    "kWh/100km": {"kg": 1, "m": 1, "s": -2, "factor": 36},
    "1": {},
}
"""The units of the data bus, by exponents of SI's base units, `factor` and `offset`."""

EXPONENTS: Final = ("kg", "m", "s", "A", "K", "mol", "cd")


class BaseUnit(NamedTuple):
    """A unit in base units of SI: their exponents in the order of EXPONENTS."""

    exponents: tuple[int, ...]
    factor: float
    offset: float


class Line(NamedTuple):
    """A conversion: `gain * value + shift`."""

    gain: float = 1.0
    shift: float = 0.0

    def of(self, value: float) -> float:
        """Convert a value; one of the same unit stays the same to the bit."""
        return value if self == _SAME else self.gain * value + self.shift


_SAME: Final = Line()


def base_unit(known: Mapping[str, float]) -> BaseUnit:
    """Return a unit of BASE, or of the attributes of an FMU."""
    exponents = tuple(int(known.get(key, 0)) for key in EXPONENTS)
    return BaseUnit(exponents, known.get("factor", 1.0), known.get("offset", 0.0))


def conversion(given: str, wanted: str, units: Mapping[str, BaseUnit]) -> Line:
    """Return how a value in the unit `given` becomes one in `wanted`; without a unit on either side it stays as it is.

    `units`: those that an FMU declares, before those of the data bus.
    ConfigurationError: the quantities differ, or it is not known whether they do.
    """
    if given == wanted or not given or not wanted:
        return _SAME
    known = {name: base_unit(one) for name, one in BASE.items()} | dict(units)
    if given not in known or wanted not in known:
        unknown = given if given not in known else wanted
        words = f"{quoted(unknown)} is declared by no base units, so that nothing can become"
        raise ConfigurationError(f"{words} {quoted(wanted if unknown == given else given)}")
    one, other = known[given], known[wanted]
    if one.exponents != other.exponents or not other.factor:
        raise ConfigurationError(f"no {quoted(given)} can become {quoted(wanted)}")
    return Line(one.factor / other.factor, (one.offset - other.offset) / other.factor)
