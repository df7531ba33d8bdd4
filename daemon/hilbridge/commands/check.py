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
from hilbridge.frames.report import BusReport, FrameReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bench", metavar="BENCH", help="bench file, or name of a packaged one")
    parser.add_argument("--json", action="store_true", help="the same as one JSON object")


def run(options: argparse.Namespace) -> int:
    file = load_bench(options.bench)
    try:
        bench = Bench(file)
    except ConfigurationError as error:
        raise file.locate(error) from error
    reports = bench.plan.describe()
    inputs = {
        source.name: {binding.control.name: binding.field for binding in source.bindings} for source in bench.sources
    }
    warnings = [warning for database in bench.databases.values() for warning in database.warnings]
    if options.json:
        print(json.dumps(_plain(reports, inputs, warnings), indent=2))
        return 0

    console = Console(highlight=False)
    console.print(
        f"bench {file.settings.name}: {file.settings.rate} ticks/s, vehicle {file.vehicle.settings.name}", style="bold"
    )
    for report in reports:
        _print_bus(console, report)
    for name, controls in inputs.items():
        console.print(f"\ninput {name}", style="bold")
        console.print(_columns([("", control, f"from {field}") for control, field in controls.items()]))
    for warning in warnings:
        console.print(f"warning: {warning}", style="yellow")
    return 0


def _print_bus(console: Console, report: BusReport) -> None:
    load = "bit rate not known"
    if report.load is not None:
        load = f"load at most {report.load:.1f} % of {report.bitrate} bit/s"
    console.print(f"\nbus {report.bus}: {len(report.frames)} frames, {load}", style="bold")
    for frame in report.frames:
        console.print(
            f"{_identifier(frame)}  {frame.message}: {frame.length} bytes every {frame.period:g} ms,"
            f" first at {frame.phase:g} ms"
        )
        console.print(
            _columns(
                [
                    (
                        "",
                        signal.signal,
                        signal.text if signal.origin == "mapped" else f"{signal.text} ({signal.origin})",
                    )
                    for signal in frame.signals
                ]
            )
        )
    for message, reason in report.not_sent.items():
        console.print(f"not sent: {message}: {reason}")
    for warning in report.warnings:
        console.print(f"warning: {warning}", style="yellow")


def _columns(rows: list[tuple[str, str, str]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for row in rows:
        table.add_row(*row)
    return table


def _identifier(frame: FrameReport) -> str:
    return f"{frame.identifier:08X}" if frame.extended else f"{frame.identifier:03X}"


def _plain(reports: list[BusReport], inputs: dict[str, dict[str, str]], warnings: list[str]) -> dict[str, Any]:
    """The same facts for programs; a signal's source is told by origin and text."""
    buses = []
    for report in reports:
        facts = asdict(report)
        for frame, row in zip(facts["frames"], report.frames, strict=True):
            frame["signals"] = {
                signal.signal: {"origin": signal.origin, "source": signal.text} for signal in row.signals
            }
        buses.append(facts)
    return {"buses": buses, "inputs": inputs, "warnings": warnings}
