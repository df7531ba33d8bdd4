"""The units of systemd that run benches, as `systemctl show` describes them."""

import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hilbridge.boundary.control.socket_paths import SYSTEM

SERVICE: Final = "hilbridge.service"

BOOTED: Final = Path("/run/systemd/system")
"""There where systemd runs the machine (sd_booted(3))."""

_INSTANCES: Final = "hilbridge@*.service"

_MENDING: Final = "hilbridge-mend@"

_PROPERTIES: Final = (
    "Id",
    "LoadState",
    "ActiveState",
    "SubState",
    "Result",
    "UnitFileState",
    "StatusText",
    "StateChangeTimestamp",
    "NRestarts",
    "MainPID",
    "ExecMainStatus",
    "User",
    "SupplementaryGroups",
    "LimitRTPRIO",
    "LimitMEMLOCK",
    "ControlGroup",
    "ExecStart",
)

_LONGEST: Final = 5.0
"""[s] for an answer of systemctl."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit and its properties, by their names in systemd.service(5) and org.freedesktop.systemd1(5)."""

    name: str
    properties: dict[str, str]

    def __getitem__(self, name: str) -> str:
        return self.properties.get(name, "")

    @property
    def is_loaded(self) -> bool:
        """Whether the unit is installed."""
        return self["LoadState"] == "loaded"

    @property
    def is_running(self) -> bool:
        return self["MainPID"] not in ("", "0")

    @property
    def user(self) -> str:
        return self["User"] or "root"

    @property
    def bench(self) -> str:
        """The bench file that the unit runs, as its command line has it; empty: none."""
        argv = self["ExecStart"].partition("argv[]=")[2].partition(" ;")[0]
        words = shlex.split(argv) if argv.count("'") % 2 == 0 and argv.count('"') % 2 == 0 else argv.split()
        return next((word for word in words[1:] if word.endswith(".yaml")), "") if "run" in words else ""


def mending_unit(name: str) -> str:
    """Return the unit that watches the wrong bench file of another one."""
    return f"{_MENDING}{name.removesuffix('.service')}.service"


def mending_page_file(name: str) -> Path:
    """Return the file with the address of the page that says why a unit does not start."""
    return SYSTEM / f"{name}.page"


def is_booted() -> bool:
    """Return whether systemd runs this machine."""
    return BOOTED.is_dir()


def units(*names: str) -> list[Unit]:
    """Return the units of benches: hilbridge.service, instances that are loaded, and those that are named.

    None where systemctl is missing or does not answer.
    """
    program = shutil.which("systemctl")
    if program is None:
        return []
    wanted = [SERVICE, _INSTANCES, *names]
    command = [program, "show", *wanted, f"--property={','.join(_PROPERTIES)}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_LONGEST, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    found: dict[str, Unit] = {}
    for block in done.stdout.split("\n\n"):
        properties = dict(line.partition("=")[::2] for line in block.splitlines())
        if name := properties.get("Id"):
            found[name] = Unit(name, properties)
    return list(found.values())


def unit_of(file: Path) -> Unit | None:
    """Return the unit that runs a bench file; None: none does."""
    file = file.absolute()
    for unit in units(f"hilbridge@{file.stem}.service") if is_booted() else ():
        if unit.is_loaded and unit.bench and _same(Path(unit.bench), file):
            return unit
    return None


def _same(one: Path, other: Path) -> bool:
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False
