"""Sentences in the manner of NMEA 0183; pynmea2 calculates their checksums."""

import pynmea2  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.formats.format import CHECKSUM, INCOMPLETE, Refused
from hilbridge.inputs.formats.nmea import Sentences
from hilbridge.inputs.signal_conditioner import GARBAGE

SENTENCES = Sentences(["key", "throttle"], ["throttle", "key"], "HB")


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
