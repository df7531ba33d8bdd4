"""The endpoints that have something to do: the kernel is asked once a tick for all of them.

The `descriptor` of an endpoint is readable while its `poll` has something to do. For what does not show there, such as
the time to open again what was lost, every endpoint is polled in regular rounds.
"""

import select
from collections.abc import Container
from typing import Final

from hilbridge.base.common.units import MILLISECOND

ROUND: Final = 10 * MILLISECOND
"""[ns] from one round to the next; lost ports are tried again after five times as long at the earliest."""

Ready = Container[int | None]
"""Descriptors, and always None: that of an endpoint which has to be polled in every tick."""


class Poller:
    """The set of endpoints to ask for; while it is empty, the kernel is not asked."""

    def __init__(self) -> None:
        self._epoll: select.epoll | None = None
        self._none: Final[Ready] = frozenset([None])
        self._all: Final[set[int | None]] = {None}
        self._next_round = 0

    def add(self, descriptor: int | None) -> None:
        """Ask for the endpoint with this descriptor from now on."""
        if descriptor is not None:
            self._epoll = self._epoll or select.epoll()
            self._epoll.register(descriptor, select.EPOLLIN)
            self._all.add(descriptor)

    def ready(self, t: int) -> Ready:
        """Return the descriptors whose `poll` has something to do in the tick of time `t` [ns]."""
        if self._epoll is None:
            return self._none
        if t >= self._next_round:
            self._next_round = t + ROUND
            return self._all
        events = self._epoll.poll(0)
        return {None, *(descriptor for descriptor, _ in events)} if events else self._none

    def close(self) -> None:
        """Ask for no endpoint any more."""
        if self._epoll is not None:
            self._epoll.close()
            self._epoll = None
