"""A start as an oscilloscope sees it: cranking speed and its waves, current, synchronisation, intake, flare."""

from itertools import pairwise
from math import pi

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import ROAD, Engine, EngineSettings, InputData, RoadData, Vehicle
from vehiclesim.engine.ignition import SYNCHRONISED
from vehiclesim.parameters.auxiliary import ElectricsSettings

from ..dynamometer import Stand

CARS = ("compact", "mx5-nd", "320d-g20", "awd-estate")
PETROL = ("compact", "mx5-nd", "awd-estate")
STARTER = ElectricsSettings()
BARE = EngineSettings(can_stall=True)


class Start:
    """The samples [s, 1/min, kPa, A, V, g/s] of each millisecond of a start, the key held until the engine runs."""

    def __init__(self, name: str, temperature: float) -> None:
        vehicle = load_vehicle(name).build()
        vehicle.data[ROAD][RoadData.AMBIENT_TEMPERATURE] = round(temperature * 1000)
        controls = vehicle.data.input
        controls[InputData.CLUTCH] = 10_000 if not vehicle.gearbox.automated else 0
        controls[InputData.AUTOMATIC_GEAR] = 1
        controls[InputData.BRAKE] = 5_000
        controls[InputData.KEY] = 0
        for _ in range(50):
            vehicle.step(0.001)
        controls[InputData.KEY] = 1
        self.samples: list[tuple[float, float, float, float, float, float]] = []
        self.cranked = 0.0  # [s] until the first injection
        self.running = 0.0  # [s] until it runs by itself
        self.turns = 0.0
        engine, electrics, air = vehicle.engine, vehicle.auxiliaries.electrics, vehicle.auxiliaries.air_path
        for k in range(4000):
            vehicle.step(0.001)
            t = (k + 1) * 0.001
            if not self.cranked:
                self.turns += engine.sensor_rpm / 60_000.0
                if engine.sensor_fuel_rate > 0.0:
                    self.cranked = t
            if engine.sensor_working and not self.running:
                self.running = t
                controls[InputData.KEY] = 0
            values = (t, engine.sensor_rpm, air.pressure, -electrics.battery_current, electrics.voltage)
            self.samples.append((*values, engine.sensor_fuel_rate))
        self.vehicle: Vehicle = vehicle

    def cranking(self) -> list[tuple[float, float, float, float, float, float]]:
        """The samples after the run-up of the starter and before the first injection."""
        return [sample for sample in self.samples if 0.6 * self.cranked < sample[0] < self.cranked]


@pytest.mark.parametrize("name", CARS)
@pytest.mark.parametrize("temperature", [20.0, 60.0])
def test_a_starter_turns_the_engine_with_180_to_280(name: str, temperature: float) -> None:
    """Bosch, Automotive Handbook, "Starters": the speeds of passenger car engines; for 0.4 to 1.5 s until it runs."""
    start = Start(name, temperature)
    speeds = [sample[1] for sample in start.cranking()]
    assert 180.0 < sum(speeds) / len(speeds) < 290.0
    assert 0.35 < start.running < 1.5


@pytest.mark.parametrize("name", CARS)
def test_the_cold_makes_it_slower_and_it_starts_still(name: str) -> None:
    warm, cold = Start(name, 20.0), Start(name, -20.0)
    assert cold.turns / cold.cranked < 0.95 * warm.turns / warm.cranked
    assert 0.0 < warm.running < cold.running < 4.0
    assert min(sample[4] for sample in cold.samples) < min(sample[4] for sample in warm.samples)


@pytest.mark.parametrize("name", CARS)
def test_the_first_injection_waits_for_the_phase(name: str) -> None:
    """A control unit knows it after one to two turns; none of the fuel before that."""
    start = Start(name, 20.0)
    assert start.turns == pytest.approx(SYNCHRONISED, abs=0.02)


