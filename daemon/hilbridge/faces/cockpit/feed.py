"""The data that viewers see, fetched once for all of them, and only while there are any.

Snapshots, needles and lateness are read from shared memory. The rest is requested through the control
socket a part at a time, so that no single tick answers all of it.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.rows import Layout, PlainRow
from hilbridge.boundary.observe.bench_archive import ArchivePlace, BenchArchive
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.cockpit import wire
from hilbridge.faces.cockpit.control import ControlClient
from hilbridge.faces.cockpit.frametable import FrameTable
from hilbridge.faces.cockpit.history import History
from hilbridge.faces.cockpit.log_tail import LogTail
from hilbridge.faces.cockpit.needles import Needles
from hilbridge.faces.explain import causes
from hilbridge.faces.explain.said import sentences
from hilbridge.faces.explain.verdicts import judge_status

if TYPE_CHECKING:  # it brings cantools along
    from hilbridge.faces.cockpit.decoding import Decoder

PARTS: Final = (
    "buses",
    "outputs",
    "units",
    "inputs",
    "faults",
    "troubles",
    "recording",
    "scenario",
    "reload",
    "service",
    "frames",
    "traffic",
    "arrivals",
    "lamps",
    "cluster",
)
"""Parts of the status that the page draws in panels of their own; see bench/views.py."""

DRAWN: Final = frozenset((*PARTS, "ports", "sources", "testers", "codes", "plan"))
"""Parts of which the page shows no table; a part that is not named here has one."""

_ROUND: Final = 0.5
"""[s] Period in which every part is requested once."""

_LATENESS_ROUNDS: Final = 2
"""Rounds from one histogram of lateness to the next."""


class Feed:
    """Source of messages for all viewers.

    `viewers`: how many there are; `messages`: the newest messages; `round`: number of rounds so far, one more for each
    renewal of the messages; `needles`: the newest message about what frames say that move needles, empty at first.
    `history`: what the run was so far. `bench`: place of the running bench's files in the
    archive; None: nothing is decoded. `setups`: number of configurations that the bench has adopted.
    """

    def __init__(
        self, rings: Rings, control: ControlClient, bench_archive: BenchArchive, buses: tuple[str, ...] = ()
    ) -> None:
        """`buses`: their names in the order of the rings."""
        self.bench: ArchivePlace | None = None
        self.setups = 0
        self.viewers = 0
        self.round = 0
        self.messages: Sequence[str] = ()
        self.needles = ""
        self.history: Final = History()
        self._declared: list[Any] = []
        self._lateness = ""
        self._log_tail: Final = LogTail(rings)
        self._log = wire.log(())
        self._rings: Final = rings
        self._control: Final = control
        self._bench_archive: Final = bench_archive
        self._table: Final = FrameTable()
        self._needles: Final = Needles(buses)
        self._decoded: ArchivePlace | None = None  # the bench whose databases the table has, or will have
        self._reading: asyncio.Task[None] | None = None
        self._layouts: dict[str, Layout] = {}
        self._known_setup: int | None = None  # number of the configuration that the layouts are of

    def adopt(self, bench: ArchivePlace | None, declared: list[Any], gauges: Iterable[Mapping[str, Any]] = ()) -> None:
        """Take the configuration after a reload. Where it declares other entries, the values so far mean nothing.

        `gauges`: the signals that move needles, in the order of the greeting.
        """
        self.bench = bench
        self.setups += 1
        self.needles = ""
        self._needles.adopt(gauges)
        if declared != self._declared:
            self._declared = declared
            self.history.clear()

    def show_decoders(self, decoders: "Mapping[str, Decoder]") -> None:
        """Decode frames by these from now on, by bus; for a page that reads its databases itself."""
        self._table.decoders = decoders

    def snapshot(self) -> bytes | None:
        """Return the newest snapshot; None before the first tick."""
        return self._rings.snapshots.get()

    async def remember(self) -> None:
        """Offer a snapshot to the history once a round until cancelled, whether there is a viewer or not."""
        while True:
            if (snapshot := self.snapshot()) is not None:
                self.history.offer(snapshot)
            await asyncio.sleep(_ROUND)

    async def follow(self, rate: int) -> None:
        """Read what moves needles `rate` times a second until cancelled, while there is a viewer."""
        while True:
            await asyncio.sleep(1.0 / rate)
            if self.viewers > 0 and self._table.decoders:
                self.needles = wire.needles(self._needles.read(self._rings.carried.get(), self._table.decoders))

    async def run(self) -> None:
        """Fetch until cancelled. Databases are read when they have changed and there is a viewer."""
        try:
            while True:
                if self.viewers == 0:
                    self._log_tail.pause()
                    await asyncio.sleep(_ROUND)
                else:
                    self._renew_databases()
                    await self._fetch()
        finally:
            if self._reading is not None:
                self._reading.cancel()

    async def _fetch(self) -> None:
        parts: dict[str, Any] = {}
        for part in (*PARTS, *self._layouts):
            if self._control.is_available:
                parts |= await self._ask(part)
            await asyncio.sleep(_ROUND / (len(PARTS) + len(self._layouts)))
        if self._control.is_available and self._known_setup != self.setups:
            await self._read_layouts()
        parts["tables"] = [
            _table(part, layout, parts.pop(part)) for part, layout in self._layouts.items() if part in parts
        ]
        lamps = _lamps(parts)
        table = wire.frames(
            self._table.rows(parts.pop("frames", []), parts.pop("traffic", {}), parts.pop("arrivals", {}))
        )
        if self.round % _LATENESS_ROUNDS == 0:
            self._lateness = wire.lateness(self._rings.lateness)
        if self._log_tail.read():
            self._log = wire.log(self._log_tail.lines)
        self.messages = (wire.state(parts), table, lamps, self._lateness, self._log)
        self.round += 1

    async def _ask(self, part: str) -> dict[str, Any]:
        answer = await self._control.ask({"command": "status", "parts": [part]})
        return {"error": answer["error"]} if "error" in answer else answer

    async def _read_layouts(self) -> None:
        """Read how the parts are shown for which the page has no panel of their own."""
        setup, answer = self.setups, await self._ask("layouts")
        if "layouts" in answer:
            self._layouts = {
                part: Layout.of_plain(plain) for part, plain in answer["layouts"].items() if part not in DRAWN
            }
            self._known_setup = setup

    def _renew_databases(self) -> None:
        """Start to read the databases of the running bench, unless that is done or under way."""
        if self.bench is not None and self.bench != self._decoded and (self._reading is None or self._reading.done()):
            self._decoded = self.bench
            self._reading = asyncio.create_task(self._read_databases(self.bench))

    async def _read_databases(self, bench: ArchivePlace) -> None:
        """Read databases in a thread: a large one takes seconds. Imports cantools only now, when there is a viewer."""
        from hilbridge.faces.cockpit.decoding import load_decoders

        _, files = self._bench_archive.get(bench)
        self._table.decoders = await asyncio.to_thread(load_decoders, files)


def _table(part: str, layout: Layout, rows: dict[str, PlainRow]) -> dict[str, Any]:
    """Return a table as the page shows it: its part, columns and rows of text."""
    cells = [layout.cells(name, row) for name, row in rows.items()]
    return {"part": part, "columns": layout.columns, "rows": cells}


def _lamps(parts: dict[str, Any]) -> str:
    """Return the message about lamps and needles, and take their parts of the status out; none where one is missing."""
    whole = all(part in parts for part in causes.PARTS)
    verdicts = judge_status(parts, running=True) if whole else []
    said = sentences(parts) if whole else []
    parts.pop("lamps", None)
    parts.pop("cluster", None)
    return wire.lamps(verdicts, said)
