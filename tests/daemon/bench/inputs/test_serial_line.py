"""The samples of a serial line: packets, formats, and what is only counted."""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import get_args

import pynmea2  # type: ignore[import-untyped]
import pytest
from cobs import cobs  # type: ignore[import-untyped]
from crccheck.crc import Crc16Ibm3740  # type: ignore[import-untyped]
from hypothesis import assume, given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.binding import bind
from hilbridge.bench.inputs.formats.format import INCOMPLETE
from hilbridge.bench.inputs.serial_line import (
    BACKLOG,
    ENDLESS,
    FORMATS,
    MAXIMUM_PACKET,
    MAXIMUM_PACKETS,
    OVERLONG,
    PATIENCE,
    Packets,
    SerialLineSource,
    build_format,
)
from hilbridge.bench.inputs.signal_conditioner import GARBAGE
from hilbridge.files.settings import InputSignal, SerialInput

SIGNALS = {"Throttle": InputSignal(minimum=0, maximum=1000), "Key": InputSignal()}


def pairs() -> SerialLineSource:
    """A board that sends throttle and key by name; the rest of a first line is already gone."""
    source = SerialLineSource(SerialInput(source="serial", port="/dev/pedals", signals=SIGNALS))
    source.feed(b"\n", 0)
    return source


def csv(*columns: str) -> SerialLineSource:
    """A board that sends columns."""
    settings = SerialInput(source="serial", port="/dev/pedals", format="csv", columns=list(columns), signals=SIGNALS)
    source = SerialLineSource(settings, ("inputs", 0))
    source.feed(b"\n", 0)
    return source


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("separator", [b" ", b",", b";", b", ", b"\t"])
def test_pairs_may_use_any_line_end_and_separator(end: bytes, separator: bytes) -> None:
    source = pairs()
    source.feed(b"throttle=512" + separator + b"key=1" + end, 5)
    assert (source.values, source.heard, source.accepted, source.rejected) == ([5120, 1], 5, 1, 0)


def test_names_match_whatever_their_case_and_unknown_names_are_ignored() -> None:
    source = pairs()
    source.feed(b"uptime=12 KEY=-1 Throttle=+2.5e2 temp\n", 0)
    assert source.values == [2500, -1]


def test_columns_are_taken_by_their_place() -> None:
    source = csv("time", "key", "throttle")
    source.feed(b"17,0,250\n18; 1 ; 300\r\n", 0)
    assert (source.values, source.accepted) == ([3000, 1], 2)


def test_a_line_may_arrive_in_any_portions() -> None:
    """Byte by byte: the sample counts at the time of its line end."""
    source = pairs()
    for t, byte in enumerate(b"throttle=100 key=0\r\n"):
        source.feed(bytes([byte]), t)
    assert (source.values, source.heard, source.accepted) == ([1000, 0], 18, 1)


def test_what_precedes_the_first_line_end_is_thrown_away() -> None:
    """After a port was opened again the tail of a line could be taken for a whole one: 3,0 of 1023,0."""
    source = csv("throttle", "key")
    source.feed(b"1000,0\n10", 0)
    source.feed(b"", 1, "unplugged")
    source.feed(b"", 2)
    source.feed(b"3,0\n", 3)
    assert (source.accepted, source.rejected, source.values) == (1, 0, [10000, 0])
    source.feed(b"500,0\n", 4)
    assert source.values == [5000, 0]


def test_a_line_of_pairs_may_hold_some_of_the_wanted_fields() -> None:
    """The others stay as they are, and time out by themselves (500 ms)."""
    source = pairs()
    source.feed(b"throttle=512\n", 0)
    assert (source.values, source.fresh) == ([5120, -1], [True, False])
    source.feed(b"key=0\n", 400_000_000)
    source.expire(600_000_000)
    assert (source.values, source.fresh) == ([5120, 0], [False, True])


@pytest.mark.parametrize(
    "line", [b"512,1", b"throttle:512 key:1", b"pedal board 1.0 ready", b"clutch=5", b"=", b"\x00"]
)
def test_a_line_without_any_wanted_field_does_not_count(line: bytes) -> None:
    source = pairs()
    source.feed(line + b"\n", 0)
    assert (source.accepted, source.rejections[INCOMPLETE], source.fresh) == (0, 1, [False, False])


@pytest.mark.parametrize("line", [b"1", b"1,2,3", b"", b",,"])
def test_a_line_with_another_number_of_columns_does_not_count(line: bytes) -> None:
    source = csv("throttle", "key")
    source.feed(line + b"\n", 0)
    assert (source.accepted, source.rejections[INCOMPLETE]) == (0, 1 if line else 0)


