"""Battery, alternator and starter motor."""

from dataclasses import replace

import pytest

from vehiclesim.auxiliary.electrics import Electrics
from vehiclesim.channels import AuxiliaryData
from vehiclesim.parameters.auxiliary import AuxiliarySettings, ElectricsSettings

from .rig import Rig, at_idle, at_rest

VOLTAGE = AuxiliaryData.BATTERY_VOLTAGE
CURRENT = AuxiliaryData.BATTERY_CURRENT


def charged(charge: float) -> AuxiliarySettings:
    return AuxiliarySettings(electrics=ElectricsSettings(initial_charge=charge))


def crank(rig: Rig, seconds: float = 3.0) -> list[float]:
    """Turns the key to start until the engine runs; the voltages on the way."""
    rig.run(0.1, 0.001)
    rig.engine.ignition_input = 1
    voltages = []
    for _ in range(round(seconds / 0.001)):
        rig.step(0.001)
        voltages.append(rig.read(VOLTAGE))
        if rig.engine.sensor_rpm >= 1000.0:
            break
    rig.engine.ignition_input = 0
    return voltages


@pytest.mark.parametrize(("charge", "volts"), [(1.0, 12.65), (0.75, 12.45), (0.5, 12.24), (0.25, 12.06), (0.0, 11.89)])
def test_the_voltage_at_rest_tells_the_charge(charge: float, volts: float) -> None:
    """Published for flooded lead-acid batteries at 25 °C."""
    electrics = Electrics(ElectricsSettings(initial_charge=charge, standby_current=0.0), 1000.0)
    electrics.step(0.01)
    assert electrics.voltage == pytest.approx(volts, abs=0.005)


def test_cranking_dips_the_voltage_and_the_alternator_lifts_it() -> None:
    """A healthy battery shows 9 .. 10.5 V while the starter motor turns; a running engine 13.7 .. 14.7 V."""
    rig = at_rest()
    voltages = crank(rig)
    assert rig.engine.sensor_working
    assert 9.0 <= min(voltages) <= 10.5
    rig.run(2.0)
    assert 13.7 <= rig.read(VOLTAGE) <= 14.7
    assert rig.read(CURRENT) > 0.0


@pytest.mark.parametrize("charge", [0.0, 0.05, 0.1])
def test_a_drained_battery_does_not_start_the_engine(charge: float) -> None:
    rig = at_rest(charged(charge))
    voltages = crank(rig)
    assert not rig.engine.sensor_working
    assert min(voltages) < 9.0


def test_a_half_charged_battery_starts_more_slowly_than_a_full_one() -> None:
    full, half = at_rest(charged(1.0)), at_rest(charged(0.5))
    assert len(crank(full)) < len(crank(half)) < 3000
    assert half.engine.sensor_working


def test_cold_slows_the_starter_motor_down() -> None:
    """At -20 °C the battery resists and the oil drags; a charged battery still starts the engine."""
    warm, cold = at_rest(), at_rest()
    cold.auxiliaries.ambient_temperature = -20.0
    assert len(crank(warm)) < len(crank(cold))
    assert cold.auxiliaries.starter_supply < 0.75 * warm.auxiliaries.starter_supply
    assert cold.engine.sensor_working


def test_a_key_left_on_drains_the_battery() -> None:
    """About 8 A out of 60 Ah: after four hours half of it is gone."""
    rig = at_rest()
    rig.run(0.1)
    rig.hold(4 * 3600.0, 1.0)
    assert rig.read(AuxiliaryData.BATTERY_CHARGE) == pytest.approx(0.95 - 4.0 * 8.0 / 60.0, abs=0.04)


def test_standing_overnight_takes_next_to_nothing() -> None:
    """30 mA for ten hours are 0.3 Ah."""
    electrics = Electrics(ElectricsSettings(), 1000.0)
    for _ in range(36_000):
        electrics.step(1.0)
    assert electrics.charge == pytest.approx(0.95 - 0.3 / 60.0, abs=0.001)


def test_a_charger_keeps_the_charge() -> None:
    electrics = Electrics(ElectricsSettings(charger=True, initial_charge=0.8), 1000.0)
    electrics.key_on = True
    for _ in range(3600):
        electrics.step(1.0)
    assert electrics.charge == 0.8


