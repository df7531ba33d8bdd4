"""Which of the ways into the process have something to do: the kernel is asked once a tick for all of them.

Each way's `descriptor` is readable while its `poll` has something to do. What comes from elsewhere, such as the time to
open again what was lost, is seen to in rounds, in which every way is polled.
"""

import select
from collections.abc import Container
from typing import Final

from hilbridge.common.units import MILLISECOND

ROUND: Final = 10 * MILLISECOND
"""[ns] from one round to the next; lost ports are tried again after five times as long at the earliest."""

Ready = Container[int | None]
"""Descriptors; None, that of a way which cannot tell, is always among them."""


class Poller:
    """Asks for what was added; without any, the kernel is left alone."""

    def __init__(self) -> None:
        self._epoll: select.epoll | None = None
        self._none: Final[Ready] = frozenset([None])
        self._all: Final[set[int | None]] = {None}
        self._next_round = 0

    def add(self, descriptor: int | None) -> None:
        """The way with this descriptor is asked for from now on."""
        if descriptor is not None:
            self._epoll = self._epoll or select.epoll()
            self._epoll.register(descriptor, select.EPOLLIN)
            self._all.add(descriptor)

    def ready(self, t: int) -> Ready:
        """Whose `poll` has something to do in the tick of time `t` [ns]."""
        if self._epoll is None:
            return self._none
        if t >= self._next_round:
            self._next_round = t + ROUND
            return self._all
        events = self._epoll.poll(0)
        return {None, *(descriptor for descriptor, _ in events)} if events else self._none

    def close(self) -> None:
        """At the end of the run."""
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
