"""Oil pressure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.lubrication import Lubrication
from vehiclesim.parameters.auxiliary import LubricationSettings

OIL = Lubrication(LubricationSettings(idle_pressure=120.0, max_pressure=450.0), 800.0)


def test_the_idle_pressure_is_that_of_hot_oil_at_idle() -> None:
    assert OIL.pressure(800.0, 95.0) == pytest.approx(120.0)


def test_no_pressure_without_speed() -> None:
    assert OIL.pressure(0.0, -20.0) == 0.0


@given(st.floats(0.0, 10_000.0), st.floats(-40.0, 180.0), st.floats(0.0, 1000.0), st.floats(0.0, 50.0))
def test_faster_or_colder_is_never_less_and_the_valve_is_the_bound(
    rpm: float, oil: float, faster: float, colder: float
) -> None:
    pressure = OIL.pressure(rpm, oil)
    assert 0.0 <= pressure <= 450.0
    assert OIL.pressure(rpm + faster, oil) >= pressure
    assert OIL.pressure(rpm, oil - colder) >= pressure * (1.0 - 1e-12)
