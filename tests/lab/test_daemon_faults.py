"""The running daemon on an interface that fails in every way: it goes on, says so, and is back within two seconds."""

import struct
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from ..program import DEMO, PATIENCE, Program, running
from .bench import classic, ip, load_module, raw_socket

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


def create(channel: str) -> None:
    ip(f"link add dev {channel} type vcan")
    ip(f"link set {channel} mtu 72 up")


def deleted_and_created(channel: str, program: Program) -> float:
    ip(f"link del {channel}")
    program.wait_for("link lost")
    over = program.statistics()["t"]
    create(channel)
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


def test_a_virtual_interface_that_comes_after_the_start_needs_no_command(bench: Path, vcan9: str) -> None:
    """As at a boot at which the service is faster than the network: what is not there yet is taken for hardware."""
    ip(f"link del {vcan9}")
    with running(bench) as program:
        program.wait_for("bus not open yet")
        program.wait_for("ready")
        create(vcan9)
        program.wait_for("virtual after all, bus armed")
        with raw_socket(vcan9) as raw:
            assert len({raw.recv(72)[:4] for _ in range(20)}) > 1
        program.stop()


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


NARROW = "tbf rate 8kbit burst 200 limit 400"
"""About 60 frames a second; what does not fit is answered with ENOBUFS."""


def queue(command: str) -> None:
    subprocess.run(["tc", "qdisc", *command.split()], check=True)


def until(program: Program, bus: str, counter: str, least: int) -> None:
    """Waits until a counter of the link has grown so far."""
    deadline = time.monotonic() + PATIENCE
    while program.statistics()["links"][bus].get(counter, 0) < least:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.nightly
def test_a_full_transmit_queue_costs_cycles_and_no_counter(bench: Path, vcan9: str) -> None:
    """ENOBUFS for as long as the bus takes sixty frames a second: what goes out goes on by one, then as before."""
    load_module("sch_tbf")
    settings = yaml.safe_load(bench.read_text(encoding="utf-8"))
    counted = [{"counter": {"at": {"bit": 0, "width": 8}}}]
    alive = {"id": 0x123, "data": "00 00", "period": 10, "protection": counted}
    settings["buses"]["powertrain"]["raw"] = {"Alive": alive}
    bench.write_text(yaml.safe_dump(settings), encoding="utf-8")
    with raw_socket(vcan9) as raw, running(bench) as program:
        program.wait_for("bus open")
        queue(f"add dev {vcan9} root {NARROW}")
        before = program.statistics()["ticks"]
        while program.statistics()["ticks"] < before + 5 * TICKS_PER_SECOND:
            time.sleep(0.2)
        queue(f"del dev {vcan9} root")
        until(program, "powertrain", "confirmed", program.statistics()["links"]["powertrain"]["sent"] + 500)
        final = program.stop()
        raw.setblocking(False)
        counters = []
        while True:
            try:
                can_id, _, data = struct.unpack("=IB3x8s", raw.recv(16))
            except BlockingIOError:
                break
            if can_id == 0x123:
                counters.append(data[0])
    assert 100 < len(counters) < final["ticks"] / 2 - 100  # a cycle is two ticks; more than a hundred were withheld
    assert all(after == (before + 1) % 256 for before, after in pairwise(counters))
    assert final["ticks"] > 5 * TICKS_PER_SECOND


@pytest.mark.nightly
def test_two_benches_on_one_bus_both_send_and_both_say_so(bench: Path, vcan9: str) -> None:
    """Each names the identifiers that somebody else sends too, and stays on the bus; the one that is left goes on."""
    text = bench.read_text(encoding="utf-8")
    other = bench.with_name("other.yaml")
    assert "35000" in text
    other.write_text(text.replace("name: demo", "name: other").replace("35000", "0"), encoding="utf-8")
    with running(bench) as first, running(other) as second:
        for program in (first, second):
            assert program.wait_for("another sender")["bus"] == "powertrain"
        second.stop()
        before = first.statistics()["buses"]["powertrain"]["transmitted"]
        with raw_socket(vcan9) as raw:
            assert len({raw.recv(72)[:4] for _ in range(20)}) > 1
        final = first.stop()
    assert final["buses"]["powertrain"]["transmitted"] > before
    assert final["links"]["powertrain"]["received"] > 0
