"""Formats of text. Python's own writer makes the JSON; pynmea2 calculates the checksums of sentences."""

import json
import math

import pynmea2  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.inputs.formats.format import CHECKSUM, INCOMPLETE
from hilbridge.bench.inputs.formats.lines import Columns, JsonLines, NmeaSentences, Pairs, parse_cell
from hilbridge.bench.inputs.signal_conditioner import GARBAGE, Refused

from ..conditioning import serial


@pytest.mark.parametrize(("cell", "number"), [(b"512", 512.0), (b"+2.5e2", 250.0), (b"-.5", -0.5), (b"3.", 3.0)])
def test_decimal_numbers_are_numbers(cell: bytes, number: float) -> None:
    assert parse_cell(cell) == number


@pytest.mark.parametrize(
    "cell", [b"nan", b"inf", b"0x10", b"1_000", b"", b"--1", b"1.2.3", b"5\x00", b"\xd9\xa3", b".", b"1e999"]
)
def test_everything_else_is_a_word(cell: bytes) -> None:
    assert isinstance(parse_cell(cell), str)


@given(st.binary(max_size=20))
def test_any_bytes_are_one_or_the_other(cell: bytes) -> None:
    found = parse_cell(cell)
    assert isinstance(found, str) or not math.isnan(found)


PAIRS = Pairs(["Throttle", "gear"], serial())


def test_fields_are_found_by_name_whatever_their_case_and_order() -> None:
    assert PAIRS.decode(b"up=1 GEAR=D, throttle=512") == [512.0, "D"]


def test_a_field_that_is_not_there_has_no_reading_and_one_that_comes_twice_no_number() -> None:
    assert PAIRS.decode(b"throttle=1;throttle=1") == ["", None]


def test_a_line_without_any_of_the_fields_is_refused() -> None:
    with pytest.raises(Refused, match=INCOMPLETE) as refused:
        PAIRS.decode(b"board 1.0 ready")
    assert refused.value.what == "'board 1.0 ready' lacks all of Throttle, gear"


COLUMNS = Columns(["gear", "throttle"], serial(format="csv", columns=["t", "Throttle", "Gear"]))


@pytest.mark.parametrize("line", [b"17,512,D", b"17; 512 ; D", b"17\t512\tD"])
def test_fields_are_taken_by_the_place_of_their_column(line: bytes) -> None:
    assert COLUMNS.decode(line) == ["D", 512.0]


@pytest.mark.parametrize("line", [b"1,2", b"1,2,3,4", b"x"])
def test_a_line_with_another_number_of_columns_is_refused(line: bytes) -> None:
    with pytest.raises(Refused, match=INCOMPLETE):
        COLUMNS.decode(line)


def test_a_field_has_exactly_one_column() -> None:
    with pytest.raises(ConfigurationError, match="'brake' is not in"):
        Columns(["brake"], serial(format="csv", columns=["gear"]))
    with pytest.raises(ConfigurationError, match="more than once"):
        Columns(["gear"], serial(format="csv", columns=["gear", "GEAR"]))


LINES = JsonLines(["throttle", "Gear"], serial())


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53), st.text(max_size=10))
def test_numbers_and_words_arrive_as_they_were_written(number: float, word: str) -> None:
    assert LINES.decode(json.dumps({"THROTTLE": number, "gear": word, "x": [1]}).encode()) == [number, word]


def test_truth_values_are_numbers_and_null_is_nothing() -> None:
    assert LINES.decode(b'{"throttle": true, "gear": null}') == [1.0, None]


def test_a_name_that_comes_twice_and_a_nested_value_have_no_number() -> None:
    assert LINES.decode(b'{"gear": 1, "GEAR": 1, "throttle": [5]}') == ["", ""]


@pytest.mark.parametrize(
    "line", [b"", b"{", b"[1]", b"5", b'{"throttle": NaN}', b'{"throttle": Infinity}', b"\xff", b"[" * 256, b"null"]
)
def test_what_is_no_json_object_is_refused(line: bytes) -> None:
    with pytest.raises(Refused, match=GARBAGE):
        LINES.decode(line)


def test_an_object_without_any_of_the_fields_is_refused() -> None:
    with pytest.raises(Refused, match=INCOMPLETE):
        LINES.decode(b'{"clutch": 5}')


SENTENCES = NmeaSentences(["key", "throttle"], serial(format="nmea", columns=["throttle", "key"], sentence="HB"))


def sentence(body: str) -> bytes:
    return f"${body}*{pynmea2.NMEASentence.checksum(body):02X}".encode()


@given(st.integers(0, 1023), st.integers(-1, 1))
def test_a_sentence_with_the_right_checksum_counts(throttle: int, key: int) -> None:
    assert SENTENCES.decode(sentence(f"HB,{throttle},{key}")) == [key, throttle]


def test_the_checksum_of_a_published_sentence_is_right() -> None:
    """GGA example of the NMEA 0183 introduction by SiRF; it is meant for others."""
    line = b"$GPGGA,161229.487,3723.2475,N,12158.3416,W,1,07,1.0,9.0,M,,,,0000*18"
    assert SENTENCES.decode(line) is None
    with pytest.raises(Refused, match=CHECKSUM):
        SENTENCES.decode(line.replace(b"161229", b"161228"))


def test_lower_case_digits_will_do_and_the_rest_of_a_lost_line_is_passed_over() -> None:
    assert SENTENCES.decode(b"$HB,9$HB,512,1*" + sentence("HB,512,1")[-2:].lower()) == [1.0, 512.0]


@pytest.mark.parametrize(
    "line", [b"HB,1,1*00", b"$HB,1,1", b"$HB,1,1*G0", b"$HB,1,1*0", b"$", b"", b"*00", b"$*", b"$*0"]
)
def test_what_is_no_sentence_is_refused(line: bytes) -> None:
    with pytest.raises(Refused, match=GARBAGE):
        SENTENCES.decode(line)


def test_a_sentence_with_too_few_values_is_refused() -> None:
    with pytest.raises(Refused, match=INCOMPLETE):
        SENTENCES.decode(sentence("HB,1"))
