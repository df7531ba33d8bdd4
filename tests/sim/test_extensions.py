"""Parts that somebody else wrote join the vehicle: blocks in its drivetrain, components beside it."""

import pytest

from vehiclesim import (
    Block,
    BlockSettings,
    Component,
    DataBus,
    Extensions,
    InputData,
    ShaftSettings,
    Vehicle,
    VehicleData,
    VehicleSettings,
)

from .blocks import Gear


def through(name: str) -> tuple[ShaftSettings, ...]:
    return (ShaftSettings("gearbox", name), ShaftSettings(name, "driveline"))


def geared(ratio: float) -> Vehicle:
    settings = VehicleSettings(blocks=(BlockSettings("extra"),), shafts=through("extra"))
    return Vehicle(settings, Extensions({"extra": Gear(ratio)}))


def roll(car: Vehicle, seconds: float) -> None:
    for _ in range(round(seconds * 1000)):
        car.step(0.001)


def drive_off(car: Vehicle) -> None:
    """In second gear with half throttle."""
    car.data.input[InputData.KEY] = 1
    roll(car, 1.0)
    car.data.input[InputData.KEY] = 0
    car.data.input[InputData.MANUAL_GEAR] = 2
    car.data.input[InputData.THROTTLE] = 5000
    roll(car, 4.0)


def test_a_gear_of_ratio_one_changes_no_bit() -> None:
    """It multiplies and divides by 1."""
    one, other = Vehicle(), geared(1.0)
    drive_off(one)
    drive_off(other)
    assert one.data.channels == other.data.channels


def test_a_block_multiplies_the_ratio_between_its_neighbours() -> None:
    """n_engine / n_wheel = gear · extra · final drive, the clutch engaged and the tyres rolling."""
    car = geared(0.8)
    drive_off(car)
    wheel = sum(car.wheels[place].spin for place in (0, 1)) / 2
    engine = car.engine.sensor_rpm * 3.141592653589793 / 30
    assert car.data.read(1, VehicleData.CLUTCH_LOCK) == 1.0
    assert engine / wheel == pytest.approx(2.35 * 0.8 * 3.7, rel=1e-4)


@pytest.mark.parametrize(
    ("shafts", "words"),
    [
        ((ShaftSettings("gearbox", "extra"), ShaftSettings("extra", "engines")), "shafts: there is no block 'engines'"),
        ((ShaftSettings("gearbox", "extra"), ShaftSettings("extra", "driveline", 1)), "shafts: .* has no output 1"),
        ((ShaftSettings("gearbox", "extra"),), "lacks a connection"),
        ((ShaftSettings("gearbox", "extra"), ShaftSettings("extra", "gearbox")), "loop|connection"),
    ],
)
def test_shafts_that_lead_nowhere_are_refused(shafts: tuple[ShaftSettings, ...], words: str) -> None:
    settings = VehicleSettings(blocks=(BlockSettings("extra"),), shafts=shafts)
    with pytest.raises(ValueError, match=words):
        Vehicle(settings, Extensions({"extra": Gear(1.0)}))


class Cruise(Component):
    """Presses the pedal while the vehicle is slower than 10 m/s, and counts its calls."""

    state_vars = ("steps",)

    def __init__(self) -> None:
        self.steps = 0

    def update(self, data: DataBus, delta_time: float) -> None:
        self.steps += 1
        if data.input[InputData.MANUAL_GEAR]:
            data.input[InputData.THROTTLE] = 6000 if data.vehicle[VehicleData.SPEED] < 10_000 else 0


def test_a_component_reads_and_writes_the_bus_every_step() -> None:
    """What it writes is what the vehicle reads in the same step."""
    car = Vehicle(VehicleSettings(), Extensions(components=[Cruise()]))
    drive_off(car)
    roll(car, 10.0)
    assert car.data.read(1, VehicleData.SPEED) == pytest.approx(10.0, abs=0.3)


def test_the_state_of_a_part_belongs_to_the_state_of_the_vehicle() -> None:
    """A part that names no state has none."""
    cruise = Cruise()
    car = Vehicle(VehicleSettings(), Extensions({}, [Component(), cruise]))
    roll(car, 0.05)
    state = car.get_state_vars()
    assert state["extensions"] == {"parts": [{}, {"steps": 50}]}
    roll(car, 0.01)
    car.set_state_vars(state)
    assert cruise.steps == 50


def test_blocks_have_the_names_of_the_vehicle_file() -> None:
    """Those that this vehicle has: no retarder, and one driven axle."""
    names = set(Vehicle().named_blocks())
    wheels = {"front_left", "front_right", "rear_left", "rear_right"}
    assert names == {"engine", "gearbox", "driveline", "front_differential"} | wheels
    assert all(isinstance(block, Block) for block in Vehicle().named_blocks().values())
