"""Rules of the flywheel between drive, friction and clutch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.block import Block, Connection
from vehiclesim.engine.flywheel import RESPONSE_TIME, Flywheel
from vehiclesim.parameters import ClutchSettings
from vehiclesim.transmission.clutch import FrictionDisc

H = 0.001


def _shaft(speed: float, inertia: float, reaction: float) -> Connection:
    shaft = Connection(Block(), 0, Block(), 0)
    shaft.L, shaft.I, shaft.Tr = speed * inertia, inertia, reaction
    return shaft


def _flywheel(speed: float, friction: float, engagement: float = 0.0, shaft: Connection | None = None) -> Flywheel:
    clutch = FrictionDisc(ClutchSettings())
    clutch.engagement = engagement
    flywheel = Flywheel(0.5, clutch)
    flywheel.speed = speed
    flywheel.friction = friction
    flywheel.couple(shaft, 1.0, H)
    return flywheel


def _end(flywheel: Flywheel) -> float:
    return flywheel.speed + H * (flywheel.own_torque - flywheel.clutch_torque) / flywheel.inertia


def test_a_free_flywheel_obeys_newton() -> None:
    """I·dw/dt = T_drive - T_friction."""
    flywheel = _flywheel(100.0, 30.0)
    flywheel.distribute(80.0)
    assert flywheel.own_torque == 50.0
    assert flywheel.clutch_torque == 0.0


@pytest.mark.parametrize("drive", [0.0, 10.0, 30.0])
def test_friction_holds_a_flywheel_at_rest(drive: float) -> None:
    """A drive torque up to the friction moves nothing."""
    flywheel = _flywheel(0.0, 30.0)
    flywheel.distribute(drive)
    assert _end(flywheel) == 0.0
    assert flywheel.own_torque == 0.0


def test_friction_stops_but_never_reverses() -> None:
    """Friction that is stronger than the momentum left ends the substep at rest."""
    flywheel = _flywheel(0.01, 30.0)
    flywheel.distribute(0.0)
    assert _end(flywheel) == pytest.approx(0.0, abs=1e-15)


@given(
    st.floats(0.0, 700.0),
    st.floats(0.0, 500.0),
    st.floats(0.0, 500.0),
    st.floats(0.0, 1.0),
    st.floats(-300.0, 700.0),
    st.floats(0.01, 1e4),
    st.floats(-1e4, 1e4),
)
def test_nothing_turns_it_backward(
    speed: float, friction: float, drive: float, engagement: float, shaft: float, inertia: float, reaction: float
) -> None:
    """Whatever drives, brakes and pushes, the substep ends at zero or forward, inside the clutch's capacity."""
    flywheel = _flywheel(speed, friction, engagement, _shaft(shaft, inertia, reaction))
    flywheel.distribute(drive)
    assert _end(flywheel) >= -1e-9
    assert abs(flywheel.clutch_torque) <= 300.0 * engagement * (1 + 1e-12)
    assert drive - flywheel.own_torque <= friction + 1e-9


@given(
    st.floats(50.0, 600.0),
    st.floats(50.0, 600.0),
    st.floats(0.0, 1.0),
    st.floats(-100.0, 700.0),
    st.floats(0.01, 100.0),
    st.floats(-500.0, 500.0),
)
def test_torque_towards_a_speed_gets_there(
    speed: float, target: float, engagement: float, shaft: float, inertia: float, reaction: float
) -> None:
    """From below the gap shrinks by dt/RESPONSE_TIME, from above it closes at once, whatever hangs on the clutch."""
    flywheel = _flywheel(speed, 30.0, engagement, _shaft(shaft, inertia, reaction))
    flywheel.distribute(flywheel.torque_towards(target))
    expected = target if target < speed else speed + (target - speed) * H / RESPONSE_TIME
    assert _end(flywheel) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("shaft", [None, _shaft(100.0, 0.0, 0.0)], ids=["no shaft", "empty shaft"])
def test_without_a_driveline_there_is_no_load(shaft: Connection | None) -> None:
    """No shaft, or a shaft that nothing hangs on, takes no torque."""
    flywheel = _flywheel(100.0, 0.0, 1.0, shaft)
    flywheel.distribute(50.0)
    assert flywheel.clutch_torque == 0.0
