"""The diagnostic session: what the tester may do now, and for how long (ISO 14229-1, 10.2; ISO 14229-2, 7).

    default, 01    at start, after a reset, and S3 after the last request of another session
    extended, 03   until then

A change of session locks security access, also from a session to itself. What else was begun in a session ends when
the new one does not permit it. There is no programming session, because there is nothing to program.
"""

from collections.abc import Callable
from typing import Final

from hilbridge.common.units import MILLISECOND

DEFAULT: Final = 0x01
EXTENDED: Final = 0x03

ALL: Final = frozenset((DEFAULT, EXTENDED))
EXTENDED_ONLY: Final = frozenset((EXTENDED,))

P2: Final = 50 * MILLISECOND
"""[ns] from a request to its answer, or to "response pending"."""

P2_STAR: Final = 5000 * MILLISECOND
"""[ns] from "response pending" to the answer, or to the next one."""

S3: Final = 5000 * MILLISECOND
"""[ns] that a session lasts without a request."""


class Session:
    """`active` session and `unlocked` level of security, 0 for none. `followers` are called after each change."""

    def __init__(self) -> None:
        self.active = DEFAULT
        self.unlocked = 0
        self.followers: Final[list[Callable[[], None]]] = []
        self._ends = 0  # [ns]

    def enter(self, session: int) -> None:
        self.active = session
        self.unlocked = 0
        for follow in self.followers:
            follow()

    def keep_alive(self, t: int) -> None:
        """A request was dealt with."""
        self._ends = t + S3

    def expire(self, t: int) -> bool:
        """Goes back to the default session when S3 is over; whether it just did."""
        if self.active == DEFAULT or t < self._ends:
            return False
        self.enter(DEFAULT)
        return True

    def permits(self, level: int) -> bool:
        """Whether something that needs this level of security may be done; 0 needs none."""
        return level in (0, self.unlocked)
