"""Counters: numbers that go round with every frame.

A field counts if each of its values is followed by one and the same other value, and these successions make one round
of all values that it takes. A counter that advances by a constant step through all numbers from its least to its
greatest is written with these; another round is a table. Frames that were lost break a few successions: one of twenty
may.
"""

from itertools import pairwise
from math import gcd
from typing import Any, Final, NamedTuple

import numpy as np

from hilbridge.desk.learn.bits import BitStatistics
from hilbridge.desk.learn.certainty import Certainty
from hilbridge.desk.learn.field import Field, Numbers
from hilbridge.desk.learn.log import Payloads

_KEPT: Final = 0.95
"""Least share of successions that fit."""

_SURELY_KEPT: Final = 0.98

_FLIPS: Final = 0.6
"""The lowest bit of a counter changes in more frames than this: 2 of 3 in a round of three numbers."""

_FEWEST: Final = 8


class Counter(NamedTuple):
    """A counter from `low` to `high` by a constant `step`, or a table of `numbers`; how often it was seen to go round.

    `kept` is the share of frames in which it advanced as it should. `start`: its number where the first counter of the
    frame begins its round, if both go round together.
    """

    field: Field
    low: int
    high: int
    step: int | None
    numbers: tuple[int, ...]
    rounds: float
    kept: float
    start: int | None = None

    @property
    def size(self) -> int:
        """Its different numbers."""
        return self.high - self.low + 1 if self.step is not None else len(self.numbers)

    @property
    def certainty(self) -> Certainty:
        plain = self.step in (1, self.size - 1) and self.size > 2
        return Certainty.SURE if plain and self.rounds >= 2 and self.kept >= _SURELY_KEPT else Certainty.LIKELY

    def settings(self) -> dict[str, Any]:
        """Return it as a bench file has it."""
        settings: dict[str, Any] = {"at": self.field.settings()}
        if self.step is None:
            return settings | {"values": list(self.numbers)}
        if self.low:
            settings["minimum"] = self.low
        if self.high != (1 << self.field.width) - 1:
            settings["maximum"] = self.high
        if self.start not in (None, self.low):
            settings["start"] = self.start
        if self.step != 1:
            settings["step"] = -1 if self.step == self.size - 1 else self.step
        return settings

    def __str__(self) -> str:
        if self.step is None:
            return f"{self.field}: a table of {self.size} numbers"
        step = self.settings().get("step")
        return f"{self.field}: {self.low} to {self.high}" + (f" by {step}" if step is not None else "")


def find_counters(data: Payloads, statistics: BitStatistics) -> list[Counter]:
    """Return the counters of a series, the one that looks most like one first; they do not overlap."""
    count, length = data.shape
    if count < _FEWEST:
        return []
    found = []
    for byte in range(length):
        values = data[:, byte].astype(np.int64)
        for shift in range(8):
            if statistics.flips[8 * byte + shift] < _FLIPS:
                continue
            best = None
            for width in range(1, 9 - shift):
                numbers = values >> shift & (1 << width) - 1
                counter = _round(Field(byte, shift, width), numbers)
                if counter is not None and (best is None or counter.size > best.size):
                    best = counter
            if best is not None:
                found.append(_widened(best, data))
    return _together(_apart(found), data) if found else []


def _round(field: Field, numbers: Numbers) -> Counter | None:
    """Return the counter that a field is; None if it is none."""
    size = 1 << field.width
    pairs = np.bincount(numbers[:-1] * size + numbers[1:], minlength=size * size).reshape(size, size)
    seen = pairs.sum(axis=1)
    next_of = pairs.argmax(axis=1)
    kept = int(pairs[np.arange(size), next_of].sum())
    total = len(numbers) - 1
    if kept < _KEPT * total:
        return None
    start = number = int(seen.argmax())
    round_ = [start]
    while (number := int(next_of[number])) != start:
        if not seen[number] or len(round_) > size:
            return None
        round_.append(number)
    if len(round_) < 2 or seen[round_].sum() < _KEPT * total or total < len(round_) + 2:
        return None
    first = round_.index(min(round_))
    round_ = [*round_[first:], *round_[:first]]
    step = _step(round_)
    table = () if step is not None else tuple(round_)
    return Counter(field, min(round_), max(round_), step, table, total / len(round_), kept / total)


def _step(round_: list[int]) -> int | None:
    """Return the constant step of a round through all numbers of its range; None: it is a table."""
    size = len(round_)
    if round_[0] + size - 1 != max(round_):
        return None
    step = (round_[1] - round_[0]) % size
    whole = all((b - a) % size == step for a, b in pairwise(round_))
    return step if whole and gcd(step, size) == 1 else None


def _widened(counter: Counter, data: Payloads) -> Counter:
    """Return a counter of a whole byte with the bytes beside it, if they carry on where it goes round."""
    while counter.field.shift == 0 and counter.field.width % 8 == 0 and counter.step == 1 and counter.field.width < 32:
        orders = (False, True) if counter.field.width == 8 else (counter.field.big,)
        wider = [counter.field._replace(width=counter.field.width + 8, big=big) for big in orders]
        carried = [field for field in wider if field.fits(data.shape[1]) and _carries(field, data)]
        if not carried:
            break
        size = 1 << carried[0].width
        counter = Counter(carried[0], 0, size - 1, 1, (), len(data) / size, counter.kept)
    return counter


def _carries(field: Field, data: Payloads) -> bool:
    """Return whether a number advances by one also where its lower bytes go round."""
    numbers = field.read(data)
    crossed = np.diff(numbers >> field.width - 8) != 0
    return bool(crossed.any()) and bool((np.diff(numbers) % (1 << field.width) == 1).mean() >= _KEPT)


def _apart(counters: list[Counter]) -> list[Counter]:
    """Return the counters without those that overlap a better one."""
    chosen: list[Counter] = []
    for counter in sorted(counters, key=_rank):
        if chosen and chosen[0].step is not None and (counter.step is None or counter.size == 2):
            continue  # what goes with a counter by a table or as a toggle is made of it
        if not any(counter.field.touches(other.field) for other in chosen):
            chosen.append(counter)
    return chosen


def _together(counters: list[Counter], data: Payloads) -> list[Counter]:
    """Return the counters, those that go round with the first one with their start."""
    first, *others = counters
    begins = first.field.read(data) == (first.low if first.step is not None else first.numbers[0])
    result = [first]
    for counter in others:
        numbers = counter.field.read(data)[begins]
        start = int(np.bincount(numbers).argmax()) if len(numbers) else None
        if start is None or (numbers == start).mean() < _KEPT or counter.size != first.size:
            result.append(counter)
        else:
            result.append(counter._replace(start=start if counter.step is not None else None))
    return result


def _rank(counter: Counter) -> tuple[bool, bool, bool, bool, int, int]:
    """Return a key that sorts counters: first by constant steps, upwards by one, from 0, over all of their bits."""
    whole = counter.size in (1 << counter.field.width, (1 << counter.field.width) - 1)
    return counter.step is None, counter.step != 1, not whole, counter.low != 0, -counter.size, counter.field.byte
