"""The connections of a run in real time: ports, control socket, page, XCP, fabric. A bench runs without them too."""

import os
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from hilbridge.base.clock import Clock
from hilbridge.base.common.errors import LinkError, NotNowError
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import ConnectionLog
from hilbridge.bench.xcp.part import XcpPart
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.boundary.control import commands
from hilbridge.boundary.control.process import ControlProcess, Execute
from hilbridge.boundary.control.socket_paths import make_private, socket_path
from hilbridge.boundary.observe.carried_frames import CarriedFrame
from hilbridge.boundary.observe.events import About
from hilbridge.boundary.record.state import state_path
from hilbridge.faces.cockpit.gauges import gauges_of
from hilbridge.faces.cockpit.page_info import facts_of, files_of
from hilbridge.faces.cockpit.page_token import token_of
from hilbridge.faces.cockpit.process import CockpitProcess, listen
from hilbridge.faces.cockpit.setup_message import SetupMessage
from hilbridge.faces.fabric.process import FabricProcess
from hilbridge.faces.fabric.setup import Setup
from hilbridge.faces.xcp.process import XcpProcess, open_port
from hilbridge.faces.xcp.setup import setup_of
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.fabric import FabricSettings
from hilbridge.runs.run.observation import Observation

_AGAIN: Final = 5 * SECOND
"""[ns] Between two attempts to open the page."""

_NEVER: Final = 1 << 62
"""[ns] Later than every run."""

_RUN: Final = 8
"""[byte] of the number by which a page knows that another run has begun."""


def control_path(settings: BenchSettings) -> Path:
    """Return the path of the control socket of a bench."""
    return socket_path(settings.name) if settings.control.socket is None else Path(settings.control.socket)


