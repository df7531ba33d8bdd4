"""Oil pressure, ignition and injection timing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.auxiliary.operating_point import Lubrication, ignition_advance, injection_advance
from vehiclesim.parameters.auxiliary import LubricationSettings

OIL = Lubrication(LubricationSettings(idle_pressure=120.0, max_pressure=450.0), 800.0)


def test_the_idle_pressure_is_that_of_hot_oil_at_idle() -> None:
    assert OIL.settled(800.0, 95.0) == pytest.approx(120.0)


def test_no_pressure_without_speed() -> None:
    assert OIL.settled(0.0, -20.0) == 0.0


@given(st.floats(0.0, 10_000.0), st.floats(-40.0, 180.0), st.floats(0.0, 1000.0), st.floats(0.0, 50.0))
def test_faster_or_colder_is_never_less_and_the_valve_is_the_bound(
    rpm: float, oil: float, faster: float, colder: float
) -> None:
    pressure = OIL.settled(rpm, oil)
    assert 0.0 <= pressure <= 450.0
    assert OIL.settled(rpm + faster, oil) >= pressure
    assert OIL.settled(rpm, oil - colder) >= pressure * (1.0 - 1e-12)


SPEEDS = st.floats(-1000.0, 10_000.0)
LOADS = st.floats(0.0, 1.0)


@pytest.mark.parametrize(
    ("rpm_over_idle", "load", "catalyst", "least", "most"),
    [
        (0.0, 0.2, 400.0, 10.0, 20.0),  # warm idle: workshop manuals ask for 5 .. 20
        (0.0, 0.2, 20.0, 0.0, 10.0),  # late, so that the catalyst gets hot
        (1500.0, 0.3, 600.0, 20.0, 35.0),  # cruising
        (5000.0, 1.0, 800.0, 15.0, 30.0),  # full load
    ],
)
def test_a_petrol_engine_fires_where_petrol_engines_do(
    rpm_over_idle: float, load: float, catalyst: float, least: float, most: float
) -> None:
    assert least <= ignition_advance(rpm_over_idle, load, catalyst) <= most


@given(SPEEDS, LOADS, st.floats(-40.0, 1000.0), st.floats(0.0, 1000.0))
def test_more_speed_advances_and_the_advance_fits_into_its_pid(
    rpm: float, load: float, catalyst: float, faster: float
) -> None:
    """PID 0E reaches from -64 to 63.5 degrees."""
    advance = ignition_advance(rpm, load, catalyst)
    assert -10.0 <= advance <= 45.0
    assert ignition_advance(rpm + faster, load, catalyst) >= advance - 1e-9


@given(SPEEDS, LOADS)
def test_a_diesel_injects_shortly_before_dead_centre(rpm: float, load: float) -> None:
    assert 0.0 <= injection_advance(rpm, load) <= 15.0


@pytest.mark.parametrize(("oil", "earliest", "latest"), [(90.0, 0.5, 1.2), (20.0, 0.7, 1.7), (-20.0, 0.9, 2.0)])
def test_the_pressure_needs_half_a_second_to_two_after_a_start(oil: float, earliest: float, latest: float) -> None:
    """50 kPa, at which the oil lamp goes out, of an engine that cranks for 0.6 s and then idles."""
    pump = Lubrication(LubricationSettings(), 800.0)
    seconds = 0.0
    while pump.pressure < 50.0:
        seconds += 0.01
        pump.step(210.0 if seconds < 0.6 else 800.0, oil, 0.01)
    assert earliest < seconds < latest


def test_the_pressure_falls_as_soon_as_the_engine_stops_and_is_sooner_there_again() -> None:
    pump = Lubrication(LubricationSettings(), 800.0)
    for _ in range(500):
        pump.step(800.0, 90.0, 0.01)
    for _ in range(100):
        pump.step(0.0, 90.0, 0.01)
    assert pump.pressure < 1.0
    for _ in range(20):
        pump.step(800.0, 90.0, 0.01)
    assert pump.pressure > 50.0
