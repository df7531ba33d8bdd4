"""When a gearbox that shifts by itself does so, and which settings it refuses. Gears and engine: gear_stand.py."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import (
    RPM_TO_W,
    GearboxSettings,
    GearboxType,
    Powertrain,
    RatioChange,
    ShiftingSettings,
    ShiftLineSettings,
    ShiftStrategy,
)
from vehiclesim.transmission.automatic import CORNERING, AutomaticShifting
from vehiclesim.transmission.shifting import GearboxStates

from ..gear_stand import AROUND, BOX, SHIFTING

STEP = 0.01


class Road:
    """An automatic on the road: gear 1 has 4000 rpm at 10.5 m/s."""

    def __init__(
        self, settings: ShiftingSettings = SHIFTING, gears: GearboxSettings = BOX, around: Powertrain = AROUND
    ) -> None:
        self.states = GearboxStates()
        box = replace(gears, type=GearboxType.AUTOMATIC)
        self.automatic = AutomaticShifting(box, settings, around, self.states)
        self.count = len(gears.ratios)

    def drive(
        self,
        gear: int,
        speed: float,
        *,
        seconds: float = STEP,
        direction: int = 1,
        shortest: int = 1,
        longest: int = 0,
        spin: float | None = None,
        **states: Any,
    ) -> int:
        """The gear that comes out of a while at a constant speed [m/s] (the output shaft's may be another, `spin`)."""
        self.states.speed = speed
        for name, value in states.items():
            setattr(self.states, name, value)
        for _ in range(round(seconds / STEP)):
            self.automatic.observe((speed if spin is None else spin) / AROUND.lead, 0.0, STEP)
            gear = self.automatic.select(gear, direction, shortest, longest or self.count)
        return gear


def metres_per_second(rpm: float, ratio: float) -> float:
    return rpm * RPM_TO_W / ratio * AROUND.lead


@pytest.fixture
def road() -> Road:
    return Road()


# -- up and down --------------------------------------------------------------------------------------------------


def test_it_shifts_up_gear_by_gear_and_down_again(road: Road) -> None:
    """4000 rpm in gears 1 and 2 (4:1, 2:1) are 10.5 and 20.9 m/s, 1500 rpm in gears 3 and 2 are 15.7 and 7.9."""
    gear, gears = 1, []
    for speed in (10.4, 10.6, 20.8, 21.1, 15.8, 15.6, 8.0, 7.8):
        gear = road.drive(gear, speed, seconds=1.5, throttle=0.5)
        gears.append(gear)
    assert gears == [1, 2, 2, 3, 3, 2, 2, 1]


def test_there_is_time_between_two_shifts(road: Road) -> None:
    """1 s, also when the speed calls for more."""
    fast = metres_per_second(5000.0, 2.0)
    assert road.drive(1, fast, throttle=0.5) == 2
    assert road.drive(2, fast, seconds=0.99) == 2
    assert road.drive(2, fast) == 3


def test_it_shifts_down_over_several_gears_at_once(road: Road) -> None:
    """A stop from high speed ends in the gear in which the vehicle pulls away again."""
    assert road.drive(3, metres_per_second(1400.0, 2.0), brake=1.0) == 1


def test_at_rest_the_first_gear_does_not_wait(road: Road) -> None:
    """The interval is for a vehicle that moves."""
    assert road.drive(3, 14.0, brake=1.0) == 2
    assert road.drive(2, 7.0) == 2
    assert road.drive(2, 1.0) == 1


@pytest.mark.parametrize("speed", [-0.5, -5.0, -30.0])
def test_rolling_back_on_a_hill_the_first_gear_is_in(road: Road, speed: float) -> None:
    """However fast: it is the gear to pull away with."""
    assert road.drive(1, speed, throttle=1.0, seconds=3.0) == 1
    assert road.drive(2, speed) == 1


@pytest.mark.parametrize(
    "states",
    [
        {"brake": 0.1},
        {"slipping": True},
        {"lateral_acceleration": CORNERING + 0.01},
        {"lateral_acceleration": -CORNERING - 0.01},
    ],
)
def test_no_upshift_while(road: Road, states: dict[str, Any]) -> None:
    """Braking, spinning the wheels, or cornering at over 0.25 g; afterwards it comes."""
    fast = metres_per_second(4500.0, 4.0)
    assert pytest.approx(0.25 * 9.80665) == CORNERING
    assert road.drive(1, fast, seconds=3.0, throttle=0.5, **states) == 1
    assert road.drive(1, fast, brake=0.0, slipping=False, lateral_acceleration=0.99 * CORNERING) == 2


def test_a_downshift_needs_no_quiet_moment(road: Road) -> None:
    """Braking and cornering, it shifts down all the same."""
    assert road.drive(3, 14.0, brake=1.0, slipping=True, lateral_acceleration=9.0) == 2


def test_a_gear_has_a_minimum_speed() -> None:
    """Not engaged at less, left at less than 0.8 of it, whatever the engine speed is."""
    road = Road(replace(SHIFTING, up_rpm=2000.0, down_rpm=500.0, minimum_speeds=(5.2, 10.4)))
    assert road.drive(1, 5.3, throttle=0.5) == 2
    assert road.drive(2, 10.3, seconds=2.0, engine_rpm=2500.0) == 2
    assert road.drive(2, 10.5) == 3
    assert road.drive(3, 0.81 * 10.4, seconds=3.0) == 3
    assert road.drive(3, 0.79 * 10.4) == 2


@pytest.mark.parametrize(
    ("blended", "change", "costs"),
    [(True, BOX.ratio_change, False), (False, BOX.ratio_change, True), (False, RatioChange.DUAL_CLUTCH, False)],
)
def test_a_shift_that_interrupts_the_drive_costs_speed(blended: bool, change: RatioChange, costs: bool) -> None:
    """Against a load the engine is slower after it; not after one that blends two gears."""
    road = Road(replace(SHIFTING, blended=blended), replace(BOX, type=GearboxType.AUTOMATIC, ratio_change=change))
    road.drive(2, 10.0)
    outlook = road.automatic.outlook
    outlook.load = 1000.0
    assert (outlook.rpm_after_shift(2) < outlook.rpm(2)) is costs


def test_wheels_that_spin_do_not_shift_up(road: Road) -> None:
    """The minimum speed is one over the road: a vehicle that stands does not cycle through its gears."""
    for spin in (5.0, 15.0, 30.0, 3.0, 50.0):
        assert road.drive(1, 0.0, spin=spin, seconds=2.0, throttle=1.0) == 1


def test_a_shorter_gear_never_overspeeds_the_engine(road: Road) -> None:
    """Kick-down or a lower range: only as far down as leaves the engine below 5700 rpm, 14.9 m/s in gear 1."""
    assert road.drive(3, 29.0, longest=1) == 2
    assert road.drive(2, 15.0, longest=1) == 2
    assert road.drive(2, 14.8, longest=1) == 1


def test_kick_down_goes_straight_to_the_shortest_useful_gear(road: Road) -> None:
    """With 4845 rpm in gear 1 at 12.7 m/s."""
    assert road.drive(3, 12.6, throttle=1.0) == 1
    assert Road().drive(3, 16.0, throttle=0.9) == 3
    assert Road().drive(3, 16.0, throttle=1.0) == 2


def test_out_of_neutral_comes_a_gear_that_fits_the_speed(road: Road) -> None:
    """First gear at rest; on the move the shortest one below 0.85 of the shift speed, 3400 rpm."""
    gears = [Road().drive(0, metres_per_second(rpm, 4.0)) for rpm in (0.0, 3300.0, 3500.0, 6700.0, 6900.0)]
    assert gears == [1, 1, 2, 2, 3]
    assert road.drive(0, -5.0, direction=-1) == 1


@pytest.mark.parametrize(("shortest", "gear"), [(1, 1), (2, 2), (3, 3)])
def test_the_shortest_gear_allowed_is_the_gear_at_rest(road: Road, shortest: int, gear: int) -> None:
    """MinGear is obeyed at once, and standing."""
    assert road.drive(1, 0.0, shortest=shortest) == gear
    assert road.drive(gear, 0.0, seconds=3.0, shortest=shortest) == gear


# -- the driver's own steps ---------------------------------------------------------------------------------------


def step(road: Road, gear: int, rpm: float, steps: int) -> int:
    """A shift step at an engine speed in the present gear."""
    road.drive(gear, metres_per_second(rpm, BOX.ratios[gear - 1]))
    return road.automatic.step(gear, 1, steps, 1, 3)


@pytest.mark.parametrize(
    ("gear", "rpm", "steps", "wanted"),
    [
        (2, 2000.0, -1, 1),
        (2, 2000.0, 1, 3),
        (2, 2900.0, -1, 2),
        (2, 1900.0, 1, 2),
        (1, 2000.0, -1, 1),
        (2, 2500.0, 9, 3),
    ],
)
def test_a_step_is_taken_if_the_engine_can(gear: int, rpm: float, steps: int, wanted: int) -> None:
    """Not over the ceiling of 5700 rpm downward, not under idle upward, not beyond the last gear."""
    assert step(Road(), gear, rpm, steps) == wanted


def test_a_step_holds_for_a_while(road: Road) -> None:
    """5 s; then the box shifts by itself again. Below idle it does not wait."""
    fast = metres_per_second(4200.0, 2.0)
    assert step(road, 3, 2100.0, -1) == 2
    assert road.drive(2, fast, seconds=4.98, throttle=0.5) == 2
    assert road.drive(2, fast, seconds=0.03) == 3
    assert step(road, 2, 2000.0, 1) == 3
    assert road.drive(3, 8.0, seconds=1.1) < 3


# -- settings that cannot work ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"down_rpm": 2000.0}, "down_rpm: 2000, but the change to gear 2 at 4000 rpm leaves the engine at 2000 rpm"),
        ({"up_rpm": 9000.0, "down_rpm": 2850.0}, "down_rpm: 2850, but the change to gear 2 at 5700 rpm"),
        ({"minimum_speeds": (10.5,)}, r"minimum_speeds: 10.5 m/s for gear 2, but the one before ends at 10.5 m/s"),
        ({"minimum_speeds": (5.0, 21.0)}, r"minimum_speeds: 21 m/s for gear 3, but the one before ends at 20.9 m/s"),
        (
            {"strategy": ShiftStrategy.MOST_TORQUE, "minimum_speeds": (15.0,)},
            r"gear 2, .* ends at 14.9 m/s \(5700 rpm\)",
        ),
    ],
)
def test_gears_that_would_not_stay_are_refused(settings: dict[str, Any], message: str) -> None:
    """up·i(g+1)/i(g) > down, with up held below the limit; and each gear reaches the minimum speed of the next.

    A truck's first gear would else never be left.
    """
    with pytest.raises(ValueError, match=message):
        Road(replace(SHIFTING, **settings))


