"""LIN: parity and checksums of the specification, slots, doubts."""

from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.lines.lin_line import LinBus, checksum, protected
from hilbridge.files.settings.lines import LinLine
from vehiclesim.databus import DataBus

from .peers import LIN_IDENTIFIERS

TICK = 5_000_000


@pytest.mark.parametrize("identifier", LIN_IDENTIFIERS)
def test_parity_is_that_of_the_specification(identifier: int) -> None:
    assert protected(identifier) == LIN_IDENTIFIERS[identifier]


def test_the_checksum_is_that_of_the_specification() -> None:
    """The example of the specification (2.2A, 2.8.3): 4A 55 93 E5 gives E6."""
    assert checksum(bytes.fromhex("4A5593E5"), None) == 0xE6
    assert checksum(bytes.fromhex("5593E5"), 0x4A) == 0xE6


def line(**keys: Any) -> LinBus:
    settings: dict[str, Any] = {
        "protocol": "lin",
        "port": "pty",
        "frames": {"A": {"id": 0x10, "data": "01 02 03 04 05 06 07 08"}},
        "schedule": [{"frame": "A", "time": 20}],
    }
    return LinBus("lin", LinLine.model_validate(settings | keys), TICK, ("lines", "lin"), DataBus())


@pytest.mark.parametrize(
    ("keys", "place", "words"),
    [
        ({"schedule": [{"frame": "A", "time": 15}]}, ("lines", "lin", "schedule", 0, "time"), "needs 18.0 ms here"),
        ({"schedule": [{"frame": "A", "time": 21}]}, ("lines", "lin", "schedule", 0, "time"), "no multiple"),
    ],
)
def test_a_slot_holds_its_frame_in_whole_ticks(keys: dict[str, Any], place: KeyPath, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words) as caught:
        line(**keys)
    assert caught.value.place == place


def test_what_no_schedule_has_is_told() -> None:
    frames = {"A": {"id": 1, "data": "01"}, "B": {"id": 2, "length": 4}}
    assert list(line(frames=frames).doubts()) == ["line lin: the schedule never has B"]
