"""What passes between page and server."""

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.statistics import Histogram
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT
from hilbridge.faces.cockpit import wire
from vehiclesim.channels import CUSTOM, NAN
from vehiclesim.entries import ENTRIES, MOST_CUSTOM

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def test_a_command_comes_with_its_number() -> None:
    wish = wire.parse('{"id": 7, "command": {"command": "release"}}')
    assert wish == (7, {"command": "release"})


@pytest.mark.parametrize("text", [
    "",
    "[]",
    "{}",
    '{"id": 1}',
    '{"id": "1", "command": {"command": "stop"}}',
    '{"id": 1, "command": "stop"}',
    '{"id": 1, "command": {"command": "status"}}',
    '{"id": 1, "command": {"command": ["stop"]}}',
    '{"id": 1, "command": {"command": "stop"}, "more": 1}',
    "[" * 4000,
])  # fmt: skip
def test_what_no_page_sends_is_refused(text: str) -> None:
    """Also commands that only the server has a use for."""
    with pytest.raises(wire.MessageError):
        wire.parse(text)


@given(ANYTHING)
def test_any_json_is_a_command_or_refused(value: object) -> None:
    try:
        wish = wire.parse(json.dumps(value))
    except wire.MessageError:
        return
    assert wish.command["command"] in wire.COMMANDS


def test_the_greeting_names_every_integer_of_a_snapshot() -> None:
    """Those that the bench declares come last; the places that it leaves free have no name."""
    own = {"path": "custom.OilLife", "resolution": 1000}
    hello = json.loads(wire.hello({"custom": [own]}, [], read_only=False, rate=30))
    named = len(hello["head"]) + len(hello["values"]) - 1
    assert struct.calcsize(f"<{named + MOST_CUSTOM}q") == SNAPSHOT_LAYOUT.size
    assert hello["record"] == SNAPSHOT_LAYOUT.size
    assert hello["values"][-1] == own
    assert len(ENTRIES) == CUSTOM + 1
    values = {value["path"]: value for value in hello["values"]}
    assert values["vehicle.EngineRpm"]["resolution"] == 1000
    assert values["vehicle.EngineRpm"]["unit"] == "rpm"
    assert values["vehicle.EngineRpm"]["range"] is None
    assert values["road.Slope"]["range"] == [-1, 1]
    assert [0, "on"] in values["input.Key"]["codes"]
    assert hello["not_available"] == NAN


def test_lateness_is_counted_by_powers_of_two() -> None:
    """Below 1 µs, from 1 to 2 µs, from 2 to 4 µs ...; what is later than 16 ms comes last."""
    histogram = Histogram()
    for value in (0, 900, 1500, 3000, 3900, 500_000, 16_500_000, 10**10):
        histogram.record(value)
    counts = wire.octaves(histogram)
    assert (counts[0], counts[1], counts[2], counts[9], counts[15]) == (2, 1, 2, 1, 2)
    assert sum(counts) == 8