@pytest.mark.parametrize(
    "number",
    [b"nan", b"inf", b"-Infinity", b"1e999", b"0x10", b"1_000", b"", b"--1", b"1.2.3", b"5\x00", b"\xd9\xa3", b"."],
)
def test_only_finite_decimal_numbers_count(number: bytes) -> None:
    source = pairs()
    source.feed(b"throttle=" + number + b" key=1\n", 0)
    assert (source.accepted, source.rejections[GARBAGE]) == (0, 1)
    cells = csv("throttle", "key")
    cells.feed(number + b",1\n", 0)
    assert (cells.accepted, cells.rejections[GARBAGE]) == (0, 1)


def test_two_lines_that_lost_the_end_between_them_do_not_count() -> None:
    source = pairs()
    source.feed(b"throttle=1 key=0throttle=2 key=0\nthrottle=1 key=0 throttle=2 key=0\n", 0)
    assert (source.accepted, source.rejections[GARBAGE]) == (0, 2)


def test_a_line_without_end_is_dropped_once_and_the_next_line_counts() -> None:
    source = pairs()
    for _ in range(1000):
        source.feed(b"throttle=1 ", 0)
    source.feed(b"key=1\nthrottle=500 key=0\n", 1)
    assert (source.rejections[OVERLONG], source.accepted, source.values) == (1, 1, [5000, 0])


def test_the_longest_line_still_counts() -> None:
    source = pairs()
    line = b"throttle=500 key=0".ljust(MAXIMUM_PACKET)
    source.feed(line + b"\n" + line + b" \n", 0)
    assert (source.accepted, source.rejections[OVERLONG]) == (1, 1)


def test_of_a_flood_the_newest_lines_count() -> None:
    source = pairs()
    source.feed(b"".join(b"throttle=%d\r\n" % i for i in range(1000)), 0)
    assert (source.accepted, source.rejections[BACKLOG]) == (MAXIMUM_PACKETS, 1000 - MAXIMUM_PACKETS)
    assert source.complaint == "backlog: more than 16 lines or packets had waited, and the newest are taken"
    assert source.values[0] == 9990


def test_a_wanted_column_must_be_among_the_columns() -> None:
    with pytest.raises(ConfigurationError, match="column 'Key' is not in 'columns'") as error:
        csv("throttle", "clutch")
    assert error.value.place == ("inputs", 0, "signals", "Key")
    with pytest.raises(ConfigurationError, match="more than once"):
        csv("throttle", "key", "key")


def test_a_megabyte_of_random_bytes_is_counted_and_survived() -> None:
    """Seeded; fed in uneven portions. A good line afterwards counts."""
    randomness = random.Random(20_240_501)
    source = pairs()
    data = randomness.randbytes(1_000_000)
    start = 0
    while start < len(data):
        portion = randomness.randrange(1, 5000)
        source.feed(data[start : start + portion], start)
        start += portion
    assert source.accepted == 0
    assert source.rejected > 1000
    source.feed(b"\nthrottle=250 key=0\n", start)
    assert source.values == [2500, 0]


NEARLY_LINES = st.lists(
    st.sampled_from([b"throttle", b"key", b"=", b"5", b"1e9", b" ", b",", b"\n", b"\r", b"\x00", b"\xff", b"-", b"."]),
    max_size=200,
).map(b"".join)


@given(st.lists(NEARLY_LINES | st.binary(max_size=600), max_size=10))
def test_any_bytes_leave_the_values_inside_their_range_and_the_next_line_counts(portions: list[bytes]) -> None:
    for source in (pairs(), csv("throttle", "key")):
        for t, portion in enumerate(portions):
            source.feed(portion, t)
            assert 0 <= source.values[0] <= 10000
            assert source.values[1] in (-1, 0, 1)
        source.feed(b"\nthrottle=500 key=1\n500,1\n", len(portions))
        assert source.values == [5000, 1]


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_the_result_does_not_depend_on_how_the_bytes_were_cut(data: bytes, cuts: list[int]) -> None:
    data = data.replace(b"a", b"throttle=7 key=0\n")
    whole, parts = pairs(), pairs()
    whole.feed(data, 0)
    start = 0
    for cut in [*sorted(cuts), len(data)]:
        parts.feed(data[start:cut], 0)
        start = max(start, cut)
    assume(not whole.rejections[BACKLOG])
    assert (parts.values, parts.rejections, parts.accepted) == (whole.values, whole.rejections, whole.accepted)


