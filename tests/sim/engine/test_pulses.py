"""Firing pulses: their mean, their spectrum, their spread, and what a misfire does to the teeth of a crank wheel."""

import math
import statistics
from dataclasses import replace
from itertools import pairwise

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import FAULT, RPM_TO_W, W_TO_RPM, FaultData, InputData, Vehicle, VehicleSettings
from vehiclesim.engine.pulses import FiringPulses, firing_order
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import AirPathSettings, AuxiliarySettings

from ..road import CAN_STALL, idling, run

CYCLE = 4.0 * math.pi
EVEN = EngineSettings(firing_pulses=True, cycle_variation=0.0)
PRESSURE = 60.0
"""[kPa] in the manifold."""


LIGHT = replace(load_vehicle("mx5-nd").settings.engine, firing_pulses=True)
"""0.15 kg m², a third of the default's."""


def torques(pulses: FiringPulses, mean: float, cycles: int, steps: int, load: float = 1.0) -> list[float]:
    """Torques of substeps of one angle, `steps` of them in a cycle, once every cylinder has fired."""
    way = CYCLE / steps
    values = [pulses.torque(mean, load, way / 0.001, PRESSURE, 0.001) for _ in range((cycles + 1) * steps)]
    return values[steps:]


def order_of(values: list[float], cycles: int, order: float) -> float:
    """The amplitude of an order of the crank speed: a line of the Fourier transform over whole cycles."""
    turns = 2.0 * order * cycles
    angles = [2.0 * math.pi * turns * k / len(values) for k in range(len(values))]
    real = sum(value * math.cos(angle) for value, angle in zip(values, angles, strict=True))
    imaginary = sum(value * math.sin(angle) for value, angle in zip(values, angles, strict=True))
    return 2.0 * math.hypot(real, imaginary) / len(values)


@pytest.mark.parametrize("diesel", [False, True])
@pytest.mark.parametrize("cylinders", [1, 3, 4, 5, 6, 8, 12])
@pytest.mark.parametrize("steps", [720, 97, 24])
def test_the_mean_over_a_cycle_is_that_of_the_mean_value_engine(cylinders: int, steps: int, *, diesel: bool) -> None:
    """Whatever the number of cylinders and the angle of a substep: waves and compression do no work of their own."""
    pulses = FiringPulses(replace(EVEN, cylinders=cylinders), 2.0, diesel=diesel)
    assert statistics.fmean(torques(pulses, 100.0, 2, steps)) == pytest.approx(100.0, rel=1e-9)


@pytest.mark.parametrize("cylinders", [3, 4, 5, 6, 8])
def test_the_first_line_of_the_spectrum_is_half_the_number_of_cylinders(cylinders: int) -> None:
    """A four-stroke engine fires N/2 times a turn: orders N/2, N .., and none between or below."""
    values = torques(FiringPulses(replace(EVEN, cylinders=cylinders), 2.0, diesel=False), 100.0, 2, 720)
    first = order_of(values, 2, 0.5 * cylinders)
    assert first > 50.0
    assert order_of(values, 2, cylinders) > 10.0
    for half in range(1, 2 * cylinders):
        if half % cylinders:
            assert order_of(values, 2, 0.5 * half) < 0.02 * first


def test_a_dead_cylinder_has_the_half_order() -> None:
    """Once in two turns: order 1/2, whose amplitude comes to what it lacks, a Fourier coefficient of a pulse."""
    pulses = FiringPulses(EVEN, 2.0, diesel=False)
    pulses.misfire, pulses.cylinder = 0.25, 3
    values = torques(pulses, 100.0, 2, 720)
    assert statistics.fmean(values) == pytest.approx(75.0, rel=1e-9)
    assert 40.0 < order_of(values, 2, 0.5) < 50.0  # of a pulse without width 2·25 Nm


def test_peaks_of_a_cylinder_follow_its_dead_centre() -> None:
    """The torque of one cylinder is highest 20° to 35° behind it, and negative before, by compression (Heywood, 8)."""
    pulses = FiringPulses(replace(EVEN, cylinders=1), 0.5, diesel=False)
    values = torques(pulses, 30.0, 1, 720)
    start = round(pulses.angle / CYCLE * 720) % 720
    highest = (values.index(max(values)) + start) % 720 - 10
    lowest = (values.index(min(values)) + start) % 720 - 10
    assert 20 <= highest <= 35
    assert 720 - 50 <= lowest <= 720 - 15


