"""The clutch pedal as the left foot works it: by itself, and in each shipped car with a manual gearbox."""

from collections.abc import Iterator

import pytest

from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.resources import Kind, names
from hilbridge.bench.inputs.left_foot import LeftFoot
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.testing import VirtualBench
from vehiclesim.channels import InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import GearboxType

MANUAL = [name for name in names(Kind.VEHICLE) if load_vehicle(name).settings.gearbox.type is GearboxType.MANUAL]
IDLE = 700.0
"""[1/min] of the MX-5, whose first gear has 5.087."""


class Stand:
    """A foot beside instruments that the test sets."""

    def __init__(self) -> None:
        self.bus = DataBus()
        self.foot = LeftFoot(self.bus, load_vehicle("mx5-nd").settings)
        self.show(gear=1, lever=1, engine=IDLE, output=0.0, throttle=0.0)

    def show(self, **values: float) -> None:
        """Show speeds [1/min] of engine and gearbox output, gears, and the throttle."""
        for name, value in values.items():
            match name:
                case "gear":
                    self.bus.vehicle[VehicleData.GEARBOX_GEAR] = int(value)
                case "lever":
                    self.bus.input[InputData.MANUAL_GEAR] = int(value)
                case "throttle":
                    self.bus.input[InputData.THROTTLE] = round(value * 10_000)
                case _:
                    index = VehicleData.ENGINE_RPM if name == "engine" else VehicleData.TRANSMISSION_RPM
                    self.bus.vehicle[index] = round(value * 1000)

    def after(self, seconds: float) -> float:
        """The pedal after so long, 0 released .. 1 pressed."""
        return self.foot.move(round(seconds * 1000) * MILLISECOND) / 10_000


@pytest.fixture
def stand() -> Stand:
    return Stand()


def test_a_vehicle_in_gear_stands_until_the_throttle_is_pressed(stand: Stand) -> None:
    """Then the pedal comes up by three travels a second, to (1.55 - 0.9)/1.3 = 0.5 at 1.55 times idle."""
    assert stand.after(1.0) == 1.0
    stand.show(engine=1.55 * IDLE, throttle=0.3)
    assert [stand.after(0.1), stand.after(0.05), stand.after(1.0)] == [0.7, 0.55, 0.5]


def test_it_is_closed_where_the_vehicle_carries_the_engine(stand: Stand) -> None:
    """With or without throttle, forwards and in reverse (4.696), above 1.1 times idle at the gearbox's input."""
    stand.show(output=1.11 * IDLE / 5.087)
    assert stand.after(1.0) == 0.0
    stand.show(output=1.09 * IDLE / 5.087)
    assert stand.after(0.0) == 1.0
    stand.show(gear=-1, lever=-1, output=-1.11 * IDLE / 4.696)
    assert stand.after(1.0) == 0.0


@pytest.mark.parametrize(
    "shown",
    [{"lever": 0}, {"lever": 2}, {"gear": 0}, {"engine": 0.9 * IDLE}, {"engine": 0.0}],
    ids=["neutral", "the gear is not in yet", "no gear is in", "pulled below idle", "the engine stands"],
)
def test_it_goes_down_at_once(stand: Stand, shown: dict[str, float]) -> None:
    stand.show(engine=3000.0, output=3000.0 / 5.087, throttle=1.0)
    assert stand.after(1.0) == 0.0
    stand.show(**shown)
    assert stand.after(0.0) == 1.0


@pytest.fixture(params=MANUAL)
def car(request: pytest.FixtureRequest) -> Iterator[VirtualBench]:
    """A shipped car with its engine running, the left foot on the clutch, as a page takes its wheel."""
    with VirtualBench("demo", set={"bench.vehicle": request.param, "bench.rate": 100}) as bench:
        bench.command("set", entry="input.Clutch", value="automatic")
        bench.set("input.Key", "start")
        bench.advance_until("vehicle.EngineWorking", timeout=5.0)
        bench.set("input.Key", "on")
        bench.advance(1.0)
        yield bench


@pytest.mark.nightly("awd-estate", "compact", "overdrive")
def test_no_shipped_car_stalls_when_keys_drive_it(car: VirtualBench) -> None:
    """Driven off from rest with all and hardly any throttle in first, second, reverse and fifth; braked to rest."""
    begin, closed = car.time, 0
    for gear in (1, 2, -1, 5):
        car.set("input.ManualGear", gear)
        car.advance(0.5)
        assert car.read("input.Clutch") == 1.0
        for throttle in (1.0, 0.05):
            car.command("set", entry="input.Throttle", value=throttle, rate=1.6)
            car.advance(3.0)
            assert abs(car.read("vehicle.Speed")) > 0.1
            closed += car.read("input.Clutch") == 0.0
            car.command("set", entry="input.Throttle", value=0, rate=2.5)
            car.command("set", entry="input.Brake", value=1, rate=2.5)
            car.advance_until("vehicle.Speed == 0", timeout=10.0)
            car.advance(0.5)
            car.command("set", entry="input.Brake", value=0, rate=2.5)
            assert car.read("vehicle.EngineWorking") == 1
    assert closed >= 3  # at all throttle in the gears for it
    idle = car.parts.vehicle.settings.engine.idle_rpm
    assert min(car.history("vehicle.EngineRpm", car.time - begin).values) > 0.85 * idle
