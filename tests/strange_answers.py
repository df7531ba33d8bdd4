"""What a program that is no bench, or one of another version, may answer; for tests of all who read answers.

Each is sent as it stands, as an answer or as a summary.
"""

import json
from typing import Any, Final

HOSTILE: Final = "\x1b]0;owned\x07\x9b2J\n\u202eelbakcah"
"""Text that would set a title, clear the screen, end the line and turn the direction of writing."""

WORDLESS: Final[dict[str, bytes]] = {
    "not json": b"not json",
    "nothing": b"",
    "a list": b"[]",
    "null": b"null",
    "a number": b"1e999",
    "many digits": b"9" * 5000,
    "no UTF-8": b"\xff\xfe{}",
    "deep": b"[" * 5000,
    "deep and whole": b'{"a": ' * 500 + b"1" + b"}" * 500,
    "half": b'{"bench": "de',
}
"""Answers that are no JSON object."""

OBJECTS: Final[dict[str, bytes]] = {
    "no names": b"{}",
    "a name that is null": b'{"bench": null}',
    "a name that is a list": b'{"bench": [], "vehicle": {}, "host": 1}',
    "an older version": b'{"bench": "x", "vehicle": "compact", "host": "h", "ticks": 5}',
    "numbers that are texts": b'{"bench": "x", "vehicle": "c", "host": "h", "ticks": "5", "missed_ticks": "0"}',
    "not a number": b'{"bench": "x", "vehicle": "c", "host": "h", "time": NaN, "ticks": Infinity}',
    "beyond 64 bits": b'{"bench": "x", "vehicle": "c", "host": "h", "time": 1' + b"0" * 400 + b', "ticks": 1}',
    "a name of somebody else": b'{"bench": "y", "vehicle": "c", "host": "h"}',
    "a long name": json.dumps({"bench": "x" * 100_000}).encode(),
}
"""JSON objects that are no summary of the bench `x`."""

BUS: Final = {"profile": "", "transmitted": 1, "lost": 0, "counters": {}, "id_conflicts": {}}
ROW_OF_EACH: Final[dict[str, Any]] = {
    "values": {"EngineRpm": {"value": 800.0, "unit": "rpm"}},
    "auxiliary": {"BatteryVoltage": {"value": 14.0, "unit": "V"}},
    "buses": {
        "can": {
            "link": "l",
            "trouble": "",
            "hardware": False,
            "down_s": 0.0,
            "armed": True,
            "received": 1,
            "gate": {"passed": 1},
            **BUS,
        }
    },
    "outputs": {"o": {"link": "l", "profile": "p", "trouble": "", "armed": True, "gate": {}, "counters": {}}},
    "inputs": [{"control": "Throttle", "source": "demo", "value": 0.5}],
    "faults": [{"fault": 1, "what": "w", "state": "active", "begin": 0.0, "end": None, "hits": None}],
    "troubles": {
        "engine": {
            "indicator": True,
            "stored": [{"code": "P0301", "states": ["pending"], "held": False, "status": 9, "text": "t"}],
        }
    },
    "frames": [
        {
            "bus": "can",
            "id": "0x1",
            "message": "m",
            "sent": 1,
            "held_back": 0,
            "withheld": 0,
            "skipped": 0,
            "limited": {},
            "cycle_ms": 10.0,
            "awake": True,
            "armed": True,
            "disturbed": False,
            "period_ms": None,
        }
    ],
    "recording": {"folder": "f", "since": 0.0, "bytes": 1, "complete": True, "begun": True, "error": ""},
    "fabric": {"where": "tcp", "trouble": "", "restarts": 0, "allow": []},
    "scenario": {"name": "s", "time": 0.0, "state": "running", "steps": 2, "done": 1},
}
"""A status with one row of each part that is shown."""

STATUS: Final[dict[str, Any]] = {
    "time": 1.0,
    "bench": "desk",
    "vehicle": "compact",
    "rate_hz": 1000,
    "ticks": 1000,
    "missed_ticks": 0,
    "overload": {"percent": 0, "seconds": 0.0},
    "observer": {"restarts": 0, "events_lost": 0},
    "page": None,
    **ROW_OF_EACH,
}


def hostile(content: Any) -> Any:
    """The same with HOSTILE behind every text and every name of an item, but those that are keys of a record."""
    if isinstance(content, str):
        return content + HOSTILE
    if isinstance(content, list):
        return [hostile(one) for one in content]
    return {name: hostile(one) for name, one in content.items()} if isinstance(content, dict) else content


def awkward(content: Any) -> list[Any]:
    """The same with one of its leaves or branches replaced, in every way."""
    found: list[Any] = []
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, inner in items:
        others: tuple[Any, ...] = (
            None,
            [],
            {},
            [None],
            {"x": None},
            "x",
            -1,
            1.5,
            1 << 70,
            float("nan"),
            True,
            "x" * 5000,
        )
        for other in [*others, *awkward(inner)]:
            changed = content.copy()
            changed[key] = other
            found.append(changed)
        if isinstance(content, dict):
            found.append({name: one for name, one in content.items() if name != key})
    return found
