"""Overrides of data bus entries by pages: each ends LIFE after its last renewal.

So a pedal is released by itself when this process is killed or the browser's machine sleeps. An entry belongs to the
page that set it last; only that page releases it by closing. The daemon knows the page by its title (roster.py).

A page that says `here` has to go on saying it: one that is silent for SILENCE hangs, behind a connection that its
browser keeps open. What it holds is given back, the wheel too. One that has never said it is no such page.

What a key holds has a rate, at which the daemon moves it; it springs back when its page loses the wheel.
"""

import asyncio
import time
from typing import Final

from hilbridge.boundary.control.lines import Command
from hilbridge.faces.cockpit.control import Answer, ControlClient
from hilbridge.faces.cockpit.roster import Roster

LIFE: Final = 3.0
"""[s] Duration of an override that is not renewed."""

SILENCE: Final = 3.0
"""[s] from the last `here` of a page to its release."""

_RENEWAL: Final = 1.0
"""[s] Interval of renewals."""

_PADDLE: Final = "input.GearShift"
"""The entry that takes steps and is not held: a renewal would be another step."""


class PageOverrides:
    """The overrides of all pages. `page` is any object that stands for one page."""

    def __init__(self, control: ControlClient, roster: Roster, pace: float = 1.0) -> None:
        """`pace`: seconds of the run, in which the daemon counts, for each second of the wall clock."""
        self._control: Final = control
        self._roster: Final = roster
        self._life: Final = LIFE * pace
        self._owners: Final[dict[str, object]] = {}
        self._wishes: Final[dict[str, Command]] = {}  # keys of `set`: value, rate
        self._signs: Final[dict[object, float]] = {}  # [s] on the monotonic clock: the last `here` of a page

    def note(self, page: object) -> None:
        """Note that a page is there."""
        self._signs[page] = time.monotonic()

    async def set(self, page: object, entry: str, value: object, rate: object = None) -> Answer:
        """Override an entry for a page, at once or at a `rate` [1/s], and return the daemon's answer."""
        if entry == _PADDLE:
            by = self._roster.title(page)
            return await self._control.ask({"command": "set", "entry": entry, "value": value, "by": by})
        wish: Command = {"value": value} if rate is None else {"value": value, "rate": rate}
        owner, before = self._owners.get(entry), self._wishes.get(entry)
        self._owners[entry], self._wishes[entry] = page, wish  # at once: a renewal meanwhile sends this
        answer = await self._order(entry)
        if "error" in answer and self._wishes.get(entry) is wish:
            self._forget(entry)
            if before is not None:
                self._owners[entry], self._wishes[entry] = owner, before
        return answer

    async def release(self, entry: str | None) -> Answer:
        """Release an entry, or all of them."""
        for one in list(self._owners) if entry is None else [entry]:
            self._forget(one)
        return await self._control.ask({"command": "release", "entry": entry})

    async def leave(self, page: object) -> None:
        """Release everything that a page holds, unless another one has taken it over in the daemon."""
        self._signs.pop(page, None)
        if entries := self._of(page):
            for entry in entries:
                self._forget(entry)
            await self._control.ask({"command": "give-back", "by": self._roster.title(page)})

    async def hand_over(self, page: object, other: object) -> None:
        """Let another page hold the driver's controls that a page holds; what its keys hold springs back."""
        for entry in self._of(page):
            if is_drivers(entry):
                self._owners[entry] = other
                if "rate" in self._wishes[entry]:
                    self._wishes[entry] = self._wishes[entry] | {"value": 0}
        await self.renew(other)

    async def renew(self, page: object) -> None:
        """Set what a page holds once more, in its present name."""
        for entry in self._of(page):
            if self._owners.get(entry) is page:  # still, after the orders before it
                await self._order(entry)

    async def run(self) -> None:
        """Renew all overrides until cancelled, and let go for pages that hang."""
        while True:
            await asyncio.sleep(_RENEWAL)
            await self._let_go()
            for entry in list(self._wishes):
                if entry in self._wishes:  # it may have been released during the renewals before it
                    await self._order(entry)

    async def _let_go(self) -> None:
        oldest = time.monotonic() - SILENCE
        for page in [page for page, last in self._signs.items() if last < oldest]:
            if self._roster.driver is page:
                self._roster.driver = None
            await self.leave(page)

    async def _order(self, entry: str) -> Answer:
        by = self._roster.title(self._owners[entry])
        command = {"command": "set", "entry": entry, **self._wishes[entry], "seconds": self._life, "by": by}
        return await self._control.ask(command)

    def _of(self, page: object) -> list[str]:
        return [entry for entry, owner in self._owners.items() if owner is page]

    def _forget(self, entry: str) -> None:
        self._owners.pop(entry, None)
        self._wishes.pop(entry, None)


def is_drivers(entry: str) -> bool:
    """Return whether an entry is a control of the driver."""
    return entry.startswith("input.")
