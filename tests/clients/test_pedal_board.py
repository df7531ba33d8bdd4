"""A pedal board on the demo bench's pseudo terminal, written to by pyserial as a board's firmware would."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from ..program import Program, demo_bench, running

pytestmark = pytest.mark.nightly


def send(board: serial.Serial, program: Program, line: bytes, reached: Callable[[float], bool]) -> None:
    """Repeats a line every 50 ms until the status shows an engine speed as wanted; at most 15 s."""
    end = time.monotonic() + 15.0
    while time.monotonic() < end:
        board.write(line)
        time.sleep(0.05)
        status = program.latest("status")
        if status is not None and reached(status["rpm"]):
            return
    raise AssertionError(f"{line!r} has not done it: {program.records[-1]}")


def test_lines_of_a_pedal_board_start_rev_and_stop_the_engine(tmp_path: Path) -> None:
    """The calibrated pedal (0..1023) revs the engine, the key column starts and stops it."""
    with running(demo_bench(tmp_path)) as program, serial.Serial(program.pedal_port(), 115200) as board:
        send(board, program, b"throttle=0 brake=0 clutch=0 gear=0 key=1\r\n", lambda rpm: rpm > 900)
        send(board, program, b"throttle=512 key=0\n", lambda rpm: rpm > 2500)
        send(board, program, b"throttle=0 key=-1\n", lambda rpm: rpm < 100)
        final = program.stop()
    assert final["inputs"]["pty"]["accepted"] >= 3
    assert "powertrain" in final["buses"]
