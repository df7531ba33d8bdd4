"""Settings of UDS: one kind of identifier each, and no key that nobody reads."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.uds import UdsSettings

PROVIDER = {"provider": "keys:key", "levels": [1]}


def test_an_example_of_everything() -> None:
    """Numbers of identifiers are text, as testers write them: no YAML reader takes them for something else."""
    settings = UdsSettings.model_validate(
        {
            "software": "1.0",
            "identifiers": {
                "0100": {"from": "vehicle.EngineRpm", "scale": 0.25},
                "1E10": {"text": "CONSTANT"},
                "F198": {"data": "01 02", "stored": True, "security": 1},
            },
            "memory": [{"address": 0x1000, "data": "CAFE"}, {"address": 0x2000, "identifier": "F198"}],
            "security": PROVIDER,
        }
    )
    assert settings.identifiers["F198"].content == b"\x01\x02"
    assert settings.memory[0].content == b"\xca\xfe"


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"identifiers": {"100": {"text": "A"}}}, "four hexadecimal digits"),
        ({"identifiers": {"01g0": {"text": "A"}}}, "four hexadecimal digits"),
        ({"identifiers": {"F186": {"text": "A"}}}, "given by the server"),
        ({"identifiers": {"F40C": {"text": "A"}}}, "given by the server"),
        ({"identifiers": {"0100": {}}}, "needs one of 'from' .*'fields' or 'hook'"),
        ({"identifiers": {"0100": {"text": "A", "data": "00"}}}, "has 'text' and 'data': one only"),
        ({"identifiers": {"0100": {"text": "AB", "length": 1}}}, "text is longer"),
        ({"identifiers": {"0100": {"from": "vehicle.Speed", "length": 9}}}, "8 bytes at most"),
        ({"identifiers": {"0100": {"from": "vehicle.Speed", "length": 3, "float": True}}}, "4 or 8 bytes"),
        ({"identifiers": {"0100": {"expression": "1", "unit": "V"}}}, "belongs to 'from'"),
        ({"identifiers": {"0100": {"expression": "1", "control": True}}}, "needs 'from' without a table"),
        ({"identifiers": {"0100": {"hook": "h.py:read", "stored": True}}}, "what is computed is not stored"),
        ({"identifiers": {"0100": {"hook": "h.py:read", "scale": 2}}}, "does not go with 'hook'"),
        ({"identifiers": {"0100": {"hook": "h.py:read", "length": 2}}}, "does not go with 'hook'"),
        ({"identifiers": {"0100": {"fields": {"A": {"text": "A"}}, "signed": True}}}, "does not go with 'fields'"),
        ({"identifiers": {"0100": {"fields": {"A": "vehicle.Speed"}, "stored": True}}}, "what is computed is not"),
        ({"identifiers": {"0100": {"fields": {"A": {"constant": 1, "bit": 3}}}}}, "needs 'byte'"),
        ({"identifiers": {"0100": {"fields": {"A": {"constant": 1, "bits": 3, "length": 1}}}}}, "go with 'length'"),
        ({"identifiers": {"0100": {"fields": {"A": {"text": "A", "bits": 3}}}}}, "does not go with 'text'"),
        ({"identifiers": {"0100": {"fields": {"A": {"constant": 1, "bits": 9, "order": "little"}}}}}, "whole bytes"),
        ({"identifiers": {"0100": {"text": "A", "scale": 2}}}, "does not go with 'text'"),
        ({"identifiers": {"0100": {"from": "vehicle.Speed", "stored": True}}}, "is not stored"),
        ({"identifiers": {"0100": {"from": "vehicle.Speed", "default": 0}}}, "needs 'control'"),
        ({"identifiers": {"0100": {"text": "A", "security": 1}}, "security": PROVIDER}, "of reading: 'read_security'"),
        ({"identifiers": {"0100": {"text": "A", "stored": True, "security": 1}}}, "nobody can reach"),
        ({"memory": [{"address": 0, "text": "A", "security": 3}], "security": PROVIDER}, "nobody can reach"),
        ({"identifiers": {"0100": {"data": "0"}}}, "not in hexadecimal"),
        ({"identifiers": {"0100": {"data": ""}}}, "holds no byte"),
        ({"routines": {"0300": {"kind": "self-test", "duration": 5}}}, "does not go with 'kind'"),
        ({"routines": {"0300": {"hook": "h.py:run", "start": {"A": {"constant": 1}}}}}, "it has no fields"),
        ({"routines": {"0300": {"conditions": [1]}}}, "needs an expression such as"),
        ({"routines": {"0300": {"security": 1}}}, "nobody can reach"),
        ({"routines": {"300": {}}}, "four hexadecimal digits"),
        ({"memory": [{"address": 0}]}, "needs one of 'text', 'data', 'identifier'"),
        ({"security": {"provider": "keys:key", "levels": [1, 2]}}, "2 is even"),
        ({"security": {"provider": "keys"}}, "pattern"),
    ],
)
def test_mistakes_are_told(keys: dict[str, Any], reason: str) -> None:
    """What would not be read, cannot be reached or is no number."""
    with pytest.raises(ValidationError, match=reason):
        UdsSettings.model_validate(keys)
