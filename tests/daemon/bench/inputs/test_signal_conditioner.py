"""The check, filter, calibration and curve of a reading."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.inputs.controls import INPUT_CONTROLS, find_control
from hilbridge.bench.inputs.signal_conditioner import (
    GARBAGE,
    OUT_OF_RANGE,
    LowPass,
    Reading,
    Sensor,
    calibrate,
    calibrate_share,
)
from hilbridge.files.settings import InputSignal
from hilbridge.frames.codec.units import IDENTITY, Conversion

from .conditioning import refusal


def sensor(name: str, low_pass: LowPass | None = None) -> Sensor:
    control = find_control(name)
    assert control is not None
    return Sensor(control, calibrate(control, InputSignal()), low_pass)


@pytest.mark.parametrize(
    ("name", "reading", "reason"),
    [
        ("Throttle", 5.0, None),
        ("Throttle", None, None),
        ("Throttle", float("nan"), OUT_OF_RANGE),
        ("Throttle", math.inf, OUT_OF_RANGE),
        ("Steer", -math.inf, OUT_OF_RANGE),
        ("road.Slope", math.inf, OUT_OF_RANGE),
        ("Throttle", "full", GARBAGE),
        ("Key", 5.0, OUT_OF_RANGE),
        ("Key", 1.0, None),
        ("road.Slope", -7.0, None),
    ],
)
def test_a_position_must_exist_and_a_quantity_be_finite(name: str, reading: Reading | None, reason: str | None) -> None:
    """A key at 5 must not crank; a pedal or a slope beyond its end stands at the end."""
    assert refusal(sensor(name), reading) == reason


def test_readings_pass_the_filter_before_the_calibration() -> None:
    """Half way after τ·ln 2."""
    filtered = sensor("Throttle", LowPass(1_000_000))
    assert filtered.to_bus(0.0, 0) == 0
    assert filtered.to_bus(1.0, 693_147) == 5000


def to_bus(name: str, raw: float, conversion: Conversion = IDENTITY, **settings: Any) -> int:
    control = find_control(name)
    assert control is not None
    return calibrate(control, InputSignal.model_validate(settings), conversion).to_bus(raw)


@pytest.mark.parametrize(("raw", "bus"), [(100, 0), (500, 5000), (900, 10000), (0, 0), (1023, 10000), (-1e300, 0)])
def test_the_share_of_the_way_between_the_ends_is_the_pedal_and_beyond_them_it_stays(raw: float, bus: int) -> None:
    assert to_bus("Throttle", raw, minimum=100, maximum=900) == bus


@pytest.mark.parametrize(("raw", "bus"), [(900, 0), (700, 2500), (100, 10000), (0, 10000)])
def test_swapped_ends_invert(raw: float, bus: int) -> None:
    assert to_bus("Brake", raw, minimum=900, maximum=100) == bus


@pytest.mark.parametrize(("raw", "bus"), [(0, 0), (100, 0), (300, 2500), (500, 5000), (900, 10000), (1000, 10000)])
def test_the_dead_zone_is_taken_off_both_ends(raw: float, bus: int) -> None:
    """A tenth at each end leaves eight tenths: 300 of 1000 is (0.3 - 0.1) / 0.8."""
    assert to_bus("Throttle", raw, minimum=0, maximum=1000, dead_zone=0.1) == bus


def test_a_dead_zone_works_with_swapped_ends_too() -> None:
    assert [to_bus("Throttle", raw, minimum=1000, maximum=0, dead_zone=0.1) for raw in (950, 500, 50)] == [
        0,
        5000,
        10000,
    ]


@pytest.mark.parametrize(("raw", "bus"), [(0, -10000), (512, 0), (1024, 10000)])
def test_the_steering_wheel_goes_from_full_left_to_full_right(raw: float, bus: int) -> None:
    assert to_bus("Steer", raw, minimum=0, maximum=1024) == bus


def test_without_ends_the_reading_is_the_value() -> None:
    assert to_bus("Throttle", 0.25) == 2500
    assert to_bus("Steer", -0.5) == -5000


def test_the_conversion_brings_the_senders_unit_to_the_controls() -> None:
    assert to_bus("Throttle", 12.3, Conversion(0.01, 0.0)) == 1230
    assert to_bus("Throttle", 140.0, Conversion(0.01, 0.0)) == 10000


@given(st.integers(0, 1000))
def test_every_step_of_a_signal_of_a_tenth_of_a_percent_arrives_exactly(step: int) -> None:
    assert to_bus("Throttle", step * 0.1, Conversion(0.01, 0.0)) == step * 10


@pytest.mark.parametrize(
    ("name", "raw", "bus"),
    [
        ("Key", 0.6, 1),
        ("Key", 7, 1),
        ("Key", -3, -1),
        ("ManualGear", 2.4, 2),
        ("AutomaticGear", 12, 9),
        ("Retarder", -1, 0),
    ],
)
def test_positions_are_rounded_to_the_nearest_and_held_inside_their_range(name: str, raw: float, bus: int) -> None:
    assert to_bus(name, raw) == bus


@given(
    st.sampled_from(INPUT_CONTROLS),
    st.floats(allow_nan=False),
    st.floats(-1e6, 1e6),
    st.floats(-1e6, 1e6),
    st.floats(0, 0.49),
)
def test_no_reading_leaves_the_range_of_its_control(control, raw, minimum, maximum, dead_zone) -> None:  # type: ignore[no-untyped-def]
    if abs(maximum - minimum) < 1e-6 or not control.travel:
        signal = InputSignal()
    else:
        signal = InputSignal(minimum=minimum, maximum=maximum, dead_zone=dead_zone)
    value = calibrate(control, signal).to_bus(raw)
    assert control.lowest * control.resolution <= value <= control.highest * control.resolution


@pytest.mark.parametrize(("raw", "bus"), [(0, 0), (250, 625), (500, 2500), (1000, 10000)])
def test_a_power_makes_the_pedal_gentle_at_first(raw: float, bus: int) -> None:
    """With 2: a quarter of the way is a sixteenth of the pedal."""
    assert to_bus("Throttle", raw, minimum=0, maximum=1000, gamma=2.0) == bus


@pytest.mark.parametrize(("raw", "bus"), [(0, 1000), (250, 1500), (500, 2000), (750, 6000), (1000, 10000)])
def test_a_curve_is_followed_by_straight_lines(raw: float, bus: int) -> None:
    assert to_bus("Throttle", raw, minimum=0, maximum=1000, curve=[(0, 0.1), (0.5, 0.2), (1, 1)]) == bus


@pytest.mark.parametrize(("angle", "bus"), [(450, -10000), (225, -2500), (0, 0), (-225, 2500), (-900, 10000)])
def test_a_curve_acts_alike_on_both_sides_of_the_steering_wheels_centre(angle: float, bus: int) -> None:
    """A sensor of the raw angle, positive to the left as ISO 8855 has it, 900 deg from lock to lock."""
    assert to_bus("Steer", angle, minimum=450, maximum=-450, gamma=2.0) == bus


def test_a_share_of_the_travel_is_only_curved() -> None:
    control = find_control("Brake")
    assert control is not None
    assert calibrate_share(control, InputSignal(gamma=2.0)).to_bus(0.5) == 2500


def test_scale_and_offset_come_before_the_unit() -> None:
    """A sensor that counts half degrees Fahrenheit from -40 on: 216 counts are 68 °F, that is 20 °C."""
    fahrenheit = Conversion(5 / 9, -160 / 9)
    assert to_bus("road.AmbientTemperature", 216, fahrenheit, scale=0.5, offset=-40) == 20_000


@pytest.mark.parametrize(("newton_metres", "bus"), [(123.4564, 123456), (-50, -50_000), (1e9, 100_000_000)])
def test_a_torque_is_held_inside_the_range_of_its_entry(newton_metres: float, bus: int) -> None:
    assert to_bus("request.EngineTorqueLimit", newton_metres) == bus


@given(st.integers(1, 5000), st.lists(st.integers(1, 500), max_size=30), st.floats(-1e3, 1e3), st.floats(-1e3, 1e3))
def test_a_step_is_answered_by_the_exponential_whenever_readings_come(
    time_constant: int, gaps: list[int], before: float, after: float
) -> None:
    """y(t) = after + (before - after)·e^(-t/τ), at every reading, however they are spread."""
    low_pass = LowPass(time_constant * MILLISECOND)
    assert low_pass.filter(before, 0) == before
    t = 0
    for gap in gaps:
        t += gap
        expected = after + (before - after) * math.exp(-t / time_constant)
        assert math.isclose(low_pass.filter(after, t * MILLISECOND), expected, rel_tol=1e-9, abs_tol=1e-9)


def test_of_several_readings_in_a_tick_the_last_one_counts() -> None:
    one, several = LowPass(10), LowPass(10)
    one.filter(5.0, 0)
    several.filter(9.0, 0)
    assert several.filter(5.0, 0) == 5.0
    several.filter(-70.0, 4)
    assert several.filter(7.0, 4) == one.filter(7.0, 4)
    assert several.filter(7.0, 9) == one.filter(7.0, 9)


def test_after_a_reset_the_next_reading_passes() -> None:
    low_pass = LowPass(1000)
    low_pass.filter(0.0, 0)
    low_pass.filter(1.0, 1)
    low_pass.reset()
    assert low_pass.filter(1.0, 2) == 1.0
