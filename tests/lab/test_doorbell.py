"""What wakes a run between two ticks: requests of testers, whatever else is on the bus and happens to the interface."""

import select
import socket
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import can
import pytest
import yaml

from hilbridge.base.resources import Kind, find
from hilbridge.boundary.links.can_frame import pack_frame
from hilbridge.boundary.links.doorbell import Doorbell
from hilbridge.boundary.record.boundary_records import EARLY, FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.frames.codec.frame import EXTENDED, Frame

from .bench import Bench, ip, raw_socket

REQUESTS = (0x7E0, 0x18DA10F1 | EXTENDED)


def is_answered(tester: can.BusABC) -> bool:
    """Whether the engine's control unit answers within half a second; while the key is off it does not."""
    end = time.monotonic() + 0.5
    while (left := end - time.monotonic()) > 0:
        frame = tester.recv(left)
        if frame is not None and frame.arbitration_id == 0x7E8:
            return True
    return False


def has_rung(bell: Doorbell) -> bool:
    """Whether it wakes, until it is quietened."""
    rung = bell.descriptor is not None and bool(select.select([bell.descriptor], [], [], 0.05)[0])
    bell.quieten()
    return rung


@pytest.mark.parametrize(
    ("can_id", "rings"),
    [(0x7E0, True), (REQUESTS[1], True), (0x7E8, False), (0x7E0 | EXTENDED, False), (0x10F1, False)],
)
def test_it_rings_for_requests_and_for_nothing_else(bench: Bench, raw: socket.socket, can_id: int, rings: bool) -> None:
    bell = Doorbell("vcan0", REQUESTS)
    raw.send(pack_frame(Frame(can_id, b"\x02\x01\x0c")))
    assert has_rung(bell) == rings
    assert not has_rung(bell)
    bench.send(Frame(0x100, b"own"))
    assert not has_rung(bell)
    bell.close()


def test_it_rings_again_when_the_interface_is_back(vcan9: str) -> None:
    """Down and up; deleted and made again."""
    bell = Doorbell(vcan9, REQUESTS)
    ip(f"link set {vcan9} down")
    bell.quieten()
    ip(f"link set {vcan9} up")
    with raw_socket(vcan9) as raw:
        raw.send(pack_frame(Frame(0x7E0, b"?")))
        assert has_rung(bell)
    ip(f"link del {vcan9}")
    bell.quieten()
    bell.quieten()
    assert bell.descriptor is None
    bell.renew()
    assert not has_rung(bell)
    ip(f"link add dev {vcan9} type vcan")
    ip(f"link set {vcan9} up")
    bell.renew()
    with raw_socket(vcan9) as raw:
        raw.send(pack_frame(Frame(0x7E0, b"?")))
        assert has_rung(bell)
    bell.close()


@pytest.mark.nightly
def test_requests_on_socketcan_are_answered_between_two_ticks(tmp_path: Path) -> None:
    """At 100 ticks a second of a slow kernel, so that hardly any request meets one."""
    settings = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
    settings |= {"rate": 100, "state": "none", "cockpit": {"enabled": False}}
    bus = settings["buses"]["powertrain"]
    del bus["slcan"]
    bus |= {"interface": "socketcan", "channel": "vcan1"}
    del settings["diagnostics"]["elm327"]
    (tmp_path / "bench.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "hilbridge",
        "run",
        str(tmp_path / "bench.yaml"),
        "--record",
        str(tmp_path / "kept"),
    ]
    moments = Random(1)
    with (
        (tmp_path / "log").open("wb") as log,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT) as process,
        can.Bus(interface="socketcan", channel="vcan1") as tester,
    ):
        request = can.Message(arbitration_id=0x7E0, data=b"\x02\x01\x0c", is_extended_id=False)
        answered, end = 0, time.monotonic() + 60
        while answered < 50 and time.monotonic() < end:
            time.sleep(0.03 * moments.random())
            tester.send(request)
            answered += is_answered(tester)
        process.terminate()
    assert answered == 50, (tmp_path / "log").read_text(encoding="utf-8")
    records = list(Recording(tmp_path / "kept").records())
    early = {t for t, kind, _ in records if kind == EARLY}
    answers = [t for t, kind, payload in records if kind == FRAME and FrameRecord.decode(payload).frame.can_id == 0x7E8]
    assert sum(t in early for t in answers) > 0.5 * len(answers)
