"""A bench with everything that its files name, as files of one folder: what a run was made of.

The bench file in it says the same as the original and its profiles together, but names its neighbours; so the folder
is a bench that can be checked and run on any machine. Installed modules and what the program brings along are not in
it, nor are the secrets of the bench file (files/settings/secrets.py) and its comments.
"""

from collections.abc import Mapping
from copy import deepcopy
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Final

from hilbridge.base.common.bundle_files import folded, read_source, usable_name
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.profiles import TAKEN_OVER
from hilbridge.files.configuration.vehiclefile import VehicleFile
from hilbridge.files.configuration.yamltext import file_text
from hilbridge.files.settings.secrets import without_secrets

BENCH: Final = "bench.yaml"
STATE: Final = "state.json"
"""The name that recordings give to the stored state, beside the bench file."""

_FUNCTIONS: Final = {"function", "hook", "provider", "python"}
"""Keys that name a function of the user."""

_FILES: Final = {"image", "program"}
"""Keys that name a file, wherever in the bench file they stand."""


def bundle(bench: BenchFile, *, runs: bool = False) -> dict[str, bytes]:
    """Return the files by their names; the bench file is BENCH.

    `runs`: with its FMUs, without which it can be checked and replayed; else it has their SHA-256.
    """
    files = _Files()
    data = without_secrets(bench.file.data, bench.settings)
    data["vehicle"] = files.add(bench.vehicle.path, _vehicle(bench.vehicle, files))
    for name, paths in bench.databases.items():
        data["buses"][name]["database"] = [files.add(path) for path in paths]
    for name, profile in bench.profiles.items():
        rest = profile.file.data | {section: {} for section in TAKEN_OVER}
        rest["wiring"] = {pin: wire.text for pin, wire in profile.settings.wiring.items()}  # ends are in the bench
        data["buses"][name]["profile"] = files.add(profile.path, dumped(rest))
    for name, bus in bench.settings.buses.items():
        if bus.rest_bus is not None:
            data["buses"][name]["rest_bus"]["file"] = files.add(bench.path.parent / bus.rest_bus.file)
    if bench.settings.diagnostics.units or bench.settings.diagnostics.j1939 is not None:
        codes = find(Kind.CODES, bench.settings.diagnostics.codes, bench.path)
        data["diagnostics"]["codes"] = files.add(codes)
    _forget_sources(data)
    for source in data.get("inputs") or ():
        if source["source"] == "udp":
            source["layout"] = files.add(bench.layouts[source["layout"]].path)
    _functions(data, bench.path.parent, files)
    _firmware(data, bench.path.parent, files)
    _fmus(data, bench.path.parent, files, runs=runs)
    return {BENCH: dumped(data), **files.contents}


def _forget_sources(data: dict[str, Any]) -> None:
    """Leave out where the keys of units, serial buses and boards came from: they are in the bench file."""
    for unit in data.get("diagnostics", {}).get("units", {}).values():
        unit.pop("unit", None)
        unit.pop("odx", None)
    for section in ("lines", "boards"):
        for wire in (data.get(section) or {}).values():
            wire.pop("profile", None)


class _Files:
    """Files under names of their own, though they may come from several folders."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self._names: dict[Path, str] = {}
        self._taken = {BENCH, STATE}

    def add(self, path: Path, content: bytes | None = None) -> str:
        """Return the name of a file in the folder; its content is read unless it is given."""
        known = self._names.get(path)
        if known is not None:
            return known
        name = own = PurePath(usable_name(path.name))
        number = 1
        while folded(name.name) in self._taken:
            number += 1
            name = own.with_stem(f"{own.stem}-{number}")
        self._names[path] = name.name
        self._taken.add(folded(name.name))
        self.contents[name.name] = read_source(path) if content is None else content
        return name.name


def _functions(node: Any, folder: Path, files: _Files) -> None:
    """Name files, and the Python files of functions, anew, wherever in the bench file they stand."""
    for item in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _functions(item, folder, files)
    if isinstance(node, dict):
        for key in _FILES & node.keys():
            node[key] = files.add(folder / str(node[key]))
        for key in _FUNCTIONS & node.keys():
            file, _, function = str(node[key]).rpartition(":")
            if file.endswith(".py"):
                node[key] = f"{files.add(folder / file)}:{function}"


def _firmware(data: dict[str, Any], folder: Path, files: _Files) -> None:
    """Name the firmware of lockstep clients anew: of other things this key is no file."""
    for client in (data.get("lockstep") or {}).values():
        if "firmware" in client:
            client["firmware"] = files.add(folder / client["firmware"])


def _fmus(data: dict[str, Any], folder: Path, files: _Files, *, runs: bool) -> None:
    """Name FMUs anew, or by their content alone."""
    for fmu in (data.get("fmu") or {}).values():
        path = folder / fmu["file"]
        if runs:
            fmu["file"] = files.add(path)
        elif "sha256" not in fmu:
            fmu["sha256"] = sha256(read_source(path)).hexdigest()
            fmu["file"] = usable_name(path.name)


def _vehicle(vehicle: VehicleFile, files: _Files) -> bytes | None:
    """Return a vehicle file that was changed, or whose Python files are named anew; None: it may stay as it is."""
    data = deepcopy(vehicle.file.data)
    parts = [part for key in ("blocks", "components") for part in data.get(key, ())]
    changed = vehicle.changed
    for part in parts:
        file, _, name = part["type"].rpartition(":")
        if file.endswith(".py"):
            part["type"] = f"{files.add(vehicle.path.parent / file)}:{name}"
            changed = True
    return dumped(data) if changed else None


def dumped(data: Mapping[str, Any]) -> bytes:
    """Return the text of a file with this content, which reads it back as it is."""
    return file_text(data).encode()
