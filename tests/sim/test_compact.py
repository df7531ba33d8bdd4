"""The car of the demo bench, config/vehicles/compact.yaml."""

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import InputData, Vehicle, VehicleData, VehicleSettings

COMPACT = Path(__file__).parents[2] / "config" / "vehicles" / "compact.yaml"
FULL = 10000


@pytest.fixture
def car() -> Vehicle:
    return Vehicle(load_vehicle(str(COMPACT)).settings)


OF_OTHER_KINDS = {
    *("blocks", "shafts", "components", "published"),  # of vehicles with parts of one's own, of cars that exist
    *("rear", "centre", "splitter", "sides"),  # of other layouts of the driveline
    *("table_rpm", "table_torque", "table_resistive_torque"),  # of an engine that is given by tables
    *("efficiency_rpm", "indicated_efficiency", "efficiency_loss"),  # of one whose efficiency is known over its speed
    # parts that a vehicle file switches on
    *("accessories", "cold", "stop_start", "cruise", "rear_tyre", "electric", "trailer", "launch_control"),
    "shift_map",  # of an automatic whose map is known
    *("ratio_change", "demand_pedal", "demand_rpm", "ratio_time"),  # of dual clutches and of gearboxes without steps
    *("lock_rpm", "lock_ratio_bias", "speed_ratio", "capacity_factor", "torque_ratio", "lock_up"),  # of a converter
    "lock_up_time",
    *("firing_pulses", "firing_order", "cycle_variation", "cycle_seed"),  # off, and free then
}


def run(car: Vehicle, seconds: float) -> None:
    for _ in range(round(seconds / 0.001)):
        car.step(0.001)


def start(car: Vehicle) -> None:
    car.data.input[InputData.CLUTCH] = FULL
    car.data.input[InputData.KEY] = 1
    run(car, 1.0)
    car.data.input[InputData.KEY] = 0
    run(car, 1.0)


def test_the_file_states_every_parameter() -> None:
    """All keys of the drivetrain and the body but those of other kinds of parts; of aids and auxiliaries what differs.

    Where the values come from, test_shipped_vehicles.py looks at.
    """
    content = yaml.safe_load(COMPACT.read_text(encoding="utf-8"))
    parts = [part.name for part in fields(VehicleSettings) if part.name not in OF_OTHER_KINDS]
    assert [part for part in content if part not in OF_OTHER_KINDS] == parts
    for part in parts[1:-2]:
        known = [entry.name for entry in fields(getattr(VehicleSettings(), part))]
        assert list(content[part]) == [name for name in known if name not in OF_OTHER_KINDS]


def test_it_starts_and_idles(car: Vehicle) -> None:
    """Within a second of cranking, at 1000 rpm."""
    start(car)
    assert car.data.vehicle[VehicleData.ENGINE_WORKING] == 1
    assert car.data.vehicle[VehicleData.ENGINE_RPM] == pytest.approx(1_000_000, abs=1000)


def test_its_limiter_holds_the_speed(car: Vehicle) -> None:
    """Full throttle in neutral stays at 6000 rpm, give or take what an injection cut lets it fall."""
    start(car)
    car.data.input[InputData.THROTTLE] = FULL
    run(car, 2.0)
    limited = 0
    for _ in range(1000):
        car.step(0.001)
        limited += car.data.vehicle[VehicleData.ENGINE_LIMITER]
        assert 5_500_000 < car.data.vehicle[VehicleData.ENGINE_RPM] < 6_050_000
    assert 0 < limited < 1000


def test_it_reaches_100_km_per_hour_in_the_time_of_its_class(car: Vehicle) -> None:
    """87 kW and 1300 kg: ten to twelve seconds, changing gear at 5800 rpm."""
    start(car)
    controls = car.data.input
    controls[InputData.MANUAL_GEAR] = 1
    run(car, 0.5)
    time, shifted = 0.0, 0.0
    while car.data.vehicle[VehicleData.SPEED] < 27_778:
        since = time - shifted
        changing = shifted > 0.0 and since < 0.3
        if not changing and car.data.vehicle[VehicleData.ENGINE_RPM] > 5_800_000:
            controls[InputData.GEAR_SHIFT] = 1
            shifted, since, changing = time, 0.0, True
        release = (since - 0.3) / 0.2 if shifted > 0.0 else time
        controls[InputData.CLUTCH] = round(FULL * min(1.0, max(0.0, 1.0 - release)))
        controls[InputData.THROTTLE] = 0 if changing else FULL
        car.step(0.001)
        time += 0.001
        assert time < 15.0
    assert 10.0 < time < 12.0
    assert car.data.vehicle[VehicleData.GEARBOX_GEAR] == 3
