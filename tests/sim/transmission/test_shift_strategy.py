"""What a gear would do, and how the two strategies judge it. Engine and vehicle are those of gear_stand.py."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vehiclesim import RPM_TO_W, GearboxSettings, Powertrain, ShiftingSettings
from vehiclesim.transmission.shift_strategy import CEILING, MostTorque, Outlook, RpmBands
from vehiclesim.transmission.shifting import GearboxStates

from ..gear_stand import AROUND, LOSSY, SHIFTING

CLOSE = replace(LOSSY, ratios=(4.0, 3.0, 2.0), reverse_ratios=(-4.0, -3.0))


def outlook(
    rpm: float,
    throttle: float = 0.5,
    *,
    gears: GearboxSettings = CLOSE,
    around: Powertrain = AROUND,
    load: float = 0.0,
    direction: int = 1,
    gap: float = 0.0,
) -> Outlook:
    """The output shaft turns with `rpm` [1/min] and has to overcome a load [N m]; a shift takes `gap` [s]."""
    states = GearboxStates()
    view = Outlook(gears, around, states, gap)
    view.direction = direction
    states.throttle = throttle
    for _ in range(1000):
        view.observe(rpm * RPM_TO_W, load, 0.01)
    return view


# -- the outlook --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("direction", "rpm", "speeds"), [(1, 500.0, (2000.0, 1500.0)), (-1, 500.0, (-2000.0, -1500.0))]
)
def test_speed_of_a_gear(direction: int, rpm: float, speeds: tuple[float, float]) -> None:
    """N times the speed of the output, positive when it turns in the direction of the gear."""
    view = outlook(rpm, direction=direction)
    assert (view.rpm(1), view.rpm(2)) == pytest.approx(speeds, rel=1e-12)


@pytest.mark.parametrize(("throttle", "torque"), [(1.0, 0.8 * 200.0), (0.0, -50.0 / 0.8), (0.2, 0.0)])
def test_torque_of_a_gear(throttle: float, torque: float) -> None:
    """N·η·T of the engine at the actual pedal, N·T/η on overrun."""
    view = outlook(500.0, throttle)
    assert view.torque(1, 2000.0) == pytest.approx(4.0 * torque, abs=1e-9)
    assert view.torque(3, 1000.0) == pytest.approx(2.0 * torque, abs=1e-9)


def test_no_gear_turns_the_engine_slower_than_idle() -> None:
    """Below it, the torque is that of idle."""
    view = outlook(0.0, around=AROUND._replace(drive_torque=lambda rpm, throttle: rpm))
    assert view.torque(1, 300.0) == pytest.approx(4.0 * 0.8 * 1000.0)
    assert view.torque(1, -300.0) == view.torque(1, 300.0)


@given(load=st.floats(-1000.0, 1000.0), drive=st.floats(-1000.0, 1000.0))
def test_the_load_is_what_the_torque_does_not_accelerate(load: float, drive: float) -> None:
    """A vehicle of 1000 kg that rolls 0.1 m/rad under a load: found from its torque and speed alone, in some 2 s."""
    states = GearboxStates()
    view = Outlook(LOSSY, AROUND, states)
    for _ in range(300):
        states.speed += (drive - load) / (1000.0 * 0.1) * 0.01
        view.observe(states.speed / 0.1, drive, 0.01)
    assert view.load == pytest.approx(load, abs=0.1)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_shift_through_neutral_costs_speed(direction: int) -> None:
    """100 Nm on 10 kg m² take 10 rad/s² from the output, 5 rad/s in half a second, N times that from the input."""
    lost = 4.0 * 5.0 / RPM_TO_W
    view = outlook(direction * 500.0, load=direction * 100.0, direction=direction, gap=0.5)
    assert view.rpm_after_shift(1) == pytest.approx(2000.0 - lost, rel=1e-9)
    room = 0.9 * 5700.0 - 2.0 * lost
    assert view.has_room(1, room - 0.1, 0.9)
    assert not view.has_room(1, room + 0.1, 0.9)
    assert outlook(500.0, load=-100.0, gap=0.5).rpm_after_shift(1) == pytest.approx(2000.0)
    assert outlook(500.0, load=100.0).rpm_after_shift(1) == pytest.approx(2000.0)


# -- rpm bands ----------------------------------------------------------------------------------------------------


def bands(view: Outlook, settings: ShiftingSettings = SHIFTING) -> RpmBands:
    return RpmBands(settings, view, AROUND.lead)


@pytest.mark.parametrize(("rpm", "up", "down"), [(3999.0, False, False), (4001.0, True, False), (1499.0, False, True)])
def test_bands_shift_at_their_ends(rpm: float, up: bool, down: bool) -> None:
    """From 4000 on to the next gear, below 1500 to the one before."""
    strategy = bands(outlook(rpm / 3.0))
    assert (strategy.wants_up(2), strategy.wants_down(2)) == (up, down)


def test_a_slipping_converter_does_not_keep_the_gear() -> None:
    """The engine at its shift speed counts as well, as long as the next gear would not be left at once."""
    for rpm, up in ((3500.0, True), (2300.0, True), (2200.0, False)):
        view = outlook(rpm / 3.0)
        view.states.engine_rpm = 4100.0
        assert bands(view).wants_up(2) is up


@pytest.mark.parametrize(("limit", "end"), [(6000.0, 4000.0), (4000.0, CEILING * 4000.0), (3000.0, CEILING * 3000.0)])
def test_the_shift_speed_stays_below_the_limiter(limit: float, end: float) -> None:
    """At most 0.95 of the engine's limit."""
    for rpm, up in ((end - 1.0, False), (end + 1.0, True)):
        assert bands(outlook(rpm / 3.0, around=AROUND._replace(limit_rpm=limit))).wants_up(2) is up


