"""The accelerator pedal and its inverse."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import RPM_TO_W
from vehiclesim.engine.management import PedalMap
from vehiclesim.engine.torque_curve import ParametricCurve
from vehiclesim.parameters import EngineSettings, IdleControl

DEFAULT = EngineSettings()
PASSIVE = replace(DEFAULT, idle_control=IdleControl.PASSIVE)


def pedal_map(settings: EngineSettings = DEFAULT) -> PedalMap:
    return PedalMap(settings, ParametricCurve(settings))


@given(st.floats(0.0, 1.0), st.floats(0.0, 8000.0), st.sampled_from([DEFAULT, PASSIVE]))
def test_position_undoes_share(pedal: float, rpm: float, settings: EngineSettings) -> None:
    """The position for the share of a position is that position, at every speed."""
    travel = pedal_map(settings)
    w = rpm * RPM_TO_W
    assert travel.position(travel.share(pedal, w), w) == pytest.approx(pedal, abs=1e-9)


@pytest.mark.parametrize(("share", "position"), [(-0.5, 0.0), (0.0, 0.0), (1.0, 1.0), (1.5, 1.0)])
def test_a_position_is_inside_the_travel(share: float, position: float) -> None:
    assert pedal_map().position(share, 1500.0 * RPM_TO_W) == position


def test_a_pedal_whose_engine_cannot_hold_idle_asks_for_all_of_it() -> None:
    """Friction above the raw torque at idle: hold is 1, reached within the first touch."""
    weak = replace(DEFAULT, idle_rpm_torque=1.0, friction_torque=500.0)
    raw = ParametricCurve(weak).raw_torque(weak.idle_rpm)
    assert raw == pytest.approx(512.57, abs=0.01)
    travel = pedal_map(weak)
    assert travel.share(0.02, weak.idle_rpm * RPM_TO_W) == pytest.approx(1.0, rel=0.003)


@pytest.mark.parametrize(("load", "rise"), [(1.0, 0.0), (3.5, 200.0), (2.0, 0.0)])
def test_a_touch_of_the_pedal_holds_idle_in_the_cold(load: float, rise: float) -> None:
    """T = Tf·load at the raised idle speed, with cold friction and accessories; the rest of the travel lies above."""
    travel = pedal_map()
    travel.load, travel.rise = load, rise
    curve = ParametricCurve(DEFAULT)
    w = (DEFAULT.idle_rpm + rise) * RPM_TO_W
    needed = load * curve.friction(DEFAULT.idle_rpm * RPM_TO_W) / curve.raw_torque(DEFAULT.idle_rpm)
    assert travel.share(0.02, w) == pytest.approx(needed + (1.0 - needed) * 0.02, rel=1e-9)
    assert travel.share(0.5, w) == pytest.approx(0.5 * (1.0 + needed), rel=1e-9)
