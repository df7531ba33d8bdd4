"""Keys of a fault that belong together, and how a fault reads."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from hilbridge.files.settings.faults import FaultSettings

FAULTS: TypeAdapter[FaultSettings] = TypeAdapter(FaultSettings)
FRAME = {"kind": "frame", "bus": "can", "message": "Engine"}
SIGNAL = {"kind": "signal", "bus": "can", "message": "Engine", "signal": "Rpm"}


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({**SIGNAL, "effect": "offset", "value": 500}, "signal can.Engine.Rpm offset 500"),
        ({**SIGNAL, "effect": "stuck"}, "signal can.Engine.Rpm stuck"),
        ({**FRAME, "effect": "drop"}, "frame can.Engine drop"),
        ({**FRAME, "message": 0x3D0, "effect": "delay", "delay": 2.5}, "frame can.0x3D0 delay 2.5 ms"),
        ({**FRAME, "effect": "length", "length": 0}, "frame can.Engine length 0"),
        ({**FRAME, "effect": "counter"}, "frame can.Engine counter offset 1"),
        ({**FRAME, "effect": "checksum", "wrong": "freeze"}, "frame can.Engine checksum freeze"),
        ({"kind": "ecu", "bus": "can", "node": "ECU", "ecu": "engine"}, "ecu can.ECU engine silent"),
        ({"kind": "link", "bus": "can", "effect": "bus-off"}, "link can bus-off"),
        ({"kind": "physics", "entry": "fault.Misfire", "value": 0.25}, "physics fault.Misfire 0.25"),
        ({"kind": "sensor", "entry": "OilPressure", "effect": "open"}, "sensor OilPressure open"),
        ({"kind": "sensor", "entry": "OilPressure", "effect": "slow", "value": 2}, "sensor OilPressure slow 2"),
    ],
)
def test_a_fault_is_told_in_words(keys: dict[str, Any], words: str) -> None:
    assert FAULTS.validate_python(keys).describe() == words


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({**SIGNAL, "effect": "offset"}, "'offset' needs a value"),
        ({**SIGNAL, "effect": "noise", "value": 0}, "must be greater than 0"),
        ({**SIGNAL, "effect": "drop-out", "value": 1}, "belongs to 'effect: offset, scale, stuck or noise'"),
        ({**SIGNAL, "effect": "scale", "value": 1, "distribution": "normal"}, "belongs to 'effect: noise'"),
        ({**FRAME, "effect": "delay"}, "the effect 'delay' needs it"),
        ({**FRAME, "effect": "delay", "delay": 10_001}, "less than or equal to 10000"),
        ({**FRAME, "effect": "drop", "delay": 1}, "belongs to 'effect: delay'"),
        ({**FRAME, "effect": "length", "length": 9}, "there is no CAN frame of 9 bytes"),
        ({**FRAME, "effect": "drop", "wrong": "random"}, "belongs to 'effect: counter or checksum'"),
        ({**FRAME, "effect": "counter", "wrong": "random", "amount": 3}, "belongs to 'wrong: offset' and"),
        ({**FRAME, "effect": "drop", "probability": 0}, "greater than 0"),
        ({**FRAME, "effect": "drop", "frames": 0}, "greater than or equal to 1"),
        ({"kind": "ecu", "node": "ECU"}, "'bus' and 'node' belong together"),
        ({"kind": "ecu"}, "needs 'bus' and 'node', or 'ecu'"),
        ({"kind": "link", "bus": "can", "effect": "down", "for": 0}, "greater than 0"),
        ({"kind": "frames"}, "does not match any of the expected tags"),
    ],
)
def test_keys_that_nobody_would_read_or_that_are_missing_are_errors(keys: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        FAULTS.validate_python(keys)