def test_a_truck_needs_no_minimum_speeds_of_its_own() -> None:
    """Gear 1 ends at 1.4 m/s here; gear 2 comes before that, and later than 4 m/s in no gear."""
    gears = replace(BOX, ratios=(30.0, 22.0, 16.0, 12.0), reverse_ratios=(-34.0, -26.0))
    road = Road(ShiftingSettings(up_rpm=4000.0, down_rpm=2000.0), gears)
    assert road.drive(1, metres_per_second(4010.0, 30.0), seconds=0.5) == 2
    with pytest.raises(ValueError, match=r"minimum_speeds: 4\.5 m/s for gear 2"):
        Road(ShiftingSettings(up_rpm=4000.0, down_rpm=2000.0, minimum_speeds=(4.5,)), gears)


def test_reverse_gears_are_held_to_the_same() -> None:
    """The message says which."""
    with pytest.raises(ValueError, match="the change to reverse gear 2 at 4000 rpm leaves the engine at 1400 rpm"):
        Road(gears=replace(BOX, reverse_ratios=(-4.0, -1.4)))


MAP = ShiftLineSettings(pedal=(0.2, 0.8), up=(6.0, 12.0), down=(3.0, 8.0))


@pytest.mark.parametrize(
    ("throttle", "up", "down"), [(0.0, 6.0, 3.0), (0.2, 6.0, 3.0), (0.5, 9.0, 5.5), (0.8, 12.0, 8.0), (0.9, 12.0, 8.0)]
)
def test_a_shift_map_has_lines_over_the_pedal(throttle: float, up: float, down: float) -> None:
    """Between its points straight, outside held; no minimum speed beside them. Gear 2 to 3 keeps its bands."""
    settings = replace(SHIFTING, minimum_speeds=(10.0,), shift_map=(MAP,))
    assert Road(settings).drive(1, up - 0.01, throttle=throttle) == 1
    assert Road(settings).drive(1, up + 0.01, throttle=throttle) == 2
    assert Road(settings).drive(2, down + 0.01, throttle=throttle) == 2
    assert Road(settings).drive(2, down - 0.01, throttle=throttle) == 1
    assert Road(settings).drive(2, metres_per_second(4010.0, 2.0), throttle=throttle) == 3


