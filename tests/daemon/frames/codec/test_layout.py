"""Where bits lie, found without the code by walking them one by one."""

import pytest
from cantools.database.can import Message
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.layout import extract, fields, multiplexing, occupied, overlaps, require_fit

from .examples import bits_of, plain_messages, signal


@settings(max_examples=100)
@given(plain_messages())
def test_fields_are_whole_bytes_without_gaps_or_crossings(drawn: Message) -> None:
    """They follow each other from 0 to the length; each signal lies in one; none could be cut further."""
    cut = fields(drawn.signals, drawn.length)
    assert [field.start for field in cut] == [0, *(field.start + field.width for field in cut)][: len(cut)]
    assert sum(field.width for field in cut) == drawn.length
    for field in cut:
        inside = {one: {bit // 8 for bit in bits_of(one.start, one.length, one.byte_order)}
                  for one in (part.signal for part in field.parts)}  # fmt: skip
        span = set(range(field.start, field.start + field.width))
        assert all(used <= span for used in inside.values())
        if inside:
            crossings = {byte for used in inside.values() for byte in used if byte + 1 in used}
            loose = set(range(field.start, field.start + field.width - 1)) - crossings
            assert not loose


@settings(max_examples=100)
@given(plain_messages(), st.data())
def test_extract_reads_the_bits_in_order(drawn: Message, data: st.DataObject) -> None:
    """Intel from the least significant bit upwards, Motorola from the most significant one downwards."""
    frame = data.draw(st.binary(min_size=drawn.length, max_size=drawn.length))
    for one in drawn.signals:
        bits = bits_of(one.start, one.length, one.byte_order)
        values = [frame[bit // 8] >> bit % 8 & 1 for bit in bits]
        if one.byte_order == "big_endian":
            values.reverse()
        raw = sum(value << place for place, value in enumerate(values))
        expected = raw - (1 << one.length) if one.is_signed and values[-1] else raw
        assert extract(one, frame) == expected
        assert occupied(one) == sum(1 << bit for bit in bits)


def test_a_signal_fits_or_does_not() -> None:
    """Its last bit counts, in both byte orders."""
    require_fit(signal("A", 0, 8), 1)
    for wrong in (signal("A", 4, 8), signal("A", 3, 5, order="big_endian")):
        with pytest.raises(ConfigurationError, match="does not fit into 1 byte"):
            require_fit(wrong, 1)


def test_signals_overlap_where_one_frame_has_both() -> None:
    """Pages of one multiplexer never meet; two multiplexers do, and a group meets its members."""
    tree = multiplexing(
        [
            signal("M", 0, 4, is_multiplexer=True),
            signal("N", 4, 4, is_multiplexer=True),
            signal("Group", 8, 16),
            signal("A", 24, 8, multiplexer_signal="M", multiplexer_ids=[1]),
            signal("B", 24, 8, multiplexer_signal="M", multiplexer_ids=[2]),
            signal("C", 31, 2, order="big_endian", multiplexer_signal="N", multiplexer_ids=[1]),
            signal("Member", 8, 8, multiplexer_signal="M", multiplexer_ids=[1]),
        ]
    )
    assert overlaps(tree) == {
        "A": {"C"}, "B": {"C"}, "C": {"A", "B"}, "Group": {"Member"}, "Member": {"Group"},
    }  # fmt: skip


def test_the_tree_follows_multiplexers_and_named_values() -> None:
    """A named value of a multiplexer is a page, if an empty one; fixed multiplexers leave only their own pages."""
    tree = multiplexing(
        [
            signal("M", 0, 8, is_multiplexer=True, choices={5: "Empty"}),
            signal("A", 8, 8, multiplexer_signal="M", multiplexer_ids=[1, 2]),
            signal("N", 16, 8, is_multiplexer=True, multiplexer_signal="M", multiplexer_ids=[2]),
            signal("B", 24, 8, multiplexer_signal="N", multiplexer_ids=[0]),
        ]
    )
    assert set(tree.paths({})) == {(1,), (2, 0), (2, None), (5,), (None,)}
    assert set(tree.paths({"M": 2})) == {(2, 0), (2, None)}
    assert set(tree.paths({"M": 2, "N": 9})) == {(2, None)}
    assert [one.name for one in tree.along((2, 0))] == ["M", "A", "N", "B"]
    path, signals = tree.follow(lambda name: {"M": 1, "N": 0}[name])
    assert (path, [one.name for one in signals]) == ((1,), ["M", "A"])
