"""Substeps of one millisecond against those of a tenth, while wheels spin and slide."""

from dataclasses import replace

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import AidsSettings, BodySettings, GearMode, InputData, Vehicle, WheelSettings

from .four_wheels import Trolley
from .road import FULL, run


@pytest.mark.parametrize("aids", [False, True])
def test_a_launch_with_spinning_wheels_hardly_depends_on_the_substep(aids: bool) -> None:
    """A 320d at full throttle from its stalled converter: speeds and way within half a percent."""
    settings = load_vehicle("320d-g20").settings
    if not aids:
        settings = replace(settings, aids=AidsSettings())
    ready = Vehicle(settings)
    controls = ready.data.input
    controls[InputData.BRAKE], controls[InputData.KEY] = FULL, 1
    run(ready, 1.5, 0.01)
    controls[InputData.KEY], controls[InputData.AUTOMATIC_GEAR] = 0, GearMode.DRIVE
    run(ready, 1.0, 0.01)
    controls[InputData.THROTTLE] = 6000
    run(ready, 1.0, 0.01)
    results = []
    for substep in (0.001, 0.0001):
        car = Vehicle(settings)
        car.data.input[:] = controls
        car.set_state_vars(ready.get_state_vars())
        car.solver.max_substep = substep
        car.data.input[InputData.THROTTLE], car.data.input[InputData.BRAKE] = FULL, 0
        run(car, 0.3, 0.01)
        slip = max(wheel.sensor_slip for wheel in car.wheels)
        early = car.chassis.sensor_speed
        run(car, 0.3, 0.01)
        results.append((early, car.chassis.sensor_speed, car.chassis.pose.x))
        assert slip > (0.1 if aids else 0.3)
    assert results[0] == pytest.approx(results[1], rel=5e-3)


@pytest.mark.parametrize(("speed", "torque", "brake"), [(0.0, 1200.0, 0.0), (15.0, 1500.0, 0.0), (15.0, 0.0, 1.0)])
def test_wheels_that_break_away_hardly_depend_on_the_substep(speed: float, torque: float, brake: float) -> None:
    """Rear wheels spun up, at rest and at speed, and all wheels locked: within a tenth of a percent."""
    results = []
    for substep in (0.001, 0.0001):
        trolley = Trolley(2, 3, speed=speed, max_substep=substep, wheel=WheelSettings(), body=BodySettings(mass=1300.0))
        trolley.drive(torque)
        trolley.brakes.brake_input = brake
        trolley.run(0.5, 0.01)
        results.append((trolley.speed, trolley.chassis.pose.x))
        assert abs(trolley.wheels[2].sensor_slip) > 0.5
    assert results[0] == pytest.approx(results[1], rel=1e-3)
