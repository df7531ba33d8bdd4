"""The order of a step, substeps, and the accuracy of the integrator."""

from itertools import pairwise
from math import exp

import pytest

from vehiclesim import Block, Derivative, Solver, State

from .blocks import Flywheel, Motor

Event = tuple[str, str, float, float]


class Witness(Block):
    """An inertial block with one input and one output that notes each event with the solver's time."""

    def __init__(self, name: str, events: list[Event]) -> None:
        super().__init__()
        self.name = name
        self.events = events

    def initialize(self) -> None:
        self.set_inputs(1)
        self.set_outputs(1)
        self.inertial = True

    def note(self, event: str) -> None:
        self.events.append((self.name, event, self.step_time.time, self.step_time.delta_time))

    def pre_step(self) -> None:
        self.note("pre_step")

    def get_state(self, state: State) -> None:
        self.note("get_state")

    def set_substep_state(self, state: State) -> None:
        self.note("set_substep_state")

    def compute_state_upstream(self) -> None:
        self.note("up")

    def evaluate_torque_downstream(self) -> None:
        self.note("down")

    def get_substep_derivative(self, derivative: Derivative) -> None:
        self.note("get_substep_derivative")

    def set_state(self, state: State) -> None:
        self.note("set_state")


class Brake(Block):
    """dL/dt = -rate·L: what an integrator makes of a decay."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.state = State(L=1.0)
        self.momentum = 0.0

    def initialize(self) -> None:
        self.inertial = True

    def get_state(self, state: State) -> None:
        state.L = self.state.L

    def set_substep_state(self, state: State) -> None:
        self.momentum = state.L

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = -self.rate * self.momentum

    def set_state(self, state: State) -> None:
        self.state.L = state.L


def tree() -> tuple[Witness, Witness, list[Event]]:
    events: list[Event] = []
    motor, wheel = Witness("motor", events), Witness("wheel", events)
    Block.connect(wheel, motor)
    return motor, wheel, events


def times(events: list[Event], event: str) -> list[tuple[float, float]]:
    """(time, delta_time) at which the motor saw an event."""
    return [(time, delta_time) for name, kind, time, delta_time in events if (name, kind) == ("motor", event)]


def test_a_step_is_up_then_down_then_advance_in_each_substep() -> None:
    """Momentum from the wheels up, torque from the motor down; states around; shafts brought up to date at the end."""
    motor, wheel, events = tree()
    solver = Solver([wheel, motor], max_substep=0.5)
    events.clear()
    solver.step(1.0)
    both = ("motor", "wheel")
    substep = [
        *((name, "set_substep_state") for name in both),
        ("wheel", "up"),
        ("motor", "up"),
        ("motor", "down"),
        ("wheel", "down"),
        *((name, "get_substep_derivative") for name in both),
    ]
    assert [(name, event) for name, event, _, _ in events] == [
        *((name, "pre_step") for name in both),
        *((name, "get_state") for name in both),
        *substep,
        *substep,
        *((name, "set_state") for name in both),
        ("wheel", "up"),
        ("motor", "up"),
    ]


def test_blocks_see_the_time_they_calculate_with() -> None:
    """The step's start and length before, the substep's own within, the step's end after."""
    motor, wheel, events = tree()
    solver = Solver([motor, wheel], max_substep=0.25)
    solver.step(0.5)
    events.clear()
    solver.step(0.5)
    seen = {
        event: [(time, dt) for name, e, time, dt in events if (name, e) == ("motor", event)] for _, event, *_ in events
    }
    assert seen["pre_step"] == seen["get_state"] == [(0.5, 0.5)]
    assert seen["down"] == [(0.5, 0.25), (0.75, 0.25)]
    assert seen["set_state"] == [(1.0, 0.5)]
    assert (solver.time, solver.delta_time) == (1.0, 0.5)


@pytest.mark.parametrize(
    ("delta_time", "substeps"), [(0.0001, 1), (0.001, 1), (0.0011, 2), (0.002, 2), (0.007, 7), (0.01, 10), (0.1, 100)]
)
def test_a_step_has_the_fewest_equal_substeps_of_at_most_one_millisecond(delta_time: float, substeps: int) -> None:
    """ceil(dt / 1 ms), whatever the last bit of the division says."""
    motor, wheel, events = tree()
    solver = Solver([motor, wheel])
    events.clear()
    solver.step(delta_time)
    assert [length for _, length in times(events, "down")] == [delta_time / substeps] * substeps


def test_semi_implicit_euler_is_of_first_order() -> None:
    """Against exp(-t): half the substep, half the error."""
    errors = []
    for substep in (0.02, 0.01, 0.005):
        brake = Brake(1.0)
        Solver([brake], max_substep=substep).step(1.0)
        errors.append(abs(brake.state.L - exp(-1.0)))
    assert [coarse / fine for coarse, fine in pairwise(errors)] == pytest.approx([2.0, 2.0], rel=0.02)


def test_a_shaft_shows_the_state_at_the_end_of_the_step() -> None:
    """Its L is the momentum that the step has led to."""
    motor, flywheel = Motor(torque=7.0), Flywheel()
    shaft = Block.connect(flywheel, motor)
    solver = Solver([motor, flywheel])
    solver.step(0.001)
    momentum = shaft.L
    assert momentum == pytest.approx(0.007, rel=1e-12)


def test_shafts_follow_a_state_that_was_set_from_outside() -> None:
    """update_shafts sends the momentum up without a step."""
    motor, flywheel = Motor(), Flywheel()
    shaft = Block.connect(flywheel, motor)
    solver = Solver([motor, flywheel])
    flywheel.speed = 3.0
    solver.update_shafts()
    momentum = shaft.L
    assert momentum == flywheel.inertia * 3.0


def test_a_loop_is_refused() -> None:
    """Torque that flows in a circle has no order."""
    one, two, _ = tree()
    Block.connect(one, two)
    with pytest.raises(ValueError, match="loop"):
        Solver([one, two])


@pytest.mark.parametrize("end", [0, 1])
def test_a_shaft_that_leads_out_of_the_list_is_refused(end: int) -> None:
    """Whichever of its ends was forgotten."""
    motor, wheel, _ = tree()
    with pytest.raises(ValueError, match="not in the list"):
        Solver([(motor, wheel)[end]])


def test_a_block_given_twice_is_refused() -> None:
    """It would be stepped twice."""
    motor, wheel, _ = tree()
    with pytest.raises(ValueError, match="twice"):
        Solver([motor, wheel, motor])


def test_a_block_without_the_shafts_it_needs_is_refused() -> None:
    """Its own check_connections decides, and the message names it."""

    class Needy(Block):
        def check_connections(self) -> bool:
            return False

    with pytest.raises(ValueError, match="Needy lacks a connection"):
        Solver([Needy()])


@pytest.mark.parametrize("delta_time", [0.0, -0.001, float("nan")])
def test_time_goes_forward(delta_time: float) -> None:
    """A step, and a substep, is longer than nothing."""
    with pytest.raises(ValueError, match="longer than 0 s"):
        Solver([]).step(delta_time)
    with pytest.raises(ValueError, match="longer than 0 s"):
        Solver([], max_substep=delta_time)
