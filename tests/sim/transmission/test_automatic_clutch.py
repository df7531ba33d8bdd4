"""How far the automatic clutch is engaged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W
from vehiclesim.transmission.automatic_clutch import ENGAGEMENT_TIME, AutomaticClutch

from ..gear_stand import AROUND, STEP


def in_gear() -> AutomaticClutch:
    """Of an engine that idles at 1000 rpm, with a gear in for long."""
    clutch = AutomaticClutch(AROUND)
    clutch.advance(True, 10.0)
    return clutch


@pytest.mark.parametrize(
    ("engine", "shaft", "engagement"),
    [
        (0.0, 0.0, 0.0),
        (1000.0, 0.0, 0.0),
        (1100.0, 0.0, 0.0),
        (1550.0, 0.0, 0.5),
        (2000.0, 0.0, 1.0),
        (5000.0, 0.0, 1.0),
        (1000.0, 1550.0, 0.5),
        (0.0, 3000.0, 1.0),
        (1550.0, -2000.0, 0.5),
    ],
)
def test_it_engages_with_the_faster_side(engine: float, shaft: float, engagement: float) -> None:
    """Open up to 1.1 times idle, closed from 2.0 times on, evenly between; rolling backward counts as slow."""
    assert in_gear().request(engine, shaft, 0.5, STEP) == pytest.approx(engagement, abs=1e-12)


def test_it_closes_gradually_after_a_shift() -> None:
    """From 0 to 1 in 0.3 s, however fast the engine turns; neutral opens it at once."""
    clutch = AutomaticClutch(AROUND)
    assert clutch.request(5000.0, 5000.0, 0.5, STEP) == 0.0
    for share in (0.25, 0.5, 0.75, 1.0, 1.0):
        clutch.advance(True, 0.25 * ENGAGEMENT_TIME)
        assert clutch.request(5000.0, 5000.0, 0.5, STEP) == pytest.approx(share, rel=1e-12)
    clutch.advance(False, 0.001)
    assert clutch.request(5000.0, 5000.0, 0.5, STEP) == 0.0


@pytest.mark.parametrize(
    ("engine", "brake", "throttle", "torque"),
    [
        (1000.0, 0.0, 0.0, 30.0),
        (1000.0, 0.5, 0.0, 0.0),
        (950.0, 0.0, 0.0, 15.0),
        (900.0, 0.0, 0.0, 0.0),
        (1550.0, 0.0, 0.5, 150.0),
    ],
)
def test_it_creeps_without_the_brake(engine: float, brake: float, throttle: float, torque: float) -> None:
    """30 of its 300 Nm at idle, less below, none on the brake; more comes with the engine's speed."""
    clutch = AutomaticClutch(AROUND, 30.0)
    clutch.advance(True, 10.0, brake)
    assert 300.0 * clutch.request(engine, 0.0, throttle, STEP) == pytest.approx(torque, abs=1e-9)


def test_creeping_comes_and_goes_over_the_time_of_an_engagement() -> None:
    """30 Nm in 0.3 s after the brake is let go, evenly, and none 0.3 s after it is pressed."""
    clutch = AutomaticClutch(AROUND, 30.0)
    clutch.advance(True, 10.0)
    for brake, torques in ((0.0, (7.5, 15.0, 22.5, 30.0, 30.0)), (0.5, (22.5, 15.0, 7.5, 0.0, 0.0))):
        for torque in torques:
            clutch.advance(True, 0.25 * ENGAGEMENT_TIME, brake)
            assert 300.0 * clutch.request(1000.0, 0.0, 0.0, STEP) == pytest.approx(torque, abs=1e-9)


@given(
    engine=st.floats(1000.0, 6000.0),
    shaft=st.floats(-6000.0, 1000.0),
    throttle=st.floats(0.0, 1.0),
    step=st.floats(0.001, 0.1),
)
def test_no_step_pulls_the_engine_below_idle(engine: float, shaft: float, throttle: float, step: float) -> None:
    """n + (T - 300·e)/I·dt >= idle, though a light engine can be stopped by the clutch in a fraction of 0.1 s."""
    clutch = AutomaticClutch(AROUND._replace(engine_inertia=0.05))
    clutch.advance(True, 10.0)
    engagement = clutch.request(engine, shaft, throttle, step)
    torque = 250.0 * throttle - 50.0
    end = engine + (torque - 300.0 * engagement) / 0.05 * step / RPM_TO_W
    assert engagement == 0.0 or end >= 1000.0 - 1e-6


@given(
    engine=st.floats(0.0, 1e4),
    shaft=st.floats(-1e4, 1e4),
    throttle=st.floats(0.0, 1.0),
    time=st.floats(0.0, 1.0),
    step=st.floats(0.001, 0.1),
)
def test_the_request_is_a_share(engine: float, shaft: float, throttle: float, time: float, step: float) -> None:
    """0 .. 1 for every pair of speeds."""
    clutch = AutomaticClutch(AROUND)
    clutch.advance(True, time)
    assert 0.0 <= clutch.request(engine, shaft, throttle, step) <= 1.0


def test_the_engine_goes_to_the_new_gear_until_the_clutch_is_closed() -> None:
    """At least idle while shifting; afterwards only if that gear is faster than idle; then it is left alone."""
    clutch = AutomaticClutch(AROUND)
    assert clutch.target_rpm(3000.0, shifting=True) == 3000.0
    assert clutch.target_rpm(200.0, shifting=True) == 1000.0
    assert clutch.target_rpm(3000.0, shifting=False) == -1.0
    clutch.advance(True, 0.1)
    assert clutch.target_rpm(3000.0, shifting=False) == 3000.0
    assert clutch.target_rpm(200.0, shifting=False) == -1.0
    clutch.advance(True, 0.3)
    assert clutch.target_rpm(3000.0, shifting=False) == -1.0
