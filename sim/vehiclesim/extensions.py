"""Parts of a vehicle that somebody else wrote: blocks in its drivetrain, components beside it."""

from collections.abc import Sequence
from typing import Any

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block
from vehiclesim.databus import DataBus
from vehiclesim.parameters import ShaftSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class Component:
    """Reads and writes the data bus once a step, before the vehicle does: a cruise control, a logger, a driver."""

    def update(self, data: DataBus, delta_time: float) -> None:
        """Called at the start of every step of `delta_time` [s]."""


class Extensions:
    """The user's blocks by name, and components in the order in which they are called.

    State: what an object has to carry from step to step it gives from `get_state_vars` and takes in `set_state_vars`,
    if it has such methods.
    """

    def __init__(self, blocks: dict[str, Block] | None = None, components: Sequence[Component] = ()) -> None:
        self.blocks: dict[str, Block] = {} if blocks is None else blocks
        self.components: list[Component] = list(components)
        parts: list[Any] = [*self.blocks.values(), *self.components]
        self._stateful: list[Any] = [part for part in parts if hasattr(part, "get_state_vars")]

    def get_state_vars(self) -> tuple[Any, ...]:
        """The states of all parts that have one."""
        return tuple([part.get_state_vars() for part in self._stateful])

    def set_state_vars(self, states: tuple[Any, ...]) -> None:
        """Goes on from saved states."""
        for part, state in zip(self._stateful, states, strict=True):
            part.set_state_vars(state)


def rejoin(blocks: dict[str, Block], shafts: Sequence[ShaftSettings]) -> None:
    """Lays shafts anew: first all old ones at their ends are taken away, then the new ones are joined.

    ValueError, beginning with "shafts: ", for a block that does not exist or has no such end.
    """
    for shaft in shafts:
        for name in (shaft.upstream, shaft.downstream):
            if name not in blocks:
                raise ValueError(f"shafts: there is no block {name!r} (there are {', '.join(sorted(blocks))})")
        blocks[shaft.upstream].ensure_initialized()
        blocks[shaft.upstream].disconnect_output(shaft.output)
        blocks[shaft.downstream].ensure_initialized()
        blocks[shaft.downstream].disconnect_input(shaft.input)
    for shaft in shafts:
        try:
            Block.connect(blocks[shaft.downstream], blocks[shaft.upstream], shaft.output, shaft.input)
        except ValueError as error:
            raise ValueError(f"shafts: {shaft.upstream} to {shaft.downstream}: {error}") from None
