"""What commands hold: on the way to a value, by the left foot, and let go when nobody says it again."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.inputs.arbiter import Arbiter
from hilbridge.bench.inputs.commanded import CommandedControls
from hilbridge.bench.inputs.controls import find_control
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.channels import INPUT, InputData
from vehiclesim.databus import DataBus

from .test_overrides import Board


class Bench:
    """The controls that commands hold, above a board that holds the throttle at 0.3; a tick each millisecond."""

    def __init__(self, vehicle: str = "mx5-nd") -> None:
        throttle = find_control("Throttle")
        assert throttle is not None
        self.t = 0
        self.bus = DataBus()
        self.vehicle = load_vehicle(vehicle).settings
        self.holds = CommandedControls(self.bus, self.vehicle)
        self.board = Board("board", [throttle], timeout=None)
        self.board.say(throttle.to_bus(0.3), 0)
        self.arbiter = Arbiter(self.bus, [self.holds, self.board], self)
        self.arbiter.rest()
        self.after(1)

    def info(self, t: int, event: str, **fields: object) -> None:
        """Nobody reads the log."""

    def warning(self, t: int, event: str, **fields: object) -> None:
        """Nobody reads the log."""

    def after(self, ticks: int, entry: int = InputData.THROTTLE) -> float:
        """The position of a control so many ticks later."""
        for _ in range(ticks):
            self.arbiter.sample(self.t)
            self.t += MILLISECOND
        return self.bus.channels[INPUT][entry] / 10_000

    def holder(self, control: str) -> str:
        return next(row.source for row in self.arbiter.control_states() if row.control == control)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_pedal_goes_down_at_its_rate_and_springs_back(bench: Bench) -> None:
    """From 0, by 1.6/s: 0.4 after 0.25 s; then back by 2.5/s: 0.4 lasts 0.16 s. A step each 10 ms."""
    bench.holds.set("input.Brake", 1.0, rate=1.6)
    assert [bench.after(ticks, InputData.BRAKE) for ticks in (1, 100, 150)] == [0.0, 0.16, 0.4]
    bench.holds.set("input.Brake", 0.0, rate=2.5)
    assert [bench.after(ticks, InputData.BRAKE) for ticks in (1, 80, 80, 100)] == [0.4, 0.2, 0.0, 0.0]
    bench.holds.set("input.Brake", 1.0, rate=1.6)
    assert [bench.after(ticks, InputData.BRAKE) for ticks in (631, 369)] == [1.0, 1.0]


def test_the_wheel_turns_to_both_sides(bench: Bench) -> None:
    """From one side to the other by 1.2/s: -0.6 after half a second, 0 half a second later."""
    bench.holds.set("input.Steer", -1.0, rate=1.2)
    assert bench.after(501, InputData.STEER) == -0.6
    bench.holds.set("input.Steer", 1.0, rate=1.2)
    assert bench.after(501, InputData.STEER) == 0.0


def test_a_pedal_begins_where_it_stands(bench: Bench) -> None:
    """The board has it at 0.3, so by 1/s it is down after 0.7 s; what is set at once ends the way."""
    bench.holds.set("input.Throttle", 1.0, rate=1.0)
    assert [bench.after(ticks) for ticks in (101, 600, 100)] == [0.4, 1.0, 1.0]
    bench.holds.set("input.Throttle", 0.0, rate=1.0)
    bench.after(101)
    bench.holds.set("input.Throttle", 0.25)
    assert [bench.after(ticks) for ticks in (1, 200)] == [0.25, 0.25]


def test_what_is_said_again_goes_on(bench: Bench) -> None:
    """A renewal neither begins the way anew nor loses a step of it."""
    for _ in range(25):
        bench.holds.set("input.Brake", 1.0, bench.t + 3 * SECOND, rate=1.6)
        bench.after(10, InputData.BRAKE)
    assert bench.after(1, InputData.BRAKE) == 0.4


def test_nobody_holds_a_key_whose_holder_is_gone(bench: Bench) -> None:
    """Given back, it is where the inputs have it, at once; one that is not said again within its time too."""
    bench.holds.set("input.Throttle", 1.0, by="viewer 1", rate=1.6)
    bench.holds.set("input.Brake", 1.0, bench.t + 50 * MILLISECOND, by="viewer 2", rate=1.6)
    bench.after(31)
    bench.holds.release_of("viewer 1")
    assert bench.after(1) == 0.3
    assert bench.after(1, InputData.BRAKE) == 0.0496
    assert bench.after(30, InputData.BRAKE) == 0.0
    assert bench.holds.due is None
    bench.holds.set("input.Brake", 0.0, rate=1.6)
    assert bench.after(100, InputData.BRAKE) == 0.0


def test_a_reload_goes_on_with_ways_and_foot(bench: Bench) -> None:
    bench.holds.set("input.Brake", 1.0, rate=1.0)
    bench.holds.set("input.Clutch", "automatic", by="viewer 1")
    bench.after(101)
    other = CommandedControls(bench.bus, bench.vehicle)
    other.take_over(bench.holds)
    arbiter = Arbiter(bench.bus, [other, bench.board], bench)
    arbiter.take_over(bench.arbiter)
    bench.arbiter = arbiter
    assert bench.after(100, InputData.BRAKE) == pytest.approx(0.2, abs=0.01)  # a step each 10 ms
    assert bench.holder("Clutch") == "automatic clutch of viewer 1"


def test_the_left_foot_is_on_the_clutch_until_something_else_is_set(bench: Bench) -> None:
    """It begins where the pedal stands; the engine stands, so it is down."""
    bench.holds.set("input.Clutch", "automatic", by="viewer 1")
    assert bench.after(1, InputData.CLUTCH) == 1.0
    assert bench.holder("Clutch") == "automatic clutch of viewer 1"
    bench.holds.set("input.Clutch", 0.5, by="viewer 1")
    assert bench.after(50, InputData.CLUTCH) == 0.5
    assert bench.holder("Clutch") == "viewer 1"
    bench.holds.set("input.Clutch", "automatic", by="viewer 1")
    bench.after(20)
    bench.holds.release_of("viewer 1")
    assert bench.after(20, InputData.CLUTCH) == 0.0


@pytest.mark.parametrize(
    ("entry", "value", "rate", "message"),
    [
        ("input.ManualGear", 2.0, 1.0, "input.ManualGear has no rate: only pedals and the steering wheel"),
        ("road.Slope", 0.1, 1.0, "road.Slope has no rate"),
        ("input.Clutch", "automatic", 1.0, "the left foot has a rate of its own"),
        ("input.Throttle", "automatic", None, "unknown position of Throttle 'automatic'"),
        ("input.Throttle", 2.0, 1.0, "2 of Throttle is not within 0..1"),
        ("Trottle", 0.5, 1.0, "unknown entry 'Trottle'"),
    ],
)
def test_what_cannot_be_moved_is_refused(
    bench: Bench, entry: str, value: float | str, rate: float | None, message: str
) -> None:
    """And what was on its way goes on."""
    bench.holds.set("input.Throttle", 1.0, rate=1.0)
    with pytest.raises(ConfigurationError, match=message):
        bench.holds.set(entry, value, rate=rate)
    assert bench.after(101) == 0.4


def test_a_gearbox_that_works_its_clutch_has_no_pedal() -> None:
    with pytest.raises(ConfigurationError, match="the clutch of this vehicle has no pedal: its gearbox is not manual"):
        Bench("320d-g20").holds.set("input.Clutch", "automatic")
