"""User-written parts of a vehicle: blocks in its drivetrain, components beside it."""

from collections.abc import Sequence
from typing import ClassVar

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block
from vehiclesim.databus import DataBus
from vehiclesim.parameters import ShaftSettings
from vehiclesim.state import Stateful


@mypyc_attr(allow_interpreted_subclasses=True)
class Component(Stateful):
    """A part that reads and writes the data bus at the start of every step: a cruise control, a logger, a driver."""

    def update(self, data: DataBus, delta_time: float) -> None:
        """Read and write the bus; called at the start of every step of `delta_time` [s]."""


class Extensions(Stateful):
    """The user's blocks by name, and components in the order in which they are called.

    Their state is named in `state_vars` of their classes.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("parts",)

    def __init__(self, blocks: dict[str, Block] | None = None, components: Sequence[Component] = ()) -> None:
        self.blocks: dict[str, Block] = {} if blocks is None else blocks
        self.components: list[Component] = list(components)
        self.parts: list[Stateful] = [*self.blocks.values(), *self.components]


def replace_shafts(blocks: dict[str, Block], shafts: Sequence[ShaftSettings]) -> None:
    """Replace shafts: first remove all old ones at their ends, then join the new ones.

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
