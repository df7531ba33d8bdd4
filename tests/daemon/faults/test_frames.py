"""Faults of whole frames: what a receiver sees of them."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]

from .rig import CYCLE, Rig, of_engine


def played(folder: Path, effect: str, ticks: int = 200, **keys: Any) -> Rig:
    rig = Rig(folder, of_engine(effect, **keys), seed=1)
    rig.play(ticks)
    return rig


def wrong_checksums(rig: Rig) -> list[int]:
    """The frames whose checksum an independent calculation refuses."""
    return [i for i, data in enumerate(rig.frames()) if data[7] != Crc8SaeJ1850.calc(data[:7])]


def counters(rig: Rig) -> list[int]:
    return [data[5] & 15 for data in rig.frames()]


def test_dropped_frames_leave_a_gap_in_time_and_counter(tmp_path: Path) -> None:
    """From 50 ms for 30 ms: three frames; the counter goes on beneath, and later frames keep their times."""
    rig = played(tmp_path, "drop", at=0.05, lasts=0.03)
    times = rig.times()
    assert sorted(b - a for a, b in pairwise(times)) == [CYCLE] * (len(times) - 2) + [4 * CYCLE]
    assert [(b - a) % 16 for a, b in pairwise(counters(rig))].count(4) == 1
    assert wrong_checksums(rig) == []


def test_a_delayed_frame_holds_what_it_held_and_the_plan_keeps_its_times(tmp_path: Path) -> None:
    """7 ms late for 50 ms; the frames before and after are in time, none is lost, none overtakes."""
    rig, plain = played(tmp_path, "delay", delay=7, at=0.05, lasts=0.05), Rig(tmp_path)
    plain.play(200)
    late = [tick + 7 if 50 <= tick < 100 else tick for tick in plain.times()]
    assert rig.times() == late
    assert rig.frames() == plain.frames()
    assert {frame.skipped for frame in rig.plan.frames} == {0}


def test_a_delay_between_two_ticks_ends_with_the_next_one(tmp_path: Path) -> None:
    assert played(tmp_path, "delay", delay=0.3, lasts=1).times()[0] == Rig(tmp_path).plan.frames[0].phase // 10**6 + 1


def test_frames_under_way_arrive_when_the_fault_is_over(tmp_path: Path) -> None:
    """As in a gateway that was slow."""
    rig = Rig(tmp_path, of_engine("delay", delay=50, frames=1))
    rig.play(30)
    assert rig.injector.describe()[0]["state"] == "over"
    assert counters(rig) == [1, 2]
    rig.play(100)
    assert sorted(counters(rig)) == list(range(13))


def test_a_duplicate_is_the_same_frame_at_once(tmp_path: Path) -> None:
    """Its counter too, which tells receivers."""
    rig = played(tmp_path, "duplicate", frames=2)
    assert counters(rig)[:6] == [0, 0, 1, 1, 2, 3]
    assert rig.frames()[0] == rig.frames()[1]
    assert rig.times()[0] == rig.times()[1]


@pytest.mark.parametrize("length", [0, 3, 7])
def test_a_frame_of_wrong_length_is_cut(tmp_path: Path, length: int) -> None:
    rig = played(tmp_path, "length", length=length, frames=4)
    assert [len(data) for data in rig.frames()[:6]] == [length] * 4 + [8, 8]
    plain = Rig(tmp_path)
    plain.play(20)
    assert rig.frames()[0] == plain.frames()[0][:length]


def test_a_frame_of_wrong_length_is_filled_up(tmp_path: Path) -> None:
    """With zeros."""
    rig = Rig(tmp_path)
    settings = of_engine("length", length=8).model_copy(update={"message": "Pages"})
    rig.injector.add(settings, 0)
    rig.play(20)
    assert set(rig.frames(0x101)) == {b"\x01\x07\x00" + bytes(5)}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"wrong": "value", "amount": 9}, [0, 1, 9, 9, 9, 5, 6]),
        ({"wrong": "offset", "amount": 15}, [0, 1, 1, 2, 3, 5, 6]),
        ({}, [0, 1, 3, 4, 5, 5, 6]),
        ({"wrong": "freeze"}, [0, 1, 1, 1, 1, 5, 6]),
    ],
)
def test_a_wrong_counter_with_the_right_one_beneath(tmp_path: Path, keys: dict[str, Any], expected: list[int]) -> None:
    """Three frames from the third on; the checksum is right over what is sent. The usual offset is 1."""
    rig = played(tmp_path, "counter", frames=3, at=0.02, **keys)
    assert counters(rig)[:7] == expected
    assert wrong_checksums(rig) == []


@pytest.mark.parametrize("keys", [{}, {"wrong": "offset", "amount": -100}, {"wrong": "random"}])
def test_a_wrong_checksum_in_exactly_so_many_frames(tmp_path: Path, keys: dict[str, Any]) -> None:
    """An independent calculation refuses five frames, and the counter goes on."""
    rig = played(tmp_path, "checksum", frames=5, at=0.02, **keys)
    assert wrong_checksums(rig) == [2, 3, 4, 5, 6]
    assert counters(rig) == [i % 16 for i in range(20)]


def test_a_random_counter_is_never_the_right_one(tmp_path: Path) -> None:
    rig = played(tmp_path, "counter", 2000, wrong="random")
    assert all(number != i % 16 for i, number in enumerate(counters(rig)))
    assert set(counters(rig)) == set(range(16))


def test_a_probability_spares_some_frames(tmp_path: Path) -> None:
    """Counted as they are hit, until so many are: the last ones are all right again."""
    rig = played(tmp_path, "checksum", 1000, frames=20, probability=0.5)
    wrong = wrong_checksums(rig)
    assert len(wrong) == 20
    assert wrong != list(range(20))
    assert rig.injector.describe()[0]["state"] == "over"
