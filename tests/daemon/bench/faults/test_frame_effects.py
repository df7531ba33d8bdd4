"""Faults of frames as a receiver sees them, and wrong signal values as a receiver with cantools decodes them."""

from itertools import pairwise
from pathlib import Path
from statistics import mean, pstdev
from typing import Any

import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .rig import CYCLE, Rig, of_engine, of_signal


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
    """From 50 ms for 30 ms: three frames; the counter continues, and later frames keep their times."""
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
    assert rig.injector.status()[0].state == "over"
    assert counters(rig) == [1, 2]
    rig.play(100)
    assert sorted(counters(rig)) == list(range(13))


def test_a_duplicate_is_the_same_frame_at_once(tmp_path: Path) -> None:
    """Its counter too, by which receivers detect it."""
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
    """An independent calculation refuses five frames, and the counter continues."""
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
    assert rig.injector.status()[0].state == "over"


def read(folder: Path, signal: str, effect: str, ticks: int = 20, message: str = "Engine", **keys: Any) -> list[Any]:
    rig = Rig(folder, of_signal(signal, effect, message, **keys), seed=5)
    rig.play(ticks)
    return rig.values(signal, message)


@pytest.mark.parametrize(
    ("signal", "effect", "value", "expected"),
    [
        ("EngineRpm", "offset", 500, 1500.0),
        ("EngineRpm", "offset", 0.3, 1000.25),
        ("EngineRpm", "offset", 1e9, 16000.0),
        ("EngineRpm", "offset", -2000, 0.0),
        ("EngineRpm", "scale", 1.5, 1500.0),
        ("EngineRpm", "stuck", 3000, 3000.0),
        ("EngineRpm", "stuck", None, 1000.0),
        ("EngineRpm", "drop-out", None, 0.0),
        ("Coolant", "offset", 1e9, 210),
        ("Coolant", "drop-out", None, 215),
        ("Torque", "scale", -1, -100.0),
        ("Torque", "offset", 1e9, 16383.5),
        ("Torque", "offset", -1e9, -16384.0),
    ],
)
def test_a_value_is_wrong_and_still_limited(
    tmp_path: Path, signal: str, effect: str, value: float | None, expected: float
) -> None:
    """By the signal's own limits; "not available" is 255, so 215 °C, which no value reaches by accident."""
    keys: dict[str, Any] = {} if value is None else {"value": value}
    assert read(tmp_path, signal, effect, **keys) == [expected, expected]


def test_floats_are_changed_too(tmp_path: Path) -> None:
    assert read(tmp_path, "Exact", "scale", message="Lamps", value=-3) == [-4.5, -4.5]


def test_stuck_without_a_value_is_where_it_was(tmp_path: Path) -> None:
    rig = Rig(tmp_path, of_signal("EngineRpm", "stuck", at=0.02, lasts=0.03))
    for rpm in range(1000, 8000, 1000):
        rig.data.write(1, 1, rpm)
        rig.play(10)
    assert rig.values("EngineRpm") == [1000, 2000, 3000, 3000, 3000, 6000, 7000]


@pytest.mark.parametrize(("distribution", "deviation"), [("uniform", 100 / 3**0.5), ("normal", 100.0)])
def test_noise_has_its_distribution(tmp_path: Path, distribution: str, deviation: float) -> None:
    """Mean and standard deviation of 3000 values, within five standard errors."""
    values = read(tmp_path, "EngineRpm", "noise", 30_000, value=100, distribution=distribution)
    assert len(set(values)) > 100
    assert mean(values) == pytest.approx(1000, abs=5 * deviation / 3000**0.5)
    assert pstdev(values) == pytest.approx(deviation, rel=0.07)
    if distribution == "uniform":
        assert max(abs(value - 1000) for value in values) <= 100


def test_the_frame_is_flawless(tmp_path: Path) -> None:
    """Counter and checksum are filled in after the value: receivers believe it."""
    rig = Rig(tmp_path, of_signal("EngineRpm", "noise", value=100))
    rig.play(200)
    assert [value % 16 for value in rig.values("COUNTER")] == [i % 16 for i in range(20)]
    assert all(data[7] == Crc8SaeJ1850.calc(data[:7]) for data in rig.frames())


def test_other_signals_stay(tmp_path: Path) -> None:
    rig = Rig(tmp_path, of_signal("EngineRpm", "stuck", value=16000))
    rig.play(20)
    assert (rig.values("Coolant"), rig.values("Torque")) == ([90, 90], [100.0, 100.0])


def test_what_is_not_available_stays_so(tmp_path: Path) -> None:
    """An offset of nothing is nothing."""
    messages = {"Engine": {"signals": {"Coolant": {"constant": 215}}}}
    rig = Rig(tmp_path, of_signal("Coolant", "offset", value=-100), messages=messages)
    rig.play(20)
    assert rig.values("Coolant") == [215, 215]


def test_a_signal_that_a_frame_does_not_carry_is_not_hit(tmp_path: Path) -> None:
    """The multiplexer selects page 1; three frames are to be hit, and none is."""
    rig = Rig(tmp_path, of_signal("Two", "stuck", "Pages", value=9, frames=3))
    rig.play(100)
    assert set(rig.frames(0x101)) == {b"\x01\x07\x00"}
    (told,) = rig.injector.status()
    assert (told.state, told.hits) == ("active", 0)
    rig.injector.add(of_signal("One", "stuck", "Pages", value=9, frames=3), rig.t)
    rig.play(100)
    assert rig.frames(0x101).count(b"\x01\x09\x00") == 3


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    effect=st.sampled_from(["offset", "scale", "stuck", "noise"]),
    signal=st.sampled_from([("EngineRpm", "Engine"), ("Coolant", "Engine"), ("Torque", "Engine"), ("Exact", "Lamps")]),
    value=st.floats(allow_nan=False, allow_infinity=False, min_value=1e-300) | st.floats(-1e6, -1e-6),
)
def test_any_value_makes_a_frame(tmp_path: Path, effect: str, signal: tuple[str, str], value: float) -> None:
    """Of the right length, whatever the number."""
    name, message = signal
    values = read(tmp_path, name, effect, message=message, value=abs(value) if effect == "noise" else value)
    assert len(values) == 2
