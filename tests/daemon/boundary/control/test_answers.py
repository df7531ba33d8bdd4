"""What a client believes of an answer: what does not fit costs itself, and is told."""

import json
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.answers import MOST_TOLD, UNREADABLE, read_answer
from hilbridge.boundary.control.lines import accepted

from ....strange_answers import OBJECTS, ROW_OF_EACH, STATUS, WORDLESS, awkward

ASKED: dict[str, Any] = {"command": "status", "parts": None, "frames": True}


def read(answer: Any, command: dict[str, Any] = ASKED) -> Any:
    return read_answer(json.dumps(answer).encode(), command)


def test_an_answer_that_fits_is_handed_on_as_it_is() -> None:
    assert read(STATUS | {"newer": {"x": 1}}) == STATUS | {"newer": {"x": 1}}


@pytest.mark.parametrize("content", WORDLESS.values(), ids=WORDLESS)
def test_what_is_no_answer_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(ConfigurationError, match="its answer cannot be read: it "):
        read_answer(content, ASKED)


@pytest.mark.parametrize("content", OBJECTS.values(), ids=OBJECTS)
def test_an_object_that_is_no_status_lacks_its_parts_in_words(content: bytes) -> None:
    answer = read_answer(content, ASKED)
    with pytest.raises(ConfigurationError, match="the bench has answered without 'buses'; is it another version"):
        answer["buses"]


@pytest.mark.parametrize("part", ROW_OF_EACH)
def test_one_bad_row_of_a_part_costs_itself_and_is_told(part: str) -> None:
    whole = ROW_OF_EACH[part]
    if part in ("recording", "fabric", "scenario"):
        answer = read(STATUS | {part: [1]})
        assert answer[UNREADABLE] == [f"{part} is a list, not an object"]
        assert answer.keys() | {part} == STATUS.keys() | {UNREADABLE}
        return
    more = [*whole, 7] if isinstance(whole, list) else {**whole, "bad": 7}
    answer = read(STATUS | {part: more})
    assert answer[part] == whole
    assert answer[UNREADABLE] == [f"{part}.{1 if isinstance(whole, list) else 'bad'} is the number 7, not an object"]


def test_of_many_reasons_the_first_are_kept() -> None:
    answer = read(STATUS | {"faults": [7] * 100})
    assert answer["faults"] == []
    assert answer[UNREADABLE][0] == "faults.0 is the number 7, not an object"
    assert answer[UNREADABLE][-1] == f"{100 - MOST_TOLD} items more"


def test_a_bench_cannot_say_itself_that_it_is_unreadable() -> None:
    assert UNREADABLE not in read(STATUS | {UNREADABLE: [1]})


@pytest.mark.parametrize("answer", awkward({"error": "no", "reason": "r", "sought": ["a", ["b"]], "place": ["x", 1]}))
def test_a_refusal_is_one_whatever_it_has_in_place_of_its_reason(answer: dict[str, Any]) -> None:
    if "error" in answer:
        with pytest.raises(ConfigurationError, match=r".+"):
            accepted(read(answer))
    else:
        assert accepted(read(answer))


def test_parts_of_one_name_are_read_by_the_question() -> None:
    """The statistics alone count by bus; a recording is a text where one was begun."""
    counted = {"time": 1.0, "buses": {"can": {"received": 1}}}
    assert read(counted, {"command": "status", "parts": ["statistics"]}) == counted
    assert read({"recording": "f"}, {"command": "record-start"}) == {"recording": "f"}
    assert UNREADABLE in read({"recording": "f"})
