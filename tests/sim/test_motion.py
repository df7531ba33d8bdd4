"""A motion that is prescribed: the vehicle follows within what a car can do, and all else follows from it."""

import math

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import InputData, Vehicle, VehicleData
from vehiclesim.channels import AUXILIARY, CHASSIS, NAN, VEHICLE, AuxiliaryData, ChassisData, RequestData

STEP = 0.001


class Rollers:
    """A vehicle whose motion is prescribed, with the key on."""

    def __init__(self, name: str = "compact") -> None:
        self.car: Vehicle = load_vehicle(name).build()
        self.car.data.input[InputData.KEY] = 0
        self.way = 0.0  # integral of the speed that is shown [m]

    def prescribe(self, speed: float, rpm: float, gear: int, throttle: float = 0.3, brake: float = 0.0) -> None:
        request, controls = self.car.data.request, self.car.data.input
        request[RequestData.MOTION_SPEED] = round(speed * 1000)
        request[RequestData.MOTION_RPM] = NAN if math.isnan(rpm) else round(rpm * 1000)
        request[RequestData.MOTION_GEAR] = gear
        controls[InputData.THROTTLE], controls[InputData.BRAKE] = round(throttle * 10000), round(brake * 10000)

    def release(self) -> None:
        for index in (RequestData.MOTION_SPEED, RequestData.MOTION_RPM, RequestData.MOTION_GEAR):
            self.car.data.request[index] = NAN

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP)):
            self.car.step(STEP)
            self.way += self.see(VehicleData.SPEED) * STEP

    def see(self, index: int, channel: int = VEHICLE) -> float:
        return self.car.data.read(channel, index)


@pytest.mark.parametrize("name", ["compact", "320d-g20", "awd-estate", "truck", "semitrailer", "mx5-nd"])
def test_speed_engine_speed_and_gear_are_those_that_are_prescribed(name: str) -> None:
    rollers = Rollers(name)
    rollers.prescribe(15.0, 1800.0, 3)
    rollers.run(3.0)
    assert rollers.see(VehicleData.SPEED) == pytest.approx(15.0, abs=1e-3)
    assert rollers.see(VehicleData.ENGINE_RPM) == pytest.approx(1800.0, abs=0.1)
    assert rollers.see(VehicleData.GEARBOX_GEAR) == 3
    assert rollers.see(VehicleData.ENGINE_WORKING) == 1
    for place in range(4):
        assert rollers.see(ChassisData.WHEEL_SPEED_FRONT_LEFT + place, CHASSIS) == pytest.approx(15.0, abs=0.01)


def test_the_way_is_the_integral_of_the_speed_that_is_shown() -> None:
    """Over jumps of the speed: trip, odometer and the pulses of the wheels."""
    rollers = Rollers()
    pulses = rollers.see(AuxiliaryData.PULSES_REAR_LEFT, AUXILIARY)
    for speed in (0.0, 8.0, 30.0, 5.0, 55.0, 0.0):
        rollers.prescribe(speed, 2000.0 + 50.0 * speed, 3)
        rollers.run(2.5)
    assert rollers.way > 100.0
    assert rollers.see(AuxiliaryData.TRIP, AUXILIARY) == pytest.approx(rollers.way, rel=1e-4)
    revolutions = rollers.way / (2.0 * math.pi * rollers.car.settings.wheels.radius)
    per_revolution = rollers.car.settings.auxiliary.distances.pulses_per_turn
    counted = rollers.see(AuxiliaryData.PULSES_REAR_LEFT, AUXILIARY) - pulses
    assert counted == pytest.approx(revolutions * per_revolution, rel=2e-3)


def test_no_jump_is_faster_than_a_car() -> None:
    """0 to 60 m/s at once, and back: 15 m/s² at most, and the engine within 15,000 1/min a second."""
    rollers = Rollers()
    rollers.prescribe(0.0, 900.0, 1)
    rollers.run(1.0)
    before = rollers.see(VehicleData.SPEED), rollers.see(VehicleData.ENGINE_RPM)
    for speed, rpm in ((60.0, 6000.0), (0.0, 900.0)):
        rollers.prescribe(speed, rpm, 4)
        for _ in range(3000):
            rollers.run(STEP)
            now = rollers.see(VehicleData.SPEED), rollers.see(VehicleData.ENGINE_RPM)
            assert abs(now[0] - before[0]) <= 15.0 * STEP + 2e-3
            assert abs(now[1] - before[1]) <= 15_000.0 * STEP + 2e-3
            assert abs(rollers.see(ChassisData.ACCELERATION, CHASSIS)) <= 15.001
            before = now


def test_the_engine_turns_no_faster_than_its_own() -> None:
    rollers = Rollers()
    rollers.prescribe(40.0, 14_000.0, 5)
    rollers.run(3.0)
    settings = rollers.car.settings.engine
    assert rollers.see(VehicleData.ENGINE_RPM) == pytest.approx(
        min(settings.max_rpm, settings.rpm_limiter_max if settings.rpm_limiter else settings.max_rpm), abs=0.1
    )


def test_a_gear_that_the_box_does_not_have_is_the_nearest() -> None:
    rollers = Rollers()
    rollers.prescribe(30.0, 3000.0, 9)
    rollers.run(1.0)
    assert rollers.see(VehicleData.GEARBOX_GEAR) == len(rollers.car.settings.gearbox.gears)


