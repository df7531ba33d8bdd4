"""What the levers of sequential and automatic gearboxes ask for. Gears, engine: those of gear_stand.py."""

from dataclasses import replace

import pytest

from vehiclesim import GearboxType, GearMode, ShiftingSettings
from vehiclesim.transmission.shifters import PARKING_SPEED, REVERSAL_SPEED, HandShifter, ModeShifter, make_shifter
from vehiclesim.transmission.shifting import AutoShiftOverride, GearboxStates, GearRange

from ..gear_stand import AROUND, BOX, SHIFTING

M, P, R, N, D = GearMode.MANUAL, GearMode.PARK, GearMode.REVERSE, GearMode.NEUTRAL, GearMode.DRIVE
D1, D2 = GearMode.DRIVE_1, GearMode.DRIVE_1 + 1


class Seat:
    """The driver of a vehicle with an automatic (or other) gearbox."""

    def __init__(
        self, kind: GearboxType = GearboxType.AUTOMATIC, settings: ShiftingSettings = SHIFTING, reverse_gears: int = 2
    ) -> None:
        self.states = GearboxStates()
        self.gears = GearRange(3, reverse_gears)
        box = replace(BOX, type=kind, reverse_ratios=BOX.reverse_ratios[:reverse_gears])
        self.shifter = make_shifter(self.gears, box, settings, AROUND, self.states)
        self.gear = 0
        self.lever = 0

    def move(self, mode: int, *, speed: float = 0.0, steps: int = 0, seconds: float = 0.01) -> int:
        """The gear after some time with the mode lever in a position; the shift steps come at the beginning."""
        self.states.speed = speed
        for _ in range(round(seconds / 0.01)):
            self.shifter.observe(speed / AROUND.lead, 0.0, 0.01)
            self.gear = self.shifter.select(self.gear, self.lever, mode, steps)
            steps = 0
        return self.gear


# -- the type of gearbox ------------------------------------------------------------------------------------------


def test_each_type_has_its_shifter() -> None:
    """The driver, with lever or steps; the mode lever."""
    kinds = {GearboxType.MANUAL: HandShifter, GearboxType.SEQUENTIAL: HandShifter, GearboxType.AUTOMATIC: ModeShifter}
    assert {kind: type(Seat(kind).shifter) for kind in GearboxType} == kinds


# -- modes --------------------------------------------------------------------------------------------------------


def test_the_modes_at_rest() -> None:
    """M 0: the gear stays. P 1 and N 3: neutral. R 2: first reverse. D 4, D1 5 .. D5 9: first."""
    seat = Seat()
    gears = {mode: seat.move(mode) for mode in (P, R, N, D, D1, GearMode.DRIVE_5, M)}
    assert gears == {P: 0, R: -1, N: 0, D: 1, D1: 1, GearMode.DRIVE_5: 1, M: 1}
    assert seat.shifter.mode == M


@pytest.mark.parametrize(("mode", "longest"), [(D, 3), (D1, 1), (D2, 2), (D2 + 1, 3), (GearMode.DRIVE_5, 3)])
def test_a_range_limits_the_gears(mode: int, longest: int) -> None:
    """D3 uses gears 1, 2 and 3 of however many there are."""
    seat = Seat()
    seat.states.throttle = 0.5
    seat.move(mode)
    assert seat.move(mode, speed=30.0, seconds=5.0) == longest


def test_a_lower_range_shifts_down_when_the_engine_allows() -> None:
    """From D to D1 at 30 m/s: second until 14.9 m/s."""
    seat = Seat()
    seat.states.throttle = 0.5
    seat.move(D)
    assert seat.move(D, speed=30.0, seconds=5.0) == 3
    assert seat.move(D1, speed=29.0) == 2
    assert seat.move(D1, speed=15.0, seconds=3.0) == 2
    assert seat.move(D1, speed=14.8) == 1


def test_reverse_has_gears_of_its_own() -> None:
    """It shifts through them like D, at the same engine speeds: 4000 rpm in the first are 10.5 m/s."""
    seat = Seat()
    seat.states.throttle = 0.5
    seat.move(R)
    assert seat.move(R, speed=-10.4, seconds=2.0) == -1
    assert seat.move(R, speed=-10.6) == -2
    assert seat.move(R, speed=-7.0, seconds=2.0) == -1


@pytest.mark.parametrize(("mode", "direction"), [(D, 1), (R, -1)])
def test_steps_shift_in_d_and_r(mode: int, direction: int) -> None:
    """+1 is the next longer gear, backward too."""
    seat = Seat()
    seat.move(mode)
    speed = direction * 8.0
    assert seat.move(mode, speed=speed, steps=1) == direction * 2
    assert seat.move(mode, speed=speed, steps=-1) == direction