@pytest.mark.parametrize("name", CARS)
def test_compression_shows_in_speed_current_and_voltage(name: str) -> None:
    """Two waves a turn of four cylinders; the current is highest where the speed is lowest, and the voltage lowest."""
    cranking = Start(name, 20.0).cranking()
    speeds, currents, voltages = ([sample[place] for sample in cranking] for place in (1, 3, 4))
    assert max(speeds) - min(speeds) > 0.04 * max(speeds)
    slow, fast = speeds.index(min(speeds)), speeds.index(max(speeds))
    assert currents[slow] > currents[fast]
    assert voltages[slow] < voltages[fast]
    middle = sum(speeds) / len(speeds)
    crossings = sum((a < middle) != (b < middle) for a, b in pairwise(speeds))
    seconds = cranking[-1][0] - cranking[0][0]
    assert crossings <= round(2.0 * 2.0 * middle / 60.0 * seconds) + 1


@pytest.mark.parametrize("name", PETROL)
def test_the_intake_pressure_falls_once(name: str) -> None:
    """From that of the air, through cranking and run-up, to that of idle: a fourth to a half of it."""
    start = Start(name, 20.0)
    pressures = [sample[2] for sample in start.samples]
    assert pressures[0] > 100.0
    assert 25.0 < pressures[-1] < 51.0
    cranked = [sample[2] for sample in start.cranking()]
    assert min(cranked) > 80.0
    highest = pressures[-1]
    for pressure in reversed(pressures):
        assert pressure > highest - 4.0  # breathing of the waves, and no more, on the way down
        highest = max(highest, pressure)


@pytest.mark.parametrize("name", PETROL)
def test_the_engine_overshoots_its_idle_and_settles(name: str) -> None:
    start = Start(name, 20.0)
    idle = start.samples[-1][1]
    highest = max(sample[1] for sample in start.samples)
    assert idle * 1.005 < highest < idle * 1.8
    assert all(abs(sample[1] - idle) < 0.02 * idle for sample in start.samples[-500:])


def test_the_torque_is_that_of_a_motor_on_its_battery() -> None:
    """P = E·I/4 at half the free speed: 12.65 V, 400 A, 4200 1/min over a ratio of 12."""
    drive = 0.0
    for rpm in (0.0, 175.0):
        engine = Engine(BARE, electrics=STARTER)
        engine.ignition_input = 1
        stand = Stand(engine)
        engine.turn(rpm * pi / 30.0)
        stand.run(0.001)
        torque = 12.65 * 400.0 / (350.0 * pi / 30.0) * (1.0 - rpm / 350.0)
        drive = engine.sensor_flywheel_torque + engine.sensor_friction_torque
        assert drive == pytest.approx(torque, rel=1e-3)
    assert drive * 175.0 * pi / 30.0 == pytest.approx(12.65 * 400.0 / 4.0, rel=1e-3)


def test_the_waves_brake_and_never_drive() -> None:
    """A stalled engine's extra friction comes as 1 - cos: none to twice, on average what the settings say."""
    engine = Engine(BARE, electrics=STARTER)
    engine.ignition_input = 1
    engine.fuel_supply = 0.0
    stand = Stand(engine)
    extra = []
    for t in stand.steps(3.0):
        w = engine.sensor_rpm * pi / 30.0
        if t > 1.0:
            extra.append(engine.sensor_friction_torque - (20.0 + 0.1 * w + (0.01 * w) ** 2))
    assert -0.1 < min(extra) < 1.0
    assert 49.0 < max(extra) < 50.5
    assert sum(extra) / len(extra) == pytest.approx(25.0, rel=0.1)
    assert not engine.sensor_working


def test_a_flat_battery_does_not_turn_it() -> None:
    engine = Engine(BARE, electrics=STARTER)
    engine.ignition_input = 1
    engine.starter_supply = 0.15
    stand = Stand(engine)
    stand.run(3.0)
    assert engine.sensor_rpm < 60.0
    assert not engine.sensor_working


def test_a_start_is_restored_to_the_bit() -> None:
    one, two = (Stand(Engine(BARE, electrics=STARTER)) for _ in range(2))
    one.engine.ignition_input = two.engine.ignition_input = 1
    one.run(0.4)
    two.engine.set_state_vars(one.engine.get_state_vars())
    one.run(0.6)
    two.run(0.6)
    assert one.engine.sensor_rpm == two.engine.sensor_rpm > 0.0
    assert one.engine.sensor_working
