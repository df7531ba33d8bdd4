"""Where a run is spoken to and seen: the control socket and the page. A bench runs without them too."""

from pathlib import Path
from typing import Any, NamedTuple

from hilbridge.bench.bench import Bench
from hilbridge.bench.connection_log import ConnectionLog
from hilbridge.cockpit.page_info import facts_of, files_of
from hilbridge.cockpit.process import CockpitProcess
from hilbridge.cockpit.setup_message import SetupMessage
from hilbridge.common.errors import LinkError
from hilbridge.control import commands
from hilbridge.control.socket_paths import private, socket_path
from hilbridge.links.control_socket import ControlSocket
from hilbridge.observe.bench_archive import BenchArchive
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings


class Shared(NamedTuple):
    """Memory that other processes have too; a dossier only where there was room for it."""

    rings: Rings
    bench_archive: BenchArchive | None


def open_control_socket(bench: Bench, connections: ConnectionLog, reporter: Reporter) -> ControlSocket | None:
    """None where there is to be none, where it cannot be made, or where another bench of this name has it."""
    settings = bench.settings.control
    if not settings.enabled:
        return None
    try:
        path = Path(settings.socket) if settings.socket is not None else socket_path(bench.settings.name)
        if settings.socket is None:
            private(path.parent)
        control = ControlSocket(path, int(settings.mode, 8))
    except (LinkError, OSError) as error:
        reporter.warning(0, "control socket not open", reason=str(error), remedy="control: {socket: PATH}")
        return None
    commands.prepare()
    bench.watch(control.descriptor)
    connections.watch("control socket", control)
    reporter.info(0, "control socket open", path=str(path))
    return control


def open_cockpit(
    bench: Bench, shared: Shared, control: ControlSocket | None, reporter: Reporter
) -> CockpitProcess | None:
    """None where its address cannot be had, or what it is made with is missing."""
    settings, (rings, bench_archive) = bench.settings.cockpit, shared
    if not settings.enabled:
        return None
    if bench_archive is None:
        reporter.warning(0, "cockpit not open", reason="there is no memory for the files of the bench")
        return None
    path, files = None if control is None else control.path, files_of(bench.wiring.bench_files.file)
    try:
        cockpit = CockpitProcess(
            rings, bench_archive, SetupMessage(settings, path, _facts(bench), files, bench_archive.newest)
        )
        cockpit.start()
    except (LinkError, OSError) as error:
        reporter.warning(0, "cockpit not open", reason=str(error))
        return None
    reporter.info(0, "cockpit", url=cockpit.url)
    return cockpit


def tell_cockpit(cockpit: CockpitProcess, bench: Bench, bench_archive: BenchArchive) -> None:
    """The bench has adopted another configuration."""
    cockpit.update(_facts(bench), bench_archive.newest)


def _facts(bench: Bench) -> dict[str, Any]:
    return facts_of(bench.settings, bench.vehicle.settings, bench.servers.troubles.codes())
