"""What is wrong with a bench is said before the start, with its place; what is wrong on the wires is survived."""

import os
import random
import socket
import subprocess
import sys
import time
from pathlib import Path

import can
import pytest

from ..program import demo_bench, hilbridge, running, slcan_client
from ..serial_board import Board

MAPPED = """
    messages:
      EngineData1:
        signals:
          {}
"""


def line_of(file: Path, text: str) -> int:
    """The line, counted from 1, that contains `text`."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


def after_transmit(text: str) -> tuple[str, str]:
    """A replacement that adds keys to the bus."""
    return "\n\ninputs:", f"{MAPPED.format(text)}\ninputs:"


@pytest.mark.parametrize(
    ("replacement", "wrong", "reason"),
    [
        (("powertrain.dbc", "powertrian.dbc"), "powertrian.dbc", "powertrian"),
        (("vehicle: compact ", "vehicle: compacd "), "compacd", "compact"),
        (("[HILBRIDGE]", "[HILBRIGDE]"), "HILBRIGDE", "did you mean HILBRIDGE"),
        (after_transmit("EngineRmp: vehicle.EngineRpm"), "EngineRmp", "did you mean EngineRpm"),
        (after_transmit("EngineRpm: vehicle.EnginRpm"), "EnginRpm", "did you mean vehicle.EngineRpm"),
        (after_transmit("EngineRpm: vehicle.Speed"), "EngineRpm: vehicle.Speed", "rpm"),
        (("Throttle: {}", "Throtle: {}"), "Throtle", "Throtle"),
        (("unit: engine, bus: powertrain", "unit: engine, bus: chassis"), "chassis", "chassis"),
        (
            ("timeout: 500\n    signals:\n      Throttle: {f", "timout: 500\n    signals:\n      Throttle: {f"),
            "timout",
            "timeout",
        ),
        (("rate: 1000 ", "rate: 5000 "), "rate: 5000", "1000"),
        (("rate: 1000 ", "rate: 50 "), "engine:", "100 Hz"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_wrong_bench_is_refused_with_file_line_and_reason(
    tmp_path: Path, replacement: tuple[str, str], wrong: str, reason: str
) -> None:
    """Exit status 2, nothing on standard output, one line `file:line: ...` for what is wrong."""
    bench = demo_bench(tmp_path, replacement)
    result = hilbridge("check", bench)
    assert result.returncode == 2
    assert result.stdout == ""
    assert f"{bench}:{line_of(bench, wrong)}: " in result.stderr
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.way_out("error output")
def test_run_refuses_it_in_the_same_words(tmp_path: Path) -> None:
    """`check` and `run` say the same of a wrong bench."""
    bench = demo_bench(tmp_path, ("[HILBRIDGE]", "[HILBRIGDE]"))
    checked, run = hilbridge("check", bench), hilbridge("run", bench)
    assert (run.returncode, run.stdout, run.stderr) == (checked.returncode, checked.stdout, checked.stderr)


@pytest.mark.parametrize(
    ("bus", "reason", "status"),
    [
        ("interface: socketcan\n    channel: can77", "can77", 1),
        ("interface: nosuch\n    channel: 1", "nosuch", 2),
        ("interface: slcan\n    channel: socket://127.0.0.1:9", "127.0.0.1:9", 1),
    ],
)
def test_a_bus_that_does_not_exist_ends_a_start_that_awaits_none(
    tmp_path: Path, bus: str, reason: str, status: int
) -> None:
    """Exit status 2 where the file is wrong and 1 where it may come yet; the place in the file, and its name."""
    bench = demo_bench(tmp_path, ("interface: embedded\n    slcan: 0", bus))
    result = hilbridge("run", bench, "--wait", "none")
    assert result.returncode == status
    assert result.stderr.startswith(f"{bench}:")
    assert reason in result.stderr
    assert "Traceback" not in result.stderr


def test_a_taken_port_ends_the_start(tmp_path: Path) -> None:
    """With exit status 1: the other program may leave it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = hilbridge("run", demo_bench(tmp_path, ("slcan: 0", f"slcan: {port}")))
    assert result.returncode == 1
    assert str(port) in result.stderr
    assert "Traceback" not in result.stderr


def test_ten_thousand_random_frames_are_survived_and_counted(tmp_path: Path) -> None:
    """Random data, in the input message and on OBD identifiers too: no frame is lost, none stops the program."""
    chance = random.Random(1)
    with running(demo_bench(tmp_path)) as program:
        with slcan_client(program.slcan_port()) as bus:
            for _ in range(10_000):
                identifier = chance.choice([0x180, 0x7DF, 0x7E0, chance.randrange(0x800)])
                data = chance.randbytes(chance.randrange(9))
                bus.send(can.Message(arbitration_id=identifier, data=data, is_extended_id=False))
            end = time.monotonic() + 20.0
            while program.statistics()["buses"]["powertrain"]["received"] < 10_000 and time.monotonic() < end:
                bus.recv(0.1)
        final = program.stop()
    assert final["buses"]["powertrain"]["received"] == 10_000
    assert sum(final["inputs"]["powertrain.DriverInputs"].values()) > 1000


def test_a_megabyte_of_random_serial_bytes_is_survived_and_counted(tmp_path: Path) -> None:
    """Every byte is read; what is no line of the pedal board is counted as such."""
    noise = random.Random(2).randbytes(1_000_000)
    with running(demo_bench(tmp_path)) as program:
        descriptor = os.open(program.pedal_port(), os.O_WRONLY | os.O_NOCTTY)
        try:
            for begin in range(0, len(noise), 4096):
                os.write(descriptor, noise[begin : begin + 4096])
        finally:
            os.close(descriptor)
        end = time.monotonic() + 20.0
        while next(iter(program.statistics()["ports"].values()))["received"] < 1_000_000 and time.monotonic() < end:
            time.sleep(0.1)
        final = program.stop()
    port = next(iter(final["ports"].values()))
    assert port["received"] == 1_000_000
    rejected = {reason: count for reason, count in final["inputs"]["pty"].items() if reason != "accepted"}
    assert sum(rejected.values()) > 100


@pytest.mark.way_out("serial port")
def test_a_serial_port_that_vanishes_is_reported_and_awaited(tmp_path: Path) -> None:
    """The board is unplugged and plugged in again: two lines in the log, and its lines count again."""
    board = Board(tmp_path / "board")
    board.plug()
    with running(demo_bench(tmp_path, ("port: pty ", f"port: {board.path} "))) as program:
        program.wait_for("pedal port open")
        board.unplug()
        lost = program.wait_for("link lost")
        assert str(board.path) in lost["link"]
        board.plug()
        program.wait_for("link back")
        board.write(b"\nthrottle=0 key=0\n" * 3)
        program.wait_for("input active", source=str(board.path))
        final = program.stop()
        board.unplug()
    assert final["inputs"][str(board.path)]["accepted"] >= 1


def test_the_program_stands_a_reader_of_its_log_that_leaves(tmp_path: Path) -> None:
    """Nobody reads standard output any more: that is said on standard error, and the run goes on to its end."""
    command = [sys.executable, "-m", "hilbridge", "run", str(demo_bench(tmp_path)), "--duration", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait(20) == 0
        assert process.stderr is not None
        assert process.stderr.read().startswith("hilbridge: nothing more is printed")