def test_kick_down_is_beyond_the_map() -> None:
    """From its pedal position on, each gear is used up to the ceiling, and the shortest useful one comes."""
    settings = replace(SHIFTING, shift_map=(MAP,))
    assert Road(settings).drive(2, 12.6, throttle=1.0) == 1
    assert Road(settings).drive(1, metres_per_second(5690.0, 4.0), throttle=1.0) == 1


def test_a_map_that_would_hunt_is_held_apart() -> None:
    """Down at 11 m/s in gear 2 and up at 12 would do; up is held at the ceiling, 14.9 m/s, and down below it."""
    wide = replace(MAP, up=(50.0, 50.0), down=(40.0, 40.0))
    settings = replace(SHIFTING, shift_map=(wide,))
    assert Road(settings).drive(1, 15.0, throttle=0.5) == 2
    assert Road(settings).drive(2, 14.9, throttle=0.5, seconds=2.0) == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pedal": ()}, "pedal: at least one"),
        ({"pedal": (0.8, 0.2)}, "pedal: 0.2 after 0.8"),
        ({"up": (6.0,)}, "up: 1 values for 2 of pedal"),
        ({"down": (3.0, 12.0)}, "down: 12.0 m/s is not below the 12.0 m/s"),
    ],
)
def test_lines_that_cannot_work_are_refused(changes: dict[str, Any], message: str) -> None:
    """The message starts with the parameter."""
    with pytest.raises(ValueError, match=message):
        replace(MAP, **changes)


