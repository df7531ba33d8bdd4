"""Overrides of data bus entries by pages: each ends LIFE after its last renewal.

So a pedal is released by itself when this process is killed or the browser's machine sleeps. An entry belongs to the
page that set it last; only that page releases it by closing.
"""

import asyncio
from typing import Any, Final

from hilbridge.cockpit.control import Answer, ControlClient

LIFE: Final = 3.0
"""[s] Duration of an override that is not renewed."""

_RENEWAL: Final = 1.0
"""[s] Interval of renewals."""

_PADDLE: Final = "input.GearShift"
"""The entry that takes steps and is not held: a renewal would be another step."""


class PageOverrides:
    """The overrides of all pages. `page` is any object that stands for one page."""

    def __init__(self, control: ControlClient, pace: float = 1.0) -> None:
        """`pace`: seconds of the run, in which the daemon counts, for each second of the wall clock."""
        self._control: Final = control
        self._life: Final = LIFE * pace
        self._owners: Final[dict[str, object]] = {}
        self._values: Final[dict[str, Any]] = {}

    async def set(self, page: object, entry: str, value: object) -> Answer:
        """Override an entry for a page, and return the daemon's answer."""
        if entry == _PADDLE:
            return await self._control.ask({"command": "set", "entry": entry, "value": value})
        before = self._owners.get(entry), self._values.get(entry)
        self._owners[entry], self._values[entry] = (
            page,
            value,
        )  # at once: a renewal meanwhile sends this
        answer = await self._order(entry, value)
        if "error" in answer and self._values.get(entry) == value:
            self._forget(entry)
            if before[0] is not None:
                self._owners[entry], self._values[entry] = before
        return answer

    async def release(self, entry: str | None) -> Answer:
        """Release an entry, or all of them."""
        for one in list(self._owners) if entry is None else [entry]:
            self._forget(one)
        return await self._control.ask({"command": "release", "entry": entry})

    async def leave(self, page: object) -> None:
        """Release everything that a closed page holds."""
        for entry in sorted(entry for entry, owner in self._owners.items() if owner is page):
            self._forget(entry)
            await self._control.ask({"command": "release", "entry": entry})

    async def run(self) -> None:
        """Renew all overrides until cancelled."""
        while True:
            await asyncio.sleep(_RENEWAL)
            for entry in list(self._values):
                if entry in self._values:  # it may have been released during the renewals before it
                    await self._order(entry, self._values[entry])

    async def _order(self, entry: str, value: object) -> Answer:
        return await self._control.ask({"command": "set", "entry": entry, "value": value, "seconds": self._life})

    def _forget(self, entry: str) -> None:
        self._owners.pop(entry, None)
        self._values.pop(entry, None)
