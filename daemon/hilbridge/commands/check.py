"""`hilbridge check`: what a bench would send and receive, without opening anything; and any other file of ours.

An other file is told by its keys. Scenarios are tried on the bench that is named beside them.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table

from hilbridge.base.common.console import make_console
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import arm_remedy
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.bench.adapters import with_adapters
from hilbridge.bench.bench import Bench
from hilbridge.bench.scenario.build import build as build_scenario
from hilbridge.commands.consent import add_trust
from hilbridge.commands.file_kinds import KINDS, kind_of
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.profiles import Profile
from hilbridge.files.configuration.scenariofile import find_scenarios, load_scenario
from hilbridge.files.settings import BusSettings, DemoDriverInput
from hilbridge.files.settings.profiles import CONFIDENCE
from hilbridge.frames.codec.inventory import take_inventory
from hilbridge.frames.plan.report import BusReport, FrameReport
from hilbridge.runs.run.build import build

_MOST_NAMES: Final = 6
"""Messages that are not sent, by name."""

_FRAME_COLUMNS: Final[dict[str, JustifyMethod]] = {
    "id": "right",
    "message": "left",
    "bytes": "right",
    "goes": "left",
    "first at": "right",
    "while on": "left",
}
_IN_FULL: Final = ("outputs", "lines")
"""The parts that are shown with the values that they send."""

_EFFECT: Final = "without it"
"""The column of what the receiver shows, where the bench file says so."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="bench, vehicle, scenario, campaign, profile, unit, layout or targets: files, or names of packaged ones; "
        "a scenario beside a bench, or a folder of them, is tried on it",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="every message that is not sent, with the reason; PIDs and identifiers"
    )
    parser.add_argument("--json", action="store_true", help="the same as one JSON object")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    kinds = [(name, kind_of(name)) for name in find_scenarios(options.files)]
    benches = [name for name, kind in kinds if kind == "bench"]
    if len(benches) > 1 or (options.json and len(kinds) > 1):
        raise ConfigurationError("one bench at a time, and with --json nothing beside it")
    bench = _check_bench(benches[0], options) if benches else None
    for name, kind in kinds:
        if kind != "bench":
            words = _read(name, kind, bench)
            if options.json:
                print(json.dumps({"file": name, "kind": kind, "holds": words}, indent=2, ensure_ascii=False))
            else:
                print(printable(f"{kind} {name}: {words}"))
    return 0


def _read(name: str, kind: str, bench: Bench | None) -> str:
    """Read a file of another kind than a bench; return as text what it holds. ConfigurationError: it is wrong."""
    read = KINDS[kind].read
    assert read is not None  # noqa: S101 - none is that of a bench
    words = read(name)
    if kind != "scenario":
        return words
    if bench is None:
        return f"{words}; whether a bench has what they name: hilbridge check BENCH {name}"
    build_scenario(load_scenario(name), bench.scenario_context(_unheard))
    return f"{words}, which fit bench {bench.settings.name}"


def _unheard(_command: bytes) -> bytes:
    """Carry out no command of a scenario that is not played."""
    return b"{}"


def _check_bench(name: str, options: argparse.Namespace) -> Bench:
    file = with_adapters(load_bench(name))
    bench = build(file)
    warnings = [*bench.wiring.warnings(), *file.vehicle.warnings()]
    if options.json:
        print(json.dumps(_plain(bench, warnings), indent=2))
    else:
        _print(make_console(), bench, warnings, verbose=options.verbose)
    return bench


