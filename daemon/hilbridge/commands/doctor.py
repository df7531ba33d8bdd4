"""`hilbridge doctor [BENCH]`: what is missing on this machine, and how to get it."""

import argparse
import json
from collections.abc import Iterator
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, LinkError, NotNowError
from hilbridge.base.common.terminal import printable
from hilbridge.base.resources import Kind, documents, find
from hilbridge.base.trust import gate, store
from hilbridge.boundary.links.adapter import interface_name
from hilbridge.boundary.links.helper import HelperLink
from hilbridge.commands import doctor_host, doctor_input, doctor_machine
from hilbridge.commands.doctor_machine import Finding, State
from hilbridge.commands.doctor_service import Ports, become
from hilbridge.commands.service_unit import Unit, unit_of
from hilbridge.commands.state import SERVICE_BENCH, default_bench
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.settings import BusSettings, EvdevInput, SerialInput, UdpInput
from hilbridge.files.settings.realtime import RealTimeSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.runs.run.build import build

_STYLES = {State.GOOD: "green", State.WARNING: "yellow", State.AWAITED: "cyan", State.ERROR: "bold red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the bench and the form of the answer."""
    what = f"name or path; default: {SERVICE_BENCH} where it is, else demo"
    parser.add_argument("bench", metavar="BENCH", nargs="?", help=what)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the findings; exit status 0 when the bench can run here, else 1."""
    args.bench = args.bench or default_bench()
    findings, wanted, found = list(doctor_machine.software()), RealTimeSettings(), list[Finding]()
    unit = _unit_of(args.bench)
    ports = Ports(unit)  # before, because the user of the unit may not look into its processes
    if unit is not None:
        found.append(become(unit))
    try:
        bench = load_bench(args.bench)
        wanted = bench.settings.realtime
        found += _bench(bench, ports)
    except InvalidFileError as error:
        remedy = "`hilbridge schema --reference` describes every key"
        found += [Finding(f"bench {args.bench}", State.ERROR, str(problem), remedy) for problem in error.problems]
    except ConfigurationError as error:
        remedy = "give the name of a bench, or the path of a bench file"
        if unit is not None:
            remedy = f"let the group of {unit.user} read it: sudo chgrp {unit.user} FILE; sudo chmod 640 FILE"
        found.append(Finding(f"bench {args.bench}", State.ERROR, error.message, remedy))
    found += _own_code(args.bench)
    findings += [*doctor_machine.real_time(wanted), *doctor_host.scheduling(wanted), *doctor_host.service(wanted, unit)]
    findings += [
        doctor_host.clock(),
        doctor_machine.socketcan(),
        doctor_machine.serial_ports(),
        doctor_input.input_devices(),
        *found,
    ]
    errors = sum(finding.state is State.ERROR for finding in findings)
    awaited = ", ".join(finding.subject for finding in findings if finding.state is State.AWAITED)
    if args.json:
        report = [finding._asdict() | {"state": finding.state.value} for finding in findings]
        facts = {"bench": args.bench, "can_run": errors == 0, "findings": report, "documents": str(documents())}
        print(json.dumps(facts, indent=2))
    else:
        _print(findings)
        print(f"\nreference of keys, values and presets: {documents()}")
        verdict = "can run here" if not errors else f"cannot run here; errors: {errors}"
        print(f"bench {args.bench} {verdict}{f'; awaited, as late as it comes: {awaited}' if awaited else ''}")
    return 1 if errors else 0


def _unit_of(bench: str) -> Unit | None:
    """Return the unit that runs a bench; None: no unit does."""
    try:
        return unit_of(find(Kind.BENCH, bench))
    except ConfigurationError:
        return None


def _bench(bench: BenchFile, ports: Ports) -> Iterator[Finding]:
    """Probe what the bench's buses and inputs need."""
    settings = bench.settings
    build(bench)
    yield Finding(f"bench {settings.name}", State.GOOD, f"{bench.path}, vehicle {bench.vehicle.settings.name}")
    for bus in settings.buses.values():
        yield from _bus(bus, ports)
    for source in settings.inputs:
        if isinstance(source, SerialInput) and source.port != "pty":
            yield doctor_machine.serial_port(source.port)
        elif isinstance(source, EvdevInput):
            yield doctor_input.input_device(source)
        elif isinstance(source, UdpInput):
            yield ports.udp(source.port, source.address)
    for output in (*settings.serial_outputs.values(), *settings.lines.values()):
        if output.is_hardware:
            yield doctor_machine.serial_port(output.port)
    if settings.metrics is not None:
        yield ports.tcp(settings.metrics.port, settings.metrics.address)


def _own_code(bench: str) -> Iterator[Finding]:
    """Say which Python code of its own the bench has, and whether it is trusted."""
    subject = "own code"
    for code in gate.take_refused():
        yield Finding(
            subject, State.ERROR, f"{code.label} is not trusted here", f"read it, then: hilbridge trust {bench}"
        )
    for code in gate.passed():
        yield Finding(subject, State.GOOD, f"{code.label} is trusted")
    if not gate.passed():
        try:
            yield Finding(subject, State.GOOD, f"none runs; trusted here: {len(store.entries())}")
        except ConfigurationError as error:
            yield Finding(subject, State.WARNING, error.message)


def _bus(bus: BusSettings, ports: Ports) -> Iterator[Finding]:
    if bus.interface == "embedded":
        for way in (*bus.slcan_ways, bus.socketcand):
            if way not in (0, "pty", None):
                yield ports.tcp(int(way))
    elif bus.interface == "socketcan":
        yield _as_awaited(doctor_machine.can_interface(str(bus.channel), fd=bus.fd), bus)
        with suppress(NotNowError):
            yield from doctor_host.can_buffers(interface_name(str(bus.channel)))
    else:
        driver = doctor_machine.python_can_interface(bus.interface)
        yield driver
        if driver.state is State.GOOD and ports.running:
            yield Finding(
                f"channel {bus.channel}", State.GOOD, f"not tried: {ports.running} runs this bench and has it"
            )
        elif driver.state is State.GOOD:
            yield _as_awaited(_channel(bus), bus)


def _as_awaited(finding: Finding, bus: BusSettings) -> Finding:
    """Return what is found of a link: one that is awaited is an error where the bench file says `wait: required`."""
    if finding.state is State.AWAITED and bus.wait == "required":
        return finding._replace(state=State.ERROR, text=f"{finding.text}, and the bench requires it")
    return finding


def _channel(bus: BusSettings) -> Finding:
    """Probe whether a channel opens, as a run opens it, in a helper process with a time limit."""
    subject = f"channel {bus.channel}"
    try:
        HelperLink(Bus("doctor"), bus).close()
    except LinkError as error:
        state = State.AWAITED if isinstance(error, NotNowError) else State.ERROR
        remedy = "is it plugged in, free, and open to this user? The bench's `options` are handed to its driver"
        return Finding(subject, state, str(error), remedy)
    return Finding(subject, State.GOOD, "can be opened")


def _print(findings: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        state = finding.state
        subject, text, remedy = map(printable, (finding.subject, finding.text, finding.remedy))
        console.print(Text.assemble((f"{state.value:<8}", _STYLES[state]), f"{subject:<{width}}  {text}"))
        if remedy:
            console.print(Text(f"{'':<8}{'':<{width}}  -> {remedy}", style="dim"))
