"""The token bucket: a bound on how often something may happen, or on how much may be done in a time.

Time is a parameter. Times and amounts are integers; their units are the caller's.
"""

from typing import Final


class TokenBucket:
    """A store of at most `capacity` tokens, which gains `amount` of them after every `interval`.

    It begins with `level` tokens, full by default. The interval begins when the first token of a full bucket is taken.
    """

    __slots__ = ("_amount", "_capacity", "_interval", "_level", "_since")

    def __init__(self, capacity: int, amount: int, interval: int, level: int | None = None) -> None:
        self._capacity: Final = capacity
        self._amount: Final = amount
        self._interval: Final = interval
        self._level = capacity if level is None else level
        self._since = 0  # the beginning of the current interval

    def due(self, t: int) -> int:
        """Return the time at which the next token may be taken: `t`, or the end of the current interval."""
        self._fill(t)
        return t if self._level else self._since + self._interval

    def take(self, t: int) -> bool:
        """Take one token at time `t`; return whether there was one."""
        self._fill(t)
        if not self._level:
            return False
        self._level -= 1
        return True

    def drain(self, t: int) -> int:
        """Take all tokens at time `t` and return their number."""
        self._fill(t)
        taken, self._level = self._level, 0
        return taken

    def _fill(self, t: int) -> None:
        """Add the tokens of the intervals that have ended by time `t`."""
        intervals = max((t - self._since) // self._interval, 0)
        self._level += intervals * self._amount
        if self._level >= self._capacity:
            self._level = self._capacity
            self._since = max(t, self._since)
        else:
            self._since += intervals * self._interval