def test_in_m_the_driver_shifts() -> None:
    """By steps and lever, and nothing happens at any speed; movements of the lever in D are forgotten."""
    seat = Seat()
    seat.move(D)
    seat.lever = 3
    assert seat.move(D) == 1
    assert seat.move(M, speed=40.0, seconds=3.0) == 1
    assert seat.move(M, steps=1) == 2
    seat.lever = -1
    assert seat.move(M) == -1


@pytest.mark.parametrize("mode", [P, N])
def test_steps_in_p_and_n_are_for_nothing(mode: int) -> None:
    """And not kept for later."""
    seat = Seat()
    seat.move(mode, steps=2)
    assert seat.move(D) == 1


# -- refusals -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "speed", "actual"),
    [
        (R, REVERSAL_SPEED + 0.1, N),
        (R, REVERSAL_SPEED - 0.1, R),
        (R, -20.0, R),
        (D, -REVERSAL_SPEED - 0.1, N),
        (D, -REVERSAL_SPEED + 0.1, D),
        (D2, -5.0, N),
        (D, 20.0, D),
        (P, PARKING_SPEED + 0.1, N),
        (P, -PARKING_SPEED - 0.1, N),
        (P, PARKING_SPEED - 0.1, P),
        (N, 20.0, N),
        (M, 20.0, M),
    ],
)
def test_a_mode_against_the_motion_is_refused(mode: int, speed: float, actual: int) -> None:
    """R and D while rolling the other way, P while rolling at all: N instead, and it comes when the speed is low."""
    seat = Seat()
    seat.move(N, speed=speed)
    seat.move(mode, speed=speed, seconds=1.0)
    assert seat.shifter.mode == actual
    seat.move(mode)
    assert seat.shifter.mode == mode


def test_leaving_d_for_r_on_the_move_lets_go_of_the_gear() -> None:
    """N until the vehicle is slow."""
    seat = Seat()
    seat.move(D, speed=8.0)
    assert (seat.move(R, speed=8.0), seat.shifter.mode) == (0, N)
    assert (seat.move(R, speed=0.5), seat.shifter.mode) == (-1, R)


def test_rolling_back_does_not_put_d_out() -> None:
    """It was in before; a hill is no reason to lose the drive."""
    seat = Seat()
    seat.move(D)
    assert (seat.move(D, speed=-5.0, seconds=2.0), seat.shifter.mode) == (1, D)


def test_without_reverse_gears_there_is_no_r() -> None:
    """A motorcycle's automatic stays in N."""
    seat = Seat(reverse_gears=0)
    assert (seat.move(R), seat.shifter.mode) == (0, N)


def test_strict_park_is_left_with_the_brake_only() -> None:
    """Any mode; once out, the brake may go."""
    seat = Seat(settings=replace(SHIFTING, strict_park=True))
    seat.move(P)
    for mode in (R, N, D, M):
        seat.move(mode)
        assert seat.shifter.mode == P
    seat.states.brake = 0.5
    assert seat.move(D) == 1
    seat.states.brake = 0.0
    assert (seat.move(D), seat.shifter.mode) == (1, D)
    seat.move(P)
    assert seat.shifter.mode == P


# -- at rest ------------------------------------------------------------------------------------------------------


def waiting(brake: float) -> Seat:
    """In D at rest, in a car with neutral at standstill."""
    seat = Seat(settings=replace(SHIFTING, neutral_at_standstill=True))
    seat.states.brake = brake
    seat.move(D)
    return seat


@pytest.mark.parametrize(("brake", "gear"), [(0.0, 1), (0.05, 1), (0.2, 0), (1.0, 0)])
def test_neutral_at_standstill_is_for_a_car_on_its_brake(brake: float, gear: int) -> None:
    """Without the brake the gear stays in, to creep on the flat and to hold on a hill."""
    assert waiting(brake).gear == gear


def test_neutral_at_standstill_ends_with_brake_or_pedal() -> None:
    """A brake let go, or a touch of the pedal, brings the gear; a brake that only gives a little does not."""
    for brake, throttle, gear in ((0.05, 0.0, 0), (0.01, 0.0, 1), (0.2, 0.1, 1)):
        seat = waiting(0.2)
        seat.states.brake, seat.states.throttle = brake, throttle
        assert seat.move(D) == gear


