"""Settings of UDS: one kind of identifier each, and no key that nobody reads."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.settings.uds import UdsSettings

PROVIDER = {"provider": "keys:key", "levels": [1]}


def test_an_example_of_everything() -> None:
    """Numbers of identifiers are text, as testers write them: no YAML reader takes them for something else."""
    settings = UdsSettings.model_validate(
        {
            "software": "1.0",
            "identifiers": {
                "0100": {"entry": "vehicle.EngineRpm", "scale": 0.25},
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
        ({"identifiers": {"0100": {}}}, "needs one of 'entry', 'text', 'data'"),
        ({"identifiers": {"0100": {"text": "A", "data": "00"}}}, "needs one of"),
        ({"identifiers": {"0100": {"text": "A", "scale": 2}}}, "does not go with 'text'"),
        ({"identifiers": {"0100": {"entry": "vehicle.Speed", "stored": True}}}, "is not stored"),
        ({"identifiers": {"0100": {"entry": "vehicle.Speed", "default": 0}}}, "needs 'control'"),
        ({"identifiers": {"0100": {"text": "A", "security": 1}}, "security": PROVIDER}, "reading needs none"),
        ({"identifiers": {"0100": {"text": "A", "stored": True, "security": 1}}}, "nobody can reach"),
        ({"memory": [{"address": 0, "text": "A", "security": 3}], "security": PROVIDER}, "nobody can reach"),
        ({"identifiers": {"0100": {"data": "0"}}}, "not in hexadecimal"),
        ({"identifiers": {"0100": {"data": ""}}}, "holds no byte"),
        ({"memory": [{"address": 0}]}, "needs one of 'text', 'data', 'identifier'"),
        ({"security": {"provider": "keys:key", "levels": [1, 2]}}, "2 is even"),
        ({"security": {"provider": "keys"}}, "pattern"),
    ],
)
def test_mistakes_are_told(keys: dict[str, Any], reason: str) -> None:
    """What would not be read, cannot be reached or is no number."""
    with pytest.raises(ValidationError, match=reason):
        UdsSettings.model_validate(keys)
