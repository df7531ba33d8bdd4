"""The consumption over speed and torque: a hand calculation for an engine with one efficiency."""

import pytest

from hilbridge.faces.cockpit.consumption import consumption_map
from vehiclesim.parameters import AirPathSettings, EngineSettings

LOWER_HEATING_VALUE = 43_000.0
"""[J/g] of petrol."""


def test_each_cell_is_the_fuel_of_the_torque_and_of_the_friction() -> None:
    """3.6e6 J of work need (T + T_f)/T of them as combustion work, and that over 0.36 as fuel: T_f = 20 N m."""
    settings = EngineSettings(
        table_rpm=(1000.0, 6000.0),
        table_torque=(100.0, 150.0),
        table_resistive_torque=(-20.0, -20.0),
        efficiency_rpm=(1000.0, 6000.0),
        indicated_efficiency=(0.36, 0.36),
        max_rpm=7000.0,
        idle_rpm=1000.0,
    )
    found = consumption_map(settings, AirPathSettings())
    for most, row in zip(found["torque"], found["rows"], strict=True):
        for number, one in enumerate(row):
            torque = (number + 0.5) / len(row) * most
            assert one == pytest.approx(3.6e6 * (torque + 20.0) / torque / 0.36 / LOWER_HEATING_VALUE, abs=0.06)
    assert len(found["rows"]) == len(found["rpm"]) > 10


def test_without_work_there_is_no_consumption() -> None:
    """Where friction takes all of the torque, near the highest speed of the default engine."""
    found = consumption_map(EngineSettings(), AirPathSettings())
    none = [row for most, row in zip(found["torque"], found["rows"], strict=True) if most == 0.0]
    assert all(one is None for row in none for one in row)
