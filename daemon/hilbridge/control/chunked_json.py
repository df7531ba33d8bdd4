"""An answer that is made a piece at a time, so that no tick makes all of it.

A piece says where it stands in the answer, a JSON object, and what is told there. Where a piece has left a list or an
object, it goes on when the next piece stands at the same place; an object also when the next one stands inside of it:

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

JsonPath: TypeAlias = tuple[str, ...]
"""The keys that lead to it; none for the answer itself."""

JsonPiece: TypeAlias = tuple[JsonPath, Any]

Row = TypeVar("Row")

ROWS_PER_PIECE: Final = 5
"""Of a list in one piece: so many rows of the frame plan take 100 µs between two sleeps, half of it warm."""


def split_rows(rows: Iterable[Row], most: int = ROWS_PER_PIECE) -> Iterator[list[Row]]:
    """Rows for one piece after the other; an empty one where there are none at all."""
    left = iter(rows)
    yield list(islice(left, most))
    while some := list(islice(left, most)):
        yield some


def encode_pieces(pieces: Iterable[JsonPiece]) -> Iterator[bytes]:
    """The answer as it grows, one line of JSON; what it does not know is written as its str()."""
    place: JsonPath = ()
    closing, empty = "}", True  # what ends all that is open, innermost first; nothing is in the innermost yet
    yield b"{"
    for there, told in pieces:
        text = json.dumps(told, default=str)
        shared = _shared(place, there)
        left = closing[: len(place) - shared]
        comma = "" if empty and not left else ", "
        if shared < len(there):
            above = "".join(f"{json.dumps(key)}: {{" for key in there[shared:-1])
            yield f"{left}{comma}{above}{json.dumps(there[-1])}: {text[:-1]}".encode()
            place, closing, empty = there, text[-1] + "}" * len(there), text in {"{}", "[]"}
        elif more := text[1:-1]:
            yield f"{left}{comma}{more}".encode()
            place, closing, empty = there, closing[len(left) :], False
    yield closing.encode()


def _shared(one: JsonPath, other: JsonPath) -> int:
    """Keys, from the top, that are the same."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
