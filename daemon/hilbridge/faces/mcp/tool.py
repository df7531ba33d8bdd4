"""A tool of an assistant: what it does, and its arguments, which are its JSON Schema as well."""

import math
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple, TypeAlias

MOST_WORDS: Final = 100
"""Words in an argument."""

LONGEST_WORD: Final = 1000

BENCH: Final = "bench"
"""The argument that says which of several benches is meant."""

Arguments: TypeAlias = Mapping[str, Any]

Action: TypeAlias = Callable[[Any, Arguments, str], Any]
"""Carries out a tool on a bench (`AnyClient`), for a client of this name; returns what is told of it.

ConfigurationError: refused.
"""

Connect: TypeAlias = Callable[[str | None], AbstractContextManager[Any]]
"""Reaches the bench of a name, or the one that the program was started for. ConfigurationError: there is none."""


class ArgumentError(Exception):
    """An argument that a tool does not have, lacks, or cannot use."""


class Argument(NamedTuple):
    """An argument: `kind` of JSON Schema, what it means, and its default; None: it is left out."""

    kind: str
    meaning: str
    required: bool = False
    default: Any = None
    largest: float = math.inf

    def read(self, name: str, value: Any) -> Any:
        """Return a value that was given. ArgumentError: it is of the wrong kind, or too large."""
        kinds: dict[str, Any] = {"string": str, "number": (int, float), "array": list}
        if self.kind == "number or string":
            kinds[self.kind] = (int, float, str)
        if not isinstance(value, kinds[self.kind]) or isinstance(value, bool):
            raise ArgumentError(f"{name}: is no {self.kind}")
        words = value if isinstance(value, list) else [value]
        if len(words) > MOST_WORDS or not all(isinstance(one, str | int | float) for one in words):
            raise ArgumentError(f"{name}: at most {MOST_WORDS} words")
        if any(isinstance(one, str) and len(one) > LONGEST_WORD for one in words):
            raise ArgumentError(f"{name}: is longer than {LONGEST_WORD} characters")
        if isinstance(value, int | float) and not -self.largest <= value <= self.largest:
            raise ArgumentError(f"{name}: is beyond {self.largest:g}")
        return value

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        kind: dict[str, Any] = {"type": self.kind.split(" or ") if " or " in self.kind else self.kind}
        if self.kind == "array":
            kind |= {"items": {"type": "string"}, "maxItems": MOST_WORDS}
        if self.largest < math.inf:
            kind["maximum"] = self.largest
        return kind | {"description": self.meaning}


class Tool:
    """A tool: what it does, its arguments, and whether it changes something."""

    def __init__(
        self,
        connect: Connect,
        meaning: str,
        action: Action,
        arguments: Mapping[str, Argument],
        *,
        changes: bool = False,
    ) -> None:
        self.changes: Final = changes
        self._connect: Final = connect
        self._meaning: Final = meaning
        self._action: Final = action
        self._arguments: Final = arguments

    def plain(self, name: str) -> dict[str, Any]:
        """Return it as `tools/list` has it."""
        return {
            "name": name,
            "description": self._meaning,
            "inputSchema": {
                "type": "object",
                "properties": {key: one.schema() for key, one in self._arguments.items()},
                "required": [key for key, one in self._arguments.items() if one.required],
                "additionalProperties": False,
            },
            "annotations": {"readOnlyHint": not self.changes, "destructiveHint": False, "openWorldHint": False},
        }

    def call(self, given: Arguments, client: str) -> Any:
        """Carry it out. ArgumentError: not with these; ConfigurationError: the bench refuses, or is not there."""
        if unknown := given.keys() - self._arguments.keys():
            raise ArgumentError(f"has no argument {', '.join(sorted(unknown))[:LONGEST_WORD]}")
        read = {}
        for key, one in self._arguments.items():
            if given.get(key) is not None:
                read[key] = one.read(key, given[key])
            elif one.required:
                raise ArgumentError(f"{key}: is missing")
            else:
                read[key] = one.default
        with self._connect(read.get(BENCH)) as bench:
            return self._action(bench, read, client)
