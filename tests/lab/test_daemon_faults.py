"""The running daemon on an interface that fails in every way: it goes on, says so, and is back within two seconds."""

import subprocess
from pathlib import Path

import pytest
import yaml

from ..program import DEMO, Program, running
from .bench import classic, ip, raw_socket

TICKS_PER_SECOND = 200
RECOVERY = 2.0
"""[s] of run time."""


@pytest.fixture
def bench(tmp_path: Path, vcan9: str) -> Path:
    """The packaged demo on an interface of the kernel."""
    settings = yaml.safe_load(DEMO.read_text(encoding="utf-8"))
    settings["rate"] = TICKS_PER_SECOND
    bus = settings["buses"]["powertrain"]
    bus["interface"], bus["channel"] = "socketcan", vcan9
    del bus["slcan"]
    path = tmp_path / "bench.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path


def down_and_up(channel: str, program: Program) -> float:
    ip(f"link set {channel} down")
    program.wait_for("link lost")
    over = program.statistics()["t"]
    ip(f"link set {channel} up")
    return float(over)


def deleted_and_created(channel: str, program: Program) -> float:
    ip(f"link del {channel}")
    program.wait_for("link lost")
    over = program.statistics()["t"]
    ip(f"link add dev {channel} type vcan")
    ip(f"link set {channel} mtu 72 up")
    return float(over)


def bus_off(channel: str, program: Program) -> float:
    """The interface itself goes on, so that the fault is over when it is reported."""
    with raw_socket(channel) as raw:
        raw.send(classic(0x20000040, bytes(8)))
    return float(program.wait_for("link lost")["t"])


def test_it_is_back_within_two_seconds_after_every_fault(bench: Path, vcan9: str) -> None:
    """In run time, and the frames are on the bus again. Twice each, so that one recovery does not spoil the next."""
    with running(bench) as program:
        program.wait_for("bus open")
        for fault in 2 * (down_and_up, deleted_and_created, bus_off):
            over = fault(vcan9, program)
            assert program.wait_for("link back")["t"] - over <= RECOVERY
            with raw_socket(vcan9) as raw:
                assert len({raw.recv(72)[:4] for _ in range(20)}) > 1
        final = program.stop()
    link = final["links"]["powertrain"]
    assert (link["reopened"], link["bus_off"]) == (2, 2)
    assert link["confirmed"] <= link["sent"]


def test_a_flood_does_not_stop_it(bench: Path, vcan9: str) -> None:
    """20,000 frames as fast as cangen makes them, most of them garbage for the bench; its own frames go on."""
    with running(bench) as program:
        program.wait_for("bus open")
        subprocess.run(["cangen", vcan9, "-m", "-g", "0", "-n", "20000"], check=True, stderr=subprocess.DEVNULL)
        with raw_socket(vcan9) as raw:
            assert len({raw.recv(72)[:4] for _ in range(20)}) > 1
        final = program.stop()
    link = final["links"]["powertrain"]
    assert link["received"] + link.get("overflowed", 0) <= 20_000
    assert link["received"] > 0
    assert "refused" not in link