def test_a_map_for_gears_that_are_not_there_is_refused() -> None:
    """Three gears have two changes; and most torque reads no map."""
    with pytest.raises(ValueError, match="shift_map: 3 changes of gear, but there are 3 gears"):
        Road(replace(SHIFTING, shift_map=(MAP, MAP, MAP)))
    with pytest.raises(ValueError, match="shift_map: it belongs to the strategy rpm-bands"):
        replace(SHIFTING, shift_map=(MAP,), strategy=ShiftStrategy.MOST_TORQUE)


@given(
    up=st.floats(2000.0, 6000.0),
    down=st.floats(800.0, 3000.0),
    ratios=st.lists(st.floats(0.5, 12.0), min_size=2, max_size=8, unique=True),
    rpm=st.floats(500.0, 6000.0),
)
def test_no_accepted_box_shifts_back_at_the_same_speed(up: float, down: float, ratios: list[float], rpm: float) -> None:
    """After an upshift, the vehicle still as fast, the box stays where it is."""
    gears = replace(BOX, ratios=tuple(sorted(ratios, reverse=True)), reverse_ratios=())
    try:
        road = Road(ShiftingSettings(up_rpm=up, down_rpm=down, minimum_speeds=(0.0,)), gears)
    except ValueError:
        return
    speed = metres_per_second(rpm, gears.ratios[0])
    after = road.drive(1, speed, throttle=0.5)
    assert road.drive(after, speed, seconds=1.5) >= after