def test_neutral_at_standstill_does_not_cycle_under_a_brake_too_weak_for_the_hill() -> None:
    """Rolling at 0.5 m/s brings the gear, for as long as the brake is not pressed by 0.1 more, or let go."""
    seat = waiting(0.25)
    assert seat.move(D, speed=-0.4) == 0
    assert seat.move(D, speed=-0.5) == 1
    assert seat.move(D, speed=0.0, seconds=1.0) == 1
    seat.states.brake = 0.35
    assert seat.move(D) == 0
    assert seat.move(D, speed=-0.5) == 1
    seat.states.brake = 0.0
    seat.move(D)
    seat.states.brake = 0.2
    assert seat.move(D) == 0


# -- overrides ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("minimum", "maximum", "slow", "fast"), [(2, 0, 2, 3), (0, 2, 1, 2), (2, 2, 2, 2), (3, 1, 1, 1)]
)
def test_overrides_of_the_gears_hold_in_d(minimum: int, maximum: int, slow: int, fast: int) -> None:
    """MinGear at rest, MaxGear at speed."""
    seat = Seat()
    seat.states.throttle = 0.5
    seat.gears.override(minimum, maximum)
    assert seat.move(D) == slow
    assert seat.move(D, speed=35.0, seconds=5.0) == fast


def test_the_longest_gear_of_a_range_and_an_override_is_the_shorter_of_both() -> None:
    """D2 with MaxGear 1, and D2 with MinGear 3, which it contradicts."""
    for minimum, maximum, gear in ((0, 1, 1), (3, 0, 2)):
        seat = Seat()
        seat.states.throttle = 0.5
        seat.gears.override(minimum, maximum)
        seat.move(D2)
        assert seat.move(D2, speed=14.0, seconds=3.0) == gear


def test_shifting_by_hand_can_be_forced() -> None:
    """D then engages a gear and keeps it until a step comes; the ranges and MaxGear still hold."""
    seat = Seat()
    seat.states.throttle = 0.5
    seat.shifter.auto_shift = AutoShiftOverride.BY_HAND
    seat.move(D)
    assert seat.move(D, speed=14.0, seconds=20.0) == 1
    assert seat.move(D, speed=14.0, steps=1) == 2
    assert seat.move(D, speed=3.0, seconds=20.0) == 2
    assert seat.move(D1, speed=3.0) == 1


@pytest.mark.parametrize("kind", GearboxType)
def test_shifting_by_itself_can_be_forced(kind: GearboxType) -> None:
    """In the direction of the driver's gear, which the lever or a step out of neutral gives; never out of neutral."""
    seat = Seat(kind)
    seat.states.throttle = 0.5
    seat.shifter.auto_shift = AutoShiftOverride.FORCED
    assert seat.move(M, seconds=1.0) == 0
    assert seat.move(M, steps=1) == 1
    assert seat.move(M, speed=30.0, seconds=5.0) == 3
    assert seat.move(M, speed=0.0, seconds=2.0) == 1
    seat.lever = -1
    assert seat.move(M) == -1
    assert seat.move(M, speed=-11.0, seconds=2.0) == -2
    seat.lever = 0
    assert seat.move(M, speed=-11.0) == 0


def test_a_manual_box_keeps_the_drivers_gear() -> None:
    """At any speed, unless it is forced to shift by itself."""
    seat = Seat(GearboxType.MANUAL)
    seat.lever = 1
    assert seat.move(M, speed=50.0, seconds=3.0) == 1


def test_the_shift_speeds_of_a_manual_box_are_made_to_fit() -> None:
    """2500 rpm cannot be left alone after an upshift to 2000; an automatic would be refused with these gears."""
    unfit = replace(SHIFTING, down_rpm=2500.0, minimum_speeds=(20.0,))
    with pytest.raises(ValueError, match="down_rpm"):
        Seat(settings=unfit)
    seat = Seat(GearboxType.MANUAL, unfit)
    seat.states.throttle = 0.5
    seat.shifter.auto_shift = AutoShiftOverride.FORCED
    seat.lever = 1
    assert seat.move(M, speed=10.6, seconds=5.0) == 2


# -- saving -------------------------------------------------------------------------------------------------------


def test_a_restored_shifter_goes_on_exactly() -> None:
    """Mode, lever, waiting times and load: both decide alike from then on."""
    one = Seat()
    one.states.throttle = 0.5
    one.move(D)
    one.move(D, speed=10.6, seconds=0.3)
    other = Seat()
    other.states.throttle = 0.5
    other.shifter.set_state_vars(one.shifter.get_state_vars())
    other.gear = one.gear
    gears = [[seat.move(D, speed=21.0) for _ in range(100)] for seat in (one, other)]
    assert gears[0] == gears[1]
    assert set(gears[0]) == {2, 3}
    assert one.shifter.get_state_vars() == other.shifter.get_state_vars()
