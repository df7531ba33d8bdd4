"""The layout of a message: its multiplexing tree, and the whole-byte fields that its signals share.

Bit numbers. A little-endian (Intel) signal starts at its least significant bit; bit b is bit b % 8 of byte b // 8,
and the signal continues upwards. A big-endian (Motorola) signal starts at its most significant bit, with the same
numbers inside a byte, and continues downwards into the next byte.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby, product
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from cantools.database.can import Signal

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted

ByteOrder: TypeAlias = Literal["little", "big"]

Raw: TypeAlias = int | float
"""A raw number as it lies in the frame: an integer, or the float itself."""

MuxPath: TypeAlias = tuple[int | None, ...]
"""The raw numbers of a message's multiplexers, in the order of its tree; None for one that selects nothing."""


class SignalPart(NamedTuple):
    """A signal in a field: (raw & mask) << shift.

    `swapped`: a Motorola signal among Intel ones; the shift counts in the integer that big-endian reading gives.
    """

    signal: Signal
    shift: int
    swapped: bool


class ByteRun(NamedTuple):
    """A run of whole bytes whose edges no signal crosses, read as one integer; or bytes without signals."""

    start: int
    width: int
    order: ByteOrder
    parts: tuple[SignalPart, ...]

    @property
    def whole(self) -> Signal | None:
        """The signal that fills the field alone, if there is one."""
        if len(self.parts) != 1 or self.parts[0].signal.length != 8 * self.width:
            return None
        return self.parts[0].signal


class Pages(Sequence[int]):
    """The numbers of a multiplexer that select a signal, as ranges that do not touch each other, in order."""

    def __init__(self, spans: tuple[range, ...]) -> None:
        self.spans = spans

    def __len__(self) -> int:
        return sum(map(len, self.spans))

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self.spans)

    def __contains__(self, number: object) -> bool:
        return any(number in span for span in self.spans)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __str__(self) -> str:
        return ", ".join(f"{one.start}" if len(one) == 1 else f"{one.start}-{one[-1]}" for one in self.spans)


def pages_of(signal: Signal) -> Pages:
    """Return the numbers of its multiplexer that select a signal."""
    numbers: Any = signal.multiplexer_ids or ()
    if isinstance(numbers, Pages):
        return numbers
    runs = groupby(enumerate(sorted(set(numbers))), key=lambda item: item[1] - item[0])
    spans = ([number for _, number in run] for _, run in runs)
    return Pages(tuple(range(run[0], run[-1] + 1) for run in spans))


class Choices(NamedTuple):
    """The selection of a multiplexer: `branches[n]` from its number `starts[n]` on; None: nothing."""

    starts: list[int]
    branches: list["Branch | None"]

    def at(self, raw: Raw | None) -> tuple[int, "Branch | None"]:
        """Return the first number that selects the same as `raw`, and what that is."""
        if raw is None or not math.isfinite(raw):
            return 0, None
        index = bisect_right(self.starts, int(raw)) - 1
        return (self.starts[index], self.branches[index]) if index >= 0 else (0, None)

    def selections(self) -> list[tuple[int, "Branch"]]:
        """Return the first number of each selection, and the selection."""
        return [(start, branch) for start, branch in zip(self.starts, self.branches, strict=True) if branch is not None]


