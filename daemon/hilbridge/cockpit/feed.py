"""What the viewers see, fetched once for all of them, and only while there are any.

Snapshots and lateness come out of the shared memory and cost the tick nothing. The rest is asked of the control
socket a part at a time, so that no single tick has to tell all of it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from hilbridge.cockpit import wire
from hilbridge.cockpit.control import Control
from hilbridge.cockpit.frametable import FrameTable
from hilbridge.observe.bench_archive import ArchivePlace, BenchArchive
from hilbridge.observe.rings import Rings

PARTS: Final = ("buses", "inputs", "faults", "troubles", "recording", "scenario", "frames", "traffic")
"""Of the status; see overview.py."""

_ROUND: Final = 0.5
"""[s] in which every part is asked for once."""
_LATENESS_ROUNDS: Final = 2


class Feed:
    """`viewers` counts those that look; `news` are the newest messages, `round` their number.

    `bench`: where in the dossier the files of what runs are; None: nothing is decoded.
    """

    def __init__(self, rings: Rings, control: Control, bench_archive: BenchArchive) -> None:
        self.bench: ArchivePlace | None = None
        self.viewers = 0
        self.round = 0
        self.news: Sequence[str] = ()
        self._lateness = ""
        self._rings: Final = rings
        self._control: Final = control
        self._bench_archive: Final = bench_archive
        self._table: Final = FrameTable()
        self._decoded: ArchivePlace | None = None  # the bench whose databases the table has, or will have
        self._reading: asyncio.Task[None] | None = None

    def snapshot(self) -> bytes | None:
        """The newest record; None before the first tick."""
        return self._rings.snapshots.get()

    async def run(self) -> None:
        """Fetches, until it is cancelled; databases are read when they are others and a viewer is there."""
        try:
            while True:
                if self.viewers == 0:
                    await asyncio.sleep(_ROUND)
                else:
                    self._renew_databases()
                    await self._fetch()
        finally:
            if self._reading is not None:
                self._reading.cancel()

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

    def _renew_databases(self) -> None:
        """One reading after the other: the newest comes last."""
        if self.bench is not None and self.bench != self._decoded and (self._reading is None or self._reading.done()):
            self._decoded = self.bench
            self._reading = asyncio.create_task(self._read_databases(self.bench))

    async def _read_databases(self, bench: ArchivePlace) -> None:
        """In a thread: a large one takes seconds, and the needles go on. Before, cantools would be here for nobody."""
        from hilbridge.cockpit.decoding import load_decoders

        _, files = self._bench_archive.get(bench)
        self._table.decoders = await asyncio.to_thread(load_decoders, files)
