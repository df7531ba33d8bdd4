"""Blocks and the shafts between them."""

import pytest

from vehiclesim import Block, Connection, Derivative, State


class Part(Block):
    """A block with two inputs and two outputs that counts its initializations."""

    initializations = 0

    def initialize(self) -> None:
        self.initializations += 1
        self.set_inputs(2)
        self.set_outputs(2)


def test_connect_gives_both_blocks_the_same_shaft() -> None:
    """An output of the upstream block and an input of the downstream block hold one Connection, which knows both."""
    upstream, downstream = Part(), Part()
    shaft = Block.connect(downstream, upstream, output_slot=1, input_slot=0)
    assert isinstance(shaft, Connection)
    assert upstream.outputs == [None, shaft]
    assert downstream.inputs == [shaft, None]
    assert (shaft.upstream, shaft.output_slot) == (upstream, 1)
    assert (shaft.downstream, shaft.input_slot) == (downstream, 0)


def test_slots_count_from_zero_by_default() -> None:
    """Without slots, the first output is joined to the first input."""
    upstream, downstream = Part(), Part()
    shaft = Block.connect(downstream, upstream)
    assert upstream.outputs[0] is shaft
    assert downstream.inputs[0] is shaft


@pytest.mark.parametrize(
    ("output_slot", "input_slot", "message"),
    [(2, 0, "no output 2"), (-1, 0, "no output -1"), (0, 2, "no input 2"), (0, -1, "no input -1")],
)
def test_a_slot_that_does_not_exist_is_refused(output_slot: int, input_slot: int, message: str) -> None:
    """The message names the block and the slot."""
    with pytest.raises(ValueError, match=f"Part has {message}"):
        Block.connect(Part(), Part(), output_slot, input_slot)


def test_a_slot_holds_one_shaft() -> None:
    """A second shaft at the same input or output is refused, and leaves the first one alone."""
    upstream, downstream = Part(), Part()
    shaft = Block.connect(downstream, upstream)
    with pytest.raises(ValueError, match="input 0 of Part is taken"):
        Block.connect(downstream, Part())
    with pytest.raises(ValueError, match="output 0 of Part is taken"):
        Block.connect(Part(), upstream)
    assert upstream.outputs[0] is shaft
    assert downstream.inputs[0] is shaft


@pytest.mark.parametrize("side", ["input", "output"])
def test_disconnect_takes_the_shaft_from_both_blocks(side: str) -> None:
    """Either block can take the shaft away; True if there was one, False if not."""
    upstream, downstream = Part(), Part()
    Block.connect(downstream, upstream, output_slot=1, input_slot=1)
    take_away = downstream.disconnect_input if side == "input" else upstream.disconnect_output
    assert take_away(0) is False
    assert take_away(1) is True
    assert take_away(1) is False
    assert upstream.outputs == [None, None]
    assert downstream.inputs == [None, None]


def test_disconnect_of_a_slot_that_does_not_exist_takes_nothing() -> None:
    """A block without such a slot has no shaft there."""
    part = Part()
    part.ensure_initialized()
    assert part.disconnect_input(7) is False
    assert part.disconnect_output(7) is False


def test_initialize_runs_once() -> None:
    """However often a block is connected."""
    part = Part()
    Block.connect(part, Part(), 0, 0)
    Block.connect(part, Part(), 0, 1)
    assert part.initializations == 1


def test_a_block_that_overrides_nothing_takes_part_in_a_step_and_changes_nothing() -> None:
    """Every event has a default, a block is not inertial unless it says so, and needs no shafts."""
    block, state, derivative = Block(), State(1.0, 2.0, 3.0, 4.0), Derivative(5.0, 6.0, 7.0, 8.0)
    block.ensure_initialized()
    block.pre_step()
    block.get_state(state)
    block.set_substep_state(state)
    block.compute_state_upstream()
    block.evaluate_torque_downstream()
    block.get_substep_derivative(derivative)
    block.set_state(state)
    assert (state.L, state.Px, state.Py, state.Lr) == (1.0, 2.0, 3.0, 4.0)
    assert (derivative.T, derivative.Fx, derivative.Fy, derivative.Tr) == (5.0, 6.0, 7.0, 8.0)
    assert block.check_connections()
    assert not block.inertial
    assert (block.inputs, block.outputs) == ([], [])
