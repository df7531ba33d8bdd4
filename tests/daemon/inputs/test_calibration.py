"""From a raw reading to the bus integer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.inputs.calibration import calibrate
from hilbridge.inputs.controls import INPUT_CONTROLS, find_control
from hilbridge.settings import InputSignal


def to_bus(name: str, raw: float, factor: float = 1.0, **settings: float) -> int:
    control = find_control(name)
    assert control is not None
    return calibrate(control, InputSignal.model_validate(settings), factor).to_bus(raw)


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


def test_the_factor_brings_the_senders_unit_to_the_controls() -> None:
    assert to_bus("Throttle", 12.3, factor=0.01) == 1230
    assert to_bus("Throttle", 140.0, factor=0.01) == 10000


@given(st.integers(0, 1000))
def test_every_step_of_a_signal_of_a_tenth_of_a_percent_arrives_exactly(step: int) -> None:
    assert to_bus("Throttle", step * 0.1, factor=0.01) == step * 10


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