def test_a_pedal_on_the_floor_uses_every_gear_to_the_ceiling() -> None:
    """0.95 of 6000 instead of 4000."""
    for rpm, up in ((4500.0, False), (5701.0, True)):
        assert bands(outlook(rpm / 3.0, 1.0)).wants_up(2) is up


def test_a_pedal_on_the_floor_calls_a_shorter_gear() -> None:
    """If that one turns the engine with less than 0.85 of the ceiling, 4845 here; the pedal at 0.94 does not."""
    for output, throttle, down in ((1200.0, 1.0, True), (1220.0, 1.0, False), (1200.0, 0.94, False)):
        assert bands(outlook(output, throttle)).wants_down(2) is down


@pytest.mark.parametrize(
    ("throttle", "load", "up"), [(0.5, 100.0, True), (0.5, 119.0, True), (0.5, 121.0, False), (0.5, 181.0, False)]
)
def test_a_gear_that_could_not_carry_the_load_is_not_taken(throttle: float, load: float, up: bool) -> None:
    """75 Nm of the engine are 180 Nm in gear 2 (N·η = 3.0·0.8) and 120 in gear 3.

    Over 180 gear 2 slows down too, and leaves its shift speed by itself.
    """
    assert bands(outlook(4100.0 / 3.0, throttle, load=load)).wants_up(2) is up


def test_the_speed_that_a_shift_costs_counts() -> None:
    """At 4100 rpm gear 3 would give 2733 rpm; half a second under 80 Nm takes 76 of them."""
    for down_rpm, up in ((2640.0, True), (2670.0, False)):
        view = outlook(4100.0 / 3.0, load=80.0, gap=0.5)
        settings = ShiftingSettings(up_rpm=4080.0, down_rpm=down_rpm, light_up_rpm=4080.0, light_down_rpm=down_rpm)
        assert bands(view, settings).wants_up(2) is up


def test_the_same_backward() -> None:
    """Load and torque point the other way then."""
    for load, up in ((-170.0, True), (-181.0, False)):
        assert bands(outlook(-4100.0 / 4.0, load=load, direction=-1)).wants_up(1) is up


def test_a_moving_vehicle_enters_a_gear_that_leaves_room() -> None:
    """Below 0.85 of the shift speed."""
    strategy = bands(outlook(3350.0 / 3.0))
    assert (strategy.enters(1), strategy.enters(2)) == (False, True)


# -- most torque --------------------------------------------------------------------------------------------------

Curve = Callable[[float, float], float]


def falling(rpm: float, throttle: float) -> float:
    """400 Nm at standstill, none at 4000 rpm: the most torque at the wheels is at 2000 rpm."""
    return throttle * (400.0 - 0.1 * rpm)


