"""The commands of a recording over time: how long each entry was held, and when anything else was ordered.

The steps of a scenario act by commands too, so this is also the course of a scenario that was played.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import COMMAND
from hilbridge.boundary.record.recording import BoundaryRecord

_SILENT: Final = ("set", "release", "give-back")
"""Commands that are seen in what they hold."""


class CommandSpan(NamedTuple):
    """A command, or the time in which commands held an entry. `end` [s]: None where it was held to the end."""

    title: str
    begin: float
    end: float | None


class _Hold(NamedTuple):
    """An entry that is held. `until` [s]: when it releases itself."""

    begin: float
    until: float | None
    by: str | None


def command_spans(records: Iterable[BoundaryRecord]) -> list[CommandSpan]:
    """Return what the commands of a recording did, by its begin; refused commands are in it too."""
    spans: list[CommandSpan] = []
    held: dict[str, _Hold] = {}

    def release(entry: str, t: float) -> None:
        hold = held.pop(entry)
        spans.append(CommandSpan(entry, hold.begin, t if hold.until is None else min(t, hold.until)))

    for record in records:
        if record.kind != COMMAND:
            continue
        t, command = record.t / SECOND, json.loads(record.payload)
        for entry in [entry for entry, hold in held.items() if hold.until is not None and hold.until < t]:
            release(entry, t)
        kind, one, seconds = command.get("command"), command.get("entry"), command.get("seconds")
        if not isinstance(one, str | None) or not isinstance(seconds, float | int | None):
            continue  # a command that was refused
        if kind == "set" and one is not None:
            also = command.get("also")
            for entry in map(_full, (one, *(also if isinstance(also, dict) else ()))):
                begin = held[entry].begin if entry in held else t
                held[entry] = _Hold(begin, None if seconds is None else t + seconds, command.get("by"))
        elif kind in _SILENT:
            for entry in [
                entry
                for entry, hold in held.items()
                if (hold.by == command.get("by") if kind == "give-back" else one is None or _full(one) == entry)
            ]:
                release(entry, t)
        else:
            spans.append(CommandSpan(_title(command), t, t))
    spans += [CommandSpan(entry, hold.begin, hold.until) for entry, hold in held.items()]
    return sorted(spans, key=lambda span: span.begin)


def _full(entry: str) -> str:
    """Return the path of an entry: a control may be named without its channel."""
    return entry if "." in entry else f"input.{entry}"


def _title(command: dict[str, Any]) -> str:
    """Return a command as text: its name, and the words and numbers that it is about."""
    words: list[str] = []
    pending = [*command.values()]
    while pending:
        value = pending.pop(0)
        if isinstance(value, dict):
            pending = [*value.values(), *pending]
        elif isinstance(value, str | float | int) and not isinstance(value, bool):
            words.append(f"{value:g}" if isinstance(value, float) else str(value))
    return " ".join(words)
