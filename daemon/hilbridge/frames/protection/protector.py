"""Fills counters and checksums into a frame that is about to be sent, and advances the counters."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, Literal, TypeAlias

from hilbridge.frames.protection.checksum import Calculation, Hook
from hilbridge.frames.protection.counter import Counter
from hilbridge.frames.protection.position import Position

NumberFaultKind: TypeAlias = Literal["value", "offset", "freeze", "random"]


class NumberFault:
    """A fault of a counter or checksum on its way into the frame; the right number continues beneath.

    | kind | what is sent |
    |---|---|
    | value | `amount` |
    | offset | the right number + `amount`, modulo what its bits hold |
    | freeze | the number of the last frame before the fault, again and again |
    | random | another number than the right one, drawn from `random` |

    It disturbs the next `frames` frames, or all until it is removed (None).
    """

    __slots__ = ("amount", "frames", "kind", "random")

    def __init__(
        self, kind: NumberFaultKind, amount: int = 0, frames: int | None = None, random: Random | None = None
    ) -> None:
        """`random` belongs to the kind of that name; the maker of the fault seeds it."""
        if kind == "random" and random is None:
            raise ValueError("a random fault needs a source of random numbers")
        self.kind = kind
        self.amount = amount
        self.frames = frames
        self.random = random

    def applied(self, number: int, last: int, highest: int) -> int:
        """Return the number to send in place of `number`; `last` was sent before, `highest` is what the bits hold."""
        if self.frames is not None:
            if self.frames == 0:
                return number
            self.frames -= 1
        if self.kind == "value":
            return self.amount & highest
        if self.kind == "offset":
            return (number + self.amount) % (highest + 1)
        if self.kind == "freeze" or self.random is None:
            return last
        drawn = self.random.randrange(highest)
        return drawn if drawn < number else drawn + 1


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
        """`rounds`: the second counter advances when the first wraps."""
        self.counter: Final = counter
        self.second: Final = second
        self.counter_fault: NumberFault | None = None
        self.checksum_fault: NumberFault | None = None
        self._rounds: Final = rounds
        self.checksum_position: Final[Position | None] = None if checksum is None else checksum[0]
        self._calculate: Final[Calculation | None] = None if checksum is None else checksum[1]
        self._last_number = 0
        self._last_checksum = 0

    @property
    def failures(self) -> int:
        """Checksums that a function of the user failed to calculate; frames were sent with 0 instead."""
        return self._calculate.failures if isinstance(self._calculate, Hook) else 0

    def count(self, data: bytearray) -> None:
        """Write the counters, and advance them."""
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
        """Write the checksum over the present content of the frame."""
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
        """Fill in counters and checksums. Called once for each frame that enters the transmit queue."""
        for write, number in self._constants:
            write(data, number)
        for group in self.groups:
            group.count(data)
        for group in self.groups:
            group.seal(data)

    @property
    def positions(self) -> Iterator[Position]:
        """Where something changes from frame to frame: the counters and checksums."""
        yield from (counter.position for counter in self._counters())
        yield from (group.checksum_position for group in self.groups if group.checksum_position is not None)

    @property
    def numbers(self) -> Iterator[tuple[str, Position]]:
        """The numbers that are filled in by name, and where: counter, second counter, checksum, counter 2 ..."""
        for index, group in enumerate(self.groups):
            further = f" {index + 1}" if index else ""
            if group.counter is not None:
                yield f"counter{further}", group.counter.position
            if group.second is not None:
                yield f"second counter{further}", group.second.position
            if group.checksum_position is not None:
                yield f"checksum{further}", group.checksum_position

    @property
    def failures(self) -> int:
        """Checksums that functions of the user failed to calculate."""
        return sum(group.failures for group in self.groups)

    def take_over(self, before: "Protector") -> None:
        """Continue the counts of another one; a counter with another range begins anew."""
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
