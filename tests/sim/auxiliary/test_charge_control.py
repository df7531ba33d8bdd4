"""The charge control of an alternator: what it asks for, and what the alternator then does."""

from dataclasses import replace

import pytest

from vehiclesim.auxiliary.charge_control import ChargeControl
from vehiclesim.channels import AuxiliaryData
from vehiclesim.parameters.auxiliary import AlternatorControlSettings, AuxiliarySettings, ElectricsSettings

from .rig import Rig, at_idle, at_rest, driving

CONTROLLED = ElectricsSettings(alternator_control=AlternatorControlSettings(enabled=True))
OVERRUN, CHARGE, REST = 14.8, 14.2, 12.2
LIT = AuxiliaryData.CHARGE_INDICATOR


def charged(charge: float) -> AuxiliarySettings:
    return AuxiliarySettings(electrics=replace(CONTROLLED, initial_charge=charge))


def asked(charge: float, *, before: float, load: float = 0.3, overrun: bool = False) -> float:
    """What is asked for in the end at a charge, by a control that has seen another one."""
    control = ChargeControl(CONTROLLED)
    control.step(before, 0.01)
    control.overrun, control.load = overrun, load
    for _ in range(1000):
        control.step(charge, 0.01)
    return control.voltage


@pytest.mark.parametrize(
    ("charge", "before", "load", "overrun", "volts"),
    [
        (0.95, 0.95, 0.3, False, REST),
        (0.78, 0.95, 0.3, False, REST),  # within the band, on its way down
        (0.78, 0.70, 0.3, False, CHARGE),  # and up
        (0.78, 0.70, 1.0, False, REST),  # full load
        (0.70, 0.70, 0.0, False, CHARGE),  # at idle too
        (0.70, 0.70, 1.0, False, CHARGE),  # below the band nothing rests
        (0.95, 0.95, 0.0, True, OVERRUN),
        (0.70, 0.70, 0.0, True, OVERRUN),
    ],
)
def test_the_voltage_is_that_of_load_and_charge(
    charge: float, before: float, load: float, volts: float, *, overrun: bool
) -> None:
    """Mazda: more at fuel cut, else the battery may give. GM and Ford: it is kept between 75 and 80 %."""
    assert asked(charge, before=before, load=load, overrun=overrun) == pytest.approx(volts)


def test_the_voltage_moves_by_two_volts_a_second_at_most() -> None:
    control = ChargeControl(CONTROLLED)
    control.overrun = True
    for overrun in (True, False):
        control.overrun = overrun
        for _ in range(200):
            before = control.voltage
            control.step(0.9, 0.01)
            assert abs(control.voltage - before) <= 0.02 + 1e-12
    assert control.voltage == pytest.approx(REST)


def settled(rig: Rig) -> Rig:
    rig.run(6.0)
    return rig


def test_under_load_the_battery_alone_feeds_the_consumers() -> None:
    """Ohm's law: R is 8 mΩ at 25 °C, 10 % more at 20 °C, over the charge; 28 A at 13 V are 2.16 S."""
    electrics = settled(driving(2500.0, 0.3, settings=charged(0.9))).auxiliaries.electrics
    e = electrics.open_circuit_voltage()
    assert electrics.alternator_current == 0.0
    assert electrics.voltage == pytest.approx(e / (1.0 + 0.0088 / electrics.charge * 28.03 / 13.0), abs=0.005)
    assert electrics.battery_current == pytest.approx(-27.0, abs=1.0)


def test_overrun_charges() -> None:
    rig = settled(driving(2500.0, 0.0, settings=charged(0.9)))
    assert rig.engine.sensor_fuel_rate == 0.0
    electrics = rig.auxiliaries.electrics
    assert electrics.voltage == pytest.approx(14.835, abs=0.01)  # and 7 mV/K of the 5 K below 25 °C
    assert electrics.battery_current > 20.0


def test_a_drained_battery_is_charged_at_idle_and_then_rests() -> None:
    """Between both ends of the band; what it takes and gives is the integral of its current."""
    rig = settled(at_idle(charged(0.74)))
    electrics = rig.auxiliaries.electrics
    assert electrics.battery_current > 20.0
    seen = []
    for _ in range(120):
        rig.hold(20.0)
        seen.append(electrics.charge)
    assert max(seen) == pytest.approx(0.8, abs=0.01)
    assert min(seen[seen.index(max(seen)) :]) == pytest.approx(0.75, abs=0.01)


def test_a_regulator_reports_what_is_broken_and_not_what_rests() -> None:
    """Terminal L: the lamp burns with the key on before the start, and not at the 12.4 V of one that rests."""
    rig = at_rest(charged(0.9))
    rig.run(0.1)
    assert rig.values[LIT] == 1
    rig.engine.ignition_input = -1
    rig.run(0.1)
    assert rig.values[LIT] == 0
    rig = settled(driving(2500.0, 0.3, settings=charged(0.9)))
    assert rig.read(AuxiliaryData.BATTERY_VOLTAGE) < 12.5
    assert rig.values[LIT] == 0
    rig.auxiliaries.charging_loss = 1.0
    rig.run(0.1)
    assert rig.values[LIT] == 1


def test_a_restored_control_goes_on_bit_by_bit() -> None:
    one, two = (driving(2500.0, 0.0, settings=charged(0.76)) for _ in range(2))
    one.hold(0.7)
    two.auxiliaries.set_state_vars(one.auxiliaries.get_state_vars())
    for rig in (one, two):
        rig.hold(3.0)
    assert one.auxiliaries.electrics.get_state_vars() == two.auxiliaries.electrics.get_state_vars()


def test_what_is_not_asked_for_is_not_there() -> None:
    assert at_idle().auxiliaries.electrics.controls == []
