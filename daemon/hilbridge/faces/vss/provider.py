"""A provider: the values of a running bench, to a databroker, at a rate.

    each period     ask the bench for its entries, tell the databroker what has changed
    no bench        every path is without a value, until one answers again
    no databroker   another attempt each second, and everything anew
    the end         every path is without a value

A period that took too long is passed over; nothing is sent twice to catch up.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Final

from hilbridge.base.common.words import counted, listed
from hilbridge.client.async_client import AsyncClient
from hilbridge.client.talks import EntryValue, UnreachableError
from hilbridge.faces.vss.broker import Broker, BrokerError, connected
from hilbridge.faces.vss.messages import Match
from hilbridge.faces.vss.publication import Publication
from hilbridge.faces.vss.signals import Signal
from hilbridge.faces.vss.target import Target

HIGHEST_RATE: Final = 20.0
"""[Hz] Each is a command to the bench, which answers with all its entries."""

_AGAIN: Final = 1.0
"""[s] between two attempts to reach a databroker."""

_MOST_NAMED: Final = 3

Say = Callable[[str], None]


class Provider:
    """The provider of `signals` of one bench for one databroker; `say` is given lines for people."""

    def __init__(self, bench: AsyncClient, target: Target, signals: Collection[Signal], rate: float, say: Say) -> None:
        self.publication: Final = Publication(signals)
        self._bench: Final = bench
        self._target: Final = target
        self._signals: Final = signals
        self._rate: Final = rate
        self._say: Final = say
        self._trouble = ""
        self._misses_bench = False

    async def run(self, stop: asyncio.Event, duration: float | None = None) -> None:
        """Provide until `stop` is set, or for some seconds from the first connection on.

        ConfigurationError: at the start there is no bench, or no databroker.
        """
        await self._bench.values()
        began = False
        while not stop.is_set():
            try:
                async with connected(self._target, self._signals, self._refuse) as broker:
                    await broker.claim(self._rate)
                    self._say(_told(broker.found, self._target))
                    if not began and duration is not None:
                        asyncio.get_running_loop().call_later(duration, stop.set)
                    began, self._trouble = True, ""
                    await self._publish(broker, stop)
            except BrokerError as error:
                if not began:
                    raise
                if self._trouble != error.message:
                    self._say(f"{error.message}; another attempt each second")
                self._trouble = error.message
                await _passes(stop, _AGAIN)

    async def _publish(self, broker: Broker, stop: asyncio.Event) -> None:
        now = asyncio.get_running_loop().time
        self.publication.begin(broker.found.ids)
        due, is_first = now(), True
        while not stop.is_set():
            await broker.publish(self.publication.due(await self._answered()))
            if is_first:
                self._say(f"  without a value now: {self.publication.gaps()}")
            is_first = False
            due = max(due + 1 / self._rate, now())
            await _passes(stop, due - now())
        self._say(f"without a value in the end: {self.publication.gaps()}")
        await broker.publish(self.publication.due({}))

    async def _answered(self) -> Mapping[str, EntryValue]:
        """Return the entries that the bench answers; none while it does not."""
        try:
            entries = (await self._bench.values()).entries
        except UnreachableError as error:
            if not self._misses_bench:
                self._say(f"{error.message}; every path is without a value until it answers")
            self._misses_bench = True
            return {}
        if self._misses_bench:
            self._say("the bench answers again")
        self._misses_bench = False
        return entries

    def _refuse(self, path: str, reason: str) -> None:
        if self.publication.refuse(path, reason):
            self._say(f"the databroker refuses {path}: {reason}")

    def summary(self) -> str:
        """Return what was published, in one line."""
        done = self.publication
        text = f"{counted(done.values, 'value')} in {counted(done.messages, 'message')}"
        return f"{text}, {done.refusals} refused" if done.refusals else f"{text}, none refused"


def _told(found: Match, target: Target) -> str:
    """Return what a databroker has of the table, and what not."""
    lines = [f"provides {counted(len(found.ids), 'signal')} of the databroker at {target}, read-only"]
    lines.append(f"  {counted(found.without_value, 'signal')} there have no value on a bench")
    if found.absent:
        lines.append(f"  {counted(len(found.absent), 'path')} it does not have: {listed(found.absent, _MOST_NAMED)}")
    lines += [f"  not provided: {path}: {reason}" for path, reason in found.differing.items()]
    return "\n".join(lines)


async def _passes(stop: asyncio.Event, seconds: float) -> None:
    """Wait for some seconds, or until the end is asked for."""
    try:
        await asyncio.wait_for(stop.wait(), max(seconds, 0.0))
    except TimeoutError:
        return