def test_backwards_in_reverse() -> None:
    """A game that shows no sign means backwards with a reverse gear."""
    rollers = Rollers()
    rollers.prescribe(3.0, 1500.0, -1)
    rollers.run(2.0)
    assert rollers.see(ChassisData.WHEEL_SPEED_REAR_LEFT, CHASSIS) == pytest.approx(-3.0, abs=0.01)
    assert rollers.see(VehicleData.GEARBOX_GEAR) == -1
    assert rollers.see(VehicleData.SPEED) == pytest.approx(3.0, abs=1e-3)


@pytest.mark.parametrize("name", ["compact", "320d-g20"])
def test_the_pedal_burns_fuel_as_on_a_test_stand(name: str) -> None:
    """At one speed: more with more pedal, none on overrun, and about that of idling at idle speed."""
    burnt = {}
    for throttle in (0.0, 0.3, 0.8):
        rollers = Rollers(name)
        rollers.prescribe(20.0, 2500.0, 4, throttle)
        rollers.run(2.0)
        burnt[throttle] = rollers.see(VehicleData.ENGINE_FUEL_RATE)
    assert burnt[0.0] == 0.0 < burnt[0.3] < burnt[0.8]
    rollers = Rollers(name)
    idle = rollers.car.settings.engine.idle_rpm
    rollers.prescribe(0.0, idle - 100.0, 0, 0.0)
    rollers.run(3.0)
    assert rollers.see(VehicleData.ENGINE_FUEL_RATE) < 0.2 * burnt[0.8]


def test_brakes_and_steering_do_not_fight_the_rollers() -> None:
    """With the pedal fully down nothing slips, and no driving aid acts."""
    rollers = Rollers()
    rollers.prescribe(30.0, 3000.0, 4, 0.0, brake=1.0)
    rollers.car.data.input[InputData.STEER] = 2000
    rollers.run(2.0)
    rollers.prescribe(10.0, 1500.0, 2, 0.0, brake=1.0)
    rollers.run(1.0)
    for index in (VehicleData.ABS_ENGAGED, VehicleData.ESC_ENGAGED, VehicleData.TCS_ENGAGED):
        assert rollers.see(index) == 0
    assert rollers.see(ChassisData.BRAKE_PRESSURE, CHASSIS) == 1.0
    assert rollers.see(ChassisData.LATERAL_ACCELERATION, CHASSIS) < 0.0  # to the right


def test_an_engine_that_stands_in_the_game_does_not_run() -> None:
    rollers = Rollers()
    rollers.prescribe(0.0, 900.0, 0)
    rollers.run(1.0)
    assert rollers.see(VehicleData.ENGINE_WORKING) == 1
    rollers.prescribe(0.0, 0.0, 0)
    rollers.run(2.0)
    assert (rollers.see(VehicleData.ENGINE_WORKING), rollers.see(VehicleData.ENGINE_RPM)) == (0, 0)
    rollers.prescribe(0.0, 900.0, 0)
    rollers.run(1.0)
    assert rollers.see(VehicleData.ENGINE_WORKING) == 1


def test_an_electric_vehicle_follows_with_its_motor() -> None:
    rollers = Rollers("leaf-ze1")
    rollers.prescribe(20.0, 4000.0, 1)
    rollers.run(3.0)
    assert rollers.see(VehicleData.SPEED) == pytest.approx(20.0, abs=1e-3)
    assert rollers.see(VehicleData.ENGINE_RPM) == 0


def test_without_an_engine_speed_the_wheels_turn_the_engine() -> None:
    """An automatic in D at 20 m/s has one of its own gears, and an engine speed that fits."""
    rollers = Rollers("320d-g20")
    rollers.car.data.input[InputData.AUTOMATIC_GEAR] = 4
    rollers.prescribe(20.0, math.nan, NAN)
    rollers.run(8.0)
    assert rollers.see(VehicleData.GEARBOX_GEAR) > 2
    ratio = rollers.car.settings.gearbox.gears[int(rollers.see(VehicleData.GEARBOX_GEAR)) - 1]
    shaft = rollers.see(VehicleData.TRANSMISSION_RPM) * ratio
    assert rollers.see(VehicleData.ENGINE_RPM) == pytest.approx(shaft, rel=0.15)


def test_the_vehicle_goes_on_by_itself_when_nothing_is_prescribed_any_more() -> None:
    """From the speed that it has, without a jump; the brake stops it."""
    rollers = Rollers()
    rollers.prescribe(12.0, 2000.0, 3)
    rollers.run(2.0)
    rollers.release()
    controls = rollers.car.data.input
    controls[InputData.THROTTLE], controls[InputData.BRAKE], controls[InputData.CLUTCH] = 0, 3000, 10000
    rollers.run(0.1)
    assert rollers.see(VehicleData.SPEED) == pytest.approx(12.0, abs=0.6)
    rollers.run(8.0)
    assert rollers.see(VehicleData.SPEED) == 0.0
    assert rollers.see(VehicleData.ENGINE_WORKING) == 1


def test_a_saved_state_gives_the_same_bits() -> None:
    rollers = Rollers()
    rollers.prescribe(25.0, 3000.0, 3)
    rollers.run(1.0)
    state = rollers.car.get_state_vars()
    rollers.run(0.5)
    first = [list(channel) for channel in rollers.car.data.channels]
    rollers.car.set_state_vars(state)
    rollers.run(0.5)
    assert [list(channel) for channel in rollers.car.data.channels] == first
