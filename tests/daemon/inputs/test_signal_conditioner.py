"""Which readings spoil a sample."""

import pytest

from hilbridge.inputs.calibration import calibrate
from hilbridge.inputs.controls import find_control
from hilbridge.inputs.signal_conditioner import GARBAGE, OUT_OF_RANGE, Reading, Sensor
from hilbridge.inputs.smoothing import LowPass
from hilbridge.settings import InputSignal


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
        ("Throttle", "full", GARBAGE),
        ("Key", 5.0, OUT_OF_RANGE),
        ("Key", 1.0, None),
        ("road.Slope", -7.0, None),
    ],
)
def test_a_position_must_exist_and_a_quantity_be_finite(name: str, reading: Reading | None, reason: str | None) -> None:
    """A key at 5 must not crank; a pedal or a slope beyond its end stands at the end."""
    assert sensor(name).refuses((reading,)) == reason


def test_readings_pass_the_filter_before_the_calibration() -> None:
    """Half way after τ·ln 2."""
    filtered = sensor("Throttle", LowPass(1_000_000))
    assert filtered.to_bus((0.0,), 0) == 0
    assert filtered.to_bus((1.0,), 693_147) == 5000