@pytest.mark.parametrize("line", [b"throttle=5 key=5\n", b"throttle=" + b"9" * 220 + b"e99 key=0\n"])
def test_a_position_that_does_not_exist_is_no_sample(line: bytes) -> None:
    """A key at 5 must not crank, and a number beyond all numbers is no full throttle."""
    source = pairs()
    source.feed(line, 0)
    assert source.accepted == 0
    assert source.rejected == 1


# -- every format -----------------------------------------------------------------------------------------------------


def nmea_line(throttle: int, key: int) -> bytes:
    body = f"HB,{throttle},{key}"
    return f"${body}*{pynmea2.NMEASentence.checksum(body):02X}\n".encode()


def json_line(throttle: int, key: int) -> bytes:
    return json.dumps({"throttle": throttle, "key": key}).encode() + b"\n"


def cobs_frame(throttle: int, key: int) -> bytes:
    data = throttle.to_bytes(2, "little") + key.to_bytes(1, "little", signed=True)
    return bytes(cobs.encode(data + Crc16Ibm3740.calc(data).to_bytes(2, "little"))) + b"\0"


WRITERS: dict[str, tuple[dict[str, object], Callable[[int, int], bytes]]] = {
    "pairs": ({}, lambda throttle, key: b"throttle=%d key=%d\n" % (throttle, key)),
    "csv": ({"columns": ["throttle", "key"]}, lambda throttle, key: b"%d,%d\n" % (throttle, key)),
    "json": ({}, json_line),
    "nmea": ({"columns": ["throttle", "key"]}, nmea_line),
    "cobs": ({"fields": [{"name": "throttle", "type": "u16"}, {"name": "key", "type": "i8"}]}, cobs_frame),
}


def board(name: str) -> SerialLineSource:
    keys = {"source": "serial", "port": "/dev/pedals", "format": name, "signals": SIGNALS, **WRITERS[name][0]}
    return SerialLineSource(SerialInput.model_validate(keys))


@pytest.mark.parametrize("name", WRITERS)
@given(throttle=st.integers(0, 1000), key=st.integers(-1, 1))
def test_every_format_brings_every_value(name: str, throttle: int, key: int) -> None:
    source = board(name)
    source.feed(b"\n\0" + WRITERS[name][1](7, 0) + WRITERS[name][1](throttle, key), 5)
    assert source.values == [throttle * 10, key]
    assert source.heard == 5


@pytest.mark.parametrize("name", WRITERS)
@given(portions=st.lists(st.binary(max_size=700) | NEARLY_LINES, max_size=10), tail=st.binary(max_size=30))
def test_in_every_format_any_bytes_are_survived_in_bounded_memory_and_the_next_packet_counts(
    name: str, portions: list[bytes], tail: bytes
) -> None:
    source = board(name)
    good = WRITERS[name][1]
    for t, portion in enumerate(portions):
        source.feed(portion, t)
        assert 0 <= source.values[0] <= 10000
        assert source.values[1] in (-1, 0, 1)
        assert len(source._packets._pending) <= MAXIMUM_PACKET
    source.feed(tail + good(3, 0)[-1:] + good(500, 1), len(portions))
    assert source.values == [5000, 1]


@pytest.mark.parametrize("name", ["nmea", "cobs"])
def test_a_damaged_packet_is_counted_and_keeps_nothing_alive(name: str) -> None:
    source = board(name)
    packet = bytearray(WRITERS[name][1](500, 1))
    packet[4] ^= 0x02
    source.feed(bytes(packet[-1:] + packet), 0)
    assert (source.accepted, source.rejections, source.fresh) == (0, {"wrong_checksum": 1}, [False, False])