class Endpoints:
    """The connections log, the control socket, the page, XCP and the fabric of a run, each once it is open."""

    def __init__(self, bench: Bench, observation: Observation) -> None:
        self.cockpit: CockpitProcess | None = None
        self.fabric: FabricProcess | None = None
        self._bench: Final = bench
        self._observation: Final = observation
        self._reporter: Final = observation.reporter
        self._connections: ConnectionLog | None = None
        self.control: ControlProcess | None = None
        self._restarts = 0
        self._run: Final = os.urandom(_RUN).hex()
        self._page_trouble = self._control_trouble = ""
        self._next_page: int | None = None  # [ns] when the page is tried again; None: it is open, or not wanted
        self._next_control: int | None = None  # [ns] the same of the control socket
        self.xcp: XcpProcess | None = None
        self._next_xcp = 0  # [ns] when the XCP slave is tried again

    def open(self, *, page: bool, fabric: FabricSettings | None) -> None:
        """Log how the bench is reached, and open the control socket, the page and the fabric.

        An endpoint that cannot be opened is a line of the log with the reason; the run continues without it.
        """
        self._connections = ConnectionLog(self._reporter, self._bench)
        self._connections.introduce()
        if self._bench.settings.control.enabled:
            self._open_control_socket(0, self._connections)
        if page and self._bench.settings.cockpit.enabled:
            self._open_cockpit(0)
        self._open_xcp(0)
        if fabric is not None:
            self._open_fabric(fabric)

    def log_changes(self, clock: Clock) -> None:
        """Log what has changed about the connections; called at the end of each tick."""
        if self._connections is not None:
            self._connections.write(clock)

    def serve_control(self, execute: Execute, clock: Clock) -> None:
        """Take commands and make answers: a turn for each millisecond of the tick."""
        control = self.control
        if control is not None and (control.is_busy or control.descriptor in self._bench.ready):
            control.serve(execute, max(1, clock.wall_period // MILLISECOND))

    def poll(self, t: int) -> None:
        """Supervise the processes of control socket, page, XCP and fabric; called some ten times a second."""
        if self.control is not None:
            self.control.poll(t)
            if self.control.restarts != self._restarts:
                self._restarts = self.control.restarts
                self._reporter.warning(t, "control process restarted", times=self._restarts)
            while self.control.news:
                self._reporter.warning(t, "control socket", reason=self.control.news.popleft())
        elif self._next_control is not None and t >= self._next_control and self._connections is not None:
            self._open_control_socket(t, self._connections)
        if self.cockpit is not None:
            self.cockpit.poll(t)
        elif self._next_page is not None and t >= self._next_page:
            self._open_cockpit(t)
        if self.xcp is not None:
            self.xcp.poll(t)
        elif t >= self._next_xcp:
            self._open_xcp(t)
        if self.fabric is not None:
            self.fabric.poll(t)

    def update(self) -> None:
        """Send the configuration that the bench has adopted to the cockpit, the XCP slave and the fabric."""
        if self.cockpit is not None and self._observation.bench_archive is not None:
            self.cockpit.update(self._facts(), self._observation.bench_archive.newest)
        if self.xcp is not None:
            self.xcp.update(self._bench.wiring.entries.custom)
        if self.fabric is not None:
            self.fabric.update(self._own_entries())

    def close(self) -> None:
        """Close the fabric, the XCP slave, the page and the control socket."""
        if self.fabric is not None:
            self.fabric.close()
        if self.xcp is not None:
            if (part := self._bench.wiring.xcp) is not None:
                part.end()
            self.xcp.close()
        if self.cockpit is not None:
            self.cockpit.close()
        if self.control is not None:
            self.control.close()

    def _open_control_socket(self, t: int, connections: ConnectionLog) -> None:
        """Open the control socket; where that cannot be, its folder is missing for instance, it is tried again."""
        settings = self._bench.settings.control
        try:
            path = control_path(self._bench.settings)
            if settings.socket is None:
                make_private(path.parent)
            control = ControlProcess(path, int(settings.mode, 8))
        except (LinkError, OSError) as error:
            self._await_control_socket(t, str(error))
            return
        try:
            control.start()
        except OSError as error:
            control.close()
            self._await_control_socket(t, str(error))
            return
        self.control, self._control_trouble, self._next_control = control, "", None
        commands.warm_up()
        self._bench.watch(control.descriptor)
        connections.watch("control socket", control.statistics)
        self._reporter.info(t, "control socket open", path=str(path))

    def _await_control_socket(self, t: int, reason: str) -> None:
        if reason != self._control_trouble:
            remedy = "it is tried again by itself; another place: control: {socket: PATH}"
            self._reporter.warning(t, "control socket not open", reason=reason, remedy=remedy)
        self._control_trouble, self._next_control = reason, t + _AGAIN

    @property
    def troubles(self) -> dict[str, str]:
        """The doors that are not open and are tried again, by name, with the reason."""
        closed = {"page": self._page_trouble, "control socket": self._control_trouble}
        if (part := self._bench.wiring.xcp) is not None:
            closed["XCP slave"] = part.trouble
        return {name: f"the {name} is NOT OPEN: {reason}" for name, reason in closed.items() if reason}

    def _open_xcp(self, t: int) -> None:
        """Open the XCP slave of a bench that has one; where its port cannot be had yet, it is tried again and again."""
        part = self._bench.wiring.xcp
        if part is None:
            self._next_xcp = _NEVER
            return
        try:
            self.xcp = self._start_xcp(part)
        except (LinkError, OSError) as error:
            if str(error) != part.trouble:
                self._reporter.warning(t, "XCP not open", reason=str(error), remedy="it is tried again by itself")
            part.trouble, self._next_xcp = str(error), t + _AGAIN
            return
        part.trouble = ""
        self._reporter.info(t, "XCP", where=part.where)

    def _start_xcp(self, part: XcpPart) -> XcpProcess:
        """Start the process of a slave. LinkError, OSError: it cannot be at present."""
        bench = self._bench
        settings = part.settings
        custom, pace = bench.wiring.entries.custom, About.decode(self._observation.rings.about).pace
        setup = setup_of(bench.settings, bench.vehicle.settings, custom, control_path(bench.settings), pace)
        with ExitStack() as on_failure:
            port = open_port(settings)
            if port is not None:
                on_failure.enter_context(port)
            memory = SampleMemory.create()
            on_failure.callback(memory.close)
            process = XcpProcess(memory, port, setup, self._reporter)
            on_failure.pop_all()
            on_failure.callback(process.close)
            process.start()
            on_failure.pop_all()
        part.begin(memory, process.where)
        return process

    def _open_cockpit(self, t: int) -> None:
        """Open the page; where its address or port cannot be had yet, it is tried again and again."""
        rings, archive = self._observation.rings, self._observation.bench_archive
        settings = self._bench.settings.cockpit
        if archive is None:
            self._reporter.warning(0, "cockpit not open", reason="there is no memory for the files of the bench")
            return
        try:
            listener = listen(settings)  # before the facts of the bench are collected
        except NotNowError as error:
            self._await_page(t, str(error))
            return
        except LinkError as error:
            self._reporter.warning(t, "cockpit not open", reason=str(error))
            return
        path = control_path(self._bench.settings) if self._bench.settings.control.enabled else None
        files = files_of(self._bench.wiring.bench_files.file)
        token = token_of(settings, state_path(self._bench.settings.state, self._bench.settings.name))
        setup = SetupMessage(settings, path, self._facts(), files, archive.newest, token)
        cockpit = CockpitProcess(rings, archive, setup, listener)
        try:
            cockpit.start()
        except OSError as error:
            cockpit.close()
            self._await_page(t, str(error))
            return
        self.cockpit, self._page_trouble, self._next_page = cockpit, "", None
        self._reporter.info(t, "cockpit", url=cockpit.url)

    def _await_page(self, t: int, reason: str) -> None:
        if reason != self._page_trouble:
            self._reporter.warning(t, "cockpit not open", reason=reason, remedy="it is tried again by itself")
        self._page_trouble, self._next_page = reason, t + _AGAIN

    def _open_fabric(self, settings: FabricSettings) -> None:
        bench = self._bench
        setup = Setup(
            bench=bench.settings.name,
            vehicle=bench.vehicle.settings.name,
            control=None if self.control is None else str(self.control.path),
            port=settings.port,
            config=settings.config,
            rate=settings.rate,
            allow=tuple(settings.allow),
            custom=self._own_entries(),
        )
        fabric = FabricProcess(self._observation.rings, self._reporter, setup)
        try:
            fabric.start()
        except OSError as error:
            fabric.close()
            self._reporter.warning(0, "fabric not open", reason=str(error))
            return
        self.fabric = fabric

    def _own_entries(self) -> tuple[tuple[str, int, str], ...]:
        return tuple((entry.path, entry.resolution, entry.unit) for entry in self._bench.wiring.entries.custom)

    def _facts(self) -> dict[str, Any]:
        wiring = self._bench.wiring
        codes = wiring.control_units.troubles.codes()
        facts = facts_of(wiring.settings, self._bench.vehicle.settings, codes, wiring.entries)
        gauges = gauges_of(wiring.plan.frames, wiring.entries)
        self._carry({(gauge["bus"], gauge["message"]) for gauge in gauges})
        return facts | {"run": self._run, "gauges": gauges}

    def _carry(self, messages: Collection[tuple[str, str]]) -> None:
        """Have the frames of messages, by bus and name, written for the page while it watches their buses."""
        bench, names = self._bench, [*self._bench.buses]
        frames = [
            (names.index(frame.bus.name), frame)
            for frame in bench.wiring.plan.frames
            if (frame.bus.name, frame.outgoing.message) in messages
        ]

        def newest() -> Iterator[CarriedFrame]:
            for index, frame in frames:
                sighting = bench.newest_sent(names[index], frame.can_id)
                if sighting is not None:
                    yield CarriedFrame(sighting.t, frame.can_id, index, sighting.frame.data)

        self._reporter.carry(newest, bench.settings.cockpit.rate)
