"""Wrong values in signals, as a receiver with cantools reads them."""

from pathlib import Path
from statistics import mean, pstdev
from typing import Any

import pytest
from crccheck.crc import Crc8SaeJ1850  # type: ignore[import-untyped]
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .rig import Rig, of_signal


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
    (told,) = rig.injector.describe()
    assert (told["state"], told["frames"]) == ("active", 0)
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