@pytest.mark.parametrize(("load", "spread"), [(1.0, 0.02), (0.1, 0.02 * 4.6)])
def test_the_spread_is_the_one_of_the_settings(load: float, spread: float) -> None:
    """At full load; at a tenth 0.6 + 0.4/load times as much."""
    pulses = FiringPulses(replace(EVEN, cylinders=1, cycle_variation=0.02), 0.5, diesel=False)
    values = torques(pulses, 100.0, 2000, 24, load)
    means = [statistics.fmean(values[k : k + 24]) for k in range(0, len(values), 24)]
    assert statistics.fmean(means) == pytest.approx(100.0, abs=500.0 * spread / math.sqrt(len(means)))
    assert statistics.pstdev(means) == pytest.approx(100.0 * spread, rel=0.06)


def test_a_seed_gives_one_run_and_another_seed_another() -> None:
    """To the bit; a state that is restored goes on in the same way."""

    def values(seed: int) -> list[float]:
        return torques(FiringPulses(EngineSettings(firing_pulses=True, cycle_seed=seed), 2.0, diesel=False), 9.0, 3, 50)

    assert values(7) == values(7)
    assert values(7) != values(8)
    pulses, other = (FiringPulses(EngineSettings(firing_pulses=True), 2.0, diesel=False) for _ in range(2))
    torques(pulses, 50.0, 3, 77)
    other.set_state_vars(pulses.get_state_vars())
    assert torques(other, 50.0, 3, 77) == torques(pulses, 50.0, 3, 77)


