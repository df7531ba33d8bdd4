"""A JSON object that is encoded in pieces, so that no tick encodes all of it.

A piece is a path in the object, and the value there. A list or an object is continued by the next piece if that has the
same path; an object also by one whose path leads into it:

    ("frames",), [1, 2]             {"frames": [1, 2
    ("frames",), [3]                               , 3
    ("traffic", "a"), {"x": 4}                        ], "traffic": {"a": {"x": 4
    ("traffic", "b"), {}                                                         }, "b": {
                                                                                          }}}
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

from hilbridge.base.common.rows import plain

JsonPath: TypeAlias = tuple[str, ...]
"""The keys that lead to a value; none for the object itself."""

JsonPiece: TypeAlias = tuple[JsonPath, Any]

Row = TypeVar("Row")

ROWS_PER_PIECE: Final = 5
"""Rows of a list in one piece: with more of them a piece of the frame plan would take too much of a tick."""


def split_rows(rows: Iterable[Row], most: int = ROWS_PER_PIECE) -> Iterator[list[Row]]:
    """Yield the rows of one piece after the other; one empty list where there are no rows."""
    left = iter(rows)
    yield list(islice(left, most))
    while some := list(islice(left, most)):
        yield some


def encode_pieces(pieces: Iterable[JsonPiece]) -> Iterator[bytes]:
    """Yield the object as one line of JSON, piece by piece: rows as objects, what JSON does not know as its str()."""
    current: JsonPath = ()
    closing, empty = "}", True  # what ends all that is open, innermost first; nothing is in the innermost yet
    yield b"{"
    for path, value in pieces:
        text = json.dumps(plain(value), default=str)
        shared = _shared(current, path)
        left = closing[: len(current) - shared]
        comma = "" if empty and not left else ", "
        if shared < len(path):
            above = "".join(f"{json.dumps(key)}: {{" for key in path[shared:-1])
            yield f"{left}{comma}{above}{json.dumps(path[-1])}: {text[:-1]}".encode()
            current, closing, empty = path, text[-1] + "}" * len(path), text in {"{}", "[]"}
        elif more := text[1:-1]:
            yield f"{left}{comma}{more}".encode()
            current, closing, empty = path, closing[len(left) :], False
    yield closing.encode()


def _shared(one: JsonPath, other: JsonPath) -> int:
    """Return how many keys, from the top, are the same."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
