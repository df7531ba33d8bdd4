"""Lines for the control socket: two that are commands, and those that no tick may pay for."""

import json

SET = b'{"command": "set", "entry": "input.Key", "value": 1}'
STATUS = b'{"command": "status"}'

AWKWARD = {
    "no JSON": b"junk \xff\x00",
    "nothing": b"",
    "a list": b"[]",
    "lists in lists": b'{"command": "set", "entry": ' + b"[" * 60_000,
    "objects in objects": b'{"command": "set", "value": ' + b'{"a": ' * 10_000,
    "closed lists in lists": b'{"command": "status", "parts": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "digits": b'{"command": "fault-clear", "number": ' + b"1" * 60_000 + b"}",
    "digits after a point": b'{"command": "set", "entry": 1, "value": 0.' + b"1" * 60_000 + b"}",
    "beyond all numbers": b'{"command": "set", "entry": "input.Key", "value": 1e400}',
    "not a number": b'{"command": "set", "entry": "input.Key", "value": NaN}',
    "names that nearly are": json.dumps({"command": "status", "parts": ["statistic"] * 4_000}).encode(),
    "keys that nearly are": json.dumps({"command": "set", **{f"entr{i}": i for i in range(3_000)}}).encode(),
    "a name without end": b'{"command": "set", "entry": "' + b"x" * 60_000 + b'", "value": 1}',
    "as many values as there is room for": json.dumps(
        {"command": "tune-engine", "values": {"torque": [1.5] * 10_000}}
    ).encode(),
    "half a surrogate, and more": b'{"command": "set", "entry": "\\ud800' + b"y" * 9_000 + b'", "value": 1}',
}
"""None of them is a command that a bench takes."""
