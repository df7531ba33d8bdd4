"""The set-up of the XCP process goes through one argument, and is what the bench file says."""

from pathlib import Path

from hilbridge.desk.a2l.interface import CanIdentifiers
from hilbridge.faces.xcp.setup import CanPlace, Setup, setup_of
from hilbridge.files.configuration.benchfile import load_bench

BENCH = """\
name: set-up
vehicle: mx5-nd
inputs: [{source: demo-driver}]
"""
ON_CAN = """\
buses: {a: {interface: embedded, slcan: 29999, bitrate: 250000}}
xcp: {transport: can, bus: a, request: 0x7E5, answer: 0x7ED, write: true}
"""


def of(folder: Path, extra: str) -> Setup:
    file = folder / "bench.yaml"
    file.write_text(BENCH + extra, encoding="utf-8")
    bench = load_bench(str(file))
    return setup_of(bench.settings, bench.vehicle.settings, (), Path("/run/control.sock"), 2.0)


def test_a_slave_that_writes_has_the_engine_and_the_way_of_commands(tmp_path: Path) -> None:
    setup = of(tmp_path, "xcp: {write: true}\n")
    assert (setup.control, setup.pace) == ("/run/control.sock", 2.0)
    assert setup.parameters is not None
    again = Setup.decode(setup.encode())
    assert again.parameters is not None
    assert (again.parameters.reference, again.parameters.epk) == (setup.parameters.reference, setup.parameters.epk)
    assert again == setup


def test_one_that_is_read_only_has_neither(tmp_path: Path) -> None:
    setup = of(tmp_path, "xcp: {}\n")
    assert (setup.control, setup.parameters) == (None, None)
    assert Setup.decode(setup.encode()) == setup


def test_on_an_embedded_bus_it_is_a_client_of_slcan(tmp_path: Path) -> None:
    setup = of(tmp_path, ON_CAN)
    wire = CanIdentifiers(0x7E5, 0x7ED, extended=False, bitrate=250_000)
    assert setup.can == CanPlace("slcan", "socket://127.0.0.1:29999", wire)
    assert Setup.decode(setup.encode()).can == setup.can
