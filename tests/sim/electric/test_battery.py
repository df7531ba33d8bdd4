"""The traction battery: power, voltage, current and charge by the laws of a source with an internal resistance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim.electric.battery import TractionBattery
from vehiclesim.parameters import TractionBatterySettings

FLAT = TractionBatterySettings(
    capacity=10.0,
    voltage=400.0,
    internal_resistance=0.1,
    charge_points=(0.0, 1.0),
    voltage_shares=(1.0, 1.0),
    max_discharge=100.0,
    max_charge=50.0,
    initial_charge=0.5,
)


@given(st.floats(-50e3, 100e3))
def test_power_is_voltage_times_current(power: float) -> None:
    """U = E - R·I, and what the source gives is what arrives and what its resistance turns into heat."""
    battery = TractionBattery(FLAT)
    battery.step(power, 0.001)
    assert battery.voltage * battery.current == pytest.approx(power, rel=1e-9, abs=1e-6)
    assert battery.voltage == pytest.approx(400.0 - 0.1 * battery.current, rel=1e-12)
    assert 400.0 * battery.current == pytest.approx(battery.power + battery.loss, rel=1e-9, abs=1e-6)


def test_the_capacity_is_the_energy_behind_the_resistance() -> None:
    """10 kWh at a constant current of 25 A: 400 V · 25 A = 10 kW take the charge from full to empty in an hour."""
    battery = TractionBattery(FLAT)
    power = (400.0 - 2.5) * 25.0
    for _ in range(1800):
        battery.step(power, 1.0)
    assert battery.current == pytest.approx(25.0, rel=1e-9)
    assert battery.charge == pytest.approx(0.0, abs=1e-9)


def test_more_than_the_source_can_give_is_not_given() -> None:
    """The most is E²/(4·R), at half the voltage."""
    battery = TractionBattery(FLAT)
    battery.step(1e9, 0.001)
    assert battery.voltage <= 200.0


@pytest.mark.parametrize(
    ("charge", "discharge", "charging"),
    [(0.5, 100e3, 50e3), (0.03, 0.0, 50e3), (0.055, 50e3, 50e3), (1.0, 100e3, 0.0), (0.975, 100e3, 25e3)],
)
def test_the_limits_fall_to_nothing_at_the_ends(charge: float, discharge: float, charging: float) -> None:
    battery = TractionBattery(FLAT)
    battery.charge = charge
    assert battery.most_discharge() == pytest.approx(discharge)
    assert battery.most_charge() == pytest.approx(charging)
