"""What the viewers see, fetched once for all of them, and only while there are any.

Snapshots and lateness come out of the shared memory and cost the tick nothing. The rest is asked of the control
socket a part at a time, so that no single tick has to tell all of it.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from hilbridge.cockpit import wire
from hilbridge.cockpit.control import Control
from hilbridge.cockpit.frametable import FrameTable
from hilbridge.observe.rings import Rings

PARTS: Final = ("buses", "inputs", "faults", "troubles", "recording", "scenario", "frames", "traffic")
"""Of the status; see overview.py."""

_ROUND: Final = 0.5
"""[s] in which every part is asked for once."""
_LATENESS_ROUNDS: Final = 2


class Feed:
    """`viewers` counts those that look; `news` are the newest messages, `round` their number."""

    def __init__(self, rings: Rings, control: Control, databases: Mapping[str, Sequence[str]]) -> None:
        """`databases`: files, by bus."""
        self.viewers = 0
        self.round = 0
        self.news: Sequence[str] = ()
        self._lateness = ""
        self._rings: Final = rings
        self._control: Final = control
        self._databases: Final = databases
        self._table: Final = FrameTable()

    def snapshot(self) -> bytes | None:
        """The newest record; None before the first tick."""
        return self._rings.snapshots.get()

    async def run(self) -> None:
        """Fetches, until it is cancelled; databases are read as soon as the first viewer is there."""
        while self.viewers == 0:
            await asyncio.sleep(_ROUND)
        reading = asyncio.create_task(self._read_databases())
        try:
            while True:
                if self.viewers == 0:
                    await asyncio.sleep(_ROUND)
                else:
                    await self._fetch()
        finally:
            reading.cancel()

    async def _fetch(self) -> None:
        parts: dict[str, Any] = {}
        for part in PARTS:
            if self._control.is_there:
                answer = await self._control.ask({"command": "status", "parts": [part]})
                parts |= {"error": answer["error"]} if "error" in answer else answer
            await asyncio.sleep(_ROUND / len(PARTS))
        table = wire.frames(self._table.rows(parts.pop("frames", []), parts.pop("traffic", {})))
        if self.round % _LATENESS_ROUNDS == 0:
            self._lateness = wire.lateness(self._rings.lateness)
        self.news = (wire.state(parts), table, self._lateness)
        self.round += 1

    async def _read_databases(self) -> None:
        """In a thread: a large one takes seconds, and the needles go on. Before, cantools would be here for nobody."""
        from hilbridge.cockpit.decoding import load_decoders

        self._table.decoders = await asyncio.to_thread(load_decoders, self._databases)
