"""`hilbridge trust [FILE]`: lets the Python code run that a bench, a vehicle or a recording names."""

import argparse
from pathlib import Path

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.resources import Kind, find, names
from hilbridge.base.trust import gate, store
from hilbridge.base.trust.code import read_code
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.runs.run.build import build


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, and the way back."""
    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="bench, vehicle, Python file, or recording; none: list what is trusted"
    )
    parser.add_argument("--forget", action="store_true", help="trust the Python file FILE, or MODULE:NAME, no longer")


def run(options: argparse.Namespace) -> int:
    """Trust the code of a file as it is now, and say which it is; 1 when there was nothing to forget."""
    if options.file is None:
        for entry in store.entries():
            print(f"{entry.digest}  {entry.label}")
        return 0
    if options.forget:
        forgotten = store.forget(options.file)
        print("\n".join(f"no longer trusted: {entry.label}" for entry in forgotten) or "it was not trusted")
        return 0 if forgotten else 1
    options.trust = True
    if options.file.endswith(".py"):
        _trust_python(Path(options.file))
    else:
        _build(options.file)
    for code in gate.passed():
        print(f"trusted: {code.label}")
    if not gate.passed():
        print("it names no Python code of its own")
    return 0


def _trust_python(path: Path) -> None:
    try:
        store.add([read_code(path)])
        gate.require_trust(path)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error


def _build(name: str) -> None:
    """Build what a file describes. ConfigurationError: it names code that is not trusted yet, or is wrong."""
    if is_file(Path(name) / manifest.MANIFEST):
        name = str(Recording(Path(name)).bench)
    elif "vehicle" not in YamlFile.load(_found(name)).data:
        load_vehicle(name)
        return
    build(load_bench(name))


def _found(name: str) -> Path:
    """Return the path of a bench, or else of a vehicle."""
    try:
        return find(Kind.BENCH, name)
    except ConfigurationError:
        if name not in names(Kind.VEHICLE):
            raise
    return find(Kind.VEHICLE, name)