@pytest.mark.parametrize(
    ("order", "cylinders", "reason"),
    [((1, 2, 3), 4, "each of the 4"), ((1, 1, 2, 3), 4, "each"), ((0, 1), 2, "less than")],
)
def test_a_firing_order_has_each_cylinder_once(order: tuple[int, ...], cylinders: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        EngineSettings(cylinders=cylinders, firing_order=order)


def test_the_usual_firing_order_may_be_another() -> None:
    assert firing_order(EngineSettings()) == [1, 3, 4, 2]
    assert firing_order(EngineSettings(firing_order=(1, 2, 4, 3))) == [1, 2, 4, 3]
    assert firing_order(EngineSettings(cylinders=7)) == [1, 2, 3, 4, 5, 6, 7]


# -- in a vehicle ---------------------------------------------------------------------------------------------------


def pulsing(**more: object) -> VehicleSettings:
    """The default car, with firing pulses and a manifold."""
    return replace(
        CAN_STALL,
        engine=replace(CAN_STALL.engine, firing_pulses=True, **more),  # type: ignore[arg-type]
        auxiliary=AuxiliarySettings(air_path=AirPathSettings(intake_volume=3.0)),
    )


def test_idle_ripples_about_its_speed() -> None:
    """Mean 1000 1/min within 1; every firing interval is a wave, of 2 to 40 1/min from trough to crest."""
    vehicle = idling(pulsing())
    speeds = []
    for _ in range(3000):
        vehicle.step(0.001)
        speeds.append(vehicle.engine.sensor_rpm)
    assert statistics.fmean(speeds) == pytest.approx(1000.0, abs=1.0)
    assert 2.0 < max(speeds) - min(speeds) < 60.0
    crossings = sum(a < 1000.0 <= b for a, b in pairwise(speeds))
    assert crossings == pytest.approx(3.0 * 1000.0 / 60.0 * 2.0, abs=20)


def test_without_them_nothing_changes() -> None:
    """Idle has no ripple, and there is no angle."""
    vehicle = idling()
    assert vehicle.engine.sensor_rpm == pytest.approx(1000.0, abs=1e-3)
    assert vehicle.engine.sensor_crank_angle == 0.0


def teeth(vehicle: Vehicle, seconds: float) -> list[float]:
    """Times [s] at which the teeth of a wheel of 60 pass, by the engine speed alone; the first is at cylinder 1."""
    while vehicle.engine.sensor_crank_angle < CYCLE - 0.2:
        vehicle.step(0.001)
    while vehicle.engine.sensor_crank_angle > 0.2:
        vehicle.step(0.001)
    place = vehicle.engine.sensor_crank_angle / (2.0 * math.pi) * 60.0
    times: list[float] = []
    time, before = 0.0, vehicle.engine.sensor_rpm
    for _ in range(round(seconds / 0.001)):
        vehicle.step(0.001)
        after = vehicle.engine.sensor_rpm
        way = 0.5 * (before + after) * 0.001  # of 60 teeth
        passing = range(math.ceil(place), math.ceil(place + way))
        times.extend(time + 0.001 * (tooth - place) / way for tooth in passing)
        place, time, before = place + way, time + 0.001, after
    return times


@pytest.mark.parametrize("cylinder", [1, 2, 3, 4])
def test_the_teeth_name_the_cylinder_that_misfires(cylinder: int) -> None:
    """A quarter of the combustions: roughness as monitors have it, the growth of the segment times at a power stroke.

    It is the growth from the segment before the dead centre to that behind, which is largest for the dead cylinder.
    """
    vehicle = idling(pulsing())
    vehicle.data.write(FAULT, FaultData.MISFIRE, 0.25)
    vehicle.data.fault[FaultData.MISFIRE_CYLINDER] = cylinder
    run(vehicle, 1.0)
    times = teeth(vehicle, 1.5)
    segments = [b - a for a, b in pairwise(times[::30])]
    growth = [b - a for a, b in pairwise(segments)]
    roughness = [statistics.fmean(growth[place::4]) for place in range(4)]
    worst = roughness.index(max(roughness))
    assert firing_order(vehicle.settings.engine)[(worst + 1) % 4] == cylinder
    assert max(roughness) > 2.0 * sorted(roughness)[-2]


def test_an_even_engine_has_no_worst_cylinder() -> None:
    """Without a fault the roughness of each is a tenth of that of a misfire."""
    times = teeth(idling(pulsing()), 1.5)
    segments = [b - a for a, b in pairwise(times[::30])]
    growth = [b - a for a, b in pairwise(segments)]
    assert max(abs(statistics.fmean(growth[place::4])) for place in range(4)) < 5e-5


def test_a_lean_mixture_makes_it_rough() -> None:
    """A fifth less fuel, lambda 1.25: the firing intervals differ by more than twice as much."""
    spreads = []
    for lean in (0.0, 0.2):
        vehicle = idling(pulsing())
        vehicle.data.write(FAULT, FaultData.LEAN_MIXTURE, lean)
        run(vehicle, 2.0)
        segments = [b - a for a, b in pairwise(teeth(vehicle, 4.0)[::30])]
        spreads.append(statistics.pstdev(segments))
    assert spreads[1] > 2.0 * spreads[0]


def test_a_light_engine_idles_on_with_a_dead_cylinder() -> None:
    """The flywheel gives what one combustion lacks, so the speed sways by W/(I·w) and its mean is that of idle.

    W = T·π·4/3, the work of one of three combustions for four of torque T, of friction and throttling; a healthy
    engine's waves come on top. A control that holds the speed knows nothing of it, or it hunts.
    """
    vehicle = Vehicle(replace(load_vehicle("mx5-nd").settings, engine=LIGHT))
    vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    controls[InputData.CLUTCH], controls[InputData.KEY] = 10_000, 1
    run(vehicle, 1.5)
    controls[InputData.KEY] = 0
    run(vehicle, 2.0)
    engine = vehicle.engine
    torque = engine.sensor_friction_torque
    healthy = span(vehicle)
    vehicle.data.write(FAULT, FaultData.MISFIRE, 0.25)
    vehicle.data.write(FAULT, FaultData.MISFIRE_CYLINDER, 2.0)
    run(vehicle, 1.5)
    least, mean, most = span(vehicle)
    w = LIGHT.idle_rpm * RPM_TO_W
    sway = torque * math.pi * 4.0 / 3.0 / (LIGHT.inertia * w) * W_TO_RPM
    assert mean == pytest.approx(LIGHT.idle_rpm, rel=0.03)
    assert sway < most - least < healthy[2] - healthy[0] + sway


def span(vehicle: Vehicle) -> tuple[float, float, float]:
    """Least, mean and highest speed [1/min] of two seconds."""
    speeds = []
    for _ in range(2000):
        vehicle.step(0.001)
        speeds.append(vehicle.engine.sensor_rpm)
    return min(speeds), statistics.mean(speeds), max(speeds)