@pytest.mark.parametrize("name", WRITERS)
def test_a_stream_without_any_end_is_complained_about(name: str) -> None:
    """From the moment the port was opened; a wrong baud rate looks like this."""
    source = board(name)
    for t in range(PATIENCE // 8):
        source.feed(b"\x80\x98\x78\xe0" * 2, t)
    assert source.rejections == {ENDLESS: 1}
    assert source.complaint is not None
    assert "baud rate" in source.complaint


def test_words_may_stand_for_positions() -> None:
    signals = {"AutomaticGear": InputSignal(field="lever", values={"P": "P", "low": "D1"}), "Throttle": InputSignal()}
    source = SerialLineSource(SerialInput(source="serial", port="p", signals=signals))
    source.feed(b"\nlever=LOW throttle=0.5\nlever=between throttle=0.6\n", 0)
    assert (source.values, source.accepted) == ([5, 6000], 2)
    source.feed(b"lever=P throttle=full\n", 0)
    assert (source.values, source.rejections) == ([5, 6000], {GARBAGE: 1})


KEY_AND_PEDAL = {"Throttle": InputSignal(), "Key": InputSignal(terminals={"15": "kl15", "50": "kl50"})}


@pytest.mark.parametrize(
    ("keys", "packet"),
    [
        ({"format": "pairs"}, b"kl15=1 kl50=0 throttle=0.5"),
        ({"format": "csv", "columns": ["kl15", "kl50", "throttle"]}, b"1,0,0.5"),
        ({"format": "json"}, b'{"kl15": 1, "kl50": 0, "throttle": 0.5}'),
        ({"format": "nmea", "columns": ["kl15", "kl50", "throttle"], "sentence": "PED"}, b"$PED,1,0,0.5*57"),
    ],
)
def test_readings_come_in_the_order_of_the_bindings_fields(keys: dict[str, object], packet: bytes) -> None:
    """XOR over `PED,1,0,0.5` by hand: P^E^D = 51, three commas leave 2C, 1^0 = 01, 0^.^5 = 2B."""
    settings = SerialInput.model_validate({"source": "serial", "port": "p", "signals": KEY_AND_PEDAL, **keys})
    make = partial(FORMATS[settings.format], settings=settings)
    assert build_format(make, bind(KEY_AND_PEDAL, ())).decode(packet) == [0.5, 1.0, 0.0]


def test_a_field_that_the_format_lacks_is_refused_at_its_signal() -> None:
    settings = SerialInput(source="serial", port="p", format="csv", columns=["throttle", "kl15"], signals=KEY_AND_PEDAL)
    with pytest.raises(ConfigurationError, match="column 'kl50' is not") as error:
        build_format(partial(FORMATS[settings.format], settings=settings), bind(KEY_AND_PEDAL, ("inputs", 0)))
    assert error.value.place == ("inputs", 0, "signals", "Key")


def test_each_format_of_a_bench_file_has_a_class() -> None:
    assert set(get_args(SerialInput.model_fields["format"].annotation)) == set(FORMATS)


def lines() -> Packets:
    """Lines, after the first end."""
    packets = Packets(b"\r\n")
    packets.split(b"\n")
    return packets


def test_each_end_ends_a_packet_and_empty_ones_are_none() -> None:
    assert lines().split(b"a\nb\rc\r\n\n\r\rd") == [b"a", b"b", b"c"]


def test_a_binary_stream_has_one_end_and_line_ends_are_bytes_like_others() -> None:
    packets = Packets(b"\0")
    assert packets.split(b"\0a\r\nb\0\0c") == [b"a\r\nb"]


def test_what_precedes_the_first_end_is_thrown_away_and_again_after_a_reset() -> None:
    packets = Packets(b"\n")
    assert packets.split(b"tail\nwhole\nbegin") == [b"whole"]
    packets.reset()
    assert packets.split(b"tail\nwhole\n") == [b"whole"]


def test_of_too_many_packets_the_newest_are_handed_on() -> None:
    packets = lines()
    assert packets.split(b"".join(b"%d\n" % i for i in range(100))) == [b"%d" % i for i in range(84, 100)]
    assert packets.flooded == 100 - MAXIMUM_PACKETS


def test_a_packet_may_have_its_full_length_and_not_a_byte_more() -> None:
    packets = lines()
    assert packets.split(b"x" * MAXIMUM_PACKET + b"\n" + b"x" * (MAXIMUM_PACKET + 1) + b"\n") == [b"x" * MAXIMUM_PACKET]
    assert packets.overlong == 1


def test_a_stream_without_any_end_is_counted_and_held_nowhere() -> None:
    """From the first byte after opening on, once per 4096 bytes."""
    packets = Packets(b"\n")
    for count in range(1, 3 * PATIENCE // 64 + 1):
        assert packets.split(b"x" * 64) == []
        assert packets.endless == count * 64 // PATIENCE
        assert len(packets._pending) <= MAXIMUM_PACKET
    assert packets.overlong == 0


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r", b"x" * 200, b"y" * 5000]), max_size=30), st.data())
def test_packets_and_counts_do_not_depend_on_how_the_bytes_were_cut(parts: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(parts)
    whole, cut = Packets(b"\r\n"), Packets(b"\r\n")
    expected = whole.split(stream)
    assume(not whole.flooded)
    found: list[bytes] = []
    start = 0
    while start < len(stream):
        size = data.draw(st.integers(1, 3000))
        found += cut.split(stream[start : start + size])
        start += size
    assert (found, cut.overlong, cut.endless) == (expected, whole.overlong, whole.endless)
