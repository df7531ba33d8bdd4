"""The archive of an FMU: description, library for the machine, and resources with interpreter and vehicle."""

import hashlib
import json
import pickle
import re
import shutil
import subprocess
import tempfile
import zipfile
from datetime import UTC, datetime
from importlib.metadata import version as version_of
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fmu.description import Unit, describe
from hilbridge.desk.fmu.runtime import collect
from hilbridge.desk.fmu.variables import left_out, variables
from hilbridge.files.configuration.vehiclefile import VehicleFile

VERSIONS: Final = (2, 3)
STEP: Final = 0.001
"""[s], of the model within a step of the importer: that of a bench of 1 kHz."""

PLACES: Final = {2: "binaries/linux64", 3: "binaries/x86_64-linux"}
_FLAGS: Final = ("-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-s")
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)


class Made(NamedTuple):
    """A written unit: variables, entries that no variable has, bytes."""

    inputs: int
    outputs: int
    left_out: list[str]
    size: int


def write(vehicle: VehicleFile, path: Path, version: int, made: datetime | None = None) -> Made:
    """Write the FMU of a vehicle for FMI 2 or 3; the same vehicle and time give the same bytes.

    ConfigurationError: the vehicle has Python code of its own, there is no C compiler, or this machine has no recipe.
    """
    settings = vehicle.settings
    if settings.blocks or settings.components:
        types = {*(one.type for one in settings.blocks), *(one.type for one in settings.components)}
        names = ", ".join(sorted(types))
        raise ConfigurationError(f"{vehicle.path} has code of its own ({names}), which an FMU does not take in yet")
    listed = variables()
    parameters = pickle.dumps(settings)
    tool = f"hilbridge {version_of('hilbridge')}"
    identity = hashlib.sha256(repr((tool, version, settings, listed)).encode()).hexdigest()[:32]
    unit = Unit(settings.name, identifier_of(vehicle.path.stem), identity, tool, made or datetime.now(UTC), STEP)
    rows = [(one.channel, one.place, *(one.entry.limits or (None, None)), one.entry.path) for one in listed]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "vehicle.bin").write_bytes(parameters)
        content = {"identity": identity, "step": STEP, "variables": rows}
        (folder / "unit.json").write_text(json.dumps(content), encoding="utf-8")
        worker = files("hilbridge.desk.fmu") / "worker.py"
        (folder / "worker.py").write_bytes(worker.read_bytes())
        resources = collect(folder) | {one.name: one for one in folder.iterdir()}
        library = compiled(folder, f"fmi{version}.c", *(("fmi3_plain.c",) if version == 3 else ()))
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as archive:
            put(archive, "modelDescription.xml", describe(unit, listed, version))
            put(archive, f"{PLACES[version]}/{unit.model}.so", library, 0o755)
            for name, file in sorted(resources.items()):
                put(archive, f"resources/{name}", file.read_bytes(), 0o755 if "/bin/" in name else 0o644)
            put(archive, f"resources/runtime/lib/{_lib_dynload(resources)}/.keep", b"")
    inputs = sum(one.is_input for one in listed)
    return Made(inputs, len(listed) - inputs, list(left_out()), path.stat().st_size)


def _lib_dynload(resources: dict[str, Path]) -> str:
    """Return the folder of extension modules, by which the interpreter knows its place; it may be empty."""
    parts = next(name for name in resources if name.startswith("runtime/lib/python")).split("/")
    return f"{parts[2]}/lib-dynload"


def put(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    """Add a file; equal files give equal archives."""
    entry = zipfile.ZipInfo(name, _EARLIEST)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    archive.writestr(entry, content)


def identifier_of(name: str) -> str:
    """Return a name of the library that is one of C, too (FMI 2.0.4, 2.2.1: modelIdentifier)."""
    word = re.sub(r"\W", "_", name, flags=re.ASCII)
    return word if word[:1].isalpha() else f"vehicle_{word}"


def compiled(folder: Path, *sources: str) -> bytes:
    """Return the library that an importer loads. ConfigurationError: there is no compiler, or it fails."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise ConfigurationError("an FMU has a library in C: needs cc, on Debian: apt-get install gcc libc6-dev")
    library = folder / "library.so"
    with as_file(files("hilbridge.desk.fmu") / "native") as native:
        command = [compiler, *_FLAGS, "-o", str(library), *(str(native / name) for name in ("vehicle.c", *sources))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ConfigurationError(f"the library of the FMU does not compile: {done.stderr.strip()[-500:]}")
    return library.read_bytes()
