"""`hilbridge lab`: the benches on the fabric."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hilbridge.base.common.terminal import printable, printable_json
from hilbridge.base.common.words import counted
from hilbridge.commands import ctl, top
from hilbridge.commands.argument_types import whole
from hilbridge.commands.table import print_table
from hilbridge.faces.fabric.process import require_zenoh
from hilbridge.files.settings.fabric import MEETING_PORT

if TYPE_CHECKING:
    from hilbridge.faces.fabric.lab import Lab


_AGAIN: Final = 0.5
"""[s] between two looks for the first bench."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--port", type=whole, default=MEETING_PORT, metavar="N",
        help=f"TCP port of 127.0.0.1 where the benches of this machine meet (default: {MEETING_PORT})",
    )  # fmt: skip
    where.add_argument("--config", type=Path, metavar="FILE", help="Zenoh's own configuration in place of that")
    actions = parser.add_subparsers(dest="look", metavar="ACTION", help="default: list")
    listed = actions.add_parser("list", help="the benches that are up; status 1 if there is none")
    listed.add_argument("--json", action="store_true", help="as they say it of themselves")
    actions.add_parser("watch", help="a line for each bench that comes or goes, until Ctrl-C")
    follow = actions.add_parser("top", help="follow a bench on this terminal")
    follow.add_argument("name", metavar="BENCH", help="one of the list")
    command = actions.add_parser("ctl", help="talk to a bench as `hilbridge ctl` does, as far as its file allows it")
    command.add_argument("name", metavar="BENCH", help="one of the list")
    command.add_argument("words", nargs=argparse.REMAINDER, metavar="ACTION ...", help="as after `hilbridge ctl`")


def run(options: argparse.Namespace) -> int:
    require_zenoh()
    if options.look == "ctl":
        _command(options)  # usage is told before anybody is looked for
    from hilbridge.faces.fabric.lab import Lab

    if options.look == "watch":
        return _watch(options)
    with Lab(options.port, options.config) as lab:
        if options.look == "top":
            return top.follow(lambda: lab.client(options.name))
        if options.look == "ctl":
            return ctl.carry_out(lab.client(options.name), _command(options))
        return _list(lab.summaries(), as_json=getattr(options, "json", False))


def _command(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options of `hilbridge ctl` that its words say; SystemExit with the usage: they say none."""
    parser = argparse.ArgumentParser(prog=f"hilbridge lab ctl {options.name}")
    ctl.add_arguments(parser)
    command = parser.parse_args(options.words)
    if command.bench is not None:
        parser.error("the bench is named before the action")
    return command


def _list(benches: list[dict[str, Any]], *, as_json: bool) -> int:
    if as_json:
        print(printable_json(benches, indent=2))
    elif benches:
        print_table(("bench", "vehicle", "host", "up", "ticks", "state"), map(_row, benches))
    else:
        print("no bench is up")
    return 0 if benches else 1


def _row(bench: dict[str, Any]) -> tuple[str, ...]:
    if reason := bench.get("unreadable"):
        return (bench["bench"], "", "", "", "", f"unreadable: {reason}")
    if "ticks" not in bench:
        return (bench["bench"], bench.get("vehicle", ""), bench.get("host", ""), "", "", "does not answer")
    state = [f"overloaded: {bench['overload']} % missed"] if bench["overload"] else []
    state += [f"{name} listens only" for name in bench["listens_only"]]
    missed = f"{bench['missed_ticks']} missed" if bench["missed_ticks"] else "none missed"
    up = f"{bench['time']:.0f} s"
    return (bench["bench"], bench["vehicle"], bench["host"], up, missed, ", ".join(state) or "runs")


def _watch(options: argparse.Namespace) -> int:
    """Print what comes and goes; wait for the first bench."""
    known = 0
    with _awaited(options) as lab:
        for change in lab.changes():
            known += 1 if change.is_up else -1
            state = "up" if change.is_up else "gone"
            benches = counted(known, "bench", "benches")
            print(f"{time.strftime('%H:%M:%S')}  {printable(change.bench)}  {state}  ({benches})", flush=True)
    return 0


def _awaited(options: argparse.Namespace) -> "Lab":
    from hilbridge.faces.fabric.lab import Lab
    from hilbridge.faces.fabric.session import FabricError

    told = False
    while True:
        try:
            return Lab(options.port, options.config)
        except FabricError as error:
            if not told:
                sys.stderr.write(f"hilbridge: {printable(str(error))}\n")
            told = True
            time.sleep(_AGAIN)
