"""The rationality monitor of an engine's control unit passes over every shipped car, and names each seeded fault.

The monitor (monitor.py) is the tests' own, from OBD practice; it sees the readings of a cold start, a drive and an
after-run, and knows nothing of the model.
"""

from collections.abc import Callable
from functools import cache, partial
from random import Random
from statistics import median

import pytest

from hilbridge.bench.faults.sensor_effects import Reading as Reads
from hilbridge.bench.faults.sensor_effects import SensorEffect, reading_of
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.files.settings.faults import SensorFault
from vehiclesim import FAULT, Vehicle
from vehiclesim.entries import find
from vehiclesim.sensors import SENSORS

from .calibrations import calibration_of
from .drives import CARS, Reading, record
from .monitor import TASK, Calibration, judge

COMBUSTION = [name for name in CARS if name != "leaf-ze1"]

WARM = {"RearOxygenVoltage", "ExhaustRecirculation"}
"""Sensors that show something on a warm engine only."""

HEARD = {"Lambda", "AirMassFlow"}
"""Sensors that act on the car where they are wrong; of the others readings alone are (vehiclesim/sensors.py)."""

FIELDS = {
    "CoolantTemperature": "coolant",
    "OilTemperature": "oil",
    "IntakeTemperature": "intake",
    "CatalystTemperature": "catalyst",
    "ExhaustTemperature": "exhaust",
    "OilPressure": "oil_pressure",
    "IntakePressure": "pressure",
    "RearOxygenVoltage": "rear",
    "ThrottlePosition": "throttle",
    "RailPressure": "rail",
    "ExhaustRecirculation": "recirculated",
    "BatteryVoltage": "voltage",
}


@cache
def healthy(car: str, warm: bool) -> list[Reading]:
    return record(car, warm=warm)


@cache
def calibration(car: str) -> Calibration:
    return calibration_of(load_vehicle(car).build())


def wrong(effect: str, value: float | None, entry: str) -> Reads:
    """Return what hilbridge's fault of `kind: sensor` makes of a value."""
    settings = SensorFault.model_validate({"kind": "sensor", "entry": entry, "effect": effect, "value": value})
    return reading_of(settings, SENSORS[f"auxiliary.{entry}"], Random(1))


def misread(readings: list[Reading], entry: str, effect: str, value: float | None) -> list[Reading]:
    """Return the readings of a drive with a wrong sensor that nothing but the monitor hears."""
    reads, field = wrong(effect, value, entry), FIELDS[entry]
    return [reading._replace(**{field: reads(getattr(reading, field), TASK)}) for reading in readings]


def codes(car: str, seed: Callable[[Vehicle], None] | None = None, *, warm: bool = False) -> set[str]:
    """Return what the monitor stores in a drive."""
    return judge(record(car, warm=warm, seed=seed), calibration(car))


def sensor(entry: str, effect: str, value: float | None, vehicle: Vehicle) -> None:
    """Seed a fault of `kind: sensor`."""
    SensorEffect(wrong(effect, value, entry), SENSORS[f"auxiliary.{entry}"], vehicle.sensors).begin()


def physics(entry: str, value: float, vehicle: Vehicle) -> None:
    """Seed a fault of `kind: physics`."""
    place = find(f"fault.{entry}")
    assert place is not None
    vehicle.data.write(FAULT, place[1], value)


@pytest.mark.long
@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
@pytest.mark.parametrize("car", COMBUSTION)
def test_nothing_is_found_on_a_healthy_car(car: str, *, warm: bool) -> None:
    assert judge(healthy(car, warm), calibration(car)) == set()


def test_the_default_car_passes_and_a_shorted_pressure_sensor_does_not() -> None:
    """One healthy drive and one fault, for every run of the tests."""
    assert judge(healthy("compact", False), calibration("compact")) == set()
    assert "P0108" in codes("compact", partial(sensor, "IntakePressure", "supply", None))