def _print(console: Console, bench: Bench, warnings: Sequence[str], *, verbose: bool) -> None:
    settings = bench.settings
    console.print(
        f"bench {settings.name}: {settings.rate} ticks/s, vehicle {bench.vehicle.settings.name}", style="bold"
    )
    reports = {report.bus: report for report in bench.wiring.plan.describe()}
    profiles = bench.wiring.bench_files.file.profiles
    for name, bus in settings.buses.items():
        console.print(f"\nbus {name}: {_way_in(bus)}", style="bold")
        if name in profiles:
            _print_profile(console, profiles[name])
        if name in reports:
            _print_frames(console, reports[name], _known(profiles.get(name)), verbose=verbose)
    for sender in bench.wiring.plan.senders:
        console.print(f"\n{sender.describe()}", style="bold")
    console.print(f"\ncyclic frames in the busiest tick, on all buses together: {bench.wiring.plan.busiest_tick()}")
    for name, controls in _inputs(bench).items():
        console.print(f"\ninput {name}", style="bold")
        console.print(_columns(controls.items()))
    if any(isinstance(one, DemoDriverInput) for one in settings.inputs):
        console.print("\ninput demo-driver, while no other source speaks", style="bold")
    _print_outputs(console, bench)
    _print_units(console, bench, verbose=verbose)
    for name, lines in _parts(bench).items():
        console.print(f"\n{name}", style="bold")
        console.print(_columns(lines.items()))
    _print_warnings(console, bench, warnings)


def _print_outputs(console: Console, bench: Bench) -> None:
    settings = bench.settings
    for kind, some in (("output", bench.wiring.outputs.outputs), ("serial bus", bench.wiring.lines.lines)):
        for name, output in some.items():
            state = "armed" if output.armed else f"silent before: {arm_remedy(name)}"
            port = (settings.serial_outputs | settings.lines)[name].port
            console.print(f"\n{kind} {name}: {port}, {output.describe()}, {state}", style="bold")
            console.print(_columns(output.rows().items()))


def _print_warnings(console: Console, bench: Bench, warnings: Sequence[str]) -> None:
    """Print the warnings, and what of each database can be used."""
    for warning in warnings:
        console.print(f"warning: {warning}", style="yellow")
    for bus, database in bench.wiring.databases.items():
        console.print(f"database of {bus}: {take_inventory(database).describe()}")


def _print_units(console: Console, bench: Bench, *, verbose: bool) -> None:
    units = bench.wiring.control_units
    reached = [ecu for ecu in units.ecus if ecu.addresses]
    if not reached:
        return
    console.print("\ncontrol units", style="bold")
    rows = [(ecu.name, f"bus {ecu.bus}", ", ".join(one.describe() for one in ecu.addresses)) for ecu in reached]
    console.print(_columns(rows))
    for name, account in bench.wiring.bench_files.file.odx.items():
        console.print(f"{name} by {account.describe()}")
        for doubt in account.doubts():
            console.print(f"  {doubt}", style="yellow")
    for name, left_out in _without_engine(bench).items():
        number = counted(len(left_out), "PID")
        console.print(f"{name} leaves out {number} of an engine that is not there: {', '.join(left_out)}")
    for ecu in reached if verbose else ():
        pids = {} if ecu.obd is None else ecu.obd.current_data.describe()
        identifiers = units.uds[ecu.name].identifiers.describe() if ecu.name in units.uds else {}
        answers = [] if ecu.answers is None else [*ecu.answers.describe().items()]
        answers += [(f"01 {pid}", text) for pid, text in pids.items()]
        answers += [(f"22 {number}", text) for number, text in identifiers.items()]
        console.print(f"\ncontrol unit {ecu.name} answers", style="bold")
        console.print(_columns(answers))


def _without_engine(bench: Bench) -> dict[str, Sequence[str]]:
    """Return the PIDs of each control unit's settings that are not answered as the vehicle has no engine."""
    servers = {ecu.name: ecu.obd for ecu in bench.wiring.control_units.ecus}
    left_out = {name: obd.current_data.without_engine for name, obd in servers.items() if obd is not None}
    return {name: pids for name, pids in left_out.items() if pids}


def _print_profile(console: Console, profile: Profile) -> None:
    settings = profile.settings
    console.print(f"profile {profile.name}: {settings.title}; wiring and sources: hilbridge profiles {profile.name}")
    console.print(f"tested: {settings.tested}")
    certain = settings.confidence != "C"
    told = f"confidence {settings.confidence}: {CONFIDENCE[settings.confidence]}"
    console.print(told, style=None if certain else "yellow")
    for doubt in profile.doubts:
        console.print(doubt, style="yellow" if doubt.startswith(("guessed", "any bytes")) else None)


