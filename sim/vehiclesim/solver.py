"""Integrates a tree of blocks over one step, in substeps of equal length.

Per substep: momentum goes up (compute_state_upstream, leaves first), torque comes down
(evaluate_torque_downstream, root first), then every inertial block's state is advanced by its derivative.
"""

from typing import Final

from vehiclesim.block import Block, Derivative, State, StepTime

MAXIMUM_SUBSTEP: Final = 0.001
"""[s]. The coupling torques are solved for the end of a substep; 1 ms keeps them stiff and exact enough."""


class Solver:
    """Semi-implicit Euler (default) or classic Runge-Kutta of order 4 over the blocks of one vehicle.

    Semi-implicit: the momentum is advanced by x += h·f(x) with coupling torques (clutches, brakes) solved for the
    end of the substep by the blocks themselves. RK4 calls the same events four times a substep, with the usual
    weights; a block that locks must decide its mode in `pre_step` then.

    After a step the momentum goes up once more, so that every shaft shows the state at the step's end.
    """

    def __init__(self, blocks: list[Block], max_substep: float = MAXIMUM_SUBSTEP, rk4: bool = False) -> None:
        if not max_substep > 0.0:
            raise ValueError(f"the substep must be longer than 0 s, not {max_substep}")
        self.step_time: StepTime = StepTime()
        self.step_time.delta_time = max_substep
        self.max_substep: float = max_substep
        self.rk4: bool = rk4
        self.blocks: list[Block] = _downstream_order(blocks)
        self._upstream: list[Block] = list(reversed(self.blocks))
        for block in self.blocks:
            block.step_time = self.step_time
            if not block.check_connections():
                raise ValueError(f"{type(block).__name__} lacks a connection that it needs")
        self._inertial: list[Block] = [block for block in self.blocks if block.inertial]
        self._states: list[State] = [State() for _ in self._inertial]
        self._trials: list[State] = [State() for _ in self._inertial]
        self._slopes: list[list[Derivative]] = [[Derivative() for _ in self._inertial] for _ in range(4)]
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
        """Advances all blocks by `delta_time` [s], in ceil(delta_time / max_substep) substeps."""
        if not delta_time > 0.0:
            raise ValueError(f"a step must be longer than 0 s, not {delta_time}")
        clock = self.step_time
        start = clock.time
        clock.delta_time = delta_time
        for block in self.blocks:
            block.pre_step()
        for i in range(len(self._inertial)):
            self._inertial[i].get_state(self._states[i])

        substeps = int(delta_time / self.max_substep * (1.0 - 1e-9)) + 1  # the factor forgives rounding: 0.1/0.001
        h = delta_time / substeps
        clock.delta_time = h
        for k in range(substeps):
            clock.time = start + h * k
            if self.rk4:
                self._substep_rk4(h)
            else:
                self._evaluate(self._states, self._slopes[0])
                _advance(self._states, self._states, self._slopes[0], h)

        clock.time = start + delta_time
        clock.delta_time = delta_time
        for i in range(len(self._inertial)):
            self._inertial[i].set_state(self._states[i])
        self.update_shafts()

    def update_shafts(self) -> None:
        """Sends the momentum up from the present states; call it after states were changed from outside."""
        for block in self._upstream:
            block.compute_state_upstream()

    def _evaluate(self, states: list[State], slopes: list[Derivative]) -> None:
        """slopes = f(states): one pass up and one pass down the tree."""
        for i in range(len(self._inertial)):
            self._inertial[i].set_substep_state(states[i])
        for block in self._upstream:
            block.compute_state_upstream()
        for block in self.blocks:
            block.evaluate_torque_downstream()
        for i in range(len(self._inertial)):
            self._inertial[i].get_substep_derivative(slopes[i])

    def _substep_rk4(self, h: float) -> None:
        """x += h/6·(k1 + 2k2 + 2k3 + k4)."""
        k1, k2, k3, k4 = self._slopes
        start = self.step_time.time
        self._evaluate(self._states, k1)
        self.step_time.time = start + 0.5 * h
        _advance(self._trials, self._states, k1, 0.5 * h)
        self._evaluate(self._trials, k2)
        _advance(self._trials, self._states, k2, 0.5 * h)
        self._evaluate(self._trials, k3)
        self.step_time.time = start + h
        _advance(self._trials, self._states, k3, h)
        self._evaluate(self._trials, k4)
        for i in range(len(self._states)):
            s, a, b, c, d = self._states[i], k1[i], k2[i], k3[i], k4[i]
            s.L += h / 6.0 * (a.T + 2.0 * b.T + 2.0 * c.T + d.T)
            s.Px += h / 6.0 * (a.Fx + 2.0 * b.Fx + 2.0 * c.Fx + d.Fx)
            s.Py += h / 6.0 * (a.Fy + 2.0 * b.Fy + 2.0 * c.Fy + d.Fy)
            s.Lr += h / 6.0 * (a.Tr + 2.0 * b.Tr + 2.0 * c.Tr + d.Tr)


def _advance(into: list[State], states: list[State], slopes: list[Derivative], h: float) -> None:
    """into = states + h·slopes."""
    for i in range(len(states)):
        target, state, slope = into[i], states[i], slopes[i]
        target.L = state.L + h * slope.T
        target.Px = state.Px + h * slope.Fx
        target.Py = state.Py + h * slope.Fy
        target.Lr = state.Lr + h * slope.Tr


def _downstream_order(blocks: list[Block]) -> list[Block]:
    """Every block after all blocks upstream of it, otherwise in the given order.

    ValueError for a loop, a block given twice, and a shaft that leads out of the list.
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
