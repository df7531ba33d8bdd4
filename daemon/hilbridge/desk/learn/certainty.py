"""How sure a finding is, in the words of the report."""

from enum import IntEnum


class Certainty(IntEnum):
    """How sure a finding is: `str` gives the words."""

    UNKNOWN = 0
    LIKELY = 1
    SURE = 2

    def __str__(self) -> str:
        return ("don't know", "likely", "sure")[self]
