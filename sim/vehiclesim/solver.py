"""Integration of a tree of blocks over one step, in substeps of equal length.

Per substep: momentum goes up (compute_state_upstream, leaves first), torque comes down
(evaluate_torque_downstream, root first), then every inertial block's state is advanced by its derivative.
"""

from typing import ClassVar, Final

from vehiclesim.block import Block, Derivative, State, StepTime
from vehiclesim.state import Stateful

MAXIMUM_SUBSTEP: Final = 0.001
"""[s]. The coupling torques are solved for the end of a substep; 1 ms keeps them stiff and exact enough."""


class _Place:
    """A place in the order of the blocks: a block, its state x, and the rate of change f(x) that it gave for it.

    The compiled solver looks at the class of each element of a list: at once for places, over all base classes for
    blocks, a hundred times in a step.
    """

    def __init__(self, block: Block) -> None:
        self.block: Block = block
        self.state: State = State()
        self.slope: Derivative = Derivative()


class Solver(Stateful):
    """Semi-implicit Euler over the blocks of one vehicle: x += h·f(x).

    The coupling torques in f (clutches, brakes) are solved for the end of the substep by the blocks themselves.
    After a step the momentum goes up once more, so that every shaft shows the state at the step's end.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("step_time",)

    def __init__(self, blocks: list[Block], max_substep: float = MAXIMUM_SUBSTEP) -> None:
        if not max_substep > 0.0:
            raise ValueError(f"the substep must be longer than 0 s, not {max_substep}")
        self.step_time: StepTime = StepTime()
        self.step_time.delta_time = max_substep
        self.max_substep: float = max_substep
        self.blocks: list[Block] = _downstream_order(blocks)
        for block in self.blocks:
            block.step_time = self.step_time
            if not block.check_connections():
                raise ValueError(f"{type(block).__name__} lacks a connection that it needs")
        self._downstream: list[_Place] = [_Place(block) for block in self.blocks]
        self._upstream: list[_Place] = list(reversed(self._downstream))
        self._inertial: list[_Place] = [place for place in self._downstream if place.block.inertial]
        self.update_shafts()

    @property
    def time(self) -> float:
        """[s] since the solver was made."""
        return self.step_time.time

    @property
    def delta_time(self) -> float:
        """[s], the current step or substep."""
        return self.step_time.delta_time

    def step(self, delta_time: float) -> None:
        """Advance all blocks by `delta_time` [s], in ceil(delta_time / max_substep) substeps."""
        if not delta_time > 0.0:
            raise ValueError(f"a step must be longer than 0 s, not {delta_time}")
        clock = self.step_time
        start = clock.time
        clock.delta_time = delta_time
        for place in self._downstream:
            place.block.pre_step()
        inertial = self._inertial
        for place in inertial:
            place.block.get_state(place.state)

        substeps = int(delta_time / self.max_substep * (1.0 - 1e-9)) + 1  # the factor forgives rounding: 0.1/0.001
        h = delta_time / substeps
        clock.delta_time = h
        clock.substeps = float(substeps)
        for k in range(substeps):
            clock.time = start + h * k
            clock.elapsed = h * k
            for place in inertial:
                place.block.set_substep_state(place.state)
            self.update_shafts()
            for place in self._downstream:
                place.block.evaluate_torque_downstream()
            for place in inertial:
                place.block.get_substep_derivative(place.slope)
            for place in inertial:
                state, slope = place.state, place.slope
                state.L += h * slope.T
                state.Px += h * slope.Fx
                state.Py += h * slope.Fy
                state.Lr += h * slope.Tr

        clock.time = start + delta_time
        clock.delta_time = delta_time
        for place in inertial:
            place.block.set_state(place.state)
        self.update_shafts()

    def update_shafts(self) -> None:
        """Compute all shafts from the present states; call it after states were changed from outside."""
        for place in self._upstream:
            place.block.compute_state_upstream()


def _downstream_order(blocks: list[Block]) -> list[Block]:
    """Return every block after all blocks upstream of it, otherwise in the given order.

    Raise ValueError for a loop, a block given twice, and a shaft that leads out of the list.
    """
    known = {id(block) for block in blocks}
    if len(known) < len(blocks):
        raise ValueError("a block is in the list twice")
    for block in blocks:
        block.ensure_initialized()
        for connection in block.inputs + block.outputs:
            if connection is not None and not {id(connection.upstream), id(connection.downstream)} <= known:
                ends = f"{type(connection.upstream).__name__} and {type(connection.downstream).__name__}"
                raise ValueError(f"one end of the shaft between {ends} is not in the list")

    ordered: list[Block] = []
    placed: set[int] = set()
    while len(ordered) < len(blocks):
        ready = [
            block
            for block in blocks
            if id(block) not in placed and all(id(c.upstream) in placed for c in block.inputs if c is not None)
        ]
        if not ready:
            raise ValueError("the blocks form a loop")
        ordered += ready
        placed.update(id(block) for block in ready)
    return ordered
