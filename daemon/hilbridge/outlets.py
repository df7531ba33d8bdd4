"""Where a run is spoken to and seen: the control socket and the page. A bench runs without them too."""

from pathlib import Path

from hilbridge.app import Bench
from hilbridge.cockpit.facts import facts_of, files_of
from hilbridge.cockpit.process import CockpitProcess
from hilbridge.control.places import private, socket_path
from hilbridge.errors import LinkError
from hilbridge.links.control_socket import ControlSocket
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings


def open_control_socket(bench: Bench, reporter: Reporter) -> ControlSocket | None:
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
    bench.watch("control socket", control)
    reporter.info(0, "control socket open", path=str(path))
    return control


def open_cockpit(
    bench: Bench, rings: Rings, control: ControlSocket | None, reporter: Reporter
) -> CockpitProcess | None:
    """None where its address cannot be had, or what it is made with is missing."""
    settings = bench.settings.cockpit
    if not settings.enabled:
        return None
    facts = facts_of(bench.settings, bench.vehicle.settings, bench.servers.troubles.codes())
    try:
        files = files_of(bench.wiring.materials.file)
        cockpit = CockpitProcess(settings, rings, None if control is None else control.path, facts, files)
        cockpit.start()
    except (LinkError, OSError) as error:
        reporter.warning(0, "cockpit not open", reason=str(error))
        return None
    reporter.info(0, "cockpit", url=cockpit.url)
    return cockpit
