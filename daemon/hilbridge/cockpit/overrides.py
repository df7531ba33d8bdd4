"""What the pages hold, and for how long: a hold lasts LIFE after it was last heard of, and is renewed meanwhile.

So a foot stays on the pedal no longer than that if everything that could take it off is gone: this process killed, the
machine of the browser asleep. An entry belongs to the page that set it last; only that one gives it back by going.
"""

import asyncio
from typing import Any, Final

from hilbridge.cockpit.control import Answer, Control

LIFE: Final = 3.0
"""[s] of a hold that is not renewed."""

_RENEWAL: Final = 1.0
"""[s] from one to the next."""

_PADDLE: Final = "input.GearShift"
"""It takes steps and is not held: to say it again would be another one."""


class Overrides:
    """The holds of all pages. A page is told apart from others by itself."""

    def __init__(self, control: Control, pace: float = 1.0) -> None:
        """`pace`: seconds of the run, in which holds are counted, for each second of the wall clock."""
        self._control: Final = control
        self._life: Final = LIFE * pace
        self._owners: Final[dict[str, object]] = {}
        self._values: Final[dict[str, Any]] = {}

    async def set(self, page: object, entry: str, value: object) -> Answer:
        """Holds an entry for a page; the daemon's answer."""
        if entry == _PADDLE:
            return await self._control.ask({"command": "set", "entry": entry, "value": value})
        before = self._owners.get(entry), self._values.get(entry)
        self._owners[entry], self._values[entry] = page, value  # at once: what is renewed meanwhile is this
        answer = await self._order(entry, value)
        if "error" in answer and self._values.get(entry) == value:
            self._forget(entry)
            if before[0] is not None:
                self._owners[entry], self._values[entry] = before
        return answer

    async def release(self, entry: str | None) -> Answer:
        """Gives an entry back, or all of them."""
        for one in list(self._owners) if entry is None else [entry]:
            self._forget(one)
        return await self._control.ask({"command": "release", "entry": entry})

    async def leave(self, page: object) -> None:
        """A page has gone: what it holds is given back."""
        for entry in sorted(entry for entry, owner in self._owners.items() if owner is page):
            self._forget(entry)
            await self._control.ask({"command": "release", "entry": entry})

    async def run(self) -> None:
        """Renews, until it is cancelled."""
        while True:
            await asyncio.sleep(_RENEWAL)
            for entry in list(self._values):
                if entry in self._values:  # not given back while those before it were renewed
                    await self._order(entry, self._values[entry])

    async def _order(self, entry: str, value: object) -> Answer:
        return await self._control.ask({"command": "set", "entry": entry, "value": value, "seconds": self._life})

    def _forget(self, entry: str) -> None:
        self._owners.pop(entry, None)
        self._values.pop(entry, None)
