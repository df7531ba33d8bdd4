"""The tools that an assistant has on a bench: to look at it, and where it is allowed, to act on it.

Each has a table of its arguments, which is its JSON Schema as well. What changes something ends by itself after some
time, is recorded as the commands of `hilbridge ctl` are, and so is part of a replay. Arming is no tool.
"""

from contextlib import nullcontext
from typing import Any, Final

from hilbridge.bench.value_list import entry_facts, find_entries
from hilbridge.client.sync_client import AnyClient
from hilbridge.faces.explain.causes import PARTS
from hilbridge.faces.explain.said import sentences
from hilbridge.faces.explain.verdicts import judge_status
from hilbridge.faces.mcp.benches import list_benches
from hilbridge.faces.mcp.frames import newest_frames
from hilbridge.faces.mcp.scenarios import list_scenarios, run_scenario
from hilbridge.faces.mcp.tool import BENCH, Action, Argument, Arguments, Connect, Tool
from vehiclesim.entries import STANDARD

MOST_ENTRIES: Final = 100
"""Values in one answer."""

LONGEST_HOLD: Final = 600.0
"""[s]"""

_HOLD: Final = 10.0
_PLAY: Final = 60.0

_KEPT_BACK: Final = "page"
"""The part of the status that opens the page, where much more can be done, to every reader."""


def tools(connect: Connect, *, write: bool, choose: bool = False) -> dict[str, Tool]:
    """Return the tools by name; without `write` those that look only. `choose`: each call may name its bench."""
    entry = Argument("string", "name of an entry of the data bus, such as input.Throttle", required=True)
    seconds = Argument(
        "number", f"after which it ends by itself; default: {_HOLD:g}", default=_HOLD, largest=LONGEST_HOLD
    )
    table: dict[str, tuple[str, Action, dict[str, Argument], bool]] = {
        "status": (
            "How the bench is: engine, buses, inputs, outputs, faults, recording, troubles. Without parts: all of it.",
            _status,
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
        "frames": (
            "Frames on a bus: the newest of each identifier with its bytes, its signals by name, and how many came.",
            newest_frames,
            {
                "bus": Argument("string", "name of the bus; may be left out where there is one"),
                "frames": Argument("array", "these alone: names of messages, identifiers such as 0x100", default=()),
            },
            False,
        ),
        "scenarios": (
            "Scenarios that there are: name, purpose, parameters; and the state of the one that was played last.",
            list_scenarios,
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
        "run_scenario": (
            "Play a scenario to its end, which may take minutes, and tell the verdict on each step.",
            run_scenario,
            {
                "scenario": Argument("string", "its name; scenarios lists them", required=True),
                "parameters": Argument("array", "NAME=VALUE in place of its own", default=()),
                "seconds": Argument(
                    "number", f"after which it is stopped; default: {_PLAY:g}", default=_PLAY, largest=LONGEST_HOLD
                ),
            },
            True,
        ),
    }
    which = {BENCH: Argument("string", "name of the bench, where several run; benches lists them")} if choose else {}
    benches = Tool(lambda _: nullcontext(), "The benches that run on this machine.", list_benches, {})
    return {"benches": benches} | {
        name: Tool(connect, meaning, action, arguments | which, changes=changes)
        for name, (meaning, action, arguments, changes) in table.items()
        if write or not changes
    }


def _status(bench: AnyClient, given: Arguments, _by: str) -> Any:
    answer = bench.status(*map(str, given["parts"]))
    answer.pop(_KEPT_BACK, None)
    return answer


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
