"""Names that several signals of a message have.

Signals that never travel together (on different pages of one multiplexer) share their name: a value of this name is
that of the one that a frame carries. Each has a key, the first one the name itself:

    Ts, Ts (Mux 1), Ts (Mux 2-4)

Of two signals that can travel together the second one gets another name, `Ts (2)`, or none if it has the same bits.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, count
from typing import Final, NamedTuple

from cantools.database.can import Message, Signal

from hilbridge.frames.codec.layout import occupied, pages_of

_DEEPEST: Final = 20
"""Multiplexers within each other."""


class Keyed(NamedTuple):
    """Signals with keys in place of names, and the name of each key that shares one.

    `doubles` has the name of each signal that can travel with another one of its name, and its other name; None: it
    has the bits of the other one, and is left out.
    """

    signals: list[Signal]
    names: dict[str, str]
    doubles: list[tuple[str, str | None]]


def with_keys(signals: Sequence[Signal]) -> Keyed:
    """Return the signals by keys in place of names."""
    first: dict[str, Signal] = {}
    for signal in signals:
        first.setdefault(signal.name, signal)
    found = Keyed([], {}, [])
    if len(first) == len(signals):
        found.signals.extend(signals)
        return found
    sharing: dict[str, list[Signal]] = {}
    before: dict[str, list[Signal]] = {}
    taken = set(first)
    for signal in signals:
        others = sharing.setdefault(signal.name, [])
        if any(_is_same(signal, other) for other in before.get(signal.name, ())):
            found.doubles.append((signal.name, None))
            continue
        before.setdefault(signal.name, []).append(signal)
        keyed = copy(signal)
        found.signals.append(keyed)
        if not others:
            others.append(signal)
            continue
        shares = all(_never_meet(signal, other, first) for other in others)
        page = f"{signal.name} ({signal.multiplexer_signal} {pages_of(signal)})"
        choices = chain([page] if shares else [], (f"{signal.name} ({number})" for number in count(2)))
        keyed.name = next(name for name in choices if name not in taken)
        taken.add(keyed.name)
        if shares:
            others.append(signal)
            found.names[keyed.name] = signal.name
        else:
            found.doubles.append((signal.name, keyed.name))
    return found


def signal_names(message: Message) -> list[str]:
    """Return the names by which settings mean the signals of a message, each once: `Ts`, `Ts (2)`."""
    keyed = with_keys(message.signals)
    return list(dict.fromkeys(keyed.names.get(one.name, one.name) for one in keyed.signals))


def _is_same(one: Signal, other: Signal) -> bool:
    """Return whether two signals have the same bits on the same pages."""
    return (
        occupied(one) == occupied(other)
        and one.byte_order == other.byte_order
        and one.multiplexer_signal == other.multiplexer_signal
        and pages_of(one).spans == pages_of(other).spans
    )


def _never_meet(one: Signal, other: Signal, by_name: Mapping[str, Signal]) -> bool:
    """Return whether a multiplexer above both selects them by different numbers."""
    pages = dict(_above(one, by_name))
    return any(name in pages and _are_apart(pages[name], spans) for name, spans in _above(other, by_name))


def _above(signal: Signal, by_name: Mapping[str, Signal]) -> Iterator[tuple[str, tuple[range, ...]]]:
    """Yield the multiplexers above a signal, each with its numbers that lead to it."""
    for _ in range(_DEEPEST):
        if signal.multiplexer_signal is None:
            return
        yield signal.multiplexer_signal, pages_of(signal).spans
        if signal.multiplexer_signal not in by_name:
            return
        signal = by_name[signal.multiplexer_signal]


def _are_apart(some: Iterable[range], others: Iterable[range]) -> bool:
    return not any(one.start < other.stop and other.start < one.stop for one in some for other in others)
