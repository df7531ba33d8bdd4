"""The cars of makers.yaml as parts of a bench, with the faults that the firmware must notice.

Which messages a maker's mode checks, at what, and how often they have to come, the firmware says; the database says
what they are called. So there is no second list of them here.
"""

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import opendbc  # type: ignore[import-untyped]
import yaml
from cantools.database.can import Message
from opendbc import get_generated_dbcs

from hilbridge.frames.codec.database import load_database

PACKAGE: Final = Path(opendbc.__file__).parent
MAKERS: Final[dict[str, dict[str, Any]]] = yaml.safe_load(
    Path(__file__).with_name("makers.yaml").read_text(encoding="utf-8")
)
TICK: Final = 10
"""[ms] of the bench."""

FIRST: Final = 2.0
"""[s] when the first fault begins."""

LOST: Final = 1.0 + 0.14
"""[s] after which the firmware misses a message at the latest, with its periodic call in it."""

PATIENCE: Final = 600
"""[s] for a turn: thirty programs start at once, on a machine that others use too."""

COUNTER, CHECKSUM, QUALITY, RATE, LENGTH = KINDS = "counter", "checksum", "quality", "rate", "length"


class Check(NamedTuple):
    """A message of a maker, and what the firmware looks at."""

    number: int
    message: str
    bus: str
    length: int
    period: int
    kinds: frozenset[str]


class Window(NamedTuple):
    """A fault from `start` to `end` [s], what of the firmware's verdicts it must fail, and when that must be over."""

    kind: str
    check: Check
    start: float
    end: float
    over: float


class Car(NamedTuple):
    """A maker's part of a bench."""

    name: str
    checks: Sequence[Check]
    buses: dict[str, dict[str, Any]]
    client: dict[str, Any]

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its entry of makers.yaml."""
        return MAKERS[self.name]

    def windows(self) -> Iterator[Window]:
        """Yield its faults, one after the other, each when the one before is over."""
        start = FIRST
        for check in self.checks:
            for kind in (one for one in KINDS if one in check.kinds):
                period = check.period / 1000
                lasts = LOST + 0.2 + period if kind in (RATE, LENGTH) else max(0.15, 8 * period)
                end = round(start + lasts, 2)
                over = round(end + 0.13 + 3 * period, 2)
                yield Window(kind, check, start, end, over)
                start = over

    def faults(self) -> Iterator[dict[str, Any]]:
        """Yield the faults of the windows, which last as long."""
        for window in self.windows():
            check = window.check
            lasts = round(window.end - window.start, 2)
            fault = {"kind": "frame", "bus": check.bus, "message": check.message, "for": lasts}
            if window.kind == QUALITY:
                (signal, bad), *_ = self.settings["quality"][check.message].items()
                yield {**fault, "kind": "signal", "signal": signal, "effect": "stuck", "value": bad}
            elif window.kind == LENGTH:
                yield {**fault, "effect": "length", "length": {24: 20, 32: 24}.get(check.length, check.length - 1)}
            elif window.kind == COUNTER:
                yield {**fault, "effect": "counter", "wrong": "freeze"}
            else:
                yield {**fault, "effect": {CHECKSUM: "checksum", RATE: "drop"}[window.kind]}


def car(name: str, board: Path, folder: Path) -> Car:
    """Return a maker's part of a bench; databases that opendbc generates are written into the folder."""
    settings = MAKERS[name]
    by_id = messages(settings["database"], folder)
    numbers, checks, buses = set(), [], dict[str, dict[str, Any]]()
    for row in firmware_checks(board, settings["mode"], settings.get("parameter", 0)):
        number, identifier, bus = int(row[0]), int(row[2], 16), int(row[3])
        found = by_id.get(identifier)
        if number in numbers or found is None or found.length != int(row[4]):
            continue
        numbers.add(number)
        looked_at = {"c": COUNTER, "k": CHECKSUM, "q": QUALITY}
        kinds = frozenset({RATE, LENGTH, *(looked_at[flag] for flag in row[7:] if flag != "-")})
        period = 1000 // int(row[5]) // TICK * TICK
        check = Check(number, found.name, f"{name}-{bus}", found.length, period, kinds)
        checks.append(check)
        one = buses.setdefault(check.bus, {"interface": "embedded", "range": "raw", "messages": {}})
        one["database"] = str(database_file(settings["database"], folder))
        one["fd"] = one.get("fd", False) or found.length > 8
        one["messages"][found.name] = _message(settings, check)
    arguments = [settings["mode"], settings.get("parameter", 0), str(folder / f"{name}.verdicts")]
    arguments += [int(bus[-1]) for bus in sorted(buses)]
    client = {"firmware": board.name, "bus": sorted(buses), "arguments": arguments, "timeout": PATIENCE}
    return Car(name, checks, buses, client)


def _message(settings: Mapping[str, Any], check: Check) -> dict[str, Any]:
    signals = {
        signal: {"expression": value} if isinstance(value, str) else {"constant": value}
        for signal, value in settings["signals"].get(check.message, {}).items()
    }
    message: dict[str, Any] = {"period": check.period, "signals": signals}
    if CHECKSUM in check.kinds:
        counter = {} if COUNTER in check.kinds else {"counter": "none"}
        message["protection"] = [{"preset": settings["preset"], **counter}]
    elif COUNTER in check.kinds:
        at = settings.get("counter", {}).get(check.message, "COUNTER")
        message["protection"] = [{"counter": {"at": at}}]
    return message


@cache
def firmware_checks(board: Path, mode: int, parameter: int) -> list[list[str]]:
    """Return the checks of a mode as the firmware prints them, a list of words for each alternative."""
    run = subprocess.run([board, str(mode), str(parameter)], check=True, capture_output=True, text=True)
    return [line.split()[1:] for line in run.stdout.splitlines()]


def database_file(name: str, folder: Path) -> Path:
    """Return a database of opendbc; one that it generates is written first."""
    there, made = PACKAGE / f"dbc/{name}.dbc", folder / f"{name}.dbc"
    if there.exists():
        return there
    if not made.exists():
        made.write_text(_generated()[name], encoding="utf-8")
    return made


@cache
def _generated() -> dict[str, str]:
    return dict(get_generated_dbcs())


@cache
def messages(name: str, folder: Path) -> dict[int, Message]:
    """Return the messages of a database by identifier."""
    return {message.frame_id: message for message in load_database(database_file(name, folder)).messages}
