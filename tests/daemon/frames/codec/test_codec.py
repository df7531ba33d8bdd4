"""Encoding and decoding agree with cantools bit for bit; what cantools refuses is encoded all the same."""

import gc
import weakref
from typing import Any

import pytest
from cantools.database.can import Message, Signal
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec import compile_message
from hilbridge.frames.codec.sources import EntrySource, FixedSource
from hilbridge.frames.codec.units import Conversion

from .examples import Drawing, bits_of, encodable, message, plain_messages, raw_limits, signal

# -- the same bits as cantools ------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(encodable())
def test_encodes_as_cantools_does(example: tuple[Message, dict[str, Any]]) -> None:
    """encode(values) = cantools' encode(values) for every layout, number and name."""
    drawn, values = example
    assert compile_message(drawn).encode(values) == drawn.encode(values, strict=False)


@settings(max_examples=50)
@given(encodable())
def test_unused_bits_are_filled_as_cantools_does(example: tuple[Message, dict[str, Any]]) -> None:
    """With padding, the bits of no signal come from the database's pattern."""
    drawn, values = example
    drawn.unused_bit_pattern = 0xFF
    expected = drawn.encode(values, strict=False, padding=True)
    assert compile_message(drawn, padding=True).encode(values) == expected


@settings(max_examples=100)
@given(encodable())
def test_decodes_as_cantools_does(example: tuple[Message, dict[str, Any]]) -> None:
    """decode(data) = cantools' decode(data), in numbers and in names."""
    drawn, values = example
    data = drawn.encode(values, strict=False)
    codec = compile_message(drawn)
    assert codec.decode(data) == drawn.decode_simple(data, decode_choices=False)
    assert codec.decode(data, names=True) == drawn.decode_simple(data)


@settings(max_examples=100)
@given(plain_messages(), st.data())
def test_decodes_any_bytes_as_cantools_does(drawn: Message, data: Any) -> None:
    """Random bytes, NaN and infinity among the floats, decode to the same values."""
    frame = data.draw(st.binary(min_size=drawn.length, max_size=drawn.length))
    expected = drawn.decode_simple(frame, decode_choices=False)
    assert repr(sorted(compile_message(drawn).decode(frame).items())) == repr(sorted(expected.items()))


def test_integers_wider_than_a_float_stay_exact() -> None:
    """A 64-bit signal keeps every bit, with and without an integer scale."""
    plain = message(signal("A", 0, 64))
    scaled = message(signal("A", 0, 64, scale=3, offset=-7))
    for raw in (0, 1, (1 << 64) - 1, (1 << 63) + 1, 0x0123456789ABCDEF):
        assert compile_message(plain).encode({"A": raw}) == raw.to_bytes(8, "little")
        assert compile_message(scaled).encode({"A": 3 * raw - 7}) == raw.to_bytes(8, "little")
        assert compile_message(scaled).decode(raw.to_bytes(8, "little")) == {"A": 3 * raw - 7}


@settings(max_examples=100)
@given(encodable(), st.data())
def test_no_number_raises_or_spills_into_a_neighbour(example: tuple[Message, dict[str, Any]], data: Any) -> None:
    """Any float in one signal leaves all others as they were."""
    drawn, values = example
    codec = compile_message(drawn)
    before = codec.decode(codec.encode(values))
    name = data.draw(st.sampled_from(sorted(before) or [""]))
    if name == "" or drawn.get_signal_by_name(name).is_multiplexer:
        return
    after = codec.decode(codec.encode({**values, name: data.draw(st.floats())}))
    del before[name], after[name]
    assert repr(after) == repr(before)


# -- incomplete and wrong -----------------------------------------------------------------------------------------


def test_a_signal_without_value_rests() -> None:
    """At its raw start value, else at 0 inside its limits; in J1939 at all ones."""
    signals = (signal("A", 0, 8, scale=2, raw_initial=7), signal("B", 8, 8, minimum=5, maximum=9), signal("C", 16, 8))
    assert compile_message(message(*signals, length=3)).encode({"C": 1}) == bytes([7, 5, 1])
    assert compile_message(message(*signals, length=3, protocol="j1939")).encode({}) == bytes([7, 255, 255])


