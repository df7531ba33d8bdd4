"""Results of reading the texts of files, kept for those that read the same text again.

Of a path there is its newest text alone, and of all together so many characters: those that were read last.
"""

from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

Made = TypeVar("Made")


class KeptTexts(Generic[Made]):
    """Results of reading the texts of files, by path."""

    def __init__(self, most: int, longest: int) -> None:
        """`most` [character]: all texts together; `longest`: a longer one is not kept."""
        self._most: Final = most
        self._longest: Final = min(longest, most)
        self._kept: Final[dict[str, tuple[int, Hashable, Made]]] = {}  # its length; the text with its mark

    def made(self, path: str, text: str, make: Callable[[], Made], mark: Hashable = None) -> Made:
        """Return what `make` makes of a text, or has made of it; what it raises is raised, and made anew each time.

        `mark`: what else the outcome depends on.
        """
        kept = self._kept.pop(path, None)
        made = kept[2] if kept is not None and kept[1] == (text, mark) else make()
        if len(text) <= self._longest:
            self._kept[path] = len(text), (text, mark), made
            while sum(length for length, *_ in list(self._kept.values())) > self._most:
                self._kept.pop(next(iter(self._kept)), None)
        return made
