"""`hilbridge state`: the stored state of a bench: where it is, what it says, its backup, and the way back."""

import argparse
import json
import os
import pwd
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import is_folder
from hilbridge.base.common.words import counted
from hilbridge.base.resources import Kind, find
from hilbridge.boundary.record.state import FORMAT, MEMORY_PIECES, StateData, state_path
from hilbridge.boundary.record.state_backup import back_up, load_backup, restore
from hilbridge.boundary.record.state_lock import owner_of_lock
from hilbridge.files.configuration.yamlfile import YamlFile

SERVICE_BENCH: Final = Path("/etc/hilbridge/bench.yaml")
SERVICE_FOLDER: Final = Path("/var/lib/hilbridge")
"""As systemd/hilbridge.service has them."""

_PRESENT: Final = ("failing", "pending", "confirmed", "permanent")
"""States of a trouble code; a code without any is listed in the file too."""

_STATE: Final = ".json"
"""Extension of a stored state, where the command line names the file itself."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the actions."""
    parser.description = (
        "The stored state of a bench: odometer, operating hours, fuel, trouble codes, written identifiers and memory. "
        f"That of a bench below {SERVICE_BENCH.parent} is in {SERVICE_FOLDER}, as the service keeps it; that of others "
        "where its 'state' says, or in the state folder of the user."
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    bench = argparse.ArgumentParser(add_help=False)
    bench.add_argument(
        "bench",
        nargs="?",
        metavar="BENCH",
        help=f"bench file or name, or the stored state itself, NAME{_STATE} (default: {SERVICE_BENCH} where it is, "
        "else demo)",
    )
    show = actions.add_parser("show", parents=[bench], help="what it says, who may write it, and the copies beside it")
    show.add_argument("--json", action="store_true", help="as one JSON object, with everything that is stored")
    backup = actions.add_parser(
        "backup", parents=[bench], help="copy it into a file, also while the bench runs: a minute old at most then"
    )
    backup.add_argument("--output", "-o", type=Path, metavar="FILE", help="default: NAME-DATE-TIME.json, here")
    backup.add_argument("--force", action="store_true", help="write FILE even if there is one")
    back = actions.add_parser(
        "restore",
        help="put a backup, or a copy, in its place; the bench must not run. As root, it belongs to its folder's user "
        "afterwards",
    )
    back.add_argument("file", type=Path, metavar="FILE", help="what `backup` has written, a copy, or the state itself")
    back.add_argument("bench", nargs="?", metavar="BENCH", help="as for `show`")
    actions.add_parser("path", parents=[bench], help="print where it is")


def run(options: argparse.Namespace) -> int:
    """Carry out the action; status 1 where there is no state to show."""
    try:
        return _run(options)
    except OSError as error:
        if error.filename is None:  # that of the output
            raise
        raise ConfigurationError(f"{error.filename}: {error.strerror}") from None


def _run(options: argparse.Namespace) -> int:
    path = path_of_state(options.bench)
    match options.action:
        case "path":
            print(path)
        case "backup":
            name = f"{path.stem}-{time.strftime('%Y%m%d-%H%M%S')}{_STATE}"
            output = options.output or Path(name)
            state = back_up(path, output, force=options.force)
            print(f"{output}: backup of {path}: {', '.join(_words(state))}")
            print(f"it was stored {_age(path)}")
        case "restore":
            state, before = restore(options.file, path)
            print(f"{path}: restored from {options.file}: {', '.join(_words(state))}")
            if before is not None:
                print(f"the state before it is kept as {before}")
            print(f"it is {_rights(path)}")
        case "show":
            return _show(path, as_json=options.json)
    return 0


def default_bench() -> str:
    """Return the bench that an operator means who names none: that of the service, where this machine has one."""
    return str(SERVICE_BENCH) if os.path.lexists(SERVICE_BENCH) else "demo"


def path_of_state(bench: str | None) -> Path:
    """Return the path of the stored state that the command line means. ConfigurationError: none is kept."""
    if bench is None:
        bench = default_bench()
    if bench.endswith(_STATE):
        return Path(bench).absolute()
    file = YamlFile.load(find(Kind.BENCH, bench))
    name, setting = file.data.get("name"), file.data.get("state")
    if not isinstance(name, str) or Path(name).name != name or not isinstance(setting, str | None):
        raise ConfigurationError(f"{file.path}: 'name' or 'state' is wrong: `hilbridge check` says what")
    environment = dict(os.environ)
    if SERVICE_BENCH.parent in file.path.resolve().parents and is_folder(SERVICE_FOLDER):
        environment = {"STATE_DIRECTORY": str(SERVICE_FOLDER)} | environment
    path = state_path(setting, name, environment)
    if path is None:
        raise ConfigurationError(f"{file.path}: 'state: none': nothing is kept of this bench")
    return path


def _show(path: Path, *, as_json: bool) -> int:
    """Print the state and the files beside it; status 1 where there is none that can be used."""
    try:
        _, state = load_backup(path)
        trouble = ""
    except ConfigurationError as error:
        state, trouble = {}, error.message
    beside = sorted(each for each in path.parent.glob(f"{path.name}.*") if each.suffix not in (".lock", ".new"))
    if as_json:
        facts = {"path": str(path), "trouble": trouble, "format": FORMAT, "copies": list(map(str, beside))}
        print(json.dumps(facts | {"used_by": _owner(path), "state": state}, indent=2))
        return 1 if trouble else 0
    print(path)
    rows = list(_described(path, state)) if not trouble else [("not usable", trouble)]
    rows += [("beside it", f"{each.name}: {_beside(each)}") for each in beside]
    for name, text in rows:
        print(f"  {name:<12} {text}")
    return 1 if trouble else 0


def _described(path: Path, state: StateData) -> Iterator[tuple[str, str]]:
    owner = _owner(path)
    yield "stored", f"{_age(path)}, format {FORMAT}, the checksum fits"
    yield "file", f"{path.stat().st_size:,} bytes, {_rights(path)}"
    yield "used by", f"process {owner}" if owner else "no run"
    yield from (("holds", words) for words in _words(state))


def _beside(path: Path) -> str:
    try:
        return f"{', '.join(_words(load_backup(path)[1]))}; {_age(path)}"
    except ConfigurationError as error:
        return error.message


def _owner(path: Path) -> str:
    try:
        return owner_of_lock(path)
    except OSError:
        return "unknown: the lock cannot be read"


def _words(state: StateData) -> Iterator[str]:
    """Yield what a state holds, in short."""
    vehicle = _section(state, "vehicle")
    if isinstance(odometer := vehicle.get("odometer"), int | float):
        yield f"odometer {odometer / 1e6:,.3f} km"
    if isinstance(hours := vehicle.get("engine_hours"), int | float):
        yield f"{hours / 1e6:,.2f} h of the engine"
    codes = sum(_present(unit) for unit in _section(state, "trouble_codes").values() if isinstance(unit, dict))
    yield counted(codes, "trouble code")
    written = sum(len(unit) for unit in _section(state, "identifiers").values() if isinstance(unit, dict))
    yield counted(written, "written identifier")
    pieces = sum(len(unit) for unit in _section(state, MEMORY_PIECES).values() if isinstance(unit, dict))
    if pieces:
        yield f"{counted(pieces, 'piece')} of memory"


def _present(unit: dict[str, Any]) -> int:
    """Return the number of trouble codes of a control unit that a tester is told."""
    troubles = _section(unit, "troubles").values()
    return sum(any(each.get(state) for state in _PRESENT) for each in troubles if isinstance(each, dict))


def _section(state: StateData, name: str) -> dict[str, Any]:
    section = state.get(name)
    return section if isinstance(section, dict) else {}


def _age(path: Path) -> str:
    stored = path.stat().st_mtime
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(stored))} ({max(0, time.time() - stored):,.0f} s ago)"


def _rights(path: Path) -> str:
    status = path.stat()
    try:
        owner = pwd.getpwuid(status.st_uid).pw_name
    except KeyError:
        owner = str(status.st_uid)
    return f"of user {owner}, mode {status.st_mode & 0o777:o}"