def _known(profile: Profile | None) -> dict[str, str]:
    """Return by its name as text how far each frame of a profile is known."""
    return {} if profile is None else {frame.name: frame.words for frame in profile.frames}


def _way_in(bus: BusSettings) -> str:
    if bus.interface != "embedded":
        kind = "hardware" if bus.is_hardware else "virtual"
        sent = "" if bus.armed or not bus.is_hardware else ", which sends nothing until it is armed"
        return f"{bus.interface}, channel {bus.channel}: {kind}{sent}"
    ways = [
        "a pseudo terminal" if way == "pty" else f"TCP port {way or 'chosen at start'} of loopback"
        for way in bus.slcan_ways
    ]
    slcan = [f"SLCAN on {' and '.join(ways)}"] if ways else []
    port = f"socketcand on TCP port {bus.socketcand or 'chosen at start'} of loopback"
    named = slcan if bus.socketcand is None else [*slcan, port]
    return ", ".join(["embedded", *(named or ["without a way in"])])


def _parts(bench: Bench) -> dict[str, Mapping[str, str]]:
    """Return a line for each item of the parts, those of packages too, but for outputs and serial buses."""
    described = {key: part.describe() for key, part in bench.wiring.parts.items() if key not in _IN_FULL}
    return {key: lines for key, lines in described.items() if lines}


def _inputs(bench: Bench) -> dict[str, dict[str, str]]:
    """Return a line for each source of inputs: its controls and their fields."""
    return {
        source.name: {binding.control.name: binding.describe() for binding in source.bindings}
        for source in bench.wiring.sources
    }


def _print_frames(console: Console, report: BusReport, known: Mapping[str, str], *, verbose: bool) -> None:
    console.print(f"{counted(len(report.frames), 'frame')}, {_load(report)}")
    if report.frames:
        console.print(_frame_table(report.frames, known))
        console.print(_signal_table(report.frames))
    if verbose:
        for message, reason in report.not_sent.items():
            console.print(f"not sent: {message}: {reason}")
    elif report.not_sent:
        console.print(_not_sent(report.not_sent))


def _not_sent(reasons: Mapping[str, str]) -> str:
    """Return a line about the messages that are not sent: their number, the first of them, and the reason."""
    names = ", ".join(list(reasons)[:_MOST_NAMES]) + (", ..." if len(reasons) > _MOST_NAMES else "")
    ((reason, count),) = Counter(reasons.values()).most_common(1)
    mostly = "" if count == len(reasons) else f"{count} because "
    return f"not sent, --verbose lists them: {counted(len(reasons), 'message')} ({names}): {mostly}{reason}"


def _load(report: BusReport) -> str:
    if report.load is None or report.highest_load is None:
        return "load not known: 'bitrate' of the bus would tell"
    text = f"load at most {report.load:.1f} % of {report.bitrate} bit/s"
    if report.highest_load > report.load:
        text += f", {report.highest_load:.1f} % while all that goes on change does so as often as it may"
    return text


def _frame_table(frames: Sequence[FrameReport], known: Mapping[str, str]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="")
    for column, side in _FRAME_COLUMNS.items():
        table.add_column(column, justify=side, overflow="fold")
    if effects := any(frame.feeds or frame.darkens for frame in frames):
        table.add_column(_EFFECT, overflow="fold")
    if known:
        table.add_column("known", overflow="fold")
    for frame in frames:
        first = "" if frame.phase is None else f"{frame.phase:g} ms"
        row = [_identifier(frame), frame.message, str(frame.length), _goes(frame), first, _terminals(frame)]
        row += [_effect(frame)] if effects else []
        table.add_row(*row, *([known.get(frame.message, "of the bench")] if known else []))
    return table


