"""`hilbridge ctl`: talk to a running daemon.

A command is one line over a socket, so this imports neither the model nor the settings: what needs them is imported by
the action that does.
"""

import argparse
import json
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.terminal import printable_json
from hilbridge.boundary.control.fault_words import parse_fault
from hilbridge.client.sync_client import AnyClient, Client
from hilbridge.commands.argument_types import number_or_word, positive, whole
from hilbridge.commands.ctl_reload import reload_bench, reload_process
from hilbridge.commands.ctl_status import (
    print_line,
    print_recordings,
    print_rows,
    print_status,
    print_troubles,
    print_unreadable,
    value_row,
)
from hilbridge.commands.ctl_watch import watch

_FAULT_EXAMPLES: Final = """\
WORDS are the kind, what it is about, its effect, and further keys as in the bench file's 'faults':
  frame powertrain.EngineData1 drop probability=0.5
  frame powertrain.EngineData1 checksum wrong=random --frames 3
  signal powertrain.EngineData1.EngineRpm offset value=500 --for 5
  ecu powertrain.HILBRIDGE --for 2
  link powertrain bus-off --at 1 --for 2
  physics fault.Misfire value=0.3
  sensor CoolantTemperature open
  sensor auxiliary.AirMassFlow scale value=0.8
  diagnostics engine pending count=5 service=0x22 identifier=0xF190
or one JSON object."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _add_common_arguments(parser)
    # accepted after the action too, where they leave what was said before it
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    _add_common_arguments(common)
    parser.usage = f"{parser.prog} [-h] [BENCH] [--json] ACTION ..."
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", prog=parser.prog)

    status = actions.add_parser("status", parents=[common], help="how it is")
    status.add_argument("--frames", action="store_true", help="also how each frame is sent")
    status.add_argument("--reference", action="store_true", help="print config/STATUS.md instead")

    get = actions.add_parser(
        "get", parents=[common], help="print entries of the data bus; `hilbridge values` lists them all"
    )
    get.add_argument("entries", nargs="+", metavar="ENTRY", help="e.g. vehicle.EngineRpm, auxiliary.FuelShare")

    live = actions.add_parser(
        "watch",
        parents=[common],
        help="follow entries of the data bus: a table on a terminal, a line a change in a pipe",
    )
    live.add_argument("entries", nargs="+", metavar="ENTRY", help="e.g. vehicle.EngineRpm, input.Throttle")
    live.add_argument("--interval", type=positive, default=0.2, metavar="S", help="between two looks (default: 0.2)")
    live.add_argument("--count", type=whole, metavar="N", help="looks; default: until Ctrl-C or the end of the run")

    hold = actions.add_parser(
        "set", parents=[common], help="hold an entry of the data bus at a value, over every input"
    )
    hold.add_argument("entry", metavar="ENTRY", help="e.g. input.Throttle, road.Slope, request.EngineTorqueLimit")
    hold.add_argument(
        "value",
        type=number_or_word,
        metavar="VALUE",
        help="in the entry's unit, or the name of a position: left, sport; of input.Clutch also automatic",
    )
    hold.add_argument("--for", dest="seconds", type=float, metavar="S", help="release it by itself after S seconds")
    hold.add_argument(
        "--rate",
        type=positive,
        metavar="R",
        default=argparse.SUPPRESS,  # a bench before it does not know the key
        help="move a pedal or the steering wheel there by R a second, not at once",
    )

    release = actions.add_parser(
        "release", parents=[common], help="give an entry back to the inputs; without ENTRY all of them"
    )
    release.add_argument("entry", nargs="?", metavar="ENTRY")

    arm = actions.add_parser("arm", parents=[common], help="let a bus or an output transmit")
    arm.add_argument("bus", nargs="?", metavar="BUS", help="may be left out where the bench has one bus")
    arm.add_argument("--off", dest="armed", action="store_false", help="make it listen only")

    _add_fault_arguments(actions.add_parser("fault", parents=[common], help="let something go wrong"), common)

    _add_trouble_arguments(actions.add_parser("trouble", parents=[common], help="trouble codes"), common)

    reload = actions.add_parser(
        "reload", parents=[common], help="read the bench file again and wait until it is adopted; status 1 if refused"
    )
    reload.add_argument(
        "--process", type=whole, metavar="NUMBER", help="the bench that this process runs, as a unit names it"
    )
    record = actions.add_parser("record", parents=[common], help="record what happens from now on, or end a recording")
    record_verbs = record.add_subparsers(dest="verb", required=True, metavar="start|stop|list")
    start = record_verbs.add_parser(
        "start", parents=[common], help="without FOLDER: a new one, by bench and time, where the state lies"
    )
    start.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    record_verbs.add_parser("stop", parents=[common], help="with this tick")
    record_verbs.add_parser("list", parents=[common], help="the recordings that there are where the state lies")

    scenario = actions.add_parser(
        "scenario", parents=[common], help="play a scenario beside the bench's inputs, or end one"
    )
    scenario_verbs = scenario.add_subparsers(dest="verb", required=True, metavar="start|stop")
    play = scenario_verbs.add_parser(
        "start", parents=[common], help="when it is over, what it holds goes back to the inputs"
    )
    play.add_argument("file", metavar="FILE", help="scenario file or name; a folder: one after the other")
    play.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the scenario")
    play.add_argument("--keep", action="store_true", help="what it holds stays held, and its faults stay")
    play.add_argument("--wait", action="store_true", help="until it is over; exit status 1 if it fails")
    play.add_argument(
        "--report", action="append", default=[], type=Path, metavar="FILE",
        help="wait, and write its verdicts: .xml (JUnit), .html, .json; may be repeated",
    )  # fmt: skip
    scenario_verbs.add_parser("stop", parents=[common], help="where it is")

    actions.add_parser("stop", parents=[common], help="end the run in good order")


def rewritten(words: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the words of a command line with the bench as an option, where it is the word before the action."""
    actions = next(each.choices for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    plain = [index for index, word in enumerate(words) if not word.startswith("-")]
    if len(plain) < 2 or words[plain[0]] in actions or "--bench" in words[: plain[0]]:
        return words
    first, second = plain[:2]
    if words[second] not in actions:  # so that the error names the action, and not the bench
        return words[:first] + words[first + 1 :] if second == first + 1 else words
    return ["--bench", words[first], *words[:first], *words[first + 1 :]]


def _add_common_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bench", metavar="NAME", help="the same as BENCH: name or control socket, if several run")
    parser.add_argument("--json", action="store_true", help="print the daemon's answer as it comes")


def _add_fault_arguments(fault: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    verbs = fault.add_subparsers(dest="verb", required=True, metavar="add|list|clear")
    add = verbs.add_parser(
        "add",
        parents=[common],
        help="a fault from now on, or later; its number is printed",
        epilog=_FAULT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add.add_argument("words", nargs="+", metavar="WORDS")
    add.add_argument("--at", type=float, metavar="S", help="it begins S seconds from now")
    add.add_argument("--for", type=float, metavar="S", help="it is over after S seconds")
    add.add_argument("--frames", type=int, metavar="N", help="it is over when it has hit N frames")
    add.add_argument("--probability", type=float, metavar="P", help="of each frame to be hit")
    verbs.add_parser("list", parents=[common], help="those that wait, are active, or were lately")
    clear = verbs.add_parser("clear", parents=[common], help="end a fault; without NUMBER all of them")
    clear.add_argument("number", nargs="?", type=int, metavar="NUMBER")


def _add_trouble_arguments(trouble: argparse.ArgumentParser, common: argparse.ArgumentParser) -> None:
    verbs = trouble.add_subparsers(dest="verb", required=True, metavar="list|fail|set|pass|clear")
    verbs.add_parser("list", parents=[common], help="those that are stored or held, by control unit")
    fail = verbs.add_parser("fail", parents=[common], help="a test has failed once, as if its monitor had found it")
    fail.add_argument(
        "--hold", dest="result", action="store_const", const="held", default="failed",
        help="now and in each later cycle, also when a tester has cleared it, until 'pass' or 'clear'",
    )  # fmt: skip
    store = verbs.add_parser("set", parents=[common], help="confirmed at once, as after enough failed cycles")
    store.set_defaults(result="stored")
    passed = verbs.add_parser("pass", parents=[common], help="a test has passed; ends a held failure")
    passed.set_defaults(result="passed")
    for verb in (fail, store, passed):
        verb.add_argument("ecu", metavar="ECU", help="control unit, e.g. engine")
        verb.add_argument("code", metavar="CODE", help="as the file of codes has it, e.g. P0301")
    clear = verbs.add_parser("clear", parents=[common], help="as service 04 of OBD-II; without ECU every control unit")
    clear.add_argument("ecu", nargs="?", metavar="ECU")


def run(options: argparse.Namespace) -> int:
    if getattr(options, "process", None) is not None:
        return reload_process(options.process, as_json=options.json)
    if getattr(options, "reference", False):
        return _print_reference()
    with Client(options.bench) as bench:
        return carry_out(bench, options)


def _print_reference() -> int:
    from hilbridge.bench.status_page import status_page

    print(status_page(), end="")
    return 0


def carry_out(bench: AnyClient, options: argparse.Namespace) -> int:
    """Have a bench do what the options of `hilbridge ctl` say; return the exit status."""
    if getattr(options, "reference", False):
        return _print_reference()
    verb = (options.action, getattr(options, "verb", None))
    if verb == ("scenario", "start"):
        from hilbridge.commands.ctl_scenario import play

        return play(bench, options)
    if options.action == "get":
        return _get(bench, options)
    if options.action == "watch":
        return watch(bench, options)
    if options.action == "reload":
        return reload_bench(bench, options)
    if verb == ("record", "list"):
        return _list_recordings(bench, as_json=options.json)
    if verb == ("record", "start"):
        answer = {"recording": str(bench.record(options.folder))}
    else:
        name, keys = _command(options)
        answer = bench.command(name, **keys)
    _report(answer, options)
    return 0


def _report(answer: dict[str, Any], options: argparse.Namespace) -> None:
    """Print an answer."""
    if options.json:
        print(json.dumps(answer, indent=2))
    elif options.action == "status":
        print_status(answer)
    elif options.action == "record":
        print_line(answer["recording"])
    elif (verb := getattr(options, "verb", None)) == "add":
        print(f"fault {answer['fault']}")
    elif verb == "list":
        if options.action == "fault":
            print_rows(answer, "faults")
        else:
            print_troubles(answer["troubles"])
            print_unreadable(answer)


def _list_recordings(bench: AnyClient, *, as_json: bool) -> int:
    """Print the recordings of the folder that the daemon names."""
    from hilbridge.boundary.record.catalog import facts_of, read_recordings

    status = bench.command("status", parts=["recordings", "recording"])
    folder, under_way = Path(status["recordings"]), (status["recording"] or {}).get("folder")
    found, broken = read_recordings(folder)
    recordings = [facts_of(each) | {"under_way": str(each.directory) == under_way} for each in found]
    if as_json:
        print(json.dumps({"folder": str(folder), "recordings": recordings, "unreadable": broken}, indent=2))
    else:
        print_recordings(folder, recordings, broken)
    return 0


def _command(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return name and keys of the command that the daemon is sent."""
    keys = {name: value for name, value in vars(options).items() if name not in {"bench", "json", "action"}}
    if options.action in {"record", "scenario"}:
        return f"{options.action}-{options.verb}", {}
    if options.action == "trouble":
        return _trouble_command(keys)
    if options.action == "status":
        return "status", {"parts": _parts_of_status(options)}
    if options.action != "fault":
        return options.action, keys
    if options.verb == "list" and not options.json:
        return "status", {"parts": ["faults", "layouts"]}
    name = f"fault-{keys.pop('verb')}"
    if options.verb != "add":
        return name, keys
    given = {name: value for name, value in keys.items() if name != "words" and value is not None}
    return name, {"fault": parse_fault(options.words) | given}


def _parts_of_status(options: argparse.Namespace) -> list[str]:
    """Return the usual parts; for people with what tables are made of."""
    return ["usual", *(["frames"] if options.frames else []), *([] if options.json else ["layouts"])]


def _trouble_command(keys: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    verb = keys.pop("verb")
    if verb == "list":
        return "status", {"parts": ["troubles"]}
    return ("trouble-clear" if verb == "clear" else "trouble-set"), keys


def _get(bench: AnyClient, options: argparse.Namespace) -> int:
    """Print value and unit of each entry that is named."""
    found = {path: one._asdict() for path, one in bench.values(*options.entries).entries.items()}
    if options.json:
        print(printable_json(found, indent=2))
    else:
        for name, one in found.items():
            print_line(" ".join(filter(None, value_row(name, one))))
    return 0
