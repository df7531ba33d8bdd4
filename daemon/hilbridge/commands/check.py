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
    inputs = [
        {"source": source.name, "controls": {binding.control.name: binding.field for binding in source.bindings}}
        for source in bench.sources
    ]
    warnings = [warning for database in bench.databases.values() for warning in database.warnings]
    if options.json:
        print(json.dumps(_plain(reports, inputs, warnings), indent=2))
        return 0

    console = Console(soft_wrap=True)
    console.print(f"bench {file.settings.name}: {file.settings.rate} ticks/s, vehicle {file.vehicle.settings.name}")
    for report in reports:
        _print_bus(console, report)
    for i, source in enumerate(inputs, start=1):
        controls = ", ".join(
            name if name == field else f"{name} from {field}" for name, field in source["controls"].items()
        )
        console.print(f"input {i}: {source['source']}: {controls}")
    for warning in warnings:
        console.print(f"warning: {warning}")
    return 0


def _print_bus(console: Console, report: BusReport) -> None:
    load = (
        "bit rate not known" if report.load is None else f"load at most {report.load:.1f} % of {report.bitrate} bit/s"
    )
    table = Table(title=f"bus {report.bus}: {len(report.frames)} frames, {load}", title_justify="left")
    for heading in ("id", "message", "bytes", "period", "phase", "signal", "source"):
        table.add_column(heading, justify="right" if heading in ("id", "bytes", "period", "phase") else "left")
    for frame in report.frames:
        head = [_identifier(frame), frame.message, str(frame.length), f"{frame.period:g} ms", f"{frame.phase:g} ms"]
        for signal in frame.signals:
            table.add_row(*head, signal.signal, f"{signal.text} ({signal.origin})")
            head = [""] * len(head)
        table.add_section()
    console.print(table)
    for message, reason in report.not_sent.items():
        console.print(f"not sent: {message}: {reason}")
    for warning in report.warnings:
        console.print(f"warning: {warning}")


def _identifier(frame: FrameReport) -> str:
    return f"{frame.identifier:08X}" if frame.extended else f"{frame.identifier:03X}"


def _plain(reports: list[BusReport], inputs: list[dict[str, Any]], warnings: list[str]) -> dict[str, Any]:
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
