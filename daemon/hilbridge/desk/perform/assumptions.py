"""How much of the fuel of a cycle, of an electric car the electricity, hangs on values that a file only assumes.

A value is assumed where the comment behind it, or the one above it, begins with `assumed` or `RULE`, or with these
behind a word and a colon, as in the files of `hilbridge fit`, the guides and the vehicles here. Each is varied alone,
up and down by its spread:

    ± in the comment      that, of a list as a share of its mean
    SPREADS               by its key
    else                  SHARE of the value

All numbers of a list move together. What hangs on all of them is √(∑ d²) of the larger changes d, as of values that
are independent; where some are not, it is more or less.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.bench.drive.report import figures
from hilbridge.bench.drive.simulation import drive
from hilbridge.bench.drive.trace import Trace
from hilbridge.files.configuration.vehiclefile import VehicleFile, load_vehicle
from hilbridge.files.configuration.yamlfile import YamlNode
from vehiclesim.parameters import ElectricTopology, VehicleSettings

SHARE: Final = 0.1

SPREADS: Final = {
    "accessories.alternator_efficiency": 0.1,
    "cold.friction_exponent": 0.5,
    "gearbox.efficiency": 0.02,
    "electric.axle_motor.loss_factor": 0.4,
    "electric.generator.loss_factor": 0.4,
    "electric.motor.loss_factor": 0.4,
    "engine.fuel_density": 0.02,
}
"""In the unit of the key: what a tenth would be too much of, or too little."""

SECTIONS: Final = frozenset(
    ("accessories", "body", "clutch", "cold", "driveline", "electric", "engine", "gearbox", "shifting", "wheels")
)
"""Sections on which a cycle's fuel hangs; tyres, axles and brakes matter in haste."""

_COMMENT: Final = re.compile(r"(?:^|\s)#\s*(.*?)\s*$")
_ASSUMED: Final = re.compile(r"(?:\w+: )?(?:assumed|RULE)\b")
_PLUS_MINUS: Final = re.compile(r"±\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")


class Assumption(NamedTuple):
    """A value that is assumed: its key path, the value, and by how much it may be another."""

    key: str
    value: float | tuple[float, ...]
    spread: float  # of a list: share of each number

    def moved(self, sign: float) -> float | list[float]:
        """Return the value moved by its spread."""
        if isinstance(self.value, tuple):
            return [each * (1.0 + sign * self.spread) for each in self.value]
        return float(self.value + sign * self.spread)


class Effect(NamedTuple):
    """Change of a cycle's fuel, as a share, with the value lower and higher; None: no such vehicle."""

    assumption: Assumption
    lower: float | None
    higher: float | None

    @property
    def largest(self) -> float:
        """The larger of both, without its sign."""
        return max((abs(each) for each in (self.lower, self.higher) if each is not None), default=0.0)


@dataclass(slots=True)
class Sensitivity:
    """The effects of all that is assumed on the fuel of one cycle, the largest first."""

    cycle: str
    fuel: float  # [l/100 km], of an electric car [kWh/100 km] from the wall
    effects: list[Effect] = field(default_factory=list)
    complete: bool = False
    electric: bool = False

    @property
    def together(self) -> float:
        """The root of the sum of squares."""
        return math.sqrt(sum(each.largest**2 for each in self.effects))


def assumptions(file: VehicleFile) -> list[Assumption]:
    """Return the numbers of a file that its comments call assumed, in its order.

    What comes by an alias counts where it is used, with the comment where it is written.
    """
    lines = file.file.lines()
    root = file.file.root.value
    sections = root.items() if isinstance(root, dict) else ()
    return [
        each
        for name, entry in sections
        if name in SECTIONS and entry.file is None
        for each in _within(name, entry.line, entry.node, lines)
    ]


def sensitivity(
    file: VehicleFile,
    cycle: Trace,
    found: Sequence[Assumption],
    *,
    progress: Callable[[float], None] | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Sensitivity | None:
    """Drive a cycle with each assumed value lower and higher; None: it was not driven."""
    fuel = _fuel(file, cycle, stopped)
    if not fuel:
        return None
    result = Sensitivity(cycle.name, fuel, electric=is_electric(file.settings))
    for number, each in enumerate(found, start=1):
        lower, higher = (_change(file, cycle, each.key, each.moved(sign), fuel, stopped) for sign in (-1.0, 1.0))
        if stopped():
            break
        result.effects.append(Effect(each, lower, higher))
        if progress is not None:
            progress(number / len(found))
    result.complete = len(result.effects) == len(found)
    result.effects.sort(key=lambda effect: -effect.largest)
    return result


def _change(
    file: VehicleFile, cycle: Trace, key: str, value: object, base: float, stopped: Callable[[], bool]
) -> float | None:
    try:
        moved = load_vehicle(str(file.path), changes={key: value})
    except InvalidFileError:  # beyond the bounds of the key, as an efficiency above 1
        return None
    fuel = _fuel(moved, cycle, stopped)
    return None if fuel is None else fuel / base - 1.0


def _fuel(file: VehicleFile, cycle: Trace, stopped: Callable[[], bool]) -> float | None:
    driven = drive(file.build(), cycle, ledger=False, stopped=stopped)
    electric = is_electric(file.settings)
    value = figures(driven, file.settings)[
        "wall_consumption_in_kwh_per_100_km" if electric else "consumption_in_l_per_100_km"
    ]
    return None if value is None else float(value)


def is_electric(settings: VehicleSettings) -> bool:
    """Return whether all energy of the vehicle comes from its battery."""
    return settings.electric.topology is ElectricTopology.BATTERY_ELECTRIC


def _within(key: str, line: int, node: YamlNode, lines: list[str]) -> Iterator[Assumption]:
    """Yield what is assumed at and below a key."""
    if isinstance(node.value, dict):
        for name, entry in node.value.items():
            if entry.file is None:
                yield from _within(f"{key}.{name}", entry.line, entry.node, lines)
        return
    comment = _comment(lines, line)
    written = node.plain() if isinstance(node.value, list) else [node.value]
    numbers = tuple(float(each) for each in written if isinstance(each, int | float) and not isinstance(each, bool))
    if len(numbers) < len(written):
        return
    if not any(numbers) or not _ASSUMED.match(comment):
        return
    mean = sum(abs(each) for each in numbers) / len(numbers)
    said = _PLUS_MINUS.search(comment)
    spread = float(said[1]) if said else SPREADS.get(key, SHARE * mean)
    if isinstance(node.value, list):
        yield Assumption(key, numbers, spread / mean)
    else:
        yield Assumption(key, numbers[0], spread)


def _comment(lines: list[str], line: int) -> str:
    """Return the comment behind a line, or the lines of comment above it."""
    if line <= len(lines) and (found := _COMMENT.search(lines[line - 1])):
        return found[1]
    above: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.lstrip().startswith("#"):
            break
        above.insert(0, text.strip().lstrip("#").strip())
    return " ".join(above)
