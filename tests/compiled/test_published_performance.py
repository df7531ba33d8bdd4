"""Every shipped vehicle against what is published of it, by `hilbridge perform`; for the compiled model."""

from typing import Final

import pytest

from hilbridge.bench.drive.cycles import find_cycle
from hilbridge.desk.perform.measurement import Figure, measure
from hilbridge.files.configuration.vehiclefile import load_vehicle

CARS: Final = ("mx5-nd", "320d-g20", "awd-estate", "leaf-ze1", "ioniq-hybrid", "prius-zvw50", "swift-sport-hybrid")

OTHERS: Final = ("compact", "truck", "overdrive")
"""No particular vehicles: nothing is published of them."""

CONSUMPTION: Final = "nedc"
"""The cycle whose table is inside; those of the others are not installed beside the compiled model."""

PERFORMANCE_TOLERANCE: Final = 0.05
CONSUMPTION_TOLERANCE: Final = 0.10

APART: Final = {
    ("320d-g20", "to_200"): (
        -0.137,
        "0.6 s are the sheet's own contradiction, below; EPA's coast-down of a 330i makes it -5 %, but the NEDC +16 %",
    ),
    ("ioniq-hybrid", "to_100"): (
        -0.222,
        "the sheet's own contradiction, below: in 10.8 s its engine alone would be there; tested 9.85 s",
    ),
    ("mx5-nd", "to_60_mph"): (
        0.050,
        "its manifold fills after the launch and after each shift, which are those of a clutch without a hurry",
    ),
    ("prius-zvw50", "nedc"): (
        0.268,
        "its battery gains 1.2 kWh per 100 km, for which a type approval corrects, and it warms up for 330 s; model.md",
    ),
    ("prius-zvw50", "to_100"): (
        0.120,
        "until 50 km/h it lacks 0.6 s of those of a tested car, from 70 km/h on it is as quick; docs/model.md",
    ),
    ("swift-sport-hybrid", "to_100"): (
        -0.099,
        "from rest it takes all that its tyres hold, until 44 km/h; the sheet's 9.1 s are 8.0 s of 103 kW and 970 kg",
    ),
}
"""Figures that sourced parameters do not meet: the deviation, which may change by 2 %, and what is behind it."""


def tolerance(figure: Figure) -> float:
    return CONSUMPTION_TOLERANCE if figure.name == CONSUMPTION else PERFORMANCE_TOLERANCE


@pytest.mark.nightly("320d-g20", "mx5-nd", "ioniq-hybrid", "prius-zvw50", "awd-estate")
@pytest.mark.parametrize("car", CARS)
def test_a_car_performs_as_published(car: str) -> None:
    """Times, speeds, ways and lateral acceleration within 5 %, consumption within 10 %, or as far apart as is known."""
    file = load_vehicle(car)
    cycles = [find_cycle(CONSUMPTION)] if getattr(file.settings.published, CONSUMPTION) > 0.0 else []
    deviations = {
        figure.name: (figure.deviation, tolerance(figure))
        for figure in measure(file.build, file.settings, cycles).figures
        if figure.deviation is not None
    }
    assert deviations
    for name, (deviation, allowed) in deviations.items():
        known, _ = APART.get((car, name), (0.0, ""))
        assert abs(deviation - known) <= (0.02 if known else allowed), f"{name}: {deviation:+.1%}"


def test_the_sheet_of_the_ioniq_contradicts_itself() -> None:
    """Its 10.8 s to 100 km/h are a mean of less than its engine gives alone, and of a good half of its system.

    m·v²/2, with 5 % of the mass for what turns, and the way at the mean of drag and rolling resistance: at half speed.
    """
    settings = load_vehicle("ioniq-hybrid").settings
    mass, speed, time = settings.body.mass, 100.0 / 3.6, settings.published.to_100
    resistance = settings.wheels.rolling_resistance * mass * 9.81 + 0.6 * settings.body.drag_area * speed**2 / 3.0
    mean = (1.05 * mass * speed**2 / 2.0 + resistance * speed * time * 0.6) / time / settings.gearbox.efficiency
    curve = zip(settings.engine.table_rpm, settings.engine.table_torque, strict=True)
    engine = max(torque * rpm * 3.14159 / 30.0 for rpm, torque in curve)
    assert mean < 0.9 * engine
    assert mean < 0.65 * 1e3 * settings.electric.hybrid.max_power


def test_tested_cars_have_more_torque_than_the_sheet_of_the_prius() -> None:
    """Edmunds measured 3.5 s to 30 mph with 1415 kg and a driver; all torques of the sheet at once need 3.7 s or more.

    m·v/F, m with 2 % for what turns, F = (T_motor·3.118 + 78/108·T_engine)·2.834·0.98/r less the rolling resistance.
    """
    settings = load_vehicle("prius-zvw50").settings
    electric, wheels, mass = settings.electric, settings.wheels, 1415.0 + 80.0
    ring = electric.motor.max_torque * electric.motor.ratio + 78.0 / 108.0 * max(settings.engine.table_torque)
    force = ring * settings.driveline.total_ratio * settings.gearbox.efficiency / wheels.radius
    force -= wheels.rolling_resistance * mass * 9.81
    assert 3.7 < 1.02 * mass * 30.0 * 0.44704 / force < 3.9


def test_the_sheet_of_the_320d_contradicts_itself() -> None:
    """It needs 18.1 s from 160 to 200 km/h, and its own highest speed allows 17.5 at most.

    What drives it at 240 km/h, 91 kW against the air alone, it has there too: in eighth gear the engine turns 3600 rpm
    at 240 km/h, in sixth 3740 to 4400 rpm from 160 to 188, on both sides of its 140 kW. t is the sum of
    m·v·dv/(P - P_air(v)), m with 4 % for what turns; rolling resistance, in P and beside P_air, would make it shorter.
    """
    settings = load_vehicle("320d-g20").settings
    published, body = settings.published, settings.body
    air = 0.5 * 1.204 * body.drag_area
    power = air * (published.top_speed / 3.6) ** 3
    step, time = 1e-3, 0.0
    for k in range(round(40.0 / 3.6 / step)):
        v = 160.0 / 3.6 + (k + 0.5) * step
        time += 1.04 * body.mass * v * step / (power - air * v**3)
    assert power == pytest.approx(91e3, rel=0.01)
    assert time < 17.5 < published.to_200 - published.to_160


@pytest.mark.parametrize("vehicle", OTHERS)
def test_every_other_vehicle_can_be_measured(vehicle: str) -> None:
    """From rest to the highest speed, through its gears, braking, in the circle, coasting."""
    file = load_vehicle(vehicle)
    measurement = measure(file.build, file.settings)
    assert measurement.complete
    measured = {figure.name: figure.measured for figure in measurement.figures}
    assert all(measured[name] for name in ("metres_400", "kilometre", "top_speed", "lateral_acceleration"))