def test_a_start_value_is_held_inside_the_signal_unless_it_has_a_name() -> None:
    """300 in 8 bits is 255; 15 is beyond the maximum and stands because it is named."""
    named = signal("B", 8, 8, minimum=0, maximum=9, choices={15: "SNA"}, raw_initial=15)
    assert compile_message(message(signal("A", 0, 8, raw_initial=300), named, length=2)).encode({}) == bytes([255, 15])


def test_names_of_no_signal_are_passed_over_and_names_of_no_value_refused() -> None:
    """A mapping may hold more than the message; a misspelt value is an error that names the right ones."""
    codec = compile_message(message(signal("A", 0, 8, choices={1: "On", 0: "Off"}), length=1))
    assert codec.encode({"A": "On", "Unknown": 3}) == b"\x01"
    with pytest.raises(ValueError, match="signal A has no value named 'Onn'"):
        codec.encode({"A": "Onn"})


def test_a_value_that_selects_nothing_leaves_the_common_signals() -> None:
    """cantools raises here; a frame on a bus is what it is."""
    codec = compile_message(pages())
    assert codec.encode({"Page": 9, "Common": 5, "One": 7}) == bytes([9, 5, 0, 0])
    assert codec.decode(bytes([9, 5, 7, 0])) == {"Page": 9, "Common": 5}
    assert codec.decode(bytes([1, 5, 7, 0])) == {"Page": 1, "Common": 5, "One": 7}


def test_everything_can_be_compiled_in_advance() -> None:
    """After `prepare` nothing changes but the time of the first use."""
    codec = compile_message(pages())
    codec.prepare()
    assert codec.decode(bytes([2, 5, 7, 9])) == {"Page": 2, "Common": 5, "Inner": 7, "Two": 9}


def test_bytes_beyond_the_message_are_passed_over_and_missing_ones_refused() -> None:
    """As cantools does."""
    codec = compile_message(message(signal("A", 0, 16), length=2))
    assert codec.decode(b"\x01\x02\x03") == {"A": 0x0201}
    with pytest.raises(ValueError, match="Example has 2 bytes, not 1"):
        codec.decode(b"\x01")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (signal("A", 60, 8), "it does not fit into 8 bytes"),
        (signal("A", 0, 24, floating=True), "it is a float of 24 bits"),
        (signal("A", 0, 8, scale=0), "it has scale 0"),
    ],
)
def test_only_a_signal_that_cannot_be_is_left_out(wrong: Signal, reason: str) -> None:
    """A database that loaded only in part may hold it; what it selects goes with it, all others stay."""
    selected = signal("B", 8, 8, multiplexer_signal="A", multiplexer_ids=[0])
    codec = compile_message(loose(wrong, selected, signal("C", 16, 8)))
    assert codec.left_out == {"A": reason, "B": "its multiplexer A is left out"}
    assert codec.decode(bytes([1, 2, 3, 4, 5, 6, 7, 8])) == {"C": 3}


def loose(*signals: Signal) -> Message:
    """A message whose signals nobody has checked."""
    broken = Message.__new__(Message)
    broken.__dict__.update(message().__dict__, _signals=list(signals))
    return broken


def overlapping() -> Message:
    """A group of 16 bits with a member in its first byte, another name for its second one, and a signal apart."""
    return loose(
        signal("Group", 0, 16), signal("Low", 0, 8), signal("High", 15, 8, order="big_endian"), signal("C", 16, 8)
    )


@st.composite
def tangles(draw: Any) -> Message:
    """Signals anywhere in 8 bytes, however they overlap."""
    drawing = Drawing(draw, 8)
    for _ in range(draw(st.integers(1, 6))):
        drawing.add(set())
    return loose(*drawing.signals)


