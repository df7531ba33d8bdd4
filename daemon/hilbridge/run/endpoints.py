"""The connections of a run in real time: ports of the bench, control socket, page. A bench runs without them too."""

from pathlib import Path
from typing import Any, Final

from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import ConnectionLog
from hilbridge.clock import Clock
from hilbridge.cockpit.page_info import facts_of, files_of
from hilbridge.cockpit.process import CockpitProcess
from hilbridge.cockpit.setup_message import SetupMessage
from hilbridge.common.errors import LinkError
from hilbridge.common.units import MILLISECOND
from hilbridge.control import commands
from hilbridge.control.socket_paths import make_private, socket_path
from hilbridge.links.control_socket import ControlSocket, Handle
from hilbridge.run.observation import Observation
from hilbridge.settings import BenchSettings


def control_path(settings: BenchSettings) -> Path:
    """Return the path of the control socket of a bench."""
    return socket_path(settings.name) if settings.control.socket is None else Path(settings.control.socket)


class Endpoints:
    """The connections log, the control socket and the page of a run, each once it is open."""

    def __init__(self, bench: Bench, observation: Observation) -> None:
        self.cockpit: CockpitProcess | None = None
        self._bench: Final = bench
        self._observation: Final = observation
        self._reporter: Final = observation.reporter
        self._connections: ConnectionLog | None = None
        self._control: ControlSocket | None = None

    def open(self, *, page: bool) -> None:
        """Log how the bench is reached, and open the control socket and the page.

        An endpoint that cannot be opened is a line of the log with the reason; the run continues without it.
        """
        self._connections = ConnectionLog(self._reporter, self._bench)
        self._connections.introduce()
        if self._bench.settings.control.enabled:
            self._open_control_socket(self._connections)
        if page and self._bench.settings.cockpit.enabled:
            self._open_cockpit()

    def log_changes(self, clock: Clock) -> None:
        """Log what has changed about the connections; called at the end of each tick."""
        if self._connections is not None:
            self._connections.write(clock)

    def serve_control(self, handle: Handle, clock: Clock) -> None:
        """Take commands and make answers: a turn for each millisecond of the tick."""
        control = self._control
        if control is not None and (control.is_busy or control.descriptor in self._bench.ready):
            control.poll(handle, max(1, clock.wall_period // MILLISECOND))

    def poll(self, t: int) -> None:
        """Supervise the cockpit process; called some ten times a second."""
        if self.cockpit is not None:
            self.cockpit.poll(t)

    def update(self) -> None:
        """Send the configuration that the bench has adopted to the cockpit."""
        if self.cockpit is not None and self._observation.bench_archive is not None:
            self.cockpit.update(self._facts(), self._observation.bench_archive.newest)

    def close(self) -> None:
        """Close the page and the control socket."""
        if self.cockpit is not None:
            self.cockpit.close()
        if self._control is not None:
            self._control.close()

    def _open_control_socket(self, connections: ConnectionLog) -> None:
        settings = self._bench.settings.control
        try:
            path = control_path(self._bench.settings)
            if settings.socket is None:
                make_private(path.parent)
            control = self._control = ControlSocket(path, int(settings.mode, 8))
        except (LinkError, OSError) as error:
            remedy = "control: {socket: PATH}"
            self._reporter.warning(0, "control socket not open", reason=str(error), remedy=remedy)
            return
        commands.warm_up()
        self._bench.watch(control.descriptor)
        connections.watch("control socket", control.statistics)
        self._reporter.info(0, "control socket open", path=str(path))

    def _open_cockpit(self) -> None:
        rings, archive = self._observation.rings, self._observation.bench_archive
        if archive is None:
            self._reporter.warning(0, "cockpit not open", reason="there is no memory for the files of the bench")
            return
        path = None if self._control is None else self._control.path
        files = files_of(self._bench.wiring.bench_files.file)
        setup = SetupMessage(self._bench.settings.cockpit, path, self._facts(), files, archive.newest)
        try:
            cockpit = CockpitProcess(rings, archive, setup)
            cockpit.start()
        except (LinkError, OSError) as error:
            self._reporter.warning(0, "cockpit not open", reason=str(error))
            return
        self.cockpit = cockpit
        self._reporter.info(0, "cockpit", url=cockpit.url)

    def _facts(self) -> dict[str, Any]:
        wiring = self._bench.wiring
        codes = wiring.control_units.troubles.codes()
        return facts_of(wiring.settings, self._bench.vehicle.settings, codes, wiring.entries)
