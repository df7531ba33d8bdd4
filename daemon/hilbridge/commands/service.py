"""`hilbridge service`: one screen of how the service is.

Each row is found out by itself, from systemd, from the running bench or from the files, and says why it is not known
where that cannot be: a daemon that is down, a machine without systemd, a user without the group.
"""

import argparse
import getpass
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import arm_remedy
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.base.process.clock_sync import is_synchronised
from hilbridge.base.process.last_end import parse_last_end
from hilbridge.boundary.control.answers import UNREADABLE
from hilbridge.boundary.control.lines import USUAL
from hilbridge.boundary.control.outlets import unarmed
from hilbridge.boundary.control.socket_paths import SYSTEM
from hilbridge.boundary.observe.room import reserve_of
from hilbridge.boundary.record.segments import MEGABYTE
from hilbridge.client.sync_client import Client
from hilbridge.commands.process_client import client_of
from hilbridge.commands.service_unit import SERVICE, Unit, is_booted, mending_page_file, mending_unit, units
from hilbridge.commands.state import path_of_state

NOT_RUNNING: Final = 3
"""Exit status, as that of `systemctl status`."""

_WRONG_FILE: Final = "2"
"""Exit status of a start (commands/cli.py)."""

_WHOLE: Final = ("ports", "reload")
"""Parts beside the usual ones, or that the usual ones have only the counts of."""

_WHY_NOT: Final = "not known"


class Row(NamedTuple):
    """A row of the screen; `facts`: the same for programs. `trouble`: something is to be done."""

    name: str
    text: str
    facts: Any
    trouble: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the unit and the form of the answer."""
    parser.add_argument("unit", nargs="?", metavar="UNIT", help=f"NAME for hilbridge@NAME.service; default: {SERVICE}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the screen; exit status 0 when the bench runs, else 3."""
    name = _unit_name(options.unit)
    known = {one.name: one for one in (units(name, mending_unit(name)) if is_booted() else ())}
    unit, mending = known.get(name), known.pop(mending_unit(name), None)
    status, reason = _status(unit)
    bench = _bench(unit)
    rows = [_of_unit(name, unit), *_failures(name, unit), *_mending(name, unit, mending)]
    wrong = status is not None and "clock" in status.get("service", {}).get("troubles", {})
    rows += [*_of_bench(bench, status, reason), _clock(wrong=wrong), *_files(bench)]
    rows += [Row("also", f"{each.name} is {each['ActiveState']}", each.name) for each in known.values() if each != unit]
    if options.json:
        print(json.dumps([row._asdict() for row in rows], indent=2))
    else:
        width = max(len(row.name) for row in rows)
        for row in rows:
            print(printable(f"{'!' if row.trouble else ' '} {row.name:<{width}}  {row.text}"))
    return 0 if status is not None or _runs(unit) else NOT_RUNNING


def _unit_name(name: str | None) -> str:
    if name is None:
        return SERVICE
    return name if name.endswith(".service") else f"hilbridge@{name}.service"


def _runs(unit: Unit | None) -> bool:
    return unit is not None and unit.is_running


def _bench(unit: Unit | None) -> str | None:
    """Return the bench file; None: the usual one of the service, where it is."""
    return unit.bench or None if unit is not None else None


def _status(unit: Unit | None) -> tuple[dict[str, Any] | None, str]:
    """Return the status of the running bench, or why there is none."""
    if unit is not None and unit.is_loaded and not unit.is_running:
        return None, "the bench does not run"
    try:
        client = client_of(int(unit["MainPID"])) if unit is not None and unit.is_running else None
        with client or Client() as bench:
            return bench.status(USUAL, *_WHOLE), ""
    except ConfigurationError as error:
        return None, error.message


def _of_unit(name: str, unit: Unit | None) -> Row:
    if not is_booted():
        return Row("unit", "this machine is not run by systemd", None)
    if unit is None:
        return Row("unit", "systemctl does not answer", None, trouble=True)
    if not unit.is_loaded:
        return Row("unit", f"{name} is not installed", unit.properties, trouble=True)
    text = f"{name} is {unit['ActiveState']} ({unit['SubState']})"
    if since := unit["StateChangeTimestamp"]:
        text += f" since {since}"
    restarts = int(unit["NRestarts"]) if unit["NRestarts"].isdigit() else 0
    text += f", {counted(restarts, 'restart')}" if restarts else ""
    text += "" if unit["UnitFileState"] != "disabled" else f"; not started at boot: sudo systemctl enable {name}"
    remedy = "" if unit.is_running else f"; sudo systemctl start {name}"
    return Row("unit", text + remedy, unit.properties, trouble=not unit.is_running)


def _failures(name: str, unit: Unit | None) -> Iterator[Row]:
    """Yield why the bench does not run, and why it was started again."""
    if unit is not None and unit.is_loaded and not unit.is_running and unit["Result"] not in ("", "success"):
        why = unit["StatusText"] or f"{unit['Result']}, exit status {unit['ExecMainStatus']}"
        yield Row("failure", f"{why}; journalctl -p err -u {name}", unit["Result"], trouble=True)
    end = parse_last_end(SYSTEM / f"{name.removesuffix('.service')}.end")
    if end is not None:
        yield Row("last end", f"the run before {end.words}", end._asdict(), trouble=end.is_failure)