def test_the_alternator_fills_the_battery_and_no_further() -> None:
    electrics = Electrics(ElectricsSettings(initial_charge=0.5), 1000.0)
    electrics.key_on = electrics.running = True
    electrics.rpm = 2500.0
    before = electrics.charge
    for _ in range(5 * 3600):
        electrics.step(1.0)
        assert before <= electrics.charge <= 1.0
        assert electrics.voltage <= 14.21
        before = electrics.charge
    assert electrics.charge > 0.98


def test_without_the_alternator_the_engine_runs_on_the_battery() -> None:
    """The lamp's case: voltage at the battery's own, and falling."""
    rig = at_idle()
    rig.auxiliaries.charging_loss = 1.0
    rig.run(5.0)
    first = rig.read(VOLTAGE)
    assert first < 12.6
    assert rig.read(CURRENT) == pytest.approx(-28.0, abs=3.0)
    rig.hold(3600.0)
    assert rig.read(VOLTAGE) < first - 0.3


def test_a_lost_battery_cannot_crank_but_the_alternator_goes_on() -> None:
    standing, running = at_rest(), at_idle()
    running.run(2.0)
    for rig in (standing, running):
        rig.auxiliaries.battery_loss = 1.0
        rig.run(1.0)
    assert standing.read(VOLTAGE) < 1.0
    crank(standing)
    assert not standing.engine.sensor_working
    assert running.read(VOLTAGE) == pytest.approx(14.2, abs=0.1)


@pytest.mark.parametrize("loss", [0.25, 0.5, 0.9])
def test_a_battery_that_lost_a_share_takes_and_gives_that_much_less(loss: float) -> None:
    """At the same voltage the current of the rest is 1 - loss of that of the whole, charging and discharging."""
    settings = ElectricsSettings(initial_charge=0.9, standby_current=0.0, charger=True)  # the charge stays as it is
    whole, rest = Electrics(settings, 1000.0), Electrics(settings, 1000.0)
    rest.battery_loss = loss
    for electrics in (whole, rest):
        electrics.running, electrics.rpm = True, 3000.0
        for _ in range(300):
            electrics.step(0.01)
    assert rest.voltage == pytest.approx(whole.voltage, abs=1e-9)  # the regulator's
    assert rest.battery_current == pytest.approx((1.0 - loss) * whole.battery_current, rel=1e-9)
    assert whole.battery_current > 1.0
    assert rest.internal_resistance() == pytest.approx(whole.internal_resistance() / (1.0 - loss), rel=1e-12)


def test_the_regulator_gives_a_cold_battery_more() -> None:
    electrics = Electrics(ElectricsSettings(), 1000.0)
    electrics.running = True
    electrics.rpm = 3000.0
    volts = []
    for temperature in (-20.0, 25.0, 50.0):
        electrics.temperature = temperature
        for _ in range(300):
            electrics.step(0.01)
        volts.append(electrics.voltage)
    assert volts == sorted(volts, reverse=True)
    assert volts[1] == pytest.approx(14.2)


def test_a_truck_has_twice_the_voltage() -> None:
    settings = replace(
        ElectricsSettings(), nominal_voltage=24.0, alternator_voltage=28.4, capacity=180.0, starter_current=700.0
    )
    electrics = Electrics(settings, 600.0)
    electrics.step(0.01)
    assert electrics.voltage == pytest.approx(2.0 * 12.61, abs=0.05)
    electrics.running = True
    electrics.rpm = 1500.0
    for _ in range(300):
        electrics.step(0.01)
    assert electrics.voltage == pytest.approx(2.0 * 14.2)


def test_a_regulator_that_overcharges_lifts_the_voltage() -> None:
    """By its share: a fifth more than a healthy one holds, as far as the alternator's current goes."""
    electrics = Electrics(ElectricsSettings(initial_charge=1.0), 1000.0)
    electrics.key_on = electrics.running = True
    electrics.rpm = 3000.0
    voltages = []
    for electrics.overcharge in (0.0, 0.2):
        for _ in range(500):
            electrics.step(0.01)
        voltages.append(electrics.voltage)
    assert voltages[1] == pytest.approx(1.2 * voltages[0], rel=0.01)
