"""Faults of a frame on its way from the plan or a route to the bus: of the frame as a whole, and of one of its signals.

A signal fault puts a wrong value x' in place of x, in the unit of the signal:

    offset     x' = x + value
    scale      x' = x · value
    stuck      x' = value, or x of the first frame that is hit
    noise      x' = x + value · r       uniform: -1 <= r < 1       normal: mean 0, standard deviation 1, |r| <= 6
    drop-out   "not available", or 0 if the signal has no number for it

All of them are limited like the signal's own values. A value that is not available remains so under offset, scale and
noise.
"""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.faults.disturbance import FrameEffect, FrameTarget, Passage
from hilbridge.files.settings.faults import FrameFault, SignalFault
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.layout import Raw
from hilbridge.frames.codec.signals import SignalCodec
from hilbridge.frames.protection.protector import Group, NumberFault


class Drop(FrameEffect):
    """The frame is lost. Its counter continues, so receivers can detect the loss."""

    def alter(self, passage: Passage) -> None:
        passage.copies = 0


class Duplicate(FrameEffect):
    """The frame is sent twice, with the same counter."""

    def alter(self, passage: Passage) -> None:
        passage.copies *= 2


class Delay(FrameEffect):
    """The frame is sent later, with the content of its scheduled time."""

    def __init__(self, milliseconds: float, target: FrameTarget) -> None:
        super().__init__(target)
        self._delay: Final = round(milliseconds * MILLISECOND)

    def alter(self, passage: Passage) -> None:
        passage.delay += self._delay


class WrongLength(FrameEffect):
    """The frame is cut, or padded with 0, after its checksum was calculated."""

    def __init__(self, length: int, target: FrameTarget) -> None:
        super().__init__(target)
        self._length: Final = length

    def alter(self, passage: Passage) -> None:
        passage.data = passage.data[: self._length].ljust(self._length, b"\0")


class Corrupt(FrameEffect):
    """One bit of the data is wrong, whichever the random numbers say; a frame without data stays as it is."""

    def alter(self, passage: Passage) -> None:
        if passage.data:
            bit = self.selector.random.randrange(8 * len(passage.data))
            data = bytearray(passage.data)
            data[bit // 8] ^= 1 << bit % 8
            passage.data = bytes(data)


class WrongProtection(FrameEffect):
    """A wrong counter or checksum of a group in the frames that are hit. The correct counter continues internally."""

    def __init__(self, settings: FrameFault, group: Group, target: FrameTarget) -> None:
        super().__init__(target)
        self._group: Final = group
        self._of_counter: Final = settings.effect == "counter"
        self._wrong: Final = NumberFault(settings.wrong, settings.amount, None, target.selector.random)

    def falsify(self, data: bytes) -> bytes | None:
        """Return the unchanged data; the group will fill in the wrong number."""
        if not self.selector.selects():
            return None
        self._disturb(self._wrong)
        return data

    def alter(self, passage: Passage) -> None:
        self._disturb(None)

    def _disturb(self, wrong: NumberFault | None) -> None:
        if self._of_counter:
            self._group.counter_fault = wrong
        else:
            self._group.checksum_fault = wrong


_TERMS: Final = 12
"""Number of uniform numbers whose sum has the variance 1."""


class WrongSignal(FrameEffect):
    """Changes a signal of the frames that contain it; other frames are not hit."""

    def __init__(self, settings: SignalFault, codec: CompiledMessage, target: FrameTarget) -> None:
        super().__init__(target)
        self._name: Final = settings.signal
        self._codec: Final = codec
        random = target.selector.random
        self._changes: Final = {
            key: _change(settings, codec.signals[key], random) for key in codec.keys_of(settings.signal)
        }
        self._hitting = False

    def falsify(self, data: bytes) -> bytes | None:
        """Return the data with the wrong value; None if the frame is not hit."""
        self._hitting = False
        key = self._codec.carried(data, self._name)
        if key is None:
            return None
        changed = self._codec.altered(data, key, partial(self._hit, self._changes[key]))
        return changed if self._hitting else None

    def _hit(self, change: Callable[[Raw], Raw], raw: Raw) -> Raw:
        self._hitting = self.selector.selects()
        return change(raw) if self._hitting else raw


def _change(settings: SignalFault, signal: SignalCodec, random: Random) -> Callable[[Raw], Raw]:
    """Return the function from the correct to the wrong raw number."""
    value = settings.value
    if settings.effect == "drop-out":
        return lambda _: signal.unavailable()
    if settings.effect == "stuck":
        return _Stuck(None if value is None else signal.to_raw(value))
    if value is None:
        raise AssertionError("the settings guarantee it")
    if settings.effect == "noise":
        draw = _normal if settings.distribution == "normal" else _uniform
        return lambda raw: _limited(signal, raw, lambda x: x + value * draw(random))
    if settings.effect == "scale":
        return lambda raw: _limited(signal, raw, lambda x: x * value)
    return lambda raw: _limited(signal, raw, lambda x: x + value)


def _limited(signal: SignalCodec, raw: Raw, change: Callable[[float], float]) -> Raw:
    return signal.limit(change(signal.to_physical(raw))) if signal.available(raw) else raw


def _uniform(random: Random) -> float:
    return 2.0 * random.random() - 1.0


def _normal(random: Random) -> float:
    """Return a normally distributed number: a sum, identical on every machine; the standard library uses logarithms."""
    return sum(random.random() for _ in range(_TERMS)) - _TERMS / 2


class _Stuck:
    """Returns a constant raw number: a given one, or the first one of the signal."""

    def __init__(self, raw: Raw | None) -> None:
        self._raw = raw

    def __call__(self, raw: Raw) -> Raw:
        if self._raw is None:
            self._raw = raw
        return self._raw