SEEDED = [
    ("compact", "P0118", ("CoolantTemperature", "open", None)),
    ("compact", "P0117", ("CoolantTemperature", "ground", None)),
    ("compact", "P0116", ("CoolantTemperature", "offset", 25.0)),
    ("compact", "P0116", ("CoolantTemperature", "stuck", None)),
    ("compact", "P0198", ("OilTemperature", "open", None)),
    ("compact", "P0197", ("OilTemperature", "ground", None)),
    ("compact", "P0196", ("OilTemperature", "stuck", None)),
    ("compact", "P0113", ("IntakeTemperature", "open", None)),
    ("compact", "P0112", ("IntakeTemperature", "ground", None)),
    ("compact", "P0111", ("IntakeTemperature", "offset", -20.0)),
    ("compact", "P0428", ("CatalystTemperature", "open", None)),
    ("compact", "P0427", ("CatalystTemperature", "ground", None)),
    ("compact", "P0426", ("CatalystTemperature", "stuck", None)),
    ("compact", "P0546", ("ExhaustTemperature", "open", None)),
    ("compact", "P0545", ("ExhaustTemperature", "ground", None)),
    ("compact", "P0544", ("ExhaustTemperature", "stuck", None)),
    ("compact", "P0522", ("OilPressure", "open", None)),
    ("compact", "P0523", ("OilPressure", "supply", None)),
    ("compact", "P0521", ("OilPressure", "offset", 60.0)),
    ("compact", "P0521", ("OilPressure", "stuck", 200.0)),
    ("compact", "P0107", ("IntakePressure", "open", None)),
    ("compact", "P0108", ("IntakePressure", "supply", None)),
    ("compact", "P0106", ("IntakePressure", "offset", 8.0)),
    ("compact", "P0106", ("IntakePressure", "stuck", None)),
    ("320d-g20", "P0106", ("IntakePressure", "offset", -15.0)),
    ("compact", "P0101", ("AirMassFlow", "open", None)),
    ("compact", "P0103", ("AirMassFlow", "supply", None)),
    ("compact", "P0101", ("AirMassFlow", "scale", 0.7)),
    ("320d-g20", "P0101", ("AirMassFlow", "scale", 1.3)),
    ("compact", "P0131", ("Lambda", "ground", None)),
    ("compact", "P0132", ("Lambda", "supply", None)),
    ("compact", "P0134", ("Lambda", "open", None)),
    ("compact", "P0133", ("Lambda", "slow", 10.0)),
    ("compact", "P0136", ("RearOxygenVoltage", "open", None)),
    ("compact", "P0137", ("RearOxygenVoltage", "ground", None)),
    ("compact", "P0138", ("RearOxygenVoltage", "supply", None)),
    ("compact", "P0122", ("ThrottlePosition", "open", None)),
    ("compact", "P0123", ("ThrottlePosition", "supply", None)),
    ("compact", "P0121", ("ThrottlePosition", "offset", 0.1)),
    ("compact", "P0121", ("ThrottlePosition", "stuck", 0.03)),
    ("320d-g20", "P0192", ("RailPressure", "open", None)),
    ("320d-g20", "P0193", ("RailPressure", "supply", None)),
    ("320d-g20", "P0191", ("RailPressure", "stuck", 60000.0)),
    ("320d-g20", "P0405", ("ExhaustRecirculation", "open", None)),
    ("320d-g20", "P0406", ("ExhaustRecirculation", "supply", None)),
    ("320d-g20", "P0401", ("ExhaustRecirculation", "stuck", 0.0)),
    ("320d-g20", "P0402", ("ExhaustRecirculation", "offset", 0.2)),
    ("compact", "P0562", ("BatteryVoltage", "open", None)),
    ("compact", "P0560", ("BatteryVoltage", "stuck", 14.0)),
    ("compact", "P0562", ("BatteryVoltage", "scale", 0.8)),
]


@pytest.mark.long
@pytest.mark.parametrize(("car", "code", "fault"), SEEDED, ids=[f"{code}-{a}-{b}" for _, code, (a, b, _c) in SEEDED])
def test_a_wrong_sensor_is_named(car: str, code: str, fault: tuple[str, str, float | None]) -> None:
    """By its own code: what else is stored follows from it. Warm where the lambda control has to act."""
    entry = fault[0]
    if entry in HEARD:
        assert code in codes(car, partial(sensor, *fault), warm=True)
    else:
        readings = misread(healthy(car, entry in WARM), *fault)
        assert code in judge(readings, calibration(car))


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "entry", "value"),
    [
        ("P0171", "LeanMixture", 0.22),
        ("P2112", "StuckThrottle", 0.6),
        ("P0324", "Knock", 1.0),
        ("P0562", "ChargingLoss", 1.0),
        ("P0560", "BatteryLoss", 0.9),
        ("P0563", "Overcharge", 0.15),
    ],
)
def test_a_fault_of_the_car_is_named(code: str, entry: str, value: float) -> None:
    assert code in codes("compact", partial(physics, entry, value), warm=True)


@pytest.mark.long
def test_a_dead_alternator_is_named_though_it_may_rest() -> None:
    """By its regulator, and on overrun by the voltage; of a healthy one, which rests below 12.5 V, nothing is found."""
    loaded = [r.voltage for r in healthy("320d-g20", True) if r.running and r.load > 0.3]
    assert median(loaded) < 12.5
    assert judge(healthy("320d-g20", True), calibration("320d-g20")) == set()
    assert {"P0562", "P065A"} <= codes("320d-g20", partial(physics, "ChargingLoss", 1.0), warm=True)


@pytest.mark.long
def test_a_charge_pipe_that_leaks_is_named() -> None:
    """The pressure behind the compressor stays that of the air, whatever is commanded; on a long pull it is missed."""
    readings = record("320d-g20", top=160.0)
    assert judge(readings, calibration("320d-g20")) == set()
    leaking = [reading._replace(boost=101.3) for reading in readings]
    assert "P0299" in judge(leaking, calibration("320d-g20"))


@pytest.mark.long
def test_a_radiator_that_does_not_cool_is_named() -> None:
    """Three drives on a day of 40 °C; without the fault nothing boils."""
    for seed, found in ((partial(physics, "CoolingLoss", 1.0), True), (None, False)):
        readings = record("compact", warm=True, ambient=40.0, repeats=3, seed=seed)
        assert ("P0217" in judge(readings, calibration("compact"))) is found
