"""The range [minimum|maximum] that a database gives a signal: which ones cannot have been meant.

A value beyond the range is held at its end, so that a receiver never sees one that its maker ruled out. Public
databases have many ranges that were never filled in. They are doubted, where [0|0] says that there is none:

    signed, and begins at 0 or above
    [0|1] on 4 bits or more, without a name for each value
    fewer than 2 % of the numbers that the bits hold, from 8 bits on
"""

from typing import Final

from hilbridge.frames.codec.signals import SignalCodec

_LEAST_SHARE: Final = 0.02
_LEAST_BITS: Final = 8
_FLAG_BITS: Final = 4


def is_doubtful(signal: SignalCodec) -> bool:
    """Return whether a signal's range cannot have been meant; never of floats."""
    if signal.bounds is None or signal.floating:
        return False
    minimum, maximum = signal.bounds
    if minimum is None or maximum is None:
        return False
    low, high = sorted((signal.to_exact(minimum), signal.to_exact(maximum)))
    if signal.signed and low >= 0:
        return True
    span = high - low
    if span <= 1:
        return signal.length >= _FLAG_BITS and len(signal.names) < 2
    return signal.length >= _LEAST_BITS and span < _LEAST_SHARE * ((1 << signal.length) - 1)
