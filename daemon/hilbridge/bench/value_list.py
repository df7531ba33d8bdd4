"""The values of a bench: the entries of its data bus with the ranges of its controls, as rows and as a page."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, nearest
from vehiclesim.entries import ENTRIES, STANDARD, Entries, Entry
from vehiclesim.sensors import SENSORS

_INTRODUCTION: Final = """\
# Values

Every value that a bench knows: the entries of its data bus. Signals, expressions, input mappings, scenarios and
`hilbridge ctl set` name them by the path of the first column. `hilbridge values WORD` finds entries by a word of path
or meaning, `hilbridge ctl get ENTRY` reads them from a running bench. This page is made by `hilbridge values
--reference`; edit the entries in `sim/vehiclesim/entries.csv`, not here.

A unit 1 is a ratio; entries without a unit are counts, gears or codes. An entry with a range can be set, and values
beyond the range are limited to it. The names of codes stand for their numbers, in any case of letters: `hilbridge ctl
set body.TurnSignal left`; in an expression they are quoted, `body.TurnSignal == 'left'`. A bench may declare entries of
its own, `custom.NAME`, in its file: `hilbridge values --bench FILE` lists them too.
"""

_SENSORS: Final = """\
## Sensors

What a fault of `kind: sensor` can hit: what each reads with an open line, and with one shorted to ground or to its
supply. A dash is no fault of that circuit. `sim/vehiclesim/sensors.csv` has them.

| Entry | Open | Ground | Supply | Circuit |
|---|---|---|---|---|"""

_HEADINGS: Final = ("| Entry | Unit | Range | Written by | Meaning |", "|---|---|---|---|---|")


def find_entries(word: str, entries: Entries = STANDARD) -> list[Entry]:
    """Return the entries with a word, or each of several, in path or meaning, in any case; for "" all of them."""
    wanted = word.casefold().split()
    texts = [(entry, f"{entry.path}\n{entry.meaning}".casefold()) for entry in entries.all()]
    return [entry for entry, text in texts if all(one in text for one in wanted)]


def select_entries(patterns: Iterable[str], known: Entries = STANDARD) -> list[Entry]:
    """Return the entries whose path fits one of the patterns, as `vehicle.*`, in the order of the patterns.

    All of them where there is no pattern. ConfigurationError: no entry fits a pattern.
    """
    entries = known.all()
    found: dict[str, Entry] = {}
    for pattern in patterns:
        fitting = {entry.path: entry for entry in entries if fnmatchcase(entry.path, pattern)}
        if not fitting:
            meant = nearest(pattern, (entry.path for entry in entries))
            hint = f": did you mean {meant}?" if meant else "; 'hilbridge values' lists them"
            raise ConfigurationError(f"unknown data bus entry {pattern!r}{hint}")
        found |= {path: entry for path, entry in fitting.items() if path not in found}
    return list(found.values()) or entries


def entry_row(entry: Entry) -> tuple[str, ...]:
    """Return path, unit, range, writer and meaning of an entry; the codes follow the meaning."""
    limits = entry.limits
    range_text = "" if limits is None else f"{limits[0]:g}..{limits[1]:g}"
    codes = ", ".join(f"{code} {state}" for code, state in entry.codes)
    meaning = f"{entry.meaning} Codes: {codes}." if codes else entry.meaning
    return entry.path, entry.unit, range_text, entry.writer, meaning


def entry_facts(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON knows it; the codes as text, because they are keys."""
    return {
        "path": entry.path,
        "unit": entry.unit,
        "range": entry.limits,
        "meaning": entry.meaning,
        "written_by": entry.writer,
        "codes": {str(code): state for code, state in entry.codes},
    }


def values_page() -> str:
    """Return the page of all entries, a table for each channel, and the sensors."""
    lines = [_INTRODUCTION]
    for entries in filter(None, ENTRIES):
        lines += [
            f"## {entries[0].channel}\n",
            "| Entry | Unit | Range | Written by | Meaning |",
            "|---|---|---|---|---|",
        ]
        lines += [f"| `{entry.path}` | {' | '.join(entry_row(entry)[1:])} |" for entry in entries]
        lines.append("")
    lines.append(_SENSORS)
    for sensor in SENSORS.values():
        readings = ("–" if one is None else f"{one:g}" for one in (sensor.open, sensor.ground, sensor.supply))
        lines.append(f"| `{sensor.entry}` | {' | '.join(readings)} | {sensor.kind} |")
    return "\n".join([*lines, ""])