def _effect(frame: FrameReport) -> str:
    """Write what is missing without a frame: `at rest: speedometer, trip; lit: ABS`."""
    parts = {"at rest": frame.feeds, "lit": frame.darkens}
    return "; ".join(f"{word}: {', '.join(nouns)}" for word, nouns in parts.items() if nouns)


def _goes(frame: FrameReport) -> str:
    """Write a send type: `every 100 ms and on change, at least 20 ms apart, 3 repetitions every 10 ms`."""
    if frame.repeat is not None:
        alone = ", one at a time" if frame.one_at_a_time else ""
        return f"events, {frame.period:g} ms apart at least, each again after {frame.repeat:g} ms{alone}"
    cycle = f"every {frame.period:g} ms" if frame.period is not None else ""
    change = {"cyclic": "", "event": "on events", "once": "once, when its terminals come on"}.get(
        frame.send, "on change"
    )
    parts = [" and ".join(part for part in (cycle, change) if part)]
    if frame.minimum_delay is not None:
        parts.append(f"at least {frame.minimum_delay:g} ms apart")
    if frame.repetitions:
        parts.append(f"{frame.repetitions} repetitions every {frame.repetition_period:g} ms")
    return ", ".join(parts)


def _terminals(frame: FrameReport) -> str:
    """Write terminals: `15, wakes up, 500 ms after-run`."""
    parts = [" or ".join(frame.terminals)]
    if frame.wake_up:
        parts.append("wakes up")
    if frame.after_run:
        parts.append(f"{frame.after_run:g} ms after-run")
    if frame.bulb_check is not None:
        parts.append(f"{frame.bulb_check:g} ms bulb check")
    return ", ".join(parts)


def _signal_table(frames: Sequence[FrameReport]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="")
    for column in ("message", "signal", "value", "from"):
        table.add_column(column, overflow="fold")
    known = any(signal.raw is not None for frame in frames for signal in frame.signals)
    if known:
        table.add_column("raw", justify="right")
    for frame in frames:
        for row, signal in enumerate(frame.signals):
            cells = ["" if row else frame.message, signal.signal, signal.origin, signal.text]
            table.add_row(*cells, *([_raw(signal.raw)] if known else []))
    return table


def _raw(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:g}" if value % 1 else f"{value:.0f}"


def _columns(rows: Iterable[Sequence[str]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
    for row in rows:
        table.add_row(*row)
    return table


def _identifier(frame: FrameReport) -> str:
    return f"{frame.identifier:08X}" if frame.extended else f"{frame.identifier:03X}"


def _plain(bench: Bench, warnings: Sequence[str]) -> dict[str, Any]:
    """Return the plan for JSON; the source of a signal is its origin and its text."""
    buses = []
    for report in bench.wiring.plan.describe():
        facts = asdict(report)
        profile = bench.wiring.bench_files.file.profiles.get(report.bus)
        facts["profile"] = None if profile is None else profile.facts()
        database = bench.wiring.databases.get(report.bus)
        facts["database"] = None if database is None else take_inventory(database)._asdict()
        facts["warnings"] = [doubt.message for doubt in report.warnings]
        for frame, row in zip(facts["frames"], report.frames, strict=True):
            frame["signals"] = {
                signal.signal: {"origin": signal.origin, "source": signal.text, "raw": signal.raw}
                for signal in row.signals
            }
        buses.append(facts)
    return {
        "buses": buses,
        "further_senders": [sender.describe() for sender in bench.wiring.plan.senders],
        "busiest_tick": bench.wiring.plan.busiest_tick(),
        "parts": _parts(bench),
        "inputs": _inputs(bench),
        "outputs": {
            name: {"packets": output.describe(), "armed": output.armed, "values": output.rows()}
            for name, output in bench.wiring.outputs.outputs.items()
        },
        "odx": {name: one.facts() for name, one in bench.wiring.bench_files.file.odx.items()},
        "lines": {
            name: {"line": line.describe(), "armed": line.armed, "sends": line.rows()}
            for name, line in bench.wiring.lines.lines.items()
        },
        "pids_without_engine": _without_engine(bench),
        "warnings": warnings,
    }
