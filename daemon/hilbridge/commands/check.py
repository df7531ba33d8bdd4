"""`hilbridge check`: what a bench would send and receive, without opening anything."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table

from hilbridge.app import Bench
from hilbridge.configuration.benchfile import load_bench
from hilbridge.errors import ConfigurationError
from hilbridge.frames.mapping import Assignment
from hilbridge.frames.report import BusReport, FrameReport
from hilbridge.settings import BusSettings, DemoDriverInput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bench", metavar="BENCH", help="bench file, or name of a packaged one")
    parser.add_argument("--json", action="store_true", help="the same as one JSON object")


def run(options: argparse.Namespace) -> int:
    file = load_bench(options.bench)
    try:
        bench = Bench(file)
    except ConfigurationError as error:
        raise file.locate(error) from error
    if options.json:
        print(json.dumps(_plain(bench), indent=2))
    else:
        _print(Console(highlight=False, markup=False), bench)
    return 0


def _print(console: Console, bench: Bench) -> None:
    settings = bench.settings
    console.print(
        f"bench {settings.name}: {settings.rate} ticks/s, vehicle {bench.vehicle.settings.name}", style="bold"
    )
    reports = {report.bus: report for report in bench.plan.describe()}
    for name, bus in settings.buses.items():
        console.print(f"\nbus {name}: {_way_in(bus)}", style="bold")
        if name in reports:
            _print_frames(console, reports[name])
    for name, controls in _inputs(bench).items():
        console.print(f"\ninput {name}", style="bold")
        console.print(_columns([(control, f"from {field}") for control, field in controls.items()]))
    if any(isinstance(one, DemoDriverInput) for one in settings.inputs):
        console.print("\ninput demo-driver, while no other source speaks", style="bold")
    if settings.diagnostics.obd is not None:
        console.print(f"\nOBD-II on bus {settings.diagnostics.obd.bus}", style="bold")
    for warning in bench.warnings():
        console.print(f"warning: {warning}", style="yellow")


def _way_in(bus: BusSettings) -> str:
    if bus.interface != "embedded":
        return f"{bus.interface}, channel {bus.channel}"
    if bus.slcan is None:
        return "embedded, without a way in"
    return f"embedded, SLCAN on TCP port {bus.slcan or 'chosen at start'} of loopback"


def _inputs(bench: Bench) -> dict[str, dict[str, str]]:
    """By source: each control, and the field that it comes from."""
    return {
        source.name: {binding.control.name: binding.field for binding in source.bindings} for source in bench.sources
    }


def _print_frames(console: Console, report: BusReport) -> None:
    load = "bit rate not known"
    if report.load is not None:
        load = f"load at most {report.load:.1f} % of {report.bitrate} bit/s"
    console.print(f"{len(report.frames)} frames, {load}")
    for frame in report.frames:
        console.print(
            f"{_identifier(frame)}  {frame.message}: {frame.length} bytes every {frame.period:g} ms,"
            f" first at {frame.phase:g} ms"
        )
        console.print(_columns([(signal.signal, _source(signal)) for signal in frame.signals]))
    for message, reason in report.not_sent.items():
        console.print(f"not sent: {message}: {reason}")


def _source(signal: Assignment) -> str:
    return signal.text if signal.origin == "mapped" else f"{signal.text} ({signal.origin})"


def _columns(rows: list[tuple[str, str]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
    for row in rows:
        table.add_row(*row)
    return table


def _identifier(frame: FrameReport) -> str:
    return f"{frame.identifier:08X}" if frame.extended else f"{frame.identifier:03X}"


def _plain(bench: Bench) -> dict[str, Any]:
    """The same facts for programs; a signal's source is told by origin and text."""
    buses = []
    for report in bench.plan.describe():
        facts = asdict(report)
        for frame, row in zip(facts["frames"], report.frames, strict=True):
            frame["signals"] = {
                signal.signal: {"origin": signal.origin, "source": signal.text} for signal in row.signals
            }
        buses.append(facts)
    return {"buses": buses, "inputs": _inputs(bench), "warnings": bench.warnings()}
