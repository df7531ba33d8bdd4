"""Settings of memory and programming: mistakes."""

from typing import Any

import pytest
from pydantic import ValidationError

from hilbridge.files.settings.uds import UdsSettings


def region(**keys: Any) -> dict[str, Any]:
    return {"memory": [keys], "programming": {}} if "flash" in keys else {"memory": [keys]}


@pytest.mark.parametrize(
    ("keys", "reason", "place"),
    [
        ({"memory": [{"address": 0, "length": 1, "flash": True}]}, "needs 'programming'", ("memory", 0, "flash")),
        ({"programming": {}}, "needs a region of 'memory' with 'flash'", ("programming",)),
        (region(length=4), "is missing", ("address",)),
        (region(address=0), "needs one of 'text', 'data', 'identifier', 'image'", ()),
        (region(address=0, text="AB", data="00"), "needs one of", ("data",)),
        (region(address=0, text="AB", length=1), "shorter than the content of 2 bytes", ("length",)),
        (region(address=0, identifier="F198", write=True), "does not go with 'identifier'", ("write",)),
        (region(address=0, length=1, write=True, flash=True), "does not go with 'flash'", ("write",)),
        (region(address=0, length=1, write_security=5), "none of security.levels", ("memory", 0, "write_security")),
        (
            region(address=0, length=1, flash=True)
            | {"programming": {"check": {"algorithm": "crc16", "initial": 1 << 16}}},
            "wider than the CRC",
            ("initial",),
        ),
    ],
)
def test_mistakes_are_told(keys: dict[str, Any], reason: str, place: tuple[str | int, ...]) -> None:
    """With the place of the key inside its section."""
    with pytest.raises(ValidationError, match=reason) as raised:
        UdsSettings.model_validate(keys)
    assert raised.value.errors()[0]["ctx"]["error"].place == place


def test_there_is_a_programming_session_with_programming() -> None:
    """And a bench may drop it."""
    flash = region(address=0, length=1, flash=True)
    assert [*UdsSettings.model_validate(flash).session_table] == [1, 2, 3]
    assert [*UdsSettings.model_validate(flash | {"sessions": {"02": None}}).session_table] == [1, 3]
