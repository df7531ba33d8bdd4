"""`hilbridge ctl`: talk to a running daemon."""

import argparse
import json
from typing import Any

from rich.console import Console
from rich.table import Table

from hilbridge.control.client import ask
from hilbridge.control.places import find_socket


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bench", metavar="NAME", help="which bench, if several run; or the path of a control socket")
    parser.add_argument("--json", action="store_true", help="print the daemon's answer as it comes")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    status = actions.add_parser("status", help="how it is")
    status.add_argument("--frames", action="store_true", help="also how each frame is sent")

    hold = actions.add_parser("set", help="hold an entry of the data bus at a value, over every input")
    hold.add_argument("entry", metavar="ENTRY", help="e.g. input.Throttle, road.Slope, request.EngineTorqueLimit")
    hold.add_argument("value", type=float, metavar="VALUE", help="in the entry's unit")
    hold.add_argument("--for", dest="seconds", type=float, metavar="S", help="release it by itself after S seconds")

    release = actions.add_parser("release", help="give an entry back to the inputs; without ENTRY all of them")
    release.add_argument("entry", nargs="?", metavar="ENTRY")

    arm = actions.add_parser("arm", help="let a bus transmit")
    arm.add_argument("bus", metavar="BUS")
    arm.add_argument("--off", dest="armed", action="store_false", help="make it listen only")

    actions.add_parser("stop", help="end the run in good order")


def run(options: argparse.Namespace) -> int:
    arguments = {name: value for name, value in vars(options).items() if name not in {"bench", "json", "action"}}
    answer = ask(find_socket(options.bench), {"command": options.action, **arguments})
    if options.json:
        print(json.dumps(answer, indent=2))
    elif options.action == "status":
        _print_status(Console(highlight=False, markup=False), answer)
    return 0


def _print_status(console: Console, status: dict[str, Any]) -> None:
    console.print(
        f"bench {status['bench']}: {status['vehicle']}, {status['rate_hz']} ticks/s, "
        f"{status['ticks']} ticks, {status['missed_ticks']} missed",
        style="bold",
    )
    values = Table("value", "now", box=None, padding=(0, 2, 0, 0))
    for name, value in status["values"].items():
        values.add_row(name, str(value))
    console.print(values)
    buses = Table("bus", "way in", "state", "received", "transmitted", "held back", box=None, padding=(0, 2, 0, 0))
    for name, bus in status["buses"].items():
        state = bus["trouble"] or ("armed" if bus["armed"] else "listens only")
        counts = (str(bus[key]) for key in ("received", "transmitted", "held_back"))
        buses.add_row(name, bus["link"], state, *counts)
    console.print(buses)
    inputs = Table("control", "held by", "value", box=None, padding=(0, 2, 0, 0))
    for control in status["inputs"]:
        inputs.add_row(control["control"], control["source"], str(control["value"]))
    console.print(inputs)
    for fault in status["faults"]:
        console.print(f"fault {fault['id']}: {fault['text']}", style="yellow")
    if "frames" in status:
        _print_frames(console, status["frames"])


def _print_frames(console: Console, frames: list[dict[str, Any]]) -> None:
    columns = ("bus", "id", "message", "sent", "skipped", "period ms", "wanted ms", "p99 off ms")
    table = Table(*columns, box=None, padding=(0, 2, 0, 0))
    for frame in frames:
        table.add_row(*(str(frame[column]) for column in columns))
    console.print(table)
