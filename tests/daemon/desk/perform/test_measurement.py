"""A whole measurement of a light car with two gears, against figures that can be worked out by hand.

It has 500 kg and a drag area of 1.5 m², so that it is fast at once and slow again soon. Substeps of 5 ms are enough.
"""

import math
from dataclasses import replace

import pytest

from hilbridge.bench.drive.trace import Trace
from hilbridge.desk.perform.measurement import Measurement, _Meter, measure
from vehiclesim import Vehicle
from vehiclesim.parameters import (
    BodySettings,
    ElectricSettings,
    ElectricTopology,
    EngineSettings,
    GearboxSettings,
    GearboxType,
    PublishedSettings,
    ShiftingSettings,
    VehicleSettings,
)

CAR = VehicleSettings(
    name="light",
    engine=EngineSettings(can_stall=True, rpm_limiter=True, rpm_limiter_max=6000.0),
    gearbox=GearboxSettings(ratios=(3.0, 1.6), efficiency=1.0),
    body=BodySettings(mass=500.0, drag_area=1.5),
    published=PublishedSettings(to_100=8.0, top_speed_in_gear=(0.0, 120.0)),
)

AUTOMATIC = replace(
    CAR,
    gearbox=replace(CAR.gearbox, type=GearboxType.AUTOMATIC),
    shifting=ShiftingSettings(up_rpm=5500.0, down_rpm=2000.0, minimum_speeds=(3.0,)),
)

TRIP = Trace("trip", (0.0, 2.0, 6.0, 9.0), (0.0, 0.0, 4.0, 0.0))


def vehicle_of(settings: VehicleSettings) -> Vehicle:
    vehicle = Vehicle(settings)
    vehicle.solver.max_substep = 0.005
    return vehicle


@pytest.fixture(scope="module")
def measured() -> Measurement:
    return measure(lambda: vehicle_of(CAR), CAR, [TRIP])


def value(measured: Measurement, name: str, gear: int | None = None) -> float:
    (found,) = (figure.measured for figure in measured.figures if (figure.name, figure.gear) == (name, gear))
    assert found is not None
    return found


def test_the_highest_speed_of_a_gear_is_that_of_the_limiter(measured: Measurement) -> None:
    """n·2π/60·r/(i·i_d) at 6000 rpm, or up to 5 % below with its cuts; in the last gear it is the highest of all."""
    for gear, ratio in enumerate(CAR.gearbox.ratios, start=1):
        limit = 6000.0 * math.pi / 30.0 * CAR.wheels.radius / (ratio * CAR.driveline.front.ratio) * 3.6
        assert 0.95 * limit < value(measured, "top_speed_in_gear", gear) < 1.005 * limit
    assert value(measured, "top_speed") == pytest.approx(value(measured, "top_speed_in_gear", 2), rel=0.03)


def test_it_cannot_be_faster_than_its_engine(measured: Measurement) -> None:
    """t > m·v²/(2·P), with the kinetic energy of the car alone.

    Half of the weight lies on the driven axle, and they spin in first gear: a good driver needs 1.5·v/(g·μ/2) at most.
    """
    speed = 100.0 / 3.6
    least = 0.5 * CAR.body.mass * speed * speed / 87e3
    assert least < value(measured, "to_100") < 1.5 * speed / (0.5 * 0.85 * 9.80665)
    assert value(measured, "to_60_mph") < value(measured, "to_100")
    assert value(measured, "metres_400") < value(measured, "quarter_mile") < value(measured, "kilometre")


def test_it_coasts_as_drag_and_rolling_ask(measured: Measurement) -> None:
    """t = atan(v·√(k/f))/√(k·f), between 100 and 50 km/h: m_t·dv/dt = -(f + k·v²), with a mean rolling resistance."""
    wheels, mass = CAR.wheels, CAR.body.mass
    turning = mass + 4.0 * wheels.inertia / wheels.radius**2
    rolling = mass * 9.80665 * (wheels.rolling_resistance + wheels.rolling_resistance_speed * 75.0 / 3.6)
    drag = 0.5 * 1.2 * CAR.body.drag_area
    root = math.sqrt(drag / rolling)
    angle = math.atan(100.0 / 3.6 * root) - math.atan(50.0 / 3.6 * root)
    assert value(measured, "coast_down") == pytest.approx(turning * angle / math.sqrt(drag * rolling), rel=0.03)


