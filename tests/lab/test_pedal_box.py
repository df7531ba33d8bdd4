"""The packaged pedal box on a real vcan: pedals go in by a serial line, candump sees the car, a second log feeds it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import can
import pytest
import yaml
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]

from hilbridge.base.resources import Kind, find

from ..program import Program, database, decoded, running

TICKS_PER_SECOND = 200
ENGINE = database().get_message_by_name("EngineData1")
SECONDS = 20.0
"""Of pedals for one step of the drive, at the most."""
BUFFER = "4000000"
"""[byte] of candump: it loses nothing while its log is written slowly."""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """The packaged bench as it is, but for its rate, and with its log beside it."""
    packaged = find(Kind.BENCH, "pedal-box")
    settings = yaml.safe_load(packaged.read_text(encoding="utf-8"))
    assert (settings["buses"]["car"]["interface"], settings["buses"]["car"]["channel"]) == ("socketcan", "vcan0")
    settings["rate"] = TICKS_PER_SECOND
    settings["control"] = {"enabled": False}
    path = tmp_path / "bench.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    (tmp_path / "pedal-box.log").write_bytes((packaged.parent / "pedal-box.log").read_bytes())
    return path


def line(throttle: float, ignition: int, starter: int) -> bytes:
    text = f"PB,{102 + 820 * throttle:.0f},{51 + 410 * throttle:.0f},80,80,0,512,{ignition},{ignition},{starter},0"
    checksum = 0
    for character in text.encode():
        checksum ^= character
    return f"${text}*{checksum:02X}\r\n".encode()


def seen(log: Path, signal_name: str) -> float | None:
    """The newest value in candump's log, whose last line may be half written."""
    lines = log.read_text(encoding="ascii").split("\n")[:-1]
    for text in reversed(lines):
        identifier, _, data = text.split()[2].partition("#")
        if int(identifier, 16) == ENGINE.frame_id:
            return decoded(ENGINE, can.Message(data=bytes.fromhex(data)))[signal_name]
    return None


def drive(program: Program, port: int, log: Path, text: bytes, low: float, high: float) -> None:
    """Writes a line 20 times a second until the engine's speed is inside the bounds."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        os.write(port, text)
        time.sleep(0.05)
        rpm = seen(log, "EngineRpm")
        if rpm is not None and low <= rpm <= high:
            return
    raise AssertionError(f"the engine never came to {low} ... {high} rpm")


@pytest.mark.nightly
def test_pedals_drive_a_car_on_vcan(bench: Path, tmp_path: Path) -> None:
    """Start, rev, switch off; raw frames with right checksums and the logged modules are on the bus beside it."""
    log = tmp_path / "candump.log"
    with log.open("w", encoding="ascii") as output:
        dump = subprocess.Popen(["stdbuf", "--output=L", "candump", "-L", "-r", BUFFER, "vcan0"], stdout=output)
    try:
        with running(bench) as program:
            port = os.open(program.pedal_port(), os.O_WRONLY | os.O_NOCTTY)
            drive(program, port, log, line(0.0, 1, 1), 900, 9000)
            drive(program, port, log, line(0.5, 1, 0), 3000, 9000)
            drive(program, port, log, line(0.0, 0, 0), 0, 100)
            os.close(port)
            final = program.stop()
    finally:
        dump.send_signal(signal.SIGTERM)
        dump.wait(timeout=10)
    assert "refused" not in final["links"]["car"]
    frames = [
        (int(identifier, 16), bytes.fromhex(data))
        for identifier, _, data in (text.split()[2].partition("#") for text in log.read_text().splitlines())
    ]
    raw = [data for identifier, data in frames if identifier == 0x3D0]
    assert raw
    assert [data[1] & 0x0F for data in raw] == [(raw[0][1] + number) % 16 for number in range(len(raw))]
    assert all(data[3] == Crc8SaeJ1850.calc(data[:3]) for data in raw)
    assert {0x040, 0x3DB, 0x5F0, 0x3D1} <= {identifier for identifier, _ in frames}


def test_check_has_nothing_to_say() -> None:
    command = [sys.executable, "-m", "hilbridge", "check", "pedal-box"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "warning" not in run.stdout