def most_torque(rpm: float, throttle: float, torque: Curve, hysteresis: float = 0.05) -> MostTorque:
    """In gear 2 of ratio 3.0, between 4.0 and 2.0; the engine has its limit at 6000."""
    view = outlook(rpm / 3.0, throttle, around=AROUND._replace(drive_torque=torque))
    return MostTorque(replace(SHIFTING, hysteresis=hysteresis), view)


@pytest.mark.parametrize(
    ("rpm", "up", "down"),
    [(1500.0, False, True), (1600.0, False, False), (2500.0, False, False), (2560.0, True, False)],
)
def test_the_gear_with_the_most_torque_is_wanted(rpm: float, up: bool, down: bool) -> None:
    """At n in gear 2, the gears give 1600 - 0.533·n, 1200 - 0.3·n and 800 - 0.133·n.

    Gear 1 gives 5 % more than gear 2 up to 1557 rpm, gear 3 from 2532 on.
    """
    strategy = most_torque(rpm, 1.0, falling)
    assert (strategy.wants_up(2), strategy.wants_down(2)) == (up, down)


@given(
    rpm=st.floats(1700.0, 5000.0),
    throttle=st.floats(0.05, 1.0),
    friction=st.floats(0.0, 60.0),
    hysteresis=st.floats(0.05, 0.10),
)
def test_no_gear_is_left_for_one_that_would_be_left_again(
    rpm: float, throttle: float, friction: float, hysteresis: float
) -> None:
    """At one pedal and one road speed the next gear is not wanted, and from there the first one back; nor down and up.

    Where the engine lugs, or is at its ceiling, speed decides instead.
    """

    def torque(speed: float, pedal: float) -> float:
        return pedal * (200.0 - (speed - 3000.0) ** 2 * 1.5e-5 + friction) - friction * speed / 3000.0

    strategy = most_torque(rpm, throttle, torque, hysteresis)
    assert not (strategy.wants_up(1) and strategy.wants_down(2))
    if strategy.outlook.rpm(2) < strategy.outlook.ceiling:
        assert not (strategy.wants_up(2) and strategy.wants_down(3))


def test_cruising_uses_a_long_gear() -> None:
    """With the pedal hardly down friction counts: 1000 rpm less of it are worth more than the ratio."""

    def torque(rpm: float, throttle: float) -> float:
        return 250.0 * throttle - 50.0 * rpm / 3000.0

    assert most_torque(3000.0, 0.21, torque).wants_up(2)
    assert not most_torque(3000.0, 1.0, torque).wants_up(2)


def test_a_released_pedal_keeps_the_gear() -> None:
    """For its engine brake, whatever the torques are."""
    strategy = most_torque(3000.0, 0.0, lambda rpm, throttle: -0.02 * rpm)
    assert not strategy.wants_up(2)
    assert not strategy.wants_down(2)


@pytest.mark.parametrize(("rpm", "up"), [(5650.0, False), (5750.0, True)])
def test_a_gear_ends_at_the_ceiling(rpm: float, up: bool) -> None:
    """0.95 of 6000 rpm, though flat torque makes the shorter gear always the better one."""
    assert most_torque(rpm, 1.0, lambda rpm, throttle: 200.0 * throttle).wants_up(2) is up


def test_the_engine_is_not_made_to_lug() -> None:
    """Down below 1.2 times idle, and up only if the next gear leaves 1.4 times."""
    for rpm, down in ((1190.0, True), (1210.0, False)):
        assert most_torque(rpm, 0.0, lambda rpm, throttle: 0.0).wants_down(2) is down
    for rpm, up in ((2090.0, False), (2110.0, True)):
        assert most_torque(rpm, 0.5, lambda rpm, throttle: -rpm * rpm).wants_up(2) is up


def test_no_downshift_close_to_the_ceiling() -> None:
    """Gear 1 must leave the engine below 0.95 of 5700 rpm: 5415."""
    for rpm, down in ((5400.0, True), (5430.0, False)):
        assert most_torque(rpm * 0.75, 1.0, lambda rpm, throttle: 200.0 * throttle).wants_down(2) is down
