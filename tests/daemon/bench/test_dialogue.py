"""Replies to frames of others: requests, a ring of network management, keep-alive of a diagnostic session."""

from itertools import pairwise
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

BENCH = """
name: talk
rate: 200
vehicle: compact
buses:
  c:
    interface: embedded
    raw:
"""

RING = """
      Body: {id: 0x440, data: "42 02 00 00 00 00 00 00", REPLY[{id: 0x46C, data: "40 02 *"}]}
      Meter: {id: 0x442, data: "4D 02 00 00 00 00 00 00", REPLY[{id: 0x440, data: "42 02 *"}]}
      Third: {id: 0x44D, data: "6C 02 00 00 00 00 00 00", REPLY[{id: 0x442, data: "4D 02 *"}]}
""".replace("REPLY", "terminals: [R], reply_after: 100, reply_anyway: 2000, replies_to: ")
"""Three of the four nodes that two cars show (GT86, WRX: 100 ms from one to the next, byte 0 names the successor)."""

REQUEST = """
      Answer: {id: 0x321, data: "A0 00", replies_to: [{id: 0x123, data: ".. 0? 7F"}],
               signals: {Brake: {bit: 8, width: 8, from: body.ParkingBrake}}}
      KeepAlive: {id: 0x714, data: "02 3E 80 55 55 55 55 55", period: 2000, terminals: [15]}
      Extended: {id: 0x714, extended: true, data: "02 10 03 55 55 55 55 55", send: once, terminals: [15]}
"""


def bench_of(folder: Path, frames: str) -> VirtualBench:
    file = folder / "talk.yaml"
    file.write_text(BENCH + frames)
    return VirtualBench(str(file))


def times(bench: VirtualBench, message: str) -> list[int]:
    return [round(one.t * 1000) for one in bench.frames("c", message)]


def test_a_ring_passes_its_message_on_and_begins_anew_when_it_is_broken(tmp_path: Path) -> None:
    """The fourth node is the test's: it passes on four times, then it is gone."""
    with bench_of(tmp_path, RING) as bench:
        bench.set("input.Key", 0)
        bench.advance(0.05)
        for _ in range(4):
            bench.send("c", Frame(0x46C, bytes.fromhex("40 02 00 00 00 00 00 00")))
            bench.advance(0.4)
        body, meter, third = (times(bench, name) for name in ("Body", "Meter", "Third"))
        assert len(body) == len(meter) == len(third) == 4
        for one, other in ((body, meter), (meter, third)):
            assert all(95 <= later - earlier <= 110 for earlier, later in zip(one, other, strict=True))
        assert all(395 <= later - earlier <= 405 for earlier, later in pairwise(body))
        bench.advance(4.5)
        alone = times(bench, "Body")[4:]
        assert [later - earlier for earlier, later in pairwise([body[-1], *alone])] == [2000, 2000]
        bench.set("input.Key", -1)
        count = len(times(bench, "Body"))
        bench.send("c", Frame(0x46C, bytes.fromhex("40 02 00 00 00 00 00 00")))
        bench.advance(3)
        assert len(times(bench, "Body")) == count  # asleep


def test_a_request_is_replied_to_and_another_is_not(tmp_path: Path) -> None:
    with bench_of(tmp_path, REQUEST) as bench:
        bench.set("body.ParkingBrake", 1)
        bench.advance(0.1)
        assert bench.frames("c", "Answer") == []
        for data, count in (("11 01 7F", 1), ("FF 0E 7F", 2), ("11 11 7F", 2), ("11 01 7F 00", 2), ("11 01", 2)):
            bench.send("c", Frame(0x123, bytes.fromhex(data)))
            bench.advance(0.1)
            assert len(bench.frames("c", "Answer")) == count, data
        assert bench.frames("c", "Answer")[-1].data.hex() == "a001"


def test_a_flood_of_requests_gets_one_reply_a_tick(tmp_path: Path) -> None:
    with bench_of(tmp_path, REQUEST) as bench:
        bench.advance(0.1)
        for _ in range(500):
            bench.send("c", Frame(0x123, bytes.fromhex("11 01 7F")))
        bench.advance(0.1)
        assert 1 <= len(bench.frames("c", "Answer")) <= 20


def test_a_session_is_opened_once_and_kept_alive(tmp_path: Path) -> None:
    """10 03 and 3E 80 (ISO 14229-1), as single frames of ISO 15765-2."""
    with bench_of(tmp_path, REQUEST) as bench:
        bench.set("input.Key", 0)
        bench.advance(9)
        assert len(times(bench, "Extended")) == 1
        assert len(times(bench, "KeepAlive")) in (4, 5)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ('replies_to: [{id: 0x123, data: "0G"}]', "data"),
        ("reply_after: 5, period: 100", "belongs to 'replies_to'"),
        ("replies_to: [{id: 0x20000000}]", "at most"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, keys: str, words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        bench_of(tmp_path, f'\n      One: {{id: 0x321, data: "00", {keys}}}\n')