@settings(max_examples=150)
@given(tangles(), st.binary(min_size=8, max_size=8), st.data())
def test_any_tangle_of_signals_is_read_one_by_one_and_sent_without_overlaps(
    tangle: Message, data: bytes, draw: st.DataObject
) -> None:
    """Each is read as cantools reads it alone. What is sent shares no bit, and nothing else could be sent beside it."""
    codec = compile_message(tangle)
    read = codec.decode(data)
    for one in tangle.signals:
        alone = message(one).decode_simple(data, decode_choices=False)[one.name]
        assert repr(read[one.name]) == repr(alone)
    wanted = draw.draw(st.sampled_from(["", *codec.signals]))
    chosen = codec.choose([wanted] if wanted else [])
    assert wanted in chosen or not wanted
    bits = {name: set(bits_of(one.start, one.length, one.byte_order)) for name, one in codec.layouts.items()}
    for name, own in bits.items():
        others = set().union(*(bits[other] for other in chosen if other != name))
        assert bool(own & others) == (name not in chosen)
    values = {name: value for name, value in read.items() if name == wanted}
    assert codec.decode(codec.encode(values)).keys() == read.keys()


def test_signals_that_overlap_are_all_read_and_sent_one_at_a_time() -> None:
    """What is given goes, and of the others the short ones; two that share a bit cannot both be given."""
    codec = compile_message(overlapping())
    assert codec.decode(bytes([1, 2, 3, 0, 0, 0, 0, 0])) == {"Group": 0x0201, "Low": 1, "High": 2, "C": 3}
    assert codec.encode({"Group": 0x1234, "C": 5})[:3] == bytes([0x34, 0x12, 5])
    assert codec.encode({"Low": 7, "High": 8})[:3] == bytes([7, 8, 0])
    with pytest.raises(ConfigurationError, match="signals Group and Low overlap: one of them can be sent"):
        codec.encode({"Low": 1, "Group": 2})
    assert codec.bus_encoder({"Group": EntrySource(0, 0, 1)})([[0x0506]])[:3] == bytes([6, 5, 0])
    assert codec.altered(bytes(range(8)), "Low", lambda raw: raw + 9) == bytes([9, *range(1, 8)])


# -- from the data bus --------------------------------------------------------------------------------------------

CONVERSIONS = [Conversion(1.0, 0.0), Conversion(3.6, 0.0), Conversion(100.0, 0.0), Conversion(1.8, 32.0)]
READINGS = st.builds(
    EntrySource,
    channel=st.integers(0, 2),
    index=st.integers(0, 3),
    resolution=st.sampled_from([1, 1000, 10000]),
    conversion=st.sampled_from(CONVERSIONS),
)
INTEGERS = st.one_of(st.integers(-20, 300), st.integers(-2147483646, 2147483647))
CHANNELS = st.lists(st.lists(INTEGERS, min_size=4, max_size=4), min_size=3, max_size=3)


@settings(max_examples=200)
@given(plain_messages(), st.data(), CHANNELS)
def test_bus_integers_encode_as_their_physical_values(drawn: Message, data: Any, channels: list[list[int]]) -> None:
    """Encoded is integer / resolution · factor + offset, by cantools' own rounding, held inside the raw limits."""
    sources = {one.name: data.draw(READINGS) for one in drawn.signals}
    expected: dict[str, Any] = {}
    for one in drawn.signals:
        source = sources[one.name]
        value = channels[source.channel][source.index] / source.resolution
        raw = one.conversion.numeric_scaled_to_raw(value * source.conversion.factor + source.conversion.offset)
        limits: tuple[float, float] = raw_limits(one)
        if one.is_float:
            largest = {16: 65504.0, 32: 3.4028234663852886e38, 64: 1.7976931348623157e308}[one.length]
            limits = -largest, largest
        elif one.choices and limits[1] == 3:  # SNA, the highest number of three signed bits, is reserved
            limits = limits[0], 2
        expected[one.name] = min(max(raw, limits[0]), limits[1])
    assert compile_message(drawn).bus_encoder(sources)(channels) == drawn.encode(expected, scaling=False, strict=False)


