"""Temperatures: single balances against their analytic solutions, and an engine that warms up and overheats."""

from math import exp

import pytest

from vehiclesim.auxiliary.thermal import Thermal, settle
from vehiclesim.channels import AuxiliaryData
from vehiclesim.parameters.auxiliary import AuxiliarySettings, ThermalSettings

from .rig import Rig, at_idle, at_rest, driving

COOLANT = AuxiliaryData.COOLANT_TEMPERATURE
OIL = AuxiliaryData.OIL_TEMPERATURE
CATALYST = AuxiliaryData.CATALYST_TEMPERATURE
SETTINGS = ThermalSettings()


def mild_drive(settings: AuxiliarySettings = AuxiliarySettings()) -> Rig:  # noqa: B008 - frozen
    """54 km/h at 2000/min with 2.3 l/h: town and country roads."""
    return driving(2000.0, 0.1, 15.0, settings)


def test_a_body_cools_as_newton_says() -> None:
    """T = T_s + (T_0 - T_s)·exp(-G·t/C) without heat, within the first order of 10 ms over a time constant of 10 s."""
    temperature = 90.0
    for _ in range(1000):
        temperature = settle(temperature, 100.0 * 20.0, 100.0, 1000.0, 0.01)
    assert temperature == pytest.approx(20.0 + 70.0 * exp(-1.0), rel=1e-3)


def test_a_heated_body_settles_where_loss_equals_heat() -> None:
    """T = T_s + P/G, even in steps that are longer than its time constant."""
    temperature = 20.0
    for _ in range(50):
        temperature = settle(temperature, 500.0 + 10.0 * 20.0, 10.0, 100.0, 100.0)
    assert temperature == pytest.approx(70.0)


def test_without_conductance_all_heat_stays() -> None:
    assert settle(20.0, 300.0, 0.0, 1000.0, 10.0) == pytest.approx(23.0)


@pytest.mark.parametrize("ambient", [-30.0, 0.0, 35.0])
def test_after_a_night_all_parts_stay_at_the_temperature_of_the_air(ambient: float) -> None:
    """Without heat from the engine no balance has a reason to leave it, standing or in the wind."""
    thermal = Thermal(SETTINGS, 2.0, 1e5, 1e4)
    thermal.ambient = ambient
    thermal.soak(ambient)
    for air_speed in (0.0, 30.0):
        thermal.air_speed = air_speed
        thermal.step(3600.0)
        parts = (thermal.coolant, thermal.oil, thermal.transmission, thermal.catalyst, thermal.intake)
        assert parts == pytest.approx((ambient,) * 5)


def test_a_drive_warms_the_engine_in_five_to_fifteen_minutes() -> None:
    """The time that guides for drivers give; it then stays at the thermostat, and oil is warm too but not hot."""
    rig = mild_drive()
    seconds = 0
    while rig.read(COOLANT) < SETTINGS.thermostat_opens:
        rig.hold(10.0)
        seconds += 10
        assert seconds <= 15 * 60
    assert seconds >= 5 * 60
    rig.hold(600.0)
    settled = rig.read(COOLANT)
    assert SETTINGS.thermostat_opens < settled < SETTINGS.thermostat_open
    rig.hold(600.0)
    assert rig.read(COOLANT) == pytest.approx(settled, abs=0.1)
    assert settled < rig.read(OIL) < 115.0


def test_idling_warms_more_slowly_than_driving() -> None:
    idle, drive = at_idle(), mild_drive()
    idle.hold(300.0)
    drive.hold(300.0)
    assert 20.0 < idle.read(COOLANT) < drive.read(COOLANT)


def test_the_fan_holds_the_temperature_when_the_vehicle_stands() -> None:
    """It goes on and off between its two switching points, give or take what a step of the balance overshoots."""
    rig = at_idle()
    rig.auxiliaries.ambient_temperature = 35.0
    rig.auxiliaries.thermal.soak(97.0)
    switched = 0
    fan = False
    for _ in range(12_000):
        rig.hold(0.1)
        switched += rig.auxiliaries.thermal.fan is not fan
        fan = rig.auxiliaries.thermal.fan
    assert switched >= 2
    assert SETTINGS.fan_off - 1.0 <= rig.read(COOLANT) <= SETTINGS.fan_on + 1.0


