"""Fills counters and checksums into a frame that is about to be sent, and goes on by one frame."""

from collections.abc import Sequence
from typing import Final

from hilbridge.protection.checksum import Calculation
from hilbridge.protection.counter import Counter
from hilbridge.protection.faults import Fault
from hilbridge.protection.hook import Hook
from hilbridge.protection.position import Position


class Group:
    """A counter with, perhaps, a second one, and the checksum that goes with it; each may be missing.

    `checksum_position`: where the checksum lies, if there is one.
    `counter_fault` and `checksum_fault` may be set and removed at any time. A checksum is calculated over the number
    that the counter was disturbed into: one fault, one wrong thing.
    """

    __slots__ = (
        "_calculate",
        "_last_checksum",
        "_last_number",
        "_rounds",
        "checksum_fault",
        "checksum_position",
        "counter",
        "counter_fault",
        "second",
    )

    def __init__(
        self,
        counter: Counter | None,
        second: Counter | None,
        checksum: tuple[Position, Calculation] | None,
        *,
        rounds: bool = False,
    ) -> None:
        """`rounds`: the second counter goes on when the first has gone round."""
        self.counter: Final = counter
        self.second: Final = second
        self.counter_fault: Fault | None = None
        self.checksum_fault: Fault | None = None
        self._rounds: Final = rounds
        self.checksum_position: Final[Position | None] = None if checksum is None else checksum[0]
        self._calculate: Final[Calculation | None] = None if checksum is None else checksum[1]
        self._last_number = 0
        self._last_checksum = 0

    @property
    def failures(self) -> int:
        """Checksums that a function of the user has failed to make; frames went with 0 in their place."""
        return self._calculate.failures if isinstance(self._calculate, Hook) else 0

    def count(self, data: bytearray) -> None:
        """Writes the counters and goes on."""
        counter = self.counter
        if counter is None:
            return
        number = counter.next()
        if self.counter_fault is not None:
            number = self.counter_fault.applied(number, self._last_number, counter.position.highest)
        self._last_number = number
        counter.position.write(data, number)
        second = self.second
        if second is None:
            return
        if self._rounds:
            second.position.write(data, second.numbers.number(second.count))
            if counter.count == 0:
                second.next()
        else:
            second.position.write(data, second.next())

    def seal(self, data: bytearray) -> None:
        """Writes the checksum over what stands in the frame now."""
        position = self.checksum_position
        if position is None or self._calculate is None:
            return
        checksum = self._calculate(data, self._last_number) & position.highest
        if self.checksum_fault is not None:
            checksum = self.checksum_fault.applied(checksum, self._last_checksum, position.highest)
        self._last_checksum = checksum
        position.write(data, checksum)


class Protector:
    """The protection of one frame that is sent. `signals`: the database's signals that it fills."""

    def __init__(
        self, groups: Sequence[Group], constants: Sequence[tuple[Position, int]], signals: frozenset[str]
    ) -> None:
        self.groups: Final = tuple(groups)
        self.signals: Final = signals
        self._constants: Final = tuple((position.write, number) for position, number in constants)

    def protect(self, data: bytearray) -> None:
        """Fills in what belongs into this frame. Called once for each frame that enters the transmit queue."""
        for write, number in self._constants:
            write(data, number)
        for group in self.groups:
            group.count(data)
        for group in self.groups:
            group.seal(data)

    @property
    def failures(self) -> int:
        """Checksums that functions of the user have failed to make."""
        return sum(group.failures for group in self.groups)

    def take_over(self, before: "Protector") -> None:
        """Goes on counting where another one was; a counter that is built in another way begins anew."""
        for counter, old in zip(self._counters(), before._counters(), strict=False):
            if old.numbers.size == counter.numbers.size:
                counter.count = old.count

    @property
    def counts(self) -> tuple[int, ...]:
        """The state: the count of every counter's next frame. May be set to what it was."""
        return tuple(counter.count for counter in self._counters())

    @counts.setter
    def counts(self, counts: Sequence[int]) -> None:
        for counter, count in zip(self._counters(), counts, strict=True):
            if not 0 <= count < counter.numbers.size:
                raise ValueError(f"{count} is no count of {counter.numbers.size}")
            counter.count = count

    def _counters(self) -> list[Counter]:
        return [counter for group in self.groups for counter in (group.counter, group.second) if counter is not None]
