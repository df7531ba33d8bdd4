"""The archive of a network unit: a bench whose CAN buses are terminals of FMI-LS-BUS.

It has no interpreter: a bench needs what hilbridge depends on, up to 200 MB of other authors' packages with libraries
of their own, of which a rehearsal would see only those that it has happened to use. So it names the interpreter that
has made it, and that or another with the same version of hilbridge must be where it is used.
"""

import hashlib
import json
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge import __version__
from hilbridge.base.common.bundle_files import write_bundle
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fmu.archive import PLACES, compiled, identifier_of, put
from hilbridge.desk.fmu.description import Unit, describe, document
from hilbridge.desk.fmu.network_worker import FACTS, FOLDER, BenchUnit
from hilbridge.desk.fmu.runtime import executable
from hilbridge.desk.fmu.terminals import COUNTDOWN, MANIFEST, TERMINALS, TERMINALS_PLACE, manifest, terminals
from hilbridge.desk.fmu.variables import left_out, variables
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.bundle import bundle

_CODE: Final = frozenset(("function", "hook", "provider", "python"))
"""Keys that name a function of the user (files/configuration/bundle.py)."""

_NOT_CONNECTED: Final = ("outputs", "boards", "lines", "doip", "xcp")
"""Sections whose ports a unit leaves unconnected, as the virtual clock does."""


class MadeNetwork(NamedTuple):
    """A written unit: its buses, sections of the bench that nothing is connected to, entries left out, bytes."""

    buses: list[str]
    not_connected: list[str]
    left_out: list[str]
    size: int


def write_network(bench: BenchFile, path: Path, made: datetime | None = None, clock: str = COUNTDOWN) -> MadeNetwork:
    """Write the network unit of a bench, FMI 3.0; the same bench, interpreter and time give the same bytes.

    `clock`: the kind of Tx clocks (terminals.py).

    ConfigurationError: the bench has no bus, lockstep clients or Python code of its own, it cannot be built from what
    goes into the unit, there is no C compiler, or this machine has no recipe.
    """
    executable()
    _require_fit(bench)
    buses = list(bench.settings.buses)
    contents = bundle(bench)
    tool = f"hilbridge {__version__}"
    facts = {"version": __version__, "clock": clock}
    identity = hashlib.sha256(repr((facts, sorted(contents.items()), variables())).encode()).hexdigest()[:32]
    name = bench.settings.name
    period = bench.settings.period / 1e9
    unit = Unit(name, identifier_of(bench.path.stem), identity, tool, made or datetime.now(UTC), period, "bench")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")
        write_bundle(folder / FOLDER, contents)
        listed = BenchUnit(folder).variables
        library = compiled(folder, "fmi3.c", "fmi3_network.c")
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
            put(archive, "modelDescription.xml", describe(unit, listed, 3, buses, clock))
            for place in (TERMINALS, TERMINALS_PLACE):
                put(archive, place, document(terminals(buses)))
            put(archive, MANIFEST, document(manifest()))
            put(archive, f"{PLACES[3]}/{unit.model}.so", library, 0o755)
            put(archive, "resources/python", f"{sys.executable}\n".encode())
            put(archive, f"resources/{FACTS}", json.dumps(facts).encode())
            for file, content in sorted(contents.items()):
                put(archive, f"resources/{FOLDER}/{file}", content)
    data = bench.file.data
    not_connected = [section for section in _NOT_CONNECTED if data.get(section)]
    return MadeNetwork(buses, not_connected, list(left_out()), path.stat().st_size)


def _require_fit(bench: BenchFile) -> None:
    settings, vehicle = bench.settings, bench.vehicle.settings
    if not settings.buses:
        raise ConfigurationError(f"{bench.path} has no bus, and a network unit is one for its buses")
    if settings.lockstep:
        names = ", ".join(settings.lockstep)
        raise ConfigurationError(f"{bench.path} has lockstep clients ({names}): in a unit the importer connects them")
    parts = [*(one.type for one in vehicle.blocks), *(one.type for one in vehicle.components)]
    code = [*_code(bench.file.data), *parts]
    if code:
        raise ConfigurationError(f"{bench.path} has code of its own ({', '.join(code)}), which a unit does not take in")


def _code(node: Any) -> Iterator[str]:
    """Yield the functions of the user that a bench file names."""
    for item in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _code(item)
    if isinstance(node, dict):
        yield from (str(node[key]) for key in sorted(_CODE & node.keys()))
