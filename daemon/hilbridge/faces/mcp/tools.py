"""The tools that an assistant has on a bench: to look at it, and where it is allowed, to hold values and add faults.

Each has a table of its arguments, which is its JSON Schema as well. What changes something ends by itself after some
seconds, is recorded as the commands of `hilbridge ctl` are, and so is part of a replay. Arming is no tool.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from hilbridge.bench.value_list import entry_facts, find_entries
from hilbridge.client.sync_client import AnyClient
from hilbridge.faces.explain.causes import PARTS
from hilbridge.faces.explain.said import sentences
from hilbridge.faces.explain.verdicts import judge_status
from vehiclesim.entries import STANDARD

MOST_ENTRIES: Final = 100
"""Values in one answer."""

LONGEST_WORD: Final = 1000

LONGEST_HOLD: Final = 600.0
"""[s]"""

_HOLD: Final = 10.0

Arguments = Mapping[str, Any]
Action = Callable[[AnyClient, Arguments, str], Any]
"""Carries out a tool on a bench, for a client of this name; returns what is told of it. ConfigurationError: refused."""


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
        if len(words) > MOST_ENTRIES or not all(isinstance(one, str | int | float) for one in words):
            raise ArgumentError(f"{name}: at most {MOST_ENTRIES} words")
        if any(isinstance(one, str) and len(one) > LONGEST_WORD for one in words):
            raise ArgumentError(f"{name}: is longer than {LONGEST_WORD} characters")
        if isinstance(value, int | float) and not -self.largest <= value <= self.largest:
            raise ArgumentError(f"{name}: is beyond {self.largest:g}")
        return value

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        kind: dict[str, Any] = {"type": self.kind.split(" or ") if " or " in self.kind else self.kind}
        if self.kind == "array":
            kind |= {"items": {"type": "string"}, "maxItems": MOST_ENTRIES}
        if self.largest < math.inf:
            kind["maximum"] = self.largest
        return kind | {"description": self.meaning}


class Tool:
    """A tool: what it does, its arguments, and whether it changes something."""

    def __init__(
        self,
        connect: Callable[[], AnyClient],
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
        with self._connect() as bench:
            return self._action(bench, read, client)


def tools(connect: Callable[[], AnyClient], *, write: bool) -> dict[str, Tool]:
    """Return the tools by name; without `write` those that look only."""
    entry = Argument("string", "name of an entry of the data bus, such as input.Throttle", required=True)
    seconds = Argument(
        "number", f"after which it ends by itself; default: {_HOLD:g}", default=_HOLD, largest=LONGEST_HOLD
    )
    table: dict[str, tuple[str, Action, dict[str, Argument], bool]] = {
        "status": (
            "How the bench is: engine, buses, inputs, outputs, faults, recording, troubles. Without parts: all of it.",
            lambda bench, given, _by: bench.status(*given["parts"]),
            {
                "parts": Argument(
                    "array", "parts of it, by name: buses, inputs, faults, troubles, frames ...", default=()
                )
            },
            False,
        ),
        "find_values": (
            "Entries of the data bus that have a word, or each of several, in name or meaning, with unit and range.",
            _find,
            {"word": Argument("string", "such as coolant, engine speed, door", required=True)},
            False,
        ),
        "values": (
            "Values of entries of the data bus now, with their units.",
            _values,
            {"entries": Argument("array", "names, such as vehicle.EngineRpm; find_values finds them", required=True)},
            False,
        ),
        "explain": (
            "Why each lamp of the cluster shines and each needle rests, from what is sent, and what it says itself.",
            _explain,
            {},
            False,
        ),
        "set": (
            "Hold an entry of the data bus at a value, over every input, for some seconds.",
            _set,
            {
                "entry": entry,
                "value": Argument("number or string", "in its unit, or the name of a position", required=True),
                "seconds": seconds,
            },
            True,
        ),
        "release": (
            "Give an entry back to the inputs; without one, all that was held by this tool.",
            _release,
            {"entry": entry._replace(required=False)},
            True,
        ),
        "add_fault": (
            "Let something go wrong for some seconds, in the words of `hilbridge ctl fault add`.",
            lambda bench, given, _by: {"fault": bench.fault(given["words"], seconds=given["seconds"])},
            {
                "words": Argument(
                    "string",
                    "such as 'frame powertrain.EngineData1 drop', 'sensor CoolantTemperature open', "
                    "'physics fault.Misfire value=0.3'",
                    required=True,
                ),
                "seconds": seconds,
            },
            True,
        ),
        "clear_faults": (
            "End all faults that were added.",
            lambda bench, _given, _by: bench.command("fault-clear"),
            {},
            True,
        ),
    }
    return {
        name: Tool(connect, meaning, action, arguments, changes=changes)
        for name, (meaning, action, arguments, changes) in table.items()
        if write or not changes
    }


def _find(bench: AnyClient, given: Arguments, _by: str) -> Any:
    found = find_entries(given["word"])
    known, word = {entry.path for entry in STANDARD.all()}, given["word"].casefold()
    own = [path for path in bench.values().entries if path not in known and word in path.casefold()]
    facts = [*map(entry_facts, found), *({"path": path, "meaning": "declared by the bench file"} for path in own)]
    return {"entries": facts[:MOST_ENTRIES], "left_out": max(0, len(facts) - MOST_ENTRIES)}


def _values(bench: AnyClient, given: Arguments, _by: str) -> Any:
    found = bench.values(*map(str, given["entries"])).entries
    return {path: {"value": one.value, "unit": one.unit} for path, one in found.items()}


def _explain(bench: AnyClient, _given: Arguments, _by: str) -> Any:
    status = bench.status(*PARTS)
    verdicts = [one.plain() for one in judge_status(status, running=True)]
    return {"lamps": verdicts, "cluster": [one._asdict() for one in sentences(status)]}


def _set(bench: AnyClient, given: Arguments, by: str) -> Any:
    return bench.command("set", by=by, entry=given["entry"], value=given["value"], seconds=given["seconds"])


def _release(bench: AnyClient, given: Arguments, by: str) -> Any:
    return (
        bench.command("give-back", by=by) if given["entry"] is None else bench.command("release", entry=given["entry"])
    )
