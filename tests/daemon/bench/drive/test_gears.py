"""Which gear the driver chooses."""

from itertools import pairwise

import pytest

from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.gears import GearChoice
from hilbridge.bench.drive.trace import Trace

from .cars import MANUAL, TRUCK

CAR = InverseVehicle(MANUAL)


def steady(speed: float) -> Trace:
    return Trace("steady", (0.0, 100.0), (speed, speed))


def settled(choice: GearChoice, speed: float) -> int:
    """The gear after twenty seconds at a speed."""
    for tick in range(200):
        choice.choose(0.1 * tick, speed)
    return choice.choose(20.0, speed)


@pytest.mark.parametrize(("speed", "gear"), [(3.0, 1), (6.0, 2), (9.0, 3), (12.5, 4), (16.5, 5), (40.0, 5)])
def test_cruising_takes_the_longest_gear_in_which_the_engine_pulls_well(speed: float, gear: int) -> None:
    """That is above idle plus an eighth of the way to rated speed, 1481 rpm."""
    assert settled(GearChoice(steady(speed), CAR), speed) == gear
    assert gear == 1 or CAR.engine_rpm(speed, gear) >= 1480.0
    assert gear == 5 or CAR.engine_rpm(speed, gear + 1) < 1482.0


def test_more_acceleration_takes_a_shorter_gear() -> None:
    """At 15 m/s fourth gear cruises; 1.2 m/s² need more torque than it has, and third gear has it."""
    hard = Trace("hard", (0.0, 50.0), (15.0, 75.0))
    choice = GearChoice(hard, CAR)
    force = CAR.force(1.2, 15.0)
    gear = choice.choose(0.0, 15.0)
    assert gear < settled(GearChoice(steady(15.0), CAR), 15.0)
    assert CAR.engine_torque(force, 1.2, gear) <= CAR.torque(CAR.engine_rpm(15.0, gear), 1.0)


def test_before_starting_off_first_gear_goes_in_and_at_rest_neutral() -> None:
    trace = Trace("start", (0.0, 10.0, 20.0), (0.0, 0.0, 5.0))
    choice = GearChoice(trace, CAR)
    assert [choice.choose(t, 0.0) for t in (0.0, 5.0, 8.5, 10.0)] == [0, 0, 1, 1]


def test_a_gear_is_kept_for_a_while_before_a_longer_one() -> None:
    """Three seconds at least."""
    trace = Trace("pull", (0.0, 60.0), (0.5, 30.5))
    choice = GearChoice(trace, CAR)
    gears = [choice.choose(0.1 * tick, trace.speed(0.1 * tick)) for tick in range(600)]
    changes = [tick for tick in range(1, 600) if gears[tick] != gears[tick - 1]]
    assert gears[0] == 1
    assert gears[-1] == 5
    assert gears == sorted(gears)
    assert min(b - a for a, b in pairwise(changes)) >= 30


def test_braking_keeps_the_gear() -> None:
    trace = Trace("brake", (0.0, 10.0, 20.0), (20.0, 20.0, 0.1))
    choice = GearChoice(trace, CAR)
    cruising = [choice.choose(0.1 * tick, trace.speed(0.1 * tick)) for tick in range(100)][-1]
    braking = {choice.choose(0.1 * tick, trace.speed(0.1 * tick)) for tick in range(100, 199)}
    assert braking == {cruising}


def test_a_truck_that_falls_behind_takes_the_gear_that_pulls_hardest() -> None:
    """And no gear in which its engine turns too fast."""
    truck = InverseVehicle(TRUCK)
    choice = GearChoice(Trace("uphill", (0.0, 10.0, 100.0), (0.0, 20.0, 20.0)), truck)
    gear = [choice.choose(0.1 * tick, 5.0) for tick in range(101)][-1]
    pulls = {
        g: truck.torque(max(truck.engine_rpm(5.0, g), truck.idle_rpm), 1.0) * truck.ratio(g)
        for g in range(1, 13)
        if truck.engine_rpm(5.0, g) <= truck.highest_rpm
    }
    assert pulls[gear] >= max(pulls.values()) / 1.1


def test_the_gears_of_the_trace_are_followed_as_far_as_they_exist() -> None:
    """Sixth of five gears is fifth; first gear at 40 m/s would burst the engine."""
    trace = Trace("columns", (0.0, 1.0, 2.0, 3.0), (10.0,) * 4, (0, 3, 6, 1))
    choice = GearChoice(trace, CAR)
    assert [choice.choose(t, 10.0) for t in (0.5, 1.5, 2.5, 3.5)] == [0, 3, 5, 1]
    gear = choice.choose(3.5, 40.0)
    assert CAR.engine_rpm(40.0, gear) <= CAR.highest_rpm < CAR.engine_rpm(40.0, gear - 1)