def test_between_its_switching_points_the_fan_stays_as_it_is() -> None:
    """On at the upper one, off at the lower one, both included; between them as it came."""
    thermal = Thermal(SETTINGS, 2.0, 1e5, 1e4)
    on, off = SETTINGS.fan_on, SETTINGS.fan_off
    between = 0.5 * (on + off)
    seen = []
    for coolant in (off, between, on - 0.001, on, on - 0.001, between, off + 0.001, off, between):
        thermal.coolant = coolant
        thermal.step(0.0)
        seen.append(thermal.fan)
    assert seen == [False, False, False, True, True, True, True, False, False]


def test_full_load_on_the_motorway_does_not_overheat() -> None:
    """160 km/h near the speed of most power, on a day of 35 °C."""
    rig = driving(4800.0, 1.0, 45.0)
    rig.auxiliaries.ambient_temperature = 35.0
    rig.hold(900.0)
    assert SETTINGS.thermostat_opens < rig.read(COOLANT) < 110.0


def test_thin_air_cools_less() -> None:
    """At 74.7 kPa, 2500 m, a stream of 20 m/s has the mass of one of 14.7 m/s at sea level; G ~ v/(v + 10 m/s)."""
    thermal = Thermal(ThermalSettings(), 2.0, 1e5, 1e4)
    thermal.coolant, thermal.air_speed = 110.0, 20.0
    low = thermal.radiator_conductance()
    thermal.air_density = 74.7 / 101.325
    v = 20.0 * 74.7 / 101.325
    assert thermal.radiator_conductance() / low == pytest.approx(v / (v + 10.0) * 30.0 / 20.0)


def test_without_cooling_the_engine_boils_and_recovers() -> None:
    """Full loss of the radiator ends at the boiling point and not beyond; mended, it comes back to the thermostat."""
    rig = driving(3000.0, 0.5, 30.0)
    rig.auxiliaries.cooling_loss = 1.0
    rig.hold(1200.0)
    assert rig.read(COOLANT) == pytest.approx(SETTINGS.boiling)
    rig.auxiliaries.cooling_loss = 0.0
    rig.hold(600.0)
    assert rig.read(COOLANT) < SETTINGS.thermostat_open


def test_a_stopped_engine_becomes_as_cold_as_the_air() -> None:
    thermal = Thermal(SETTINGS, 2.0, 300e3, 90e3)
    thermal.soak(90.0)
    thermal.ambient = -10.0
    for _ in range(24 * 3600):
        thermal.step(1.0)
    temperatures = [thermal.coolant, thermal.oil, thermal.transmission, thermal.catalyst, thermal.intake]
    assert temperatures == pytest.approx([-10.0] * 5, abs=2.0)
    assert thermal.oil >= -10.0


def test_the_catalyst_lights_off_within_minutes_and_is_hotter_under_load() -> None:
    """Over 250 °C within three minutes of mild driving; 800 .. 1000 °C at full load, where catalysts age."""
    rig = mild_drive()
    rig.hold(180.0)
    assert 250.0 < rig.read(CATALYST) < 600.0
    rig = driving(5500.0, 1.0, 45.0)
    rig.hold(300.0)
    assert 800.0 < rig.read(CATALYST) < 1000.0


def test_misfire_overheats_the_catalyst_and_cools_the_engine() -> None:
    """A fifth of the fuel burns in the brick: some 400 K more."""
    healthy, faulty = mild_drive(), mild_drive()
    faulty.auxiliaries.misfire = 0.2
    for rig in (healthy, faulty):
        rig.hold(1200.0)
    assert faulty.read(CATALYST) > healthy.read(CATALYST) + 300.0
    assert faulty.read(COOLANT) < healthy.read(COOLANT)


def test_losses_in_the_gears_warm_the_transmission() -> None:
    warm, cold = mild_drive(), mild_drive()
    warm.auxiliaries.transmission_heat = 1000.0
    for rig in (warm, cold):
        rig.hold(600.0)
    index = AuxiliaryData.TRANSMISSION_TEMPERATURE
    assert 20.0 < cold.read(index) < warm.read(index) < 120.0


def test_the_first_step_finds_everything_as_cold_as_the_air() -> None:
    """Ambient temperature is an input, so it is only known then."""
    rig = at_rest()
    rig.auxiliaries.ambient_temperature = -15.0
    rig.step(0.01)
    for index in (COOLANT, OIL, CATALYST, AuxiliaryData.INTAKE_TEMPERATURE):
        assert rig.read(index) == pytest.approx(-15.0, abs=0.1)
