"""Cars whose performance others have published: what their vehicle files make of it.

Procedures. Both cars stand on level dry asphalt with a warm engine, driving aids on, and the clock starts with the
brake's release; time runs to the speed over ground, without a roll-out.

    manual      first gear, engine at 2500 rpm, throttle to the floor, clutch let in over a second; changes at 6600 rpm:
                0.25 s with the throttle closed and the clutch down, which is let in over 0.1 s
    automatic   D, brake on, 40 % of throttle; then brake off and throttle to the floor (kick-down)
"""

from typing import Final

import pytest

from hilbridge.configuration.vehiclefile import load_vehicle
from vehiclesim import GearMode, InputData, Vehicle, VehicleData, VehicleSettings

from .road import FULL, read, run
from .states import roll_at

STEP: Final = 0.001
"""[s]"""

SUBSTEP: Final = 0.005
"""[s], of the long runs; test_automatic_repeating.py shows that as many as usual change nothing."""

LAUNCH_RPM: Final = 2500.0
SHIFT_RPM: Final = 6600.0


def settings(name: str) -> VehicleSettings:
    return load_vehicle(name).settings


def warm(vehicle: Vehicle) -> Vehicle:
    """Engine idling, brake on, clutch pedal down."""
    controls = vehicle.data.input
    controls[InputData.BRAKE] = controls[InputData.CLUTCH] = FULL
    controls[InputData.KEY] = 1
    run(vehicle, 1.5)
    controls[InputData.KEY] = 0
    return run(vehicle, 1.5)


class ManualLaunch:
    """A driver who only wants to be fast."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = warm(vehicle)
        self.gears = len(vehicle.settings.gearbox.ratios)
        self.gear = 1
        self.shifted = -1.0  # [s], negative: still in first gear
        vehicle.data.input[InputData.MANUAL_GEAR] = 1
        for _ in range(1500):
            missing = LAUNCH_RPM - vehicle.engine.sensor_rpm
            vehicle.data.input[InputData.THROTTLE] = max(0, min(int(800.0 + 20.0 * missing), FULL))
            vehicle.step(STEP)
        vehicle.data.input[InputData.BRAKE] = 0

    def operate(self, t: float) -> None:
        """Pedals and lever at the time `t` [s]."""
        controls = self.vehicle.data.input
        changing = self.shifted >= 0.0 and t - self.shifted < 0.45
        if not changing and self.gear < self.gears and self.vehicle.engine.sensor_rpm > SHIFT_RPM:
            self.gear += 1
            controls[InputData.GEAR_SHIFT] = 1
            self.shifted = t
        since = t - self.shifted
        closed = self.shifted >= 0.0 and since < 0.25
        clutch = 1.0 - t if self.shifted < 0.0 else 1.0 - (since - 0.25) / 0.1
        controls[InputData.CLUTCH] = round(FULL * max(0.0, min(clutch, 1.0)))
        controls[InputData.THROTTLE] = 0 if closed else FULL


def test_the_mx_5_reaches_100_km_per_hour_as_published() -> None:
    """7.3 s, within 5 %, in second gear or third."""
    vehicle = Vehicle(settings("mx5-nd"))
    driver = ManualLaunch(vehicle)
    t = 0.0
    while vehicle.chassis.sensor_speed < 100.0 / 3.6:
        driver.operate(t)
        vehicle.step(STEP)
        t += STEP
        assert t < 10.0
    assert t == pytest.approx(7.3, rel=0.05)
    assert driver.gear == 3


def cruise(vehicle: Vehicle, gear: int, speed: float) -> float:
    """Litres per 100 km on a level road in a gear at a constant speed [m/s], by the vehicle's own display."""
    controls = warm(vehicle).data.input
    roll_at(vehicle, speed)
    controls[InputData.BRAKE] = 0
    controls[InputData.MANUAL_GEAR] = gear
    run(vehicle, 0.5)
    pedal = error = 0.0
    for second in range(60):
        for _ in range(50):
            controls[InputData.CLUTCH] = max(0, controls[InputData.CLUTCH] - 200)
            error = speed - vehicle.chassis.sensor_speed
            pedal = max(0.0, min(pedal + 0.002 * error, 1.0))
            controls[InputData.THROTTLE] = round(FULL * max(0.0, min(pedal + 0.2 * error, 1.0)))
            run(vehicle, 0.02, SUBSTEP)
        if second > 10 and abs(error) < 1e-3:
            break
    assert vehicle.chassis.sensor_speed == pytest.approx(speed, abs=0.01)
    assert read(vehicle, VehicleData.GEARBOX_GEAR) == gear
    return read(vehicle, VehicleData.FUEL_CONSUMPTION)


def test_the_mx_5_cruises_with_its_published_consumption() -> None:
    """5.4 l/100 km within 10 % at 90 km/h in sixth gear."""
    assert cruise(Vehicle(settings("mx5-nd")), 6, 25.0) == pytest.approx(5.4, rel=0.10)


@pytest.fixture(scope="module")
def run_of_the_320d() -> dict[str, float]:
    """[s] to each speed [km/h] and distance [m], and the highest speed [km/h]."""
    vehicle = Vehicle(settings("320d-g20"))
    controls = warm(vehicle).data.input
    controls[InputData.CLUTCH] = 0
    controls[InputData.AUTOMATIC_GEAR] = GearMode.DRIVE
    controls[InputData.THROTTLE] = 4000
    run(vehicle, 2.0)
    controls[InputData.BRAKE] = 0
    controls[InputData.THROTTLE] = FULL
    vehicle.solver.max_substep = SUBSTEP
    reached: dict[str, float] = {}
    way = t = 0.0
    while t < 150.0:
        vehicle.step(SUBSTEP)
        speed = vehicle.chassis.sensor_speed
        t += SUBSTEP
        way += speed * SUBSTEP
        for mark, value in (*((str(kmh), 3.6 * speed / kmh) for kmh in (100, 160, 200)), ("400 m", way / 400.0)):
            if value >= 1.0:
                reached.setdefault(mark, t)
    reached["highest"] = 3.6 * vehicle.chassis.sensor_speed
    return reached


@pytest.mark.parametrize(
    ("mark", "published"), [("100", 6.8), ("160", 18.3), ("200", 36.4), ("400 m", 15.1), ("highest", 240.0)]
)
def test_the_320d_performs_as_published(run_of_the_320d: dict[str, float], mark: str, published: float) -> None:
    """Time to each speed and over 400 m, and the highest speed, all within 7 %."""
    assert run_of_the_320d[mark] == pytest.approx(published, rel=0.07)
