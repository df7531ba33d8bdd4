"""Rules of single profiles that no table of bits can say: what goes on in step, what comes one after the other."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

import pytest

from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

DOOR_FRONT_LEFT, BELT = 15, 77
"""Codes of BMW's check control."""


class Log:
    """A node that keeps what it hears: time [s] and bytes, by identifier."""

    def __init__(self) -> None:
        self.frames: dict[int, list[tuple[float, bytes]]] = defaultdict(list)

    def receive(self, frame: Frame, t: float) -> Iterable[Frame]:
        self.frames[frame.can_id].append((t, bytes(frame.data)))
        return ()

    def tick(self, t: float) -> Iterable[Frame]:
        return ()


def heard(bench: VirtualBench) -> Log:
    log = Log()
    bench.attach("cluster", log)
    return log


def codes(log: Log, identifier: int, on: int) -> Iterator[tuple[int, bool]]:
    """Yield the messages to the driver as code and whether it comes on."""
    for _, data in log.frames[identifier]:
        assert data[0] == 0x40
        assert data[4:] == b"\xff" * 4
        yield int.from_bytes(data[1:3], "little"), data[3] == on


def test_the_pulses_of_a_pq_keep_step_with_its_speed() -> None:
    """From frame to frame the way of 45 pulses is that of a turn, to a pulse: else the needle falls."""
    with VirtualBench("cluster-vw-pq") as bench:
        log = heard(bench)
        bench.drive(60)
        frames = log.frames[0x5A0]
    turns = sum(
        (int.from_bytes(now[1:3], "little") >> 1) * 0.002 * (t - before) for (before, _), (t, now) in pairwise(frames)
    )
    pulses = sum(
        (int.from_bytes(now[5:7], "little") - int.from_bytes(one[5:7], "little")) % 2048
        for (_, one), (_, now) in pairwise(frames)
    )
    assert turns > 30
    assert pulses / 45 == pytest.approx(turns, rel=0.01)
    assert {data[7] for _, data in frames} == {0xAD}


def test_motor_2_of_a_pq_turns_its_four_pages() -> None:
    """Four frames each, round and round."""
    with VirtualBench("cluster-vw-pq") as bench:
        log = heard(bench)
        bench.set("input.Key", 0)
        bench.advance(1.0)
    pages = [(page, len(list(run))) for page, run in groupby(data[0] >> 6 for _, data in log.frames[0x288])]
    assert [page for page, _ in pages] == [number % 4 for number in range(len(pages))]
    assert {length for _, length in pages[:-1]} == {4}


def test_the_brakes_of_a_psa_count_and_are_checked() -> None:
    """Of AEE2010: counter in the upper half of the last byte, in the lower C less all other half bytes."""
    with VirtualBench("cluster-psa-aee2010") as bench:
        log = heard(bench)
        bench.set("input.Key", 0)
        bench.advance(3.0)
    frames = [data for _, data in log.frames[0x0E6]]
    assert [data[7] >> 4 for data in frames] == [number % 16 for number in range(len(frames))]
    for data in frames:
        halves = "".join(f"{byte:02x}" for byte in data)
        assert int(halves[15], 16) == (0xC - sum(int(half, 16) for half in halves[:15])) % 16


def test_an_open_door_is_a_message_of_a_bmw_e9x_until_it_is_shut() -> None:
    """On when it opens and again every five seconds, off when it shuts."""
    with VirtualBench("cluster-bmw-e9x") as bench:
        log = heard(bench)
        bench.set("input.Key", 0)
        bench.advance(2.0)
        log.frames.clear()
        bench.set("body.DoorFrontLeft", 1)
        bench.advance(12.0)
        bench.set("body.DoorFrontLeft", 0)
        bench.advance(2.0)
    door = [on for code, on in codes(log, 0x592, 0x31) if code == DOOR_FRONT_LEFT]
    assert door == [True, True, True, False]


def test_messages_of_a_bmw_f_are_on_one_at_a_time() -> None:
    """One goes off before another comes on, and both have their turn."""
    with VirtualBench("cluster-bmw-f") as bench:
        log = heard(bench)
        bench.set("input.Key", 0)
        bench.set("body.DoorFrontLeft", 1)
        bench.set("body.BeltDriver", 0)
        bench.advance(25.0)
    shown: set[int] = set()
    seen: set[int] = set()
    for code, on in codes(log, 0x5C0, 0x29):
        if on:
            shown.add(code)
            seen.add(code)
        else:
            shown.discard(code)
        assert len(shown) <= 1
    assert {DOOR_FRONT_LEFT, BELT} <= seen