class Branch(NamedTuple):
    """The signals that are always there, and what each multiplexer among them selects by its raw number."""

    signals: tuple[Signal, ...]
    selectors: dict[str, Choices]

    def follow(self, raw_of: Callable[[str], Raw | None]) -> tuple[MuxPath, list[Signal]]:
        """Ask for the raw number of each multiplexer met; return the path taken and the signals along it."""
        path: list[int | None] = []
        signals = list(self.signals)
        for selector, choices in self.selectors.items():
            raw, chosen = choices.at(raw_of(selector))
            if chosen is None:
                path.append(None)
                continue
            further, selected = chosen.follow(raw_of)
            path += (raw, *further)
            signals += selected
        return tuple(path), signals

    def along(self, path: MuxPath) -> list[Signal]:
        """Return the signals along a path."""
        steps = iter(path)
        return self.follow(lambda _: next(steps))[1]

    def reached(self) -> Iterator[Signal]:
        """Yield every signal that a path has, some more than once."""
        yield from self.signals
        for choices in self.selectors.values():
            for _, branch in choices.selections():
                yield from branch.reached()

    def paths(self, fixed: Mapping[str, Raw]) -> Iterator[MuxPath]:
        """Return all paths there are when the multiplexers in `fixed` stay at their raw number."""
        options: list[list[MuxPath]] = []
        for selector, choices in self.selectors.items():
            branches = dict(choices.selections())
            if selector in fixed:
                raw, chosen = choices.at(fixed[selector])
                branches = {} if chosen is None else {raw: chosen}
            ways: list[MuxPath] = [(raw, *way) for raw, branch in branches.items() for way in branch.paths(fixed)]
            if selector not in fixed or not branches:
                ways.append((None,))
            options.append(ways)
        for combination in product(*options):
            yield tuple(chain.from_iterable(combination))


MOST_SELECTED: Final = 200_000
"""Signals on all pages of a message together."""


def multiplexing(signals: Sequence[Signal], names: Mapping[str, str] | None = None) -> Branch:
    """Return the multiplexing tree. A named value of a multiplexer selects too, if only that nothing else follows.

    `names`: what a multiplexer is called by the signals that it selects, where that is not its name.
    ConfigurationError: the pages have more signals than anybody can have meant.
    """
    selected: dict[str | None, list[Signal]] = {}
    for signal in signals:
        selected.setdefault(signal.multiplexer_signal, []).append(signal)
    return _Planting(selected, names or {}).branch(selected.get(None, ()), ())


class _Planting:
    """Grows a multiplexing tree from the signals by the multiplexer that selects them."""

    def __init__(self, selected: Mapping[str | None, Sequence[Signal]], names: Mapping[str, str]) -> None:
        self._selected, self._names, self._left = selected, names, MOST_SELECTED

    def branch(self, own: Sequence[Signal], above: tuple[str, ...]) -> Branch:
        """Return the branch of some signals, below the multiplexers `above`."""
        self._left -= len(own)
        if self._left < 0:
            raise ConfigurationError(f"its pages have more than {MOST_SELECTED} signals together")
        selectors: dict[str, Choices] = {}
        for selector in own:
            name = self._names.get(selector.name, selector.name)
            if selector.is_multiplexer and name not in above:
                choices = self._choices(selector, self._selected.get(name, ()), (*above, name))
                if choices.starts:
                    selectors[selector.name] = choices
        return Branch(tuple(own), selectors)

    def _choices(self, selector: Signal, children: Sequence[Signal], above: tuple[str, ...]) -> Choices:
        events: dict[int, list[tuple[int, bool]]] = {}
        for order, child in enumerate(children):
            for span in pages_of(child).spans:
                events.setdefault(span.start, []).append((order, True))
                events.setdefault(span.stop, []).append((order, False))
        bounds = sorted(events)
        covered = [0, *accumulate(sum(1 if begins else -1 for _, begins in events[bound]) for bound in bounds)]
        alone = {number for number in selector.choices or () if not covered[bisect_right(bounds, number)]}
        edges = sorted({*events, *alone, *(number + 1 for number in alone)})
        starts: list[int] = []
        branches: list[Branch | None] = []
        here: set[int] = set()
        for edge in edges:
            for order, begins in events.get(edge, ()):
                (here.add if begins else here.discard)(order)
            starts.append(edge)
            selected = [children[order] for order in sorted(here)]
            branches.append(self.branch(selected, above) if selected or edge in alone else None)
        return Choices(starts, branches)


def extent(signal: Signal) -> tuple[int, int]:
    """Return the (first, last) bit of a signal, counted in transmission order for Motorola, by number for Intel."""
    first = signal.start if signal.byte_order == "little_endian" else signal.start ^ 7
    return first, first + signal.length - 1


def occupied(signal: Signal) -> int:
    """Return the bits of a signal as a mask: bit b of the message is bit b of the result."""
    first, last = extent(signal)
    if signal.byte_order == "little_endian":
        return ((1 << signal.length) - 1) << first
    return sum(1 << (bit ^ 7) for bit in range(first, last + 1))


