"""Work in parts: a generator that yields between two of them, and returns what has come of all.

So what takes long can be spread over many ticks, a part at a time. How long a part takes does not depend on how many
there are.
"""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Result = TypeVar("Result")

Parts: TypeAlias = Generator[None, None, Result]


def finished(parts: Parts[Result]) -> Result:
    """All that are left, at once."""
    while True:
        try:
            next(parts)
        except StopIteration as end:
            result: Result = end.value
            return result
