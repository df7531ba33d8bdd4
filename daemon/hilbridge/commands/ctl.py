"""`hilbridge ctl`: talk to a running daemon."""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from hilbridge.common.errors import ConfigurationError, nearest
from hilbridge.common.remedies import arm_remedy
from hilbridge.configuration.scenariofile import load_scenario
from hilbridge.control.client import ask, await_recording, await_reload, await_scenario
from hilbridge.control.fault_words import parse_fault
from hilbridge.control.socket_paths import find_socket
from hilbridge.run.verdict import announce, write_junit
from hilbridge.scenario.build import resolved
from hilbridge.scenario.report import Report

_BUS_COLUMNS: Final = ("bus", "way in", "state", "received", "transmitted", "held back")
_FRAME_COLUMNS: Final = ("bus", "id", "message", "sent", "skipped", "withheld", "shortest ms", "mean ms", "longest ms")
_FAULT_COLUMNS: Final = ("fault", "what", "state", "from s", "to s", "frames hit")

_FAULT_EXAMPLES: Final = """\
WORDS are the kind, what it is about, its effect, and further keys as in the bench file's 'faults':
  frame powertrain.EngineData1 drop probability=0.5
  frame powertrain.EngineData1 checksum wrong=random --frames 3
  signal powertrain.EngineData1.EngineRpm offset value=500 --for 5
  ecu powertrain.HILBRIDGE --for 2
  link powertrain bus-off --at 1 --for 2
  physics fault.Misfire value=0.3
or one JSON object."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bench", metavar="NAME", help="which bench, if several run; or the path of a control socket")
    parser.add_argument("--json", action="store_true", help="print the daemon's answer as it comes")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")

    status = actions.add_parser("status", help="how it is")
    status.add_argument("--frames", action="store_true", help="also how each frame is sent")

    get = actions.add_parser("get", help="print entries of the data bus; `hilbridge values` lists them all")
    get.add_argument("entries", nargs="+", metavar="ENTRY", help="e.g. vehicle.EngineRpm, auxiliary.FuelShare")

    hold = actions.add_parser("set", help="hold an entry of the data bus at a value, over every input")
    hold.add_argument("entry", metavar="ENTRY", help="e.g. input.Throttle, road.Slope, request.EngineTorqueLimit")
    hold.add_argument("value", type=float, metavar="VALUE", help="in the entry's unit")
    hold.add_argument("--for", dest="seconds", type=float, metavar="S", help="release it by itself after S seconds")

    release = actions.add_parser("release", help="give an entry back to the inputs; without ENTRY all of them")
    release.add_argument("entry", nargs="?", metavar="ENTRY")

    arm = actions.add_parser("arm", help="let a bus transmit")
    arm.add_argument("bus", nargs="?", metavar="BUS", help="may be left out where the bench has one bus")
    arm.add_argument("--off", dest="armed", action="store_false", help="make it listen only")

    _add_fault_arguments(actions.add_parser("fault", help="let something go wrong"))

    actions.add_parser("reload", help="read the bench file again and wait until it is adopted; status 1 if refused")
    record = actions.add_parser("record", help="record what happens from now on, or end a recording")
    record_deeds = record.add_subparsers(dest="deed", required=True, metavar="start|stop")
    start = record_deeds.add_parser("start", help="without FOLDER: a new one, by bench and time, where the state lies")
    start.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    record_deeds.add_parser("stop", help="with this tick")

    scenario = actions.add_parser("scenario", help="play a scenario beside the bench's inputs, or end one")
    scenario_deeds = scenario.add_subparsers(dest="deed", required=True, metavar="start|stop")
    play = scenario_deeds.add_parser("start", help="what it holds stays held when it is over, until it is released")
    play.add_argument("file", metavar="FILE", help="scenario file or name")
    play.add_argument("--wait", action="store_true", help="until it is over; exit status 1 if it fails")
    play.add_argument("--report", type=Path, metavar="JUNIT", help="wait, and write its verdicts as JUnit XML")
    scenario_deeds.add_parser("stop", help="where it is")

    actions.add_parser("stop", help="end the run in good order")


def _add_fault_arguments(fault: argparse.ArgumentParser) -> None:
    deeds = fault.add_subparsers(dest="deed", required=True, metavar="add|list|clear")
    add = deeds.add_parser(
        "add",
        help="a fault from now on, or later; its number is printed",
        epilog=_FAULT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add.add_argument("words", nargs="+", metavar="WORDS")
    add.add_argument("--at", type=float, metavar="S", help="it begins S seconds from now")
    add.add_argument("--for", type=float, metavar="S", help="it is over after S seconds")
    add.add_argument("--frames", type=int, metavar="N", help="it is over when it has hit N frames")
    add.add_argument("--probability", type=float, metavar="P", help="of each frame to be hit")
    deeds.add_parser("list", help="those that wait, are active, or were lately")
    clear = deeds.add_parser("clear", help="end a fault; without NUMBER all of them")
    clear.add_argument("number", nargs="?", type=int, metavar="NUMBER")


def run(options: argparse.Namespace) -> int:
    if (options.action, getattr(options, "deed", None)) == ("scenario", "start"):
        return _play(options)
    path = find_socket(options.bench)
    if options.action == "get":
        return _get(path, options)
    answer = ask(path, _command(options))
    if options.action == "reload":
        return _report_reload(await_reload(path, answer["request"]), as_json=options.json)
    if (options.action, getattr(options, "deed", None)) == ("record", "start"):
        await_recording(path)
    console = Console(highlight=False, markup=False)
    if options.json:
        print(json.dumps(answer, indent=2))
    elif options.action == "status":
        _print_status(console, answer)
    elif "fault" in answer:
        console.print(f"fault {answer['fault']}")
    elif "recording" in answer:
        console.print(answer["recording"])
    elif "faults" in answer:
        _print_table(console, _FAULT_COLUMNS, map(_fault, answer["faults"]))
    return 0


def _command(options: argparse.Namespace) -> dict[str, Any]:
    """What the daemon is sent."""
    arguments = {name: value for name, value in vars(options).items() if name not in {"bench", "json", "action"}}
    if options.action in {"record", "scenario"}:
        folder = {"folder": options.folder and str(options.folder.absolute())} if "folder" in arguments else {}
        return {"command": f"{options.action}-{options.deed}", **folder}
    if options.action != "fault":
        return {"command": options.action, **arguments}
    command = f"fault-{arguments.pop('deed')}"
    if options.deed != "add":
        return {"command": command, **arguments}
    given = {name: value for name, value in arguments.items() if name != "words" and value is not None}
    return {"command": command, "fault": parse_fault(options.words) | given}


def _report_reload(outcome: dict[str, Any], *, as_json: bool) -> int:
    """Print the outcome of a reload and return the exit status."""
    refused = outcome["outcome"] == "refused"
    if as_json:
        print(json.dumps(outcome, indent=2))
    elif refused:
        sys.stderr.write(f"reload refused: {outcome['reason']}\n")
    else:
        print(f"reloaded in {outcome['took_ms']} ms")
    return 1 if refused else 0


def _get(path: Path, options: argparse.Namespace) -> int:
    """Print value and unit of each entry that is named. ConfigurationError: there is none of that name."""
    channels = ask(path, {"command": "status", "parts": ["entries"]})["entries"]
    known = {name: value for channel in channels.values() for name, value in channel.items()}
    for entry in options.entries:
        if entry not in known:
            meant = nearest(entry, known)
            hint = f": did you mean {meant}?" if meant else "; 'hilbridge values' lists them"
            raise ConfigurationError(f"unknown data bus entry {entry!r}{hint}")
    found = {entry: known[entry] for entry in options.entries}
    if options.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        for name, one in found.items():
            print(" ".join(filter(None, _value(name, one))))
    return 0


def _play(options: argparse.Namespace) -> int:
    path, file = find_socket(options.bench), load_scenario(options.file)
    command = {"command": "scenario-start", "scenario": resolved(file), "name": file.name}
    try:
        answer = ask(path, command)
    except ConfigurationError as error:
        raise file.locate(error) if error.place else error from None
    if not options.wait and options.report is None:
        if options.json:
            print(json.dumps(answer, indent=2))
        return 0
    status = await_scenario(path)
    report = Report.of_verdicts(status["verdicts"], file)
    if options.json:
        print(json.dumps(status, indent=2))
        write_junit(file, report, options.report)
    else:
        announce(file, report, options.report)
    return 0 if report.passed else 1


def _print_status(console: Console, status: dict[str, Any]) -> None:
    console.print(
        f"bench {status['bench']}: {status['vehicle']}, {status['rate_hz']} ticks/s, "
        f"{status['ticks']} ticks, {status['missed_ticks']} missed",
        style="bold",
    )
    _print_table(console, ("value", "", ""), (_value(name, one) for name, one in status["values"].items()))
    _print_table(console, _BUS_COLUMNS, (_bus(name, bus) for name, bus in status["buses"].items()))
    held = ((one["control"], one["source"] or "nobody", f"{one['value']:g}") for one in status["inputs"])
    _print_table(console, ("control", "held by", "at"), held)
    if recording := status["recording"]:
        state = recording["error"] or ("complete so far" if recording["complete"] else "incomplete")
        size = f"{recording['bytes'] / 1e6:.1f} MB since {recording['since']:g} s"
        console.print(f"recording {recording['folder']}: {size}, {state}")
    if scenario := status["scenario"]:
        done = f"{scenario['done']} of {scenario['steps']} steps in {scenario['time']:g} s"
        console.print(f"scenario {scenario['name']}: {scenario['state']}, {done}")
    if "faults" in status:
        _print_table(console, _FAULT_COLUMNS, map(_fault, status["faults"]))
    if "frames" in status:
        _print_table(console, _FRAME_COLUMNS, map(_frame, status["frames"]))


def _print_table(console: Console, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _value(name: str, one: dict[str, Any]) -> Sequence[str]:
    number = "not available" if one["value"] is None else f"{one['value']:g}"
    return name, number, one["unit"] if one["unit"] != "1" else ""


def _bus(name: str, bus: dict[str, Any]) -> Sequence[str]:
    state = bus["trouble"] or ("armed" if bus["armed"] else f"listens only: {arm_remedy(name)}")
    held_back = sum(count for reason, count in bus["gate"].items() if reason != "passed")
    return name, bus["link"], state, str(bus["received"]), str(bus["gate"].get("passed", 0)), str(held_back)


def _frame(frame: dict[str, Any]) -> Sequence[str]:
    period = frame["period_ms"] or dict.fromkeys(("shortest", "mean", "longest"), "")
    times = (str(period[key]) for key in ("shortest", "mean", "longest"))
    counts = (str(frame["sent"] - frame["held_back"]), str(frame["skipped"]), str(frame["withheld"]))
    return frame["bus"], frame["id"], frame["message"], *counts, *times


def _fault(fault: dict[str, Any]) -> Sequence[str]:
    end, frames = fault["end"], fault["frames"]
    times = (f"{fault['begin']:g}", "" if end is None else f"{end:g}")
    return str(fault["fault"]), fault["what"], fault["state"], *times, "" if frames is None else str(frames)
