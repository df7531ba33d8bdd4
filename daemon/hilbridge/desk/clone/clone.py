"""From logs of testers' talks to the control units that answered in them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.logs.frames import Block
from hilbridge.desk.clone.channel import Talk
from hilbridge.desk.clone.pairing import Pair, find_pairs
from hilbridge.desk.clone.unit import ClonedUnit, units_of
from hilbridge.desk.learn.log import Reading, read_blocks
from hilbridge.frames.codec.frame import FD, Frame


class Cloned(NamedTuple):
    """The control units of one or several logs, and how each log was read."""

    logs: list[tuple[Path, Reading]]
    units: list[ClonedUnit]
    fd: bool


class _Listener:
    """A listener to the frames of a log."""

    def __init__(self) -> None:
        self.talk: Final = Talk()
        self.start: int | None = None
        self.fd = False

    def take(self, block: Block) -> None:
        """Take the frames of a block."""
        if self.start is None:
            self.start = int(block.times[0])
        for time, can_id, flags, data in block.frames():
            self.fd = self.fd or bool(flags & FD)
            self.talk.take(Frame(can_id, data, flags & FD), time)


def clone(
    logs: Sequence[Path],
    channel: str | None,
    progress: Callable[[float], None] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Cloned:
    """Read logs of one bus one after the other; what they tell of a control unit is put together.

    ConfigurationError: a log that cannot be read, or no talk with a control unit in any of them.
    """
    readings: list[tuple[Path, Reading]] = []
    units: dict[str, ClonedUnit] = {}
    fd = False
    for path in logs:
        listener = _Listener()
        readings.append((path, read_blocks(path, channel, listener.take, progress, stopped)))
        fd = fd or listener.fd
        for found in units_of(find_pairs(listener.talk)):
            _join(units, found, path.name, listener.start or 0)
    if not units:
        listed = ", ".join(str(path) for path in logs)
        raise ConfigurationError(f"{listed}: no control unit answers a tester in it")
    for unit in units.values():
        unit.conclude()
    return Cloned(readings, list(units.values()), fd)


def _join(units: dict[str, ClonedUnit], found: ClonedUnit, log: str, start: int) -> None:
    unit = units.setdefault(found.name, ClonedUnit(found.name, []))
    for pair in found.pairs:
        if not any(_same(pair, known) for known in unit.pairs):
            unit.pairs.append(pair)
        unit.listen(pair, log, start)


def _same(pair: Pair, other: Pair) -> bool:
    return (pair.answer.can_id, pair.answer.prefix) == (other.answer.can_id, other.answer.prefix)
