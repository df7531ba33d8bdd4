"""`hilbridge explain`: why a lamp of the cluster shines and a needle rests, of a running bench, a plan or a log."""

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.console import make_console
from hilbridge.base.common.errors import ConfigurationError, nearest
from hilbridge.base.resources import Kind, find
from hilbridge.bench.bench import Bench
from hilbridge.bench.status import answer
from hilbridge.boundary.control.chunked_json import encode_pieces
from hilbridge.boundary.logs.traffic import read_log
from hilbridge.client.sync_client import Client
from hilbridge.commands.explain_text import Explanation, plain, print_explanation
from hilbridge.commands.explain_tour import tour
from hilbridge.faces.explain.answers import IDENTIFIERS, READ_CODES, RefusedError, read_codes, read_identifier
from hilbridge.faces.explain.causes import PARTS, Status, unit_faults
from hilbridge.faces.explain.log_check import LogCheck, check_log, with_judgements
from hilbridge.faces.explain.said import sentences
from hilbridge.faces.explain.verdicts import Verdict, judge, judge_status
from hilbridge.files.configuration.benchfile import BenchFile, load_bench, load_codes
from hilbridge.frames.codec.frame import EXTENDED_MASK

_MOST_NAMES: Final = 8
"""Identifiers that a note names."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Exit status 0: nothing is wrong that can be seen from here; 1: something is."
    parser.add_argument("bench", metavar="BENCH", help="bench file, or name of a packaged one; it may be running")
    parser.add_argument(
        "--lamp",
        action="append",
        default=[],
        metavar="NAME",
        help="a lamp or needle to explain; may be given again; default: all",
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="judge a log of the bus instead: what a cluster hears")
    parser.add_argument("--bus", metavar="NAME", help="of the log, where the bench has several")
    parser.add_argument("--channel", metavar="NAME", help="of a log of several, as the file calls it")
    parser.add_argument(
        "--codes", action="store_true", help="also read trouble codes and identification of the cluster; it must run"
    )
    parser.add_argument("--plan", action="store_true", help="of the plan alone, though the bench may be running")
    parser.add_argument(
        "--tour", action="store_true", help="walk through a real cluster: what do you see? the answers become a report"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="of --tour, where it is written; default: tour-NAME.json"
    )
    parser.add_argument("--json", action="store_true", help="the same as one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the explanation; return 0 if nothing is wrong, else 1."""
    file = load_bench(options.bench)
    if options.tour:
        client = _running(file)
        if client is None:
            raise ConfigurationError(
                f"--tour moves the cluster of a run, and bench {file.settings.name} is not running"
            )
        with client:
            return tour(_build(file), client, options.report or Path(f"tour-{file.settings.name}.json"))
    explanation = _explain(file, options)
    if options.lamp:
        explanation.verdicts = _chosen(explanation.verdicts, options.lamp)
        explanation.said = []
    if options.json:
        print(json.dumps(plain(explanation), indent=2))
    else:
        print_explanation(make_console(), explanation)
    return 1 if explanation.is_wrong else 0


def _explain(file: BenchFile, options: argparse.Namespace) -> Explanation:
    if options.log is not None:
        return _explain_log(file, options)
    client = None if options.plan else _running(file)
    if client is None:
        if options.codes:
            raise ConfigurationError(f"--codes asks through the daemon, and bench {file.settings.name} is not running")
        status = _status_at_rest(_build(file))
        notes = ["not running: only what the plan shows"]
        verdicts = judge_status(status, running=False)
        return Explanation(file.settings.name, "the plan", verdicts, _profiles(status), notes=notes)
    with client:
        status = client.status(*PARTS)
        codes = _read_out(client, file) if options.codes else []
    source = f"the run, at {status['time']:.1f} s"
    verdicts = judge_status(status, running=True)
    notes = unit_faults(status["faults"])
    return Explanation(status["bench"], source, verdicts, _profiles(status), sentences(status), codes, notes)


def _running(file: BenchFile) -> Client | None:
    """Return a client of the running bench; None: it does not run."""
    settings = file.settings
    try:
        client = Client(settings.name if settings.control.socket is None else Path(settings.control.socket))
        client.status("engine")
    except ConfigurationError:
        return None
    return client


def _build(file: BenchFile) -> Bench:
    try:
        bench = Bench(file)
        bench.connect()
    except ConfigurationError as error:
        raise file.locate(error) from error
    return bench


