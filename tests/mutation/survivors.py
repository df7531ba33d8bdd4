"""The list of survivors, survivors.yaml, and what a run of the mutants says against it."""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from .operators import Key

FILE: Final = Path(__file__).with_name("survivors.yaml")

EQUIVALENT: Final = "equivalent"
SURVIVES: Final = "survives"


class Survivor(NamedTuple):
    """A mutant that no test kills: none can, because the program does the same, or none does; and why."""

    key: Key
    equivalent: bool
    reason: str


def load(file: Path = FILE) -> dict[Key, Survivor]:
    """Read the list: by module and function, `- {OPERATOR: TEXT, equivalent: why}` or `survives: why`."""
    content: dict[str, dict[str, list[dict[str, str]]]] = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {one.key: one for one in _survivors(content)}


def _survivors(content: Mapping[str, Mapping[str, Any]]) -> Iterator[Survivor]:
    for module, functions in content.items():
        for function, entries in functions.items():
            for entry in entries:
                kinds = {EQUIVALENT, SURVIVES} & entry.keys()
                operators = entry.keys() - kinds
                if len(kinds) != 1 or len(operators) != 1:
                    raise SystemExit(f"{FILE.name}: {module}: {function}: one operator, and why it survives: {entry}")
                (kind,), (operator,) = kinds, operators
                key = Key(module, function, operator, entry[operator])
                yield Survivor(key, kind == EQUIVALENT, entry[kind])


def contradictions(
    listed: Mapping[Key, Survivor], existing: Collection[Key], survived: Collection[Key], died: Collection[Key]
) -> list[str]:
    """Return a line for each survivor that is new, for each that dies now, and for each whose code is no more.

    `existing`: all mutants of the rooms that were looked at, of which not all were tried.
    """
    modules = {key.module for key in existing}
    lines = [f"new      {describe(key)}" for key in survived if key not in listed]
    lines += [f"dies now {describe(key)}" for key in died if key in listed]
    lines += [f"gone     {describe(key)}" for key in listed if key.module in modules and key not in existing]
    return lines


def describe(key: Key) -> str:
    """Return a mutant as a line for people."""
    return f"{key.module}: {key.function}: {key.operator}: {key.text}"
