"""An answer in pieces is, put together, the JSON of the whole."""

import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.boundary.control.chunked_json import ROWS_PER_PIECE, JsonPath, JsonPiece, encode_pieces, split_rows

keys = st.text(max_size=4)
leaves = st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=20)
answers = st.recursive(
    st.dictionaries(keys, leaves, max_size=4), lambda inner: st.dictionaries(keys, inner | leaves, max_size=4)
)


def whole(*pieces: JsonPiece) -> Any:
    return json.loads(b"".join(encode_pieces(pieces)))


def cut(answer: dict[str, Any], place: JsonPath = ()) -> Iterator[JsonPiece]:
    """Into as many pieces as there can be: objects key by key, lists row by row."""
    for key, told in answer.items():
        there = (*place, key)
        if isinstance(told, dict):
            yield there, {}
            yield from cut(told, there)
        elif isinstance(told, list):
            for rows in split_rows(told, 1):
                yield there, rows
        else:
            yield there, told


@given(answers)
def test_whatever_is_cut_comes_together_again(answer: dict[str, Any]) -> None:
    """Objects in objects, lists, texts; empty ones too, and keys of any letters."""
    assert whole(*cut(answer)) == answer
    assert whole(*(((key,), told) for key, told in answer.items())) == answer


def test_an_object_goes_on_inside_and_at_its_own_place() -> None:
    """Also after something inside of it, as long as nothing else has begun."""
    assert whole(((), {"a": {"x": 1}}), (("b", "y"), [2]), (("b",), {"z": 3}), ((), {"c": 4}), (("d",), 5)) == {
        "a": {"x": 1},
        "b": {"y": [2], "z": 3},
        "c": 4,
        "d": 5,
    }


def test_pieces_are_made_when_they_are_asked_for() -> None:
    """One for each text, so what comes later costs nothing before."""
    made = []

    def pieces() -> Iterator[JsonPiece]:
        for number in range(3):
            made.append(number)
            yield ("rows",), [number]

    texts = encode_pieces(pieces())
    assert next(texts) == b"{"
    assert made == []
    next(texts)
    next(texts)
    assert made == [0, 1]
    assert b"".join(texts).endswith(b"2]}")


def test_rows_for_one_piece_after_the_other() -> None:
    """So many in each, the last has the rest; without any row there is one empty piece."""
    assert [len(rows) for rows in split_rows(range(2 * ROWS_PER_PIECE + 1))] == [ROWS_PER_PIECE, ROWS_PER_PIECE, 1]
    assert [len(rows) for rows in split_rows(range(ROWS_PER_PIECE))] == [ROWS_PER_PIECE]
    assert list(split_rows(())) == [[]]