def test_it_brakes_and_turns_as_its_tyres_hold(measured: Measurement) -> None:
    """The friction table has 0.75 to 0.85: v²/(2·g·μ) to rest, less what drag takes; and as much in a circle."""
    shortest = (100.0 / 3.6) ** 2 / (2.0 * 9.80665 * 0.85)
    assert 0.75 * shortest < value(measured, "braking_from_100") < 1.2 * shortest
    squares = (60.0 * 1.609344 / 100.0) ** 2
    assert value(measured, "braking_from_60_mph") == pytest.approx(
        squares * value(measured, "braking_from_100"), rel=0.02
    )
    assert 0.7 < value(measured, "lateral_acceleration") < 0.87
    assert -2.0 < value(measured, "understeer") < 8.0


def test_published_figures_stand_beside_their_own(measured: Measurement) -> None:
    """By name, and in a gear by its place in the list; a 0 is none."""
    published = {(f.name, f.gear): f for f in measured.figures if f.published is not None}
    assert published.keys() == {("to_100", None), ("top_speed_in_gear", 2)}
    to_100 = published["to_100", None]
    assert to_100.deviation == pytest.approx(value(measured, "to_100") / 8.0 - 1.0)


def test_a_cycle_gives_a_consumption_and_its_figures(measured: Measurement) -> None:
    """Energy in MJ by the heating value of petrol, 43 kJ/g."""
    assert measured.complete
    trip = measured.cycles["trip"]
    assert value(measured, "trip") == trip["consumption_in_l_per_100_km"]
    assert trip["fuel_in_mj"] == pytest.approx(0.043 * trip["fuel_in_g"])
    assert measured.runs.keys() >= {"acceleration", "idle", "gear 1", "gear 2", "braking", "circle", "coasting", "trip"}


def test_an_automatic_is_measured_in_d_and_held_in_its_gears() -> None:
    """It has a kick-down besides."""
    shares: list[float] = []
    measured = measure(lambda: vehicle_of(AUTOMATIC), AUTOMATIC, progress=shares.append)
    assert value(measured, "top_speed_in_gear", 1) < 0.6 * value(measured, "top_speed_in_gear", 2)
    assert measured.runs["kick-down"].speed[0] == pytest.approx(80.0 / 3.6, rel=0.03)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_roll_out_takes_the_time_of_its_way_off(measured: Measurement) -> None:
    """And the way itself is no part of 400 m: both clocks and both ways are those of the series."""
    car = replace(CAR, published=PublishedSettings(roll_out=0.3048))
    rolled = measure(lambda: vehicle_of(car), car, stopped=lambda: True)
    series = rolled.runs["acceleration"]
    times = dict(zip(series.distance, series.time, strict=True))
    start = max(time for way, time in times.items() if way < 0.3048)
    saved = value(measured, "to_100") - value(rolled, "to_100")
    assert start <= saved <= start + series.time[1]
    assert 0.2 < saved < 1.0
    longer = value(measured, "metres_400") - value(rolled, "metres_400")
    assert longer < saved


def test_a_battery_electric_car_needs_no_fuel_but_energy_from_the_wall() -> None:
    """No line of litres; the wall gives what the battery does over the efficiency of charging, 0.875 by default."""
    electric = ElectricSettings(topology=ElectricTopology.BATTERY_ELECTRIC)
    gearbox = GearboxSettings(type=GearboxType.AUTOMATIC, ratios=(1.0,), reverse_ratios=(-1.0,))
    car = replace(CAR, electric=electric, gearbox=gearbox, published=PublishedSettings())
    meter = _Meter(lambda: vehicle_of(car), car, lambda: False)
    *_, trip = meter.tasks([TRIP])
    trip()
    assert [figure.name for figure in meter.result.figures] == ["trip_battery", "trip_wall"]
    assert value(meter.result, "trip_battery") > 0.0
    assert value(meter.result, "trip_wall") == pytest.approx(value(meter.result, "trip_battery") / 0.875)
