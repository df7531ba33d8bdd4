"""Definition of a parameter, a number with unit, meaning and bounds, and its check."""

from collections.abc import Iterator
from dataclasses import Field, fields
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias, get_args, get_type_hints


class Quantity(NamedTuple):
    """Meaning of a number: unit, one line of text, and bounds (`above` and `below` exclude the bound itself)."""

    unit: str
    text: str
    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None

    def problem(self, value: float) -> str | None:
        """Return why `value` is refused, or None. Not-a-number and the infinities always are."""
        if value != value or value in (float("inf"), float("-inf")):
            return f"{value} is not a finite number"
        if self.minimum is not None and value < self.minimum:
            return f"{value} is less than {self.minimum}"
        if self.maximum is not None and value > self.maximum:
            return f"{value} is greater than {self.maximum}"
        if self.above is not None and value <= self.above:
            return f"{value} is not greater than {self.above}"
        if self.below is not None and value >= self.below:
            return f"{value} is not less than {self.below}"
        return None


def ratio_of(text: str) -> Quantity:
    return Quantity("1", text, minimum=0.0, maximum=1.0)


def speed_of(text: str, minimum: float = 1.0) -> Quantity:
    return Quantity("rpm", text, minimum=minimum, maximum=100_000.0)


def torque_of(text: str, minimum: float = 0.0) -> Quantity:
    return Quantity("Nm", text, minimum=minimum, maximum=1e6)


Noted: TypeAlias = tuple[Field[Any], Any, Quantity | str | None]
"""A field of a parameter class with its type and its Quantity, or describing text, or None."""

_KNOWN: Final[dict[type[Any], tuple[Noted, ...]]] = {}


def quantities(parameters: type[Any]) -> tuple[Noted, ...]:
    """Return each field of a parameter class with its type and note; they are looked up once."""
    known = _KNOWN.get(parameters)
    if known is None:
        known = _KNOWN[parameters] = tuple(_looked_up(parameters))
    return known


def _looked_up(parameters: type[Any]) -> Iterator[Noted]:
    hints = get_type_hints(parameters, include_extras=True)
    for entry in fields(parameters):
        hint = hints[entry.name]
        if hasattr(hint, "__metadata__"):
            yield entry, get_args(hint)[0], hint.__metadata__[0]
        else:
            yield entry, hint, None


def check(parameters: Any) -> None:
    """Raise ValueError that names the first field of a parameter object outside its bounds."""
    for entry, _, quantity in quantities(type(parameters)):
        if not isinstance(quantity, Quantity):
            continue
        value = getattr(parameters, entry.name)
        for number in value if isinstance(value, tuple) else (value,):
            if number is not None and (problem := quantity.problem(number)):
                raise ValueError(f"{entry.name}: {problem}")


def check_rows(name: str, points: tuple[float, ...], **columns: tuple[float, ...]) -> None:
    """Raise ValueError unless the points of a table ascend and every column has a value for each."""
    for one, two in pairwise(points):
        if two <= one:
            raise ValueError(f"{name}: {two} after {one}; the points of a table ascend")
    for column, values in columns.items():
        if len(values) != len(points):
            raise ValueError(f"{column}: {len(values)} values for {len(points)} of {name}")
