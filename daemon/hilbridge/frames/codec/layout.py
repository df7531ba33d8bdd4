"""The layout of a message: its multiplexing tree, and the whole-byte fields that its signals share.

Bit numbers. A little-endian (Intel) signal starts at its least significant bit; bit b is bit b % 8 of byte b // 8,
and the signal continues upwards. A big-endian (Motorola) signal starts at its most significant bit, with the same
numbers inside a byte, and continues downwards into the next byte.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Literal, NamedTuple, TypeAlias

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


class Branch(NamedTuple):
    """The signals that are always there, and what each multiplexer among them selects by its raw number."""

    signals: tuple[Signal, ...]
    selectors: dict[str, dict[int, "Branch"]]

    def follow(self, raw_of: Callable[[str], Raw | None]) -> tuple[MuxPath, list[Signal]]:
        """Ask for the raw number of each multiplexer met; return the path taken and the signals along it."""
        path: list[int | None] = []
        signals = list(self.signals)
        for selector, choices in self.selectors.items():
            raw = raw_of(selector)
            chosen = choices.get(int(raw)) if raw is not None and raw == raw else None
            if raw is None or chosen is None:
                path.append(None)
                continue
            further, selected = chosen.follow(raw_of)
            path += (int(raw), *further)
            signals += selected
        return tuple(path), signals

    def along(self, path: MuxPath) -> list[Signal]:
        """Return the signals along a path."""
        steps = iter(path)
        return self.follow(lambda _: next(steps))[1]

    def paths(self, fixed: Mapping[str, Raw]) -> Iterator[MuxPath]:
        """Return all paths there are when the multiplexers in `fixed` stay at their raw number."""
        options: list[list[MuxPath]] = []
        for selector, choices in self.selectors.items():
            branches = {raw: branch for raw, branch in choices.items() if fixed.get(selector, raw) == raw}
            ways: list[MuxPath] = [(raw, *way) for raw, branch in branches.items() for way in branch.paths(fixed)]
            if selector not in fixed or not branches:
                ways.append((None,))
            options.append(ways)
        for combination in product(*options):
            yield tuple(chain.from_iterable(combination))


def multiplexing(signals: Sequence[Signal]) -> Branch:
    """Return the multiplexing tree. A named value of a multiplexer selects too, if only that nothing else follows."""
    return _branch(signals, None, 0)


def _branch(signals: Sequence[Signal], parent: str | None, value: int) -> Branch:
    own = tuple(
        signal
        for signal in signals
        if signal.multiplexer_signal == parent and (parent is None or value in (signal.multiplexer_ids or ()))
    )
    selectors: dict[str, dict[int, Branch]] = {}
    for selector in own:
        if selector.is_multiplexer:
            name = selector.name
            values = set(selector.choices or ())
            values.update(*(signal.multiplexer_ids or () for signal in signals if signal.multiplexer_signal == name))
            selectors[name] = {value: _branch(signals, name, value) for value in sorted(values)}
    return Branch(own, {name: choices for name, choices in selectors.items() if choices})


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
        selected = [signal for choice in choices.values() for signal in _together(choice, found)]
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