def pages() -> Message:
    """Two multiplexers, one inside the other."""
    return message(
        signal("Page", 0, 8, is_multiplexer=True),
        signal("Common", 8, 8),
        signal("One", 16, 8, multiplexer_signal="Page", multiplexer_ids=[1]),
        signal("Inner", 16, 8, is_multiplexer=True, multiplexer_signal="Page", multiplexer_ids=[2]),
        signal("Two", 24, 8, multiplexer_signal="Inner", multiplexer_ids=[7]),
        length=4,
    )


@pytest.mark.parametrize(
    ("page", "inner", "expected"),
    [
        (1, 0, "01 05 09 00"),
        (2, 7, "02 05 07 09"),
        (2, 3, "02 05 03 00"),
        (4, 7, "04 05 00 00"),
        (999, 7, "ff 05 00 00"),
    ],
)
def test_the_bus_chooses_the_page(page: int, inner: int, expected: str) -> None:
    """Multiplexers may follow the data bus; a number without a page leaves the common signals."""
    sources = {
        "Page": EntrySource(0, 0, 1),
        "Inner": EntrySource(0, 1, 1),
        "One": EntrySource(0, 2, 1),
        "Two": EntrySource(0, 2, 1),
    }
    encode = compile_message(pages()).bus_encoder({**sources, "Common": FixedSource(5)})
    assert encode([[page, inner, 9]]) == bytes.fromhex(expected)


def test_a_fixed_page_is_sent_always() -> None:
    """A multiplexer without a source rests, here at 0, which is no page."""
    codec = compile_message(pages())
    assert codec.bus_encoder({"Page": FixedSource(1), "One": EntrySource(0, 0, 1)})([[9]]) == bytes([1, 0, 9, 0])
    assert codec.bus_encoder({"One": EntrySource(0, 0, 1)})([[9]]) == bytes([0, 0, 0, 0])


def test_a_constant_may_be_infinite_in_a_float_signal() -> None:
    """Every raw number can be a constant."""
    codec = compile_message(message(signal("F", 0, 32, floating=True), signal("B", 32, 8, signed=True), length=5))
    assert codec.bus_encoder({"F": FixedSource(float("inf")), "B": FixedSource(-2)})([]) == bytes.fromhex("0000807f fe")


@settings(max_examples=100)
@given(encodable(), st.data())
def test_another_number_for_a_signal_leaves_all_others(
    example: tuple[Message, dict[str, Any]], data: st.DataObject
) -> None:
    """As if it had been encoded with it; a signal that the frame does not carry changes nothing."""
    drawn, values = example
    codec, frame = compile_message(drawn), drawn.encode(values, strict=False)
    carried = codec.decode(frame)
    selectors = {one.name for one in drawn.signals if one.is_multiplexer}
    name = data.draw(st.sampled_from([one.name for one in drawn.signals if one.name not in selectors] or [""]))
    assert codec.altered(frame, "none of them", lambda _: 1) == frame
    if name in carried:
        rest = codec.signals[name].rest
        changed = codec.altered(frame + b"\x55", name, lambda _: rest)
        assert changed[-1:] == b"\x55"
        others = {key: value for key, value in codec.decode(changed).items() if key != name}
        assert repr(others) == repr({key: value for key, value in carried.items() if key != name})
        raw = drawn.decode_simple(changed[:-1], scaling=False, decode_choices=False)[name]
        assert raw == pytest.approx(rest, rel=1e-3, nan_ok=True)  # a float of 16 bits is not exact


def test_a_codec_is_made_once_and_goes_with_its_message() -> None:
    """Another one for other padding, or where other values are held inside their range."""
    layout = message(signal("A", 0, 8))
    codec = compile_message(layout)
    assert compile_message(layout) is codec
    assert compile_message(layout, unranged={"A"}) is compile_message(layout, unranged=frozenset("A")) is not codec
    assert compile_message(layout, padding=True) is not codec
    kept = weakref.ref(codec)
    del layout, codec
    gc.collect()
    assert kept() is None
