"""The bench behind a page without a server: what the tick process and the cockpit process do, in one worker.

The bench is `hilbridge.testing.VirtualBench`, and the messages are made by the cockpit's own modules. The worker calls
`advance` with the time that has passed; there is no other clock.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.statistics import Histogram
from hilbridge.base.resources import Kind, names
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.boundary.observe.events import Snapshot
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.cockpit import wire
from hilbridge.faces.cockpit.command_router import CommandRouter
from hilbridge.faces.cockpit.control import ControlClient
from hilbridge.faces.cockpit.decoding import Decoder
from hilbridge.faces.cockpit.feed import Feed
from hilbridge.faces.cockpit.gauges import gauges_of
from hilbridge.faces.cockpit.library import Library
from hilbridge.faces.cockpit.overrides import PageOverrides
from hilbridge.faces.cockpit.page_info import facts_of
from hilbridge.faces.cockpit.roster import Roster
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.changes import Changes
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, FD, REMOTE, Frame
from hilbridge.testing import VirtualBench

SNAPSHOTS: Final = 25
"""[Hz] Rate of snapshots for the page."""

LEFT_OUT: Final = frozenset(("stop", "reload", "record-start", "record-stop", "scenario-start", "scenario-stop"))
"""Commands that need a daemon."""


def choices() -> dict[str, list[str]]:
    """Return the names of the packaged benches, each with its profile, and of the vehicles."""
    return {"benches": names(Kind.BENCH), "vehicles": names(Kind.VEHICLE)}


def _changes(vehicle: str, rate: int) -> dict[str, Any]:
    wanted: dict[str, Any] = {"bench.vehicle": vehicle, "bench.rate": rate}
    return {key: value for key, value in wanted.items() if value}


def make_bench(bench: str, vehicle: str = "", rate: int = 0, **options: Any) -> VirtualBench:
    """Make a packaged bench; `vehicle` and `rate` [Hz] in place of its own. ConfigurationError: they do not fit."""
    return VirtualBench(bench, set=_changes(vehicle, rate), **options)


def open_bench(bench: str, vehicle: str, rate: int, send: Callable[[str | bytes], None]) -> "PageBench":
    """Make a bench with its demo driver for a page; at its own rate where its frames do not fit into the wanted one."""
    try:
        made = make_bench(bench, vehicle, rate, demo_driver=True)
    except ConfigurationError:
        rate = 0
        made = make_bench(bench, vehicle, demo_driver=True)
    return PageBench(made, load_bench(bench, Changes.of(_changes(vehicle, rate))), send)


def candump(bench: VirtualBench) -> str:
    """Return the frames on all buses in the order of time, as `candump -L` writes them."""
    heard = [
        (frame.t, number, name, frame.frame)
        for number, name in enumerate(bench.parts.settings.buses)
        for frame in bench.frames(name)
    ]
    heard.sort(key=lambda one: one[:2])
    return "".join(f"({t:.6f}) {bus} {_text(frame)}\n" for t, _, bus, frame in heard)


def _text(frame: Frame) -> str:
    name = f"{frame.identifier:0{8 if frame.can_id & EXTENDED else 3}X}"
    if frame.can_id & REMOTE:
        return f"{name}#R{len(frame.data) or ''}"
    return (
        f"{name}##{frame.flags & 1:X}{frame.data.hex().upper()}"
        if frame.flags & FD
        else f"{name}#{frame.data.hex().upper()}"
    )


class _Control:
    """The commands of the page, carried out at once."""

    is_available: Final = True

    def __init__(self, bench: VirtualBench) -> None:
        self._bench: Final = bench

    async def ask(self, command: Command) -> Answer:
        if command["command"] in LEFT_OUT:
            return {"error": "a bench in a page cannot do this: it needs the daemon"}
        try:
            return self._bench.exchange(command)
        except ConfigurationError as error:
            return {"error": error.message}


class _Memory:
    """What a page reads of the rings: the newest snapshot and the lateness. There is no log."""

    def __init__(self) -> None:
        self.newest: bytes | None = None
        self.snapshots: Final = SimpleNamespace(get=lambda: self.newest)
        self.lateness: Final = Histogram()

    def event_reader(self) -> Any:
        return SimpleNamespace(read=list, written=0, position=0, capacity=1)


class PageBench:
    """One bench and the page that shows it. `send` takes each message: text, or the bytes of a snapshot.

    `missed`: ticks that were left out because the worker came too late for them.
    """

    def __init__(self, bench: VirtualBench, file: BenchFile, send: Callable[[str | bytes], None]) -> None:
        """`file`: what the bench was made from."""
        self.bench: Final = bench
        self.missed = 0
        self._send: Final = send
        self._memory: Final = _Memory()
        control = cast(ControlClient, _Control(bench))
        self._feed: Final = Feed(cast(Rings, self._memory), control, cast(Any, None))
        roster = Roster()
        overrides = PageOverrides(control, roster)
        self._router: Final = CommandRouter(control, roster, overrides, Library(None), read_only=False)
        self._raw: Final = {bus: one.get("raw", {}) for bus, one in file.file.data["buses"].items()}
        self._databases: Final = {bus: [*file.databases.get(bus, ())] for bus in self._raw}
        self._decode()
        self._feed.viewers = 1
        roster.join(self, "this page")
        self._known = -1
        self._shown = -1
        self._sent: Sequence[str] = ()
        self._tasks: Final = [asyncio.ensure_future(work) for work in (self._feed.run(), overrides.run())]

    def greet(self) -> None:
        """Send what a page is told first."""
        parts = self.bench.parts
        wiring = parts.wiring
        codes = wiring.control_units.troubles.codes()
        facts = facts_of(wiring.settings, parts.vehicle.settings, codes, wiring.entries)
        facts |= {"run": "page", "gauges": gauges_of(wiring.plan.frames, wiring.entries)}
        self._send(wire.hello(facts, [], read_only=False, rate=SNAPSHOTS))

    def advance(self, seconds: float) -> None:
        """Run the ticks of a time; send what is new to the page."""
        self.bench.advance(seconds)
        self._show()

    def leave_out(self, seconds: float) -> None:
        """Count the ticks of a time that the worker came too late for."""
        self.missed += round(seconds * self.bench.parts.settings.rate)

    async def take(self, text: str) -> None:
        """Carry out a command of the page."""
        request = wire.parse(text)
        self._send(wire.answer(request.number, await self._router.execute(self, request.command)))

    @property
    def rate(self) -> int:
        return self.bench.parts.settings.rate

    def buses(self) -> list[str]:
        return [*self.bench.parts.settings.buses]

    def candump(self) -> str:
        return candump(self.bench)

    def ask_unit(self, request: str) -> str:
        """Send a diagnostic request in hexadecimal to the first control unit; return its answer, or what is wrong."""
        try:
            return self.bench.uds(bytes.fromhex(request)).hex(" ").upper()
        except (ConfigurationError, AssertionError, ValueError, TimeoutError) as error:
            return f"no answer: {error}"

    def add_database(self, name: str, content: bytes, bus: str) -> str:
        """Decode the frames of a bus by one more database, before all others; return how many messages it has."""
        file = Path("/tmp", Path(name).name)  # noqa: S108 - in the memory of the worker, which nobody shares
        file.write_bytes(content)
        try:
            count = len(load_database(file).messages)
        except ConfigurationError as error:
            return f"{name}: {error.message}"
        self._databases[bus].insert(0, file)
        self._decode()
        return f"{name}: {count} messages, on {bus}"

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.bench.close()

    def _decode(self) -> None:
        self._feed.show_decoders({bus: Decoder(files, self._raw[bus]) for bus, files in self._databases.items()})

    def _show(self) -> None:
        parts = self.bench.parts
        t = round(self.bench.time * 1e9)
        received = sum(bus.received for bus in parts.buses.values())
        sent = sum(gate.statistics.passed for gate in parts.gates.values())
        channels = self.bench.data.channels
        ticks = round(self.bench.time * parts.settings.rate)
        snapshot = Snapshot(t, ticks, self.missed, received, sent, 0, 0, 0, 0, channels)
        self._memory.newest = snapshot.encode()
        self._send(self._memory.newest)
        roster = self._router.roster
        if roster.changes != self._known:
            self._known = roster.changes
            self._send(wire.viewers(roster.view(self)))
        if self._feed.round != self._shown:
            self._shown = self._feed.round
            for message in self._feed.messages:
                if message and message not in self._sent:
                    self._send(message)
            self._sent = self._feed.messages


def page_choices() -> str:
    """Return `choices` as JSON."""
    return json.dumps(choices())
