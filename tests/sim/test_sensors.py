"""Wrong sensors: what the bus reads, what the vehicle keeps, and what the engine control makes of it."""

from collections.abc import Callable

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import Component, DataBus, Extensions, Vehicle
from vehiclesim.channels import AUXILIARY, NAN, AuxiliaryData, InputData
from vehiclesim.entries import ENTRIES, find
from vehiclesim.sensors import SENSORS, SensorFault

FULL = 10_000


class Reads(SensorFault):
    """A sensor that reads what a function makes of the value."""

    def __init__(self, entry: str, reading: Callable[[float], float]) -> None:
        super().__init__(SENSORS[entry])
        self.reading = reading

    def read(self, value: float, delta_time: float) -> float:
        return self.reading(value)


def idling(warm: bool = True) -> Vehicle:
    car = Vehicle(load_vehicle("compact").settings)
    if warm:
        car.auxiliaries.warm_up()
    car.data.input[InputData.CLUTCH] = FULL
    car.data.input[InputData.KEY] = 1
    run(car, 2.0)
    car.data.input[InputData.KEY] = 0
    run(car, 2.0)
    return car


def run(car: Vehicle, seconds: float) -> None:
    for _ in range(round(seconds / 0.01)):
        car.step(0.01)


def read(car: Vehicle, index: int) -> float:
    return car.data.read(AUXILIARY, index)


def test_every_sensor_is_an_entry_that_the_vehicle_measures() -> None:
    for path, sensor in SENSORS.items():
        for one in (path, *sensor.follows):
            place = find(one)
            assert place is not None
            assert ENTRIES[place[0]][place[1]].writer == "model"
        assert None not in (sensor.open, sensor.ground)  # a line can be cut and shorted to the body


def test_a_wrong_reading_does_not_add_up_and_ends_with_its_fault() -> None:
    """Values that the vehicle writes each step, and such as it writes every tenth one."""
    car, true = idling(), idling()
    faults = [Reads(path, lambda x: x + 10.0) for path in ("auxiliary.OilTemperature", "auxiliary.OilPressure")]
    for fault in faults:
        car.sensors.add(fault)
    for _ in range(25):
        car.step(0.001)
        true.step(0.001)
        for index in (AuxiliaryData.OIL_TEMPERATURE, AuxiliaryData.OIL_PRESSURE):
            assert read(car, index) == pytest.approx(read(true, index) + 10.0, abs=0.0015)
    for fault in faults:
        car.sensors.remove(fault)
    car.step(0.001)
    true.step(0.001)
    assert car.data.channels == true.data.channels
    assert car.get_state_vars() == true.get_state_vars()
    assert not car.sensors.wrong


def test_faults_of_one_sensor_act_one_after_the_other() -> None:
    car = idling()
    car.sensors.add(Reads("auxiliary.OilPressure", lambda _: 100.0))
    car.sensors.add(Reads("auxiliary.OilPressure", lambda x: 2.0 * x))
    car.step(0.001)
    assert read(car, AuxiliaryData.OIL_PRESSURE) == 200.0


def test_what_is_made_of_a_sensor_follows_it() -> None:
    """A gauge at a tenth shows a tenth of the litres."""
    car = idling()
    litres, share = read(car, AuxiliaryData.FUEL_LEVEL), read(car, AuxiliaryData.FUEL_SHARE)
    car.sensors.add(Reads("auxiliary.FuelShare", lambda _: 0.1))
    car.step(0.001)
    assert read(car, AuxiliaryData.FUEL_SHARE) == 0.1
    assert read(car, AuxiliaryData.FUEL_LEVEL) == pytest.approx(0.1 * litres / share, rel=0.001)


def test_a_component_reads_what_the_sensor_reads() -> None:
    class Unit(Component):
        def update(self, bus: DataBus, delta_time: float) -> None:
            seen.append(bus.read(AUXILIARY, AuxiliaryData.OIL_PRESSURE))

    seen: list[float] = []
    car = Vehicle(load_vehicle("compact").settings, Extensions(components=[Unit()]))
    car.sensors.add(Reads("auxiliary.OilPressure", lambda _: 77.0))
    run(car, 0.03)
    assert seen == [0.0, 77.0, 77.0]


def test_a_restored_vehicle_keeps_the_truth() -> None:
    car, true = idling(), idling()
    car.sensors.add(Reads("auxiliary.CoolantTemperature", lambda x: x + 5.0))
    run(car, 0.1)
    run(true, 0.1)
    car.set_state_vars(true.get_state_vars())
    car.step(0.01)
    true.step(0.01)
    expected = read(true, AuxiliaryData.COOLANT_TEMPERATURE) + 5.0
    assert read(car, AuxiliaryData.COOLANT_TEMPERATURE) == pytest.approx(expected, abs=0.002)


def test_no_value_stays_no_value_for_a_sensor_that_only_shifts() -> None:
    car = idling()
    car.sensors.add(Reads("auxiliary.RailPressure", lambda x: x + 5.0))
    car.step(0.001)
    assert car.data.auxiliary[AuxiliaryData.RAIL_PRESSURE] == NAN


@pytest.mark.parametrize(("share", "trim"), [(0.9, 1 / 9), (1.15, -0.13)])
def test_the_fuel_trims_answer_an_air_meter_that_is_wrong(share: float, trim: float) -> None:
    """lambda = true/read without them, so that in the end 1 + trims = true/read... of the air: 1/0.9, 1/1.15."""
    car = idling()
    car.sensors.add(Reads("auxiliary.AirMassFlow", lambda x: share * x))
    run(car, 60.0)
    trims = read(car, AuxiliaryData.SHORT_FUEL_TRIM) + read(car, AuxiliaryData.LONG_FUEL_TRIM)
    assert trims == pytest.approx(trim, abs=0.02)
    assert car.auxiliaries.mixture.lambda_ == pytest.approx(1.0, abs=0.02)


def test_a_front_oxygen_sensor_that_reads_lean_drives_the_mixture_rich() -> None:
    """The trims go to their end, 25 %: lambda 0.8, which the bus does not see."""
    car = idling()
    car.sensors.add(Reads("auxiliary.Lambda", lambda _: 1.9999))
    run(car, 60.0)
    assert read(car, AuxiliaryData.SHORT_FUEL_TRIM) + read(car, AuxiliaryData.LONG_FUEL_TRIM) > 0.24
    assert car.auxiliaries.mixture.lambda_ < 0.82
    assert read(car, AuxiliaryData.LAMBDA) == pytest.approx(1.9999, abs=1e-3)


def test_an_engine_that_believes_in_frost_enriches_and_knows_no_fan() -> None:
    car = idling()
    car.auxiliaries.thermal.coolant = 110.0
    run(car, 0.1)
    assert car.auxiliaries.thermal.fan
    car.sensors.add(Reads("auxiliary.CoolantTemperature", lambda _: -50.0))
    run(car, 0.5)
    assert not car.auxiliaries.thermal.fan
    assert read(car, AuxiliaryData.COMMANDED_LAMBDA) == pytest.approx(1 - 0.25)  # at its most
    assert car.auxiliaries.thermal.coolant > 105.0
