"""Lines of JSON; Python's own writer makes them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.formats.format import INCOMPLETE, Refused
from hilbridge.inputs.formats.json_lines import JsonLines
from hilbridge.inputs.signal_conditioner import GARBAGE

LINES = JsonLines(["throttle", "Gear"])


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