def _mending(name: str, unit: Unit | None, mending: Unit | None) -> Iterator[Row]:
    """Yield whether the bench starts by itself once its file is right, and the page that says why it does not."""
    if not _runs(mending):
        if unit is not None and not unit.is_running and unit["ExecMainStatus"] == _WRONG_FILE:
            yield Row(
                "mending", f"nothing waits for the file: sudo systemctl start {name}, once it is right", False, True
            )
        return
    yield Row("mending", f"mend the file, and {name} starts by itself within seconds", True)
    try:
        page = mending_page_file(name).read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        page = "there is none"
    except OSError as error:
        page = f"{_WHY_NOT}: {error.strerror}"
    yield Row("page", page, page)


def _of_bench(bench: str | None, status: dict[str, Any] | None, reason: str) -> Iterator[Row]:
    """Yield what the running bench says of itself, or why that is not known."""
    if status is None:
        yield Row("bench", f"{bench}: {reason}" if bench else reason, None, trouble=True)
        return
    try:
        yield from [*_of_run(bench, status), *_of_adapters(status)]
        for misfit in status.get(UNREADABLE, ()):
            yield Row("unreadable", misfit, None, trouble=True)
    except ConfigurationError as error:
        yield Row("bench", error.message, None, trouble=True)


def _of_run(bench: str | None, status: dict[str, Any]) -> Iterator[Row]:
    yield Row("bench", f"{status['bench']}, {status['vehicle']}{f', {bench}' if bench else ''}", status["bench"])
    last = status["reload"]["last"]
    if last and last["outcome"] == "refused":
        yield Row("reload", f"refused: {last['reason']}", last, trouble=True)
    if silent := unarmed(status):
        text = f"not armed, all frames held back: {', '.join(silent)}; {arm_remedy(silent[0])}"
        yield Row("armed", text, silent, trouble=True)
    else:
        yield Row("armed", "everything", [])
    recording = status["recording"]
    if recording is not None:
        state = recording["error"] or ("complete so far" if recording["complete"] else "NOT COMPLETE")
        text = f"{recording['folder']}: {recording['bytes'] / MEGABYTE:,.1f} MB, {state}"
        yield Row("recording", text, recording, trouble=not recording["complete"])
    for name, words in status.get("service", {}).get("troubles", {}).items():
        if name != "clock" and not (name == "recording" and recording is not None and not recording["complete"]):
            yield Row(name, words, words, trouble=True)  # each of the others has a row that says so
    yield Row("page", status["page"] or "there is none", status["page"])


def _of_adapters(status: dict[str, Any]) -> Iterator[Row]:
    """Yield the adapter of each bus, and each port that does not work."""
    for name, bus in status["buses"].items():
        kind = "hardware" if bus["hardware"] else "virtual"
        trouble = f"awaited for {bus['down_s']:.0f} s: {bus['trouble']}" if bus["trouble"] else "works"
        yield Row("adapter", f"{name}: {bus['link']}, {kind}, {trouble}", {name: bus["trouble"]}, bool(bus["trouble"]))
    for name, port in status.get("ports", {}).items():
        if isinstance(trouble := port.get("trouble"), str) and trouble:
            yield Row("port", f"{name}: {trouble}", {name: trouble}, trouble=True)


def _clock(*, wrong: bool) -> Row:
    """Return how the clock of the machine is; `wrong`: the bench says that it is not synchronised."""
    answer = False if wrong else is_synchronised()
    now = time.strftime("%Y-%m-%d %H:%M:%S %Z")
    if answer is None:
        return Row("clock", f"{now}; whether it is synchronised is not known", None)
    if answer:
        return Row("clock", f"{now}, synchronised", True)
    return Row("clock", f"{now}, NOT SYNCHRONISED; timedatectl", False, trouble=True)


def _files(bench: str | None) -> Iterator[Row]:
    """Yield the stored state with its age, and the room on its disk."""
    try:
        path = path_of_state(bench)
    except (ConfigurationError, OSError) as error:
        yield Row("state", f"{_WHY_NOT}: {error}", None, trouble=True)
        return
    try:
        status = path.stat()
        age = max(0.0, time.time() - status.st_mtime)
        yield Row("state", f"{path}, stored {age:,.0f} s ago", {"path": str(path), "age_s": round(age)})
    except FileNotFoundError:
        yield Row("state", f"{path}: there is none yet", {"path": str(path)})
    except PermissionError:
        remedy = f"sudo usermod -aG {_group(path)} {getpass.getuser()}, then log in anew"
        yield Row("state", f"{path}: not for this user; {remedy}", None)
    except OSError as error:
        yield Row("state", f"{path}: {error.strerror}", None, trouble=True)
    folder = next(each for each in path.parents if os.access(each, os.R_OK | os.X_OK))
    usage = shutil.disk_usage(folder)
    reserve = reserve_of(usage.total)
    left = max(0, usage.free - reserve)
    text = f"{usage.free / MEGABYTE:,.0f} MB free at {folder}, {left / MEGABYTE:,.0f} MB of them for recordings"
    yield Row("disk", text, {"free": usage.free, "for_recordings": left}, trouble=usage.free < 4 * reserve)


def _group(path: Path) -> str:
    """Return the group of the nearest folder that can be asked."""
    for each in path.parents:
        try:
            return each.group()
        except (OSError, KeyError):
            continue
    return "hilbridge"
