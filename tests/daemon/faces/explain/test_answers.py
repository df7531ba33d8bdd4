"""Answers of a control unit in words: whatever comes, nothing is claimed that is not in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.faces.explain.answers import READ_CODES, RefusedError, read_codes, read_identifier

TEXTS = {"U0121": "no communication with the brakes"}


def test_codes_are_written_as_their_standard_writes_them() -> None:
    """Letter and digits of SAE J2012, failure type, the bits of the status that tell something."""
    codes = read_codes(bytes.fromhex("59 02 FF C1 21 00 89 01 71 1A 50"), TEXTS)
    assert [tuple(code) for code in codes] == [
        ("U0121-00", "C12100", ("failing", "confirmed", "warning lamp"), "no communication with the brakes"),
        ("P0171-1A", "01711A", (), ""),
    ]
    assert read_codes(bytes.fromhex("59 02 FF"), TEXTS) == []


def test_identification_is_text_where_all_of_it_can_be_printed() -> None:
    assert read_identifier(b"\x62\xf1\x87" + b"5G1920740A  \x00", 0xF187) == "5G1920740A"
    assert read_identifier(bytes.fromhex("62 F1 89 01 02"), 0xF189) == "01 02"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("7F 19 11", r"service not supported \(11\)"),
        ("7F 19 99", r"\(99\)"),
        ("59 02 FF 01", "whole number"),
        ("", "nothing"),
    ],
)
def test_a_refusal_is_told_with_its_reason(answer: str, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        read_codes(bytes.fromhex(answer), TEXTS)


@given(st.binary(max_size=40))
def test_no_answer_does_harm(answer: bytes) -> None:
    """It is read or refused, and a code that is read is one of its bytes."""
    for whole in (answer, b"\x59\x02" + answer, b"\x62\xf1\x90" + answer):
        try:
            for code in read_codes(whole, TEXTS):
                assert bytes.fromhex(code.raw) in whole
        except RefusedError:
            assert whole[:2] != READ_CODES[:2]
        try:
            read_identifier(whole, 0xF190)
        except RefusedError:
            assert whole[:3] != b"\x62\xf1\x90"
