"""Ranges of a database: which are doubted, and what is noted of values that they hold."""

from typing import Any

import pytest

from hilbridge.frames.codec import compile_message
from hilbridge.frames.codec.ranges import is_doubtful
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.codec.sources import EntrySource, ExpressionSource, Held, SignalSource

from .examples import message, signal


@pytest.mark.parametrize(
    ("bits", "further", "doubtful"),
    [
        (8, {}, False),
        (8, {"minimum": 0, "maximum": 1}, True),
        (4, {"minimum": 0, "maximum": 1}, True),
        (3, {"minimum": 0, "maximum": 1}, False),
        (8, {"minimum": 0, "maximum": 1, "choices": {0: "Off", 1: "On"}}, False),
        (16, {"minimum": 0, "maximum": 1000}, True),
        (16, {"minimum": 0, "maximum": 1400}, False),
        (16, {"minimum": 0, "maximum": 350, "scale": 0.25}, False),
        (12, {"minimum": 0, "maximum": 4095, "signed": True}, True),
        (12, {"minimum": -100, "maximum": 100, "signed": True}, False),
        (12, {"minimum": 0, "maximum": 2047, "signed": True, "scale": -1}, False),
        (32, {"minimum": 0, "maximum": 1, "floating": True}, False),
        (8, {"minimum": 5, "maximum": None}, False),
    ],
)
def test_ranges_that_nobody_can_have_meant(bits: int, further: dict[str, Any], doubtful: bool) -> None:
    """2 % of 16 bits are 1,310; a range is counted in numbers of the frame, not in values."""
    assert is_doubtful(SignalCodec(signal("A", 0, bits, **further))) == doubtful
    assert not is_doubtful(SignalCodec(signal("A", 0, bits, **further), ranged=False))


def test_values_that_are_held_at_a_limit_are_noted() -> None:
    """Beyond rounding: 100.2 % is 100 % in steps of 1 %, 101 % is not; neither is what 8 bits do not hold."""
    layout = message(signal("A", 0, 8, minimum=0, maximum=100), signal("B", 8, 8), length=2)
    held: Held = {}
    sources: dict[str, SignalSource] = {
        "A": EntrySource(0, 0, 10),
        "B": ExpressionSource((), lambda channels: channels[0][1]),
    }
    encode = compile_message(layout).bus_encoder(sources, held)
    assert (encode([[1002, 255]]), list(held)) == (bytes([100, 255]), [])
    assert (encode([[1010, 255]]), list(held)) == (bytes([100, 255]), ["A"])
    assert (encode([[0, 256]]), list(held)) == (bytes([0, 255]), ["A", "B"])


def test_without_the_database_s_range_a_value_goes_up_to_what_is_reserved() -> None:
    """The bits end at 255, which says that there is no value."""
    layout = message(signal("A", 0, 8, minimum=0, maximum=1, choices={255: "SNA"}), length=1)
    encode = compile_message(layout, unranged={"A"}).bus_encoder({"A": EntrySource(0, 0, 1)})
    assert [encode([[value]])[0] for value in (-1, 77, 300)] == [0, 77, 254]
