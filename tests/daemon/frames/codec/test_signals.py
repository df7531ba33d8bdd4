"""The raw number of every value: limited, never wrapped, and with a way to say "not available"."""

import math
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.signals import SignalCodec

from .examples import signal

NAN = math.nan


def codec(length: int = 8, **further: Any) -> SignalCodec:
    return SignalCodec(signal("A", 0, length, **further))


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        (-math.inf, 0),
        (-1e300, 0),
        (-0.1, 0),
        (0, 0),
        (99.9, 250),
        (100, 250),
        (101, 250),
        (1e300, 250),
        (math.inf, 250),
    ],
)
def test_values_are_held_inside_minimum_and_maximum(value: float, raw: int) -> None:
    """0…100 % in steps of 0.4 %: what lies beyond is sent as the end."""
    assert codec(scale=0.4, minimum=0, maximum=100).to_raw(value) == raw


@pytest.mark.parametrize(
    ("further", "lowest", "highest"),
    [
        ({}, 0, 255),
        ({"signed": True}, -128, 127),
        ({"scale": 0.1, "offset": -3}, 0, 255),
        ({"scale": -2}, 255, 0),
        ({"minimum": 300, "maximum": 400}, 255, 255),
        ({"minimum": 9, "maximum": 3}, 0, 255),
        ({"choices": {255: "SNA", 254: "Error", 253: "No error"}}, 0, 253),
        ({"signed": True, "choices": {-128: "not available"}}, -127, 127),
    ],
)
def test_values_never_wrap(further: dict[str, Any], lowest: int, highest: int) -> None:
    """Without limits of its own a signal ends where its bits do, or just short of its reserved numbers."""
    one = codec(**further)
    assert (one.to_raw(-1e12), one.to_raw(1e12)) == (lowest, highest)
    assert (one.to_raw(-math.inf), one.to_raw(math.inf)) == (lowest, highest)


@pytest.mark.parametrize(
    ("length", "largest"), [(16, 65504.0), (32, (2 - 2**-23) * 2.0**127), (64, 1.7976931348623157e308)]
)
def test_a_float_signal_ends_at_its_largest_finite_number(length: int, largest: float) -> None:
    """IEEE 754 binary16, binary32 and binary64."""
    one = codec(length, floating=True)
    assert (one.to_raw(-math.inf), one.to_raw(math.inf)) == (-largest, largest)


def test_named_values_stand_beyond_the_limits_unless_a_model_hits_them() -> None:
    """As in cantools a number may mean a named value; `keep` says which ones a caller means."""
    one = codec(scale=0.5, minimum=0, maximum=100, choices={255: "SNA", 250: "Full"})
    assert one.to_raw(127.5) == 255
    assert one.limit(127.5, keep={250}) == 200
    assert one.limit(125.0, keep={250}) == 250
    assert one.limit(125.0) == 200


@pytest.mark.parametrize(
    "name",
    ["SNA", "Gear_SNA", "GearSNA", "N/A", "NA", "Not available", "NotAvailable", "not_available", "notavailable",
     "Signal not available", "SignalNotAvailable", "SIGNAL_NOT_AVAILABLE", "Data not avail.", "unavailable"],
)  # fmt: skip
def test_nan_is_sent_as_the_value_named_so(name: str) -> None:
    """However the database spells it; errors and invalid values stand back."""
    choices = {0: "No error", 3: "Available", 13: "Error", 14: name, 15: "Invalid"}
    one = codec(maximum=12, minimum=0, choices=choices)
    assert one.to_raw(NAN) == one.unavailable(substitute=5) == 14
    assert one.reserved == {13, 14, 15}


@pytest.mark.parametrize(
    ("further", "raw"),
    [
        ({}, 0),
        ({"minimum": 5, "maximum": 9}, 5),
        ({"choices": {7: "Error"}}, 0),
        ({"choices": {7: "signal invalid"}}, 7),
        ({"choices": {7: "Invalid"}, "raw_invalid": 9}, 9),
        ({"choices": {7: "SNA"}, "raw_invalid": 9}, 7),
        ({"choices": {999: "SNA"}}, 0),
    ],
)
def test_nan_without_such_a_name(further: dict[str, Any], raw: int) -> None:
    """The database's invalid value stands in, then one of this name, then 0, limited; an error never."""
    assert codec(**further).to_raw(NAN) == raw


def test_a_substitute_stands_in_where_nothing_says_not_available() -> None:
    """The substitute is a physical value, and limited like any other."""
    assert codec(scale=2).unavailable(substitute=10) == 5
    assert codec(scale=2).unavailable(substitute=1e9) == 255
    assert codec(32, floating=True).unavailable(substitute=10) == 10


