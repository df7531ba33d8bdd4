"""What the viewers see, fetched once for all of them, and only while there are any.

Snapshots and lateness come out of the shared memory and cost the tick nothing. The rest is asked of the control
socket a part at a time, so that no single tick has to tell all of it.
"""

import asyncio
from typing import Any, Final

from hilbridge.cockpit import wire
from hilbridge.cockpit.control import Control
from hilbridge.observe.rings import Rings

PARTS: Final = ("buses", "inputs", "faults", "troubles", "frames")
"""Of the status; see overview.py."""

_ROUND: Final = 0.5
"""[s] in which every part is asked for once."""
_LATENESS_ROUNDS: Final = 2


class Feed:
    """`viewers` counts those that look; `state` and `lateness` are the newest messages, `round` their number."""

    def __init__(self, rings: Rings, control: Control) -> None:
        self.viewers = 0
        self.round = 0
        self.state = ""
        self.lateness = ""
        self._rings: Final = rings
        self._control: Final = control

    def snapshot(self) -> bytes | None:
        """The newest record; None before the first tick."""
        return self._rings.snapshots.get()

    async def run(self) -> None:
        """Fetches, until it is cancelled."""
        while True:
            if self.viewers == 0:
                await asyncio.sleep(_ROUND)
                continue
            parts: dict[str, Any] = {}
            for part in PARTS:
                if self._control.is_there:
                    answer = await self._control.ask({"command": "status", "parts": [part]})
                    parts |= {"error": answer["error"]} if "error" in answer else answer
                await asyncio.sleep(_ROUND / len(PARTS))
            self.state = wire.state(parts)
            if self.round % _LATENESS_ROUNDS == 0:
                self.lateness = wire.lateness(self._rings.lateness)
            self.round += 1