def require_fit(signal: Signal, length: int) -> None:
    """Check that a signal lies in a message of `length` bytes. ConfigurationError: it reaches beyond."""
    if occupied(signal) >> (8 * length):
        raise ConfigurationError(f"it does not fit into {counted(length, 'byte')}")


def overlaps(tree: Branch) -> dict[str, frozenset[str]]:
    """Return the signals that share bits with others of the same frame, each with the names of these."""
    found: dict[str, set[str]] = {}
    _together(tree, found)
    return {name: frozenset(others) for name, others in found.items()}


def _together(branch: Branch, found: dict[str, set[str]]) -> list[Signal]:
    """Note the overlaps below a branch; return all its signals. What one number selects never meets another's."""
    below: list[Signal] = []
    _compare(branch.signals, found)
    for choices in branch.selectors.values():
        selected = [signal for _, choice in choices.selections() for signal in _together(choice, found)]
        _compare(selected, found, (*branch.signals, *below))
        below += selected
    return [*branch.signals, *below]


def _compare(some: Sequence[Signal], found: dict[str, set[str]], others: Sequence[Signal] | None = None) -> None:
    """Note which of some signals share bits with others; without `others`, with each other."""
    taken = 0
    for signal in some if others is None else others:
        taken |= occupied(signal)
    if others is None and taken.bit_count() == sum(signal.length for signal in some):
        return
    for number, signal in enumerate(some):
        for other in some[:number] if others is None else others:
            if other.name != signal.name and occupied(signal) & occupied(other):
                found.setdefault(signal.name, set()).add(other.name)
                found.setdefault(other.name, set()).add(signal.name)


def fields(signals: Sequence[Signal], length: int) -> tuple[ByteRun, ...]:
    """Cut a message of `length` bytes into fields, in order and without gaps.

    Signals that overlap lie in the same field.
    """
    runs: list[tuple[int, int, list[Signal]]] = []  # first byte, the one after the last, and the signals in them
    end = 0
    for signal in sorted(signals, key=extent):
        first, last = (bit // 8 for bit in extent(signal))
        if first > end:
            runs.append((end, first, []))
        if first < end:
            start, end, members = runs.pop()
            runs.append((start, max(end, last + 1), [*members, signal]))
        else:
            runs.append((first, last + 1, [signal]))
        end = runs[-1][1]
    if length > end:
        runs.append((end, length, []))
    return tuple(_field(start, end - start, members) for start, end, members in runs)


def _field(start: int, width: int, signals: Sequence[Signal]) -> ByteRun:
    """Return a field; its byte order is that of its multi-byte signals, inside one byte both orders are the same."""
    order: ByteOrder = "little"
    if any(signal.byte_order == "big_endian" and _bytes(signal) > 1 for signal in signals) and not any(
        signal.byte_order == "little_endian" and _bytes(signal) > 1 for signal in signals
    ):
        order = "big"
    return ByteRun(start, width, order, tuple(_part(signal, start, width, order) for signal in signals))


def _part(signal: Signal, start: int, width: int, order: ByteOrder) -> SignalPart:
    first, last = extent(signal)
    if _bytes(signal) == 1:
        least = signal.start if signal.byte_order == "little_endian" else last ^ 7
        byte = least // 8 - start
        return SignalPart(signal, 8 * (byte if order == "little" else width - 1 - byte) + least % 8, swapped=False)
    if signal.byte_order == "little_endian":
        return SignalPart(signal, first - 8 * start, swapped=False)
    return SignalPart(signal, 8 * (start + width) - 1 - last, swapped=order == "little")


def _bytes(signal: Signal) -> int:
    first, last = extent(signal)
    return last // 8 - first // 8 + 1


def extract(signal: Signal, data: bytes) -> int:
    """Return the raw number of an integer signal, straight from the bytes."""
    first, last = extent(signal)
    if signal.byte_order == "little_endian":
        bits = int.from_bytes(data, "little") >> first
    else:
        bits = int.from_bytes(data, "big") >> (8 * len(data) - 1 - last)
    raw = bits & ((1 << signal.length) - 1)
    return raw - (1 << signal.length) if signal.is_signed and raw >> (signal.length - 1) else raw
