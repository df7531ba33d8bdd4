"""A request that comes between two ticks is answered there, and a replay answers it in the same place."""

from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic, sleep

import can

from hilbridge.boundary.record.boundary_records import EARLY, FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording

from ..program import CHECKOUT, hilbridge, running, slcan_client

REQUESTS = (b"\x02\x01\x0c", b"\x02\x01\x0d", b"\x02\x10\x03", b"\x03\x22\xf1\x90", b"\x02\x3e\x00")
"""Speeds, a session, the VIN in several frames, tester present."""


def test_requests_at_any_time_are_answered_at_once_and_replayed_to_the_byte(tmp_path: Path) -> None:
    """100 ticks a second, so that hardly any request meets one; the answers of several frames go on in the ticks."""
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    for old, new in (("rate: 1000", "rate: 100"), ("slcan: 29538", "slcan: 0"), ("[35001, pty]", "[0]")):
        assert old in text
        text = text.replace(old, new)
    bench = tmp_path / "bench.yaml"
    bench.write_text(text, encoding="utf-8")
    moments = Random(1)
    with running(bench, "--record", tmp_path / "recording") as program:
        with slcan_client(program.slcan_port()) as bus:
            answered: Counter[int] = Counter()
            for _ in range(40):
                for request in REQUESTS:
                    sleep(0.012 * moments.random())
                    bus.send(can.Message(arbitration_id=0x7E0, data=request.ljust(8, b"\xcc"), is_extended_id=False))
                    frame = answer_on(bus)
                    answered[request[1]] += 1
                    if frame.data[0] >> 4 == 1:
                        flow = can.Message(arbitration_id=0x7E0, data=b"\x30".ljust(8, b"\0"), is_extended_id=False)
                        bus.send(flow)
        program.stop()
    assert answered == {0x01: 80, 0x10: 40, 0x22: 40, 0x3E: 40}
    records = list(Recording(tmp_path / "recording").records())
    early = {t for t, kind, _ in records if kind == EARLY}
    asked = [t for t, kind, payload in records if kind == FRAME and is_request(FrameRecord.decode(payload))]
    assert sum(t in early for t in asked) > 0.9 * len(asked)
    replay = hilbridge("replay", tmp_path / "recording")
    assert replay.returncode == 0, replay.stdout + replay.stderr


def answer_on(bus: can.BusABC) -> can.Message:
    """The first frame of the answer; the key is on from the first second."""
    end = monotonic() + 10
    while monotonic() < end:
        frame = bus.recv(1.0)
        if frame is not None and frame.arbitration_id == 0x7E8:
            return frame
    raise AssertionError("no answer")


def is_request(record: FrameRecord) -> bool:
    return record.received and record.frame.can_id == 0x7E0
