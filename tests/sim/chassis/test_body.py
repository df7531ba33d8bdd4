"""Forces of air, road and slope."""

from math import atan, cos, sin

import pytest

from vehiclesim import Body, BodySettings

CAR = BodySettings(mass=1000.0, drag_area=0.5)
WEIGHT = 1000.0 * 9.80665


@pytest.mark.parametrize(("speed", "force"), [(0.0, 0.0), (20.0, 122.5), (-20.0, -122.5)])
def test_drag_opposes_the_motion_and_grows_with_its_square(speed: float, force: float) -> None:
    """½·1.225 kg/m³·0.5 m²·v², backward when driving forward and forward when driving backward."""
    assert Body(CAR).drag_force(speed) == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize(("wind", "force"), [(-20.0, 0.0), (10.0, 275.625), (-30.0, -30.625)])
def test_wind_adds_to_the_speed_against_the_air(wind: float, force: float) -> None:
    """At 20 m/s: none with as much tail wind, more with head wind, a push with more tail wind."""
    body = Body(CAR)
    body.wind = wind
    assert body.drag_force(20.0) == pytest.approx(force, rel=1e-12)


@pytest.mark.parametrize("grade", [0.0, 0.2, -0.2, 1.0])
def test_a_slope_divides_the_weight(grade: float) -> None:
    """Sine and cosine of atan(grade): the pull along the road, and the load on it."""
    body = Body(CAR)
    body.slope = grade
    assert body.slope == grade
    assert body.slope_force() == pytest.approx(WEIGHT * sin(atan(grade)), rel=1e-12, abs=1e-12)
    assert body.normal_force() == pytest.approx(WEIGHT * cos(atan(grade)), rel=1e-12)


def test_the_road_bears_what_does_not_pull() -> None:
    """Load and pull are the two sides of the weight: N² + F² = (m·g)²."""
    body = Body(CAR)
    body.slope = 0.2
    assert body.normal_force() ** 2 + body.slope_force() ** 2 == pytest.approx(WEIGHT**2, rel=1e-12)