def _status_at_rest(bench: Bench) -> Status:
    """Return the status of a bench that never ran, armed as its file says."""
    status: Status = json.loads(b"".join(encode_pieces(answer(bench, PARTS))))
    return status


def _explain_log(file: BenchFile, options: argparse.Namespace) -> Explanation:
    bench = _build(file)
    bus = _bus_of_log(bench, options.bus)
    frames = bench.wiring.plan.selections[bus].outgoing
    check = LogCheck(frames)
    log = read_log(options.log, options.channel)
    check_log(log.frames, check)
    judged = check.judgements()
    status = _status_at_rest(bench)
    rows = [row for row in status["lamps"]["frames"] if row["bus"] == bus]
    rows = with_judgements(rows, judged)
    verdicts = judge(rows, lambda row: judged[row["message"]].causes, asleep=True)
    notes = [f"the log: {log.summary}"]
    if check.others:
        names = ", ".join(f"0x{can_id & EXTENDED_MASK:X}" for can_id in sorted(check.others)[:_MOST_NAMES])
        more = ", ..." if len(check.others) > _MOST_NAMES else ""
        notes.append(f"identifiers of the log that are not of the plan: {len(check.others)} ({names}{more})")
    return Explanation(file.settings.name, f"{options.log}, as of bus {bus}", verdicts, _profiles(status), notes=notes)


def _profiles(status: Status) -> dict[str, str]:
    """Return what is known of the cluster on each bus that has a profile, and how far."""
    return {name: bus["profile"] for name, bus in status["buses"].items() if bus["profile"]}


def _bus_of_log(bench: Bench, wanted: str | None) -> str:
    buses = [name for name, one in bench.wiring.plan.selections.items() if one.outgoing]
    if wanted is None and len(buses) == 1:
        return buses[0]
    if wanted not in buses:
        raise ConfigurationError(f"name the bus of the log by --bus: {', '.join(buses) or 'the bench sends nothing'}")
    return wanted


def _read_out(client: Client, file: BenchFile) -> list[dict[str, Any]]:
    """Read trouble codes and identification of every control unit that the bench file has an address of."""
    texts = {code: one.text for code, one in load_codes(find(Kind.CODES, "codes", file.path)).codes.items()}
    asked = [(name, bus.diagnostics) for name, bus in file.settings.buses.items() if bus.diagnostics is not None]
    if not asked:
        raise ConfigurationError("no bus of the bench says who answers: 'diagnostics' of a bus does")
    lines: list[dict[str, Any]] = []
    for name, unit in asked:
        try:
            for identifier in unit.identifiers:
                about = IDENTIFIERS.get(identifier, f"identifier {identifier:04X}")
                try:
                    said = read_identifier(client.ask(name, b"\x22" + identifier.to_bytes(2, "big")), identifier)
                except RefusedError as error:
                    said = str(error)
                lines.append({"bus": name, "about": about, "text": said, "wrong": False})
            try:
                codes = read_codes(client.ask(name, READ_CODES), texts)
            except RefusedError as error:
                lines.append({"bus": name, "about": "trouble codes", "text": str(error), "wrong": False})
                continue
        except TimeoutError as error:
            lines.append({"bus": name, "about": "control unit", "text": str(error), "wrong": True})
            continue
        for code in codes:
            text = f"{code.text or 'text not known'} ({', '.join(code.states) or 'not failing'})"
            wrong = "failing" in code.states or "confirmed" in code.states
            lines.append({"bus": name, "about": f"{code.code} [{code.raw}]", "text": text, "wrong": wrong})
        if not codes:
            lines.append({"bus": name, "about": "trouble codes", "text": "none", "wrong": False})
    return lines


def _chosen(verdicts: Sequence[Verdict], names: Iterable[str]) -> list[Verdict]:
    """Return the verdicts on the lamps and needles of these names, in any case of letters."""
    known: dict[str, list[Verdict]] = {}
    for one in verdicts:
        known.setdefault(one.name.casefold(), []).append(one)
    chosen = []
    for name in names:
        if name.casefold() not in known:
            meant = nearest(name.casefold(), known)
            hint = f"; did you mean {known[meant][0].name}?" if meant else ""
            raise ConfigurationError(f"no frame is known to darken, light or feed {name!r}{hint}")
        chosen += known[name.casefold()]
    return chosen