def test_nan_in_a_float_signal_is_nan() -> None:
    """IEEE 754 has its own way to say it."""
    assert math.isnan(codec(32, floating=True).to_raw(NAN))


@pytest.mark.parametrize(
    ("further", "rest"),
    [
        ({}, 0),
        ({"minimum": 5, "maximum": 9}, 5),
        ({"raw_initial": 7, "scale": 2}, 7),
        ({"raw_initial": 300}, 255),
        ({"raw_initial": 15, "maximum": 9, "minimum": 0, "choices": {15: "SNA"}}, 15),
    ],
)
def test_a_signal_rests_at_its_start_value(further: dict[str, Any], rest: int) -> None:
    """The raw start value, held inside the bits; without one 0, limited."""
    assert codec(**further).rest == rest


def test_a_j1939_signal_rests_at_not_available() -> None:
    """All bits one, unless the database has a start value."""
    assert SignalCodec(signal("A", 0, 8), j1939=True).rest == 255
    assert SignalCodec(signal("A", 0, 8, signed=True), j1939=True).rest == -1
    assert SignalCodec(signal("A", 0, 8, raw_initial=3), j1939=True).rest == 3


def test_names_are_found_both_ways() -> None:
    """A misspelt name is an error that lists the right ones."""
    one = codec(choices={0: "Off", 1: "On"})
    assert one.named("On") == 1
    assert one.name_of(1) == "On"
    assert one.name_of(2) is None
    with pytest.raises(ValueError, match=r"signal A has no value named 'Onn' \(it has Off, On\)"):
        one.named("Onn")


@pytest.mark.parametrize(
    ("further", "complaint"),
    [({"scale": 0}, "it has scale 0"), ({"length": 24, "floating": True}, "it is a float of 24")],
)
def test_impossible_signals_are_refused(further: dict[str, Any], complaint: str) -> None:
    """Before anything runs."""
    with pytest.raises(ConfigurationError, match=complaint):
        codec(**further)


@pytest.mark.parametrize(
    ("length", "last"),
    [(1, 1), (2, 1), (3, 5), (4, 13), (8, 0xFA), (10, 0x3EB), (12, 0xFAF), (16, 0xFAFF), (32, 0xFAFFFFFF)],
)
def test_a_j1939_value_stops_below_the_reserved_numbers(length: int, last: int) -> None:
    """SAE J1939-71: all ones say "not available", what lies between is reserved for errors and the like."""
    codec = SignalCodec(signal("A", 0, length), j1939=True)
    ones = (1 << length) - 1
    assert codec.limit(1e12) == codec.limit(ones) == last
    assert [codec.available(raw) for raw in (0, last, ones)] == [True, True, length == 1]
    assert codec.unavailable() == (0 if length == 1 else ones)
    assert codec.unavailable(substitute=1) == ones


def test_a_reserved_j1939_number_is_sent_where_it_is_asked_for() -> None:
    """By its name, and by its very number if the database's range holds it; a value beyond the range is limited."""
    named = SignalCodec(
        signal("Gear", 0, 8, offset=-125, choices={0xFB: "Park"}, minimum=-125, maximum=125), j1939=True
    )
    assert (named.to_raw(126), named.available(0xFB), named.to_raw(127)) == (0xFB, True, 0xFA)
    open_range = SignalCodec(signal("Address", 0, 8, minimum=0, maximum=255), j1939=True)
    assert [open_range.to_raw(value) for value in (0xFB, 0xFE, 255, 256)] == [0xFB, 0xFE, 255, 0xFA]


def test_signed_and_float_signals_have_no_reserved_j1939_numbers() -> None:
    """SAE J1939 knows neither."""
    signed = SignalCodec(signal("A", 0, 8, signed=True), j1939=True)
    assert (signed.limit(200), signed.unavailable(), signed.available(-1)) == (127, 0, True)


@pytest.mark.parametrize("scale", [1, 0.5, 2.0, -0.5, -1])
@pytest.mark.parametrize("offset", [0, -40])
def test_the_text_of_a_physical_value_says_what_the_value_is(scale: float, offset: float) -> None:
    """scale · raw + offset, and nothing is written as minus zero."""
    one = SignalCodec(signal("A", 0, 8, scale=scale, offset=offset))
    for raw in (0, 1, 200):
        value = eval(one.physical_expression("raw"), {"raw": raw})
        assert value == one.to_physical(raw) == scale * raw + offset
        assert math.copysign(1.0, value) == (1.0 if value == 0 else math.copysign(1.0, scale * raw + offset))
