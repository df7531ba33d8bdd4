"""Lines of pairs."""

import pytest

from hilbridge.inputs.formats.format import INCOMPLETE, Refused
from hilbridge.inputs.formats.pairs import Pairs

PAIRS = Pairs(["Throttle", "gear"])


def test_fields_are_found_by_name_whatever_their_case_and_order() -> None:
    assert PAIRS.decode(b"up=1 GEAR=D, throttle=512") == [512.0, "D"]


def test_a_field_that_is_not_there_has_no_reading_and_one_that_comes_twice_no_number() -> None:
    assert PAIRS.decode(b"throttle=1;throttle=1") == ["", None]


def test_a_line_without_any_of_the_fields_is_refused() -> None:
    with pytest.raises(Refused, match=INCOMPLETE) as refused:
        PAIRS.decode(b"board 1.0 ready")
    assert refused.value.what == "'board 1.0 ready' lacks all of Throttle, gear"
