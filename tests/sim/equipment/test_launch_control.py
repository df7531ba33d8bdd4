"""Launch control: what stages it, what the engine and the wheels do, and what ends it."""

from dataclasses import replace

import pytest

from vehiclesim import (
    InputData,
    LaunchControlSettings,
    RequestData,
    RetarderSettings,
    Vehicle,
    VehicleData,
    VehicleSettings,
)
from vehiclesim.channels import REQUEST
from vehiclesim.equipment.launch_control import LAUNCHING, OFF, STAGED, LaunchControl
from vehiclesim.parameters import GRAVITY, ClutchType, GearboxType

from ..automatic_cars import DISC, HYDRODYNAMIC, car, drive, ready
from ..road import FULL, read

RPM = 3500.0


def launched(clutch: ClutchType = DISC, rpm: float = RPM) -> VehicleSettings:
    """The default car, front-wheel drive, with launch control; its engine spins the wheels in first gear."""
    made = LaunchControlSettings(enabled=True, rpm=rpm)
    return replace(car(clutch), launch_control=made, retarder=RetarderSettings())


def control_of(vehicle: Vehicle) -> LaunchControl:
    (control,) = vehicle.equipment
    assert isinstance(control, LaunchControl)
    return control


def staged(settings: VehicleSettings) -> Vehicle:
    vehicle = ready(settings)
    drive(vehicle, 2.5, throttle=1.0, brake=1.0)
    return vehicle


def test_brake_and_accelerator_hold_the_engine_at_its_speed() -> None:
    """While the vehicle stands, as its clutch is open."""
    vehicle = staged(launched())
    assert control_of(vehicle).phase == STAGED
    assert vehicle.engine.sensor_rpm == pytest.approx(RPM, rel=0.01)
    assert read(vehicle, VehicleData.SPEED) == 0.0


def test_a_released_brake_launches_at_the_limit_of_the_tyres() -> None:
    """a = mu·N/m' with N = m·(g·share - a·h/L) on the front axle, and m' with the wheels, all of them driven along."""
    vehicle = staged(launched())
    speeds = []
    for _ in range(8):
        drive(vehicle, 0.1, throttle=1.0)
        speeds.append(read(vehicle, VehicleData.SPEED))
        assert control_of(vehicle).phase == LAUNCHING
        assert vehicle.engine.sensor_rpm == pytest.approx(RPM, rel=0.2)
    settings = vehicle.settings
    chassis, wheels, mu = settings.chassis, settings.wheels, max(settings.tyre.longitudinal_friction)
    lever = chassis.centre_of_gravity_height / chassis.wheelbase
    rolling = settings.body.mass + 2.0 * wheels.inertia / wheels.radius**2
    most = mu * GRAVITY * chassis.front_weight / (rolling / settings.body.mass + mu * lever)
    assert 0.85 * most < (speeds[7] - speeds[2]) / 0.5 < 1.02 * most


def test_it_launches_quicker_than_the_same_car_without() -> None:
    """To 8 m/s, from the moment at which brake and accelerator change places."""
    times = []
    for settings in (launched(), replace(launched(), launch_control=LaunchControlSettings())):
        vehicle = ready(settings)
        drive(vehicle, 2.5, throttle=1.0 if settings.launch_control.enabled else 0.4, brake=1.0)
        time = 0.0
        while read(vehicle, VehicleData.SPEED) < 8.0:
            drive(vehicle, 0.01, throttle=1.0)
            time += 0.01
        times.append(time)
    assert times[0] < times[1]


def test_it_ends_as_the_clutch_closes() -> None:
    """The rest of the way is that of every automatic."""
    vehicle = staged(launched())
    drive(vehicle, 3.0, throttle=1.0)
    assert control_of(vehicle).phase == OFF
    assert vehicle.engine.sensor_clutch_lock == 1.0


@pytest.mark.parametrize("braking", [1.0, 0.0])
def test_a_lifted_accelerator_ends_it(braking: float) -> None:
    """A bound that a control unit asks for comes back."""
    vehicle = staged(launched())
    vehicle.data.write(REQUEST, RequestData.ENGINE_RPM_LIMIT, 5000.0)
    drive(vehicle, 0.2, throttle=1.0, brake=braking)
    assert vehicle.engine.rpm_limit == pytest.approx(RPM)
    drive(vehicle, 0.01, throttle=0.5, brake=braking)
    assert (control_of(vehicle).phase, vehicle.engine.rpm_limit) == (OFF, 5000.0)


def test_a_rolling_car_does_not_stage() -> None:
    """Both pedals on the move are those of a driver who brakes with the left foot."""
    vehicle = ready(launched())
    drive(vehicle, 3.0, throttle=0.5)
    drive(vehicle, 0.05, throttle=1.0, brake=0.3)
    assert control_of(vehicle).phase == OFF


def test_a_converter_pulls_no_harder_than_the_brakes_hold() -> None:
    """Strong brakes leave the engine at its stall speed, weak ones below it, with the vehicle at rest."""
    settings = launched(HYDRODYNAMIC)
    strong, held = (
        staged(replace(settings, brakes=replace(settings.brakes, max_torque=torque))) for torque in (8000.0, 1500.0)
    )
    assert control_of(strong).held == RPM
    assert strong.engine.sensor_rpm < 0.5 * RPM
    assert control_of(held).phase == STAGED
    assert held.engine.sensor_rpm < 0.95 * strong.engine.sensor_rpm
    assert read(held, VehicleData.SPEED) < 0.1
    drive(held, 0.01, throttle=1.0)
    assert control_of(held).phase == OFF


def test_a_launch_goes_on_from_a_saved_state() -> None:
    """To the last bit, from its middle."""
    vehicle = staged(launched())
    drive(vehicle, 0.25, throttle=1.0)
    other = Vehicle(vehicle.settings)
    other.data.input[:] = vehicle.data.input
    other.solver.max_substep = vehicle.solver.max_substep
    other.set_state_vars(vehicle.get_state_vars())
    for each in (vehicle, other):
        drive(each, 0.5, throttle=1.0)
    assert other.get_state_vars() == vehicle.get_state_vars()


def test_what_cannot_work_is_refused() -> None:
    """A clutch of the driver's, and a speed that the engine does not fall to."""
    made = launched()
    with pytest.raises(ValueError, match="launch_control: a manual"):
        replace(made, gearbox=replace(made.gearbox, type=GearboxType.MANUAL))
    with pytest.raises(ValueError, match="launch_control: rpm 1000"):
        launched(rpm=1000.0)


def test_the_accelerator_is_where_its_end_is() -> None:
    """A tenth less is no launch."""
    vehicle = ready(launched())
    vehicle.data.input[InputData.THROTTLE] = round(0.9 * FULL)
    drive(vehicle, 1.0, throttle=0.9, brake=1.0)
    assert control_of(vehicle).phase == OFF
