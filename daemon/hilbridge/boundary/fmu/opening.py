"""The start of FMUs: read within bounds, compared with the tables of the bench file, trusted, unpacked, started.

In this order: a file that is refused has run nothing. What is unpacked is the content that the gate has seen.
"""

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import (
    ConfigurationError,
    ErrorCollector,
    KeyPath,
    LinkError,
    Sought,
    quoted,
    reason_of,
)
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.child_process import spawn
from hilbridge.base.trust.code import read_code
from hilbridge.base.trust.gate import UntrustedCodeError, require_trust
from hilbridge.boundary.fmu.port import FmuPort
from hilbridge.files.fmu.description import REALS, Description, Variable
from hilbridge.files.fmu.package import Package, read_package, unpack
from hilbridge.files.fmu.physical_units import Line, conversion
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import in_whole_ticks
from hilbridge.files.settings.fmu import FmuSettings, Variables
from hilbridge.frames.codec.custom import entries_of
from vehiclesim.entries import Entries

_NEAR: Final = 1e-9
"""Share of a step by which it may differ from whole internal steps."""


class Loaded(NamedTuple):
    """An FMU that may be started: its files, and what its process is told."""

    package: Package
    job: dict[str, Any]
    takes: list[Line]
    gives: list[Line]


def require_fmus(settings: BenchSettings) -> None:
    """Check the FMUs of a bench, and start none. ConfigurationError, with the key path: see `load`."""
    errors = ErrorCollector()
    for name in settings.fmu:
        with errors.attempt():
            load(name, settings)
    errors.verdict()


def load(name: str, bench: BenchSettings) -> Loaded:
    """Return an FMU of a bench. ConfigurationError, with the key path: it is refused, or is not trusted."""
    settings, place = bench.fmu[name], ("fmu", name, "file")
    path = Path(settings.file)
    try:
        if not is_file(path):
            raise ConfigurationError(f"there is no file {quoted(settings.file, 300)}")
        code = read_code(path)
        if settings.sha256 not in (None, code.digest):
            raise ConfigurationError(f"{quoted(settings.file, 300)} is another file: its SHA-256 is {code.digest}")
        package = read_package(code.text)
        if require_trust(path).digest != code.digest:
            raise ConfigurationError(f"{quoted(settings.file, 300)} has changed while it was read")
    except UntrustedCodeError as error:
        raise UntrustedCodeError(error.message, place) from None
    except ConfigurationError as error:
        raise ConfigurationError(f"{quoted(path.name, 100)}: {error.message}", place) from None
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{quoted(settings.file, 300)} cannot be read: {reason_of(error)}", place) from None
    if find_spec("fmpy") is None:
        raise ConfigurationError("needs FMPy: pip install 'hilbridge[fmi]'", ("fmu", name))
    step = bench.period if settings.step is None else in_whole_ticks(settings.step, bench.period)
    return _matched(name, settings, package, step / SECOND, entries_of(bench.custom))


def _matched(name: str, settings: FmuSettings, package: Package, step: float, entries: Entries) -> Loaded:
    """Compare the tables with the description. ConfigurationError, with the key path: what does not fit."""
    described = package.description
    errors = ErrorCollector()
    takes: list[tuple[Variable, Line]] = []
    gives: list[tuple[Variable, Line]] = []
    for key, variables, found in (("inputs", settings.inputs, takes), ("outputs", settings.outputs, gives)):
        for place, variable, entry in _rows(key, variables):
            with errors.attempt():
                found.append(_of_entry(described, variable, entry, entries, key, ("fmu", name, *place)))
    starts = []
    for variable in settings.start:
        with errors.attempt():
            starts.append(_variable(described, variable, ("fmu", name, "start", variable)))
    internal = described.internal_step
    if internal and abs(step / internal - round(step / internal)) > _NEAR * step / internal:
        with errors.attempt():
            raise ConfigurationError(
                f"{step:g} s is no multiple of its own step of {internal:g} s", ("fmu", name, "step")
            )
    errors.verdict()
    job = {
        "name": name,
        "version": described.version,
        "token": described.token,
        "identifier": described.identifier,
        "library": package.library,
        "step": step,
        "inputs": [(one.reference, one.kind) for one, _ in takes],
        "outputs": [(one.reference, one.kind) for one, _ in gives],
        "starts": [(one.reference, one.kind) for one in starts],
        "values": list(settings.start.values()),
    }
    return Loaded(package, job, [line for _, line in takes], [line for _, line in gives])


def _rows(key: str, variables: Variables) -> Iterator[tuple[KeyPath, str, str]]:
    """Yield place, variable and entry of a table."""
    if isinstance(variables, dict):
        yield from (((key, name), name, entry) for name, entry in variables.items())
    else:
        yield from (((key, number), name, name) for number, name in enumerate(variables))


def _variable(described: Description, name: str, place: KeyPath) -> Variable:
    variable = described.variables.get(name)
    if variable is None:
        raise ConfigurationError(f"has no variable {quoted(name)}", place, Sought(name, list(described.variables)))
    if not variable.kind or variable.is_array:
        raise ConfigurationError(f"{quoted(name)} is {'an array' if variable.is_array else 'no number'}", place)
    return variable


def _of_entry(
    described: Description, name: str, path: str, entries: Entries, key: str, place: KeyPath
) -> tuple[Variable, Line]:
    """Return the variable of a row of a table, and how a value becomes one of the other side."""
    variable = _variable(described, name, place)
    if key == "inputs" and variable.causality != "input":
        raise ConfigurationError(f"{quoted(name)} is no input: its causality is {quoted(variable.causality)}", place)
    found = entries.find(path)  # bench/fmu/values.py says it where there is none
    unit = "" if found is None else entries.at(found).unit
    if variable.kind not in REALS:
        return variable, Line()
    try:
        pair = (unit, variable.unit) if key == "inputs" else (variable.unit, unit)
        return variable, conversion(*pair, described.units)
    except ConfigurationError as error:
        raise ConfigurationError(f"{quoted(name)} and {path}: {error.message}", place) from None


def start(name: str, bench: BenchSettings, *, waits: bool) -> FmuPort:
    """Start an FMU, and wait for its first outputs; `waits`: as of FmuPort.

    ConfigurationError: as of `load`. LinkError: it cannot be started, or refuses.
    """
    loaded = load(name, bench)
    timeout = bench.fmu[name].timeout
    with ExitStack() as stack:
        try:
            folder = Path(tempfile.mkdtemp(prefix="hilbridge-fmu-"))
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            unpack(loaded.package, folder / "unit")
            job = folder / "job.json"
            job.write_text(json.dumps(loaded.job | {"folder": str(folder / "unit")}), encoding="utf-8")
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.enter_context(ours)
            with theirs:
                child = spawn("hilbridge.boundary.fmu.child", [theirs.fileno()], os.getpid(), job)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, ("fmu", name, "file")) from None
        except OSError as error:
            raise LinkError(f"FMU {name} cannot be started: {reason_of(error)}") from error
        port = FmuPort(name, child, ours, folder, takes=loaded.takes, gives=loaded.gives, timeout=timeout)
        stack.pop_all()
    port.begin(waits=waits)
    if port.trouble:
        port.close()
        raise LinkError(port.trouble)
    return port
