"""A histogram of durations: cheap to fill, and of a known resolution; the counters of a statistics object.

Values v are integer nanoseconds. Up to 63 ns every value has a bucket of its own; above, every power of two is cut
into 32 equal parts:

    e = bit_length(v) - 6
    bucket = 32 e + (v >> e)         (32 <= v >> e <= 63)

A bucket is narrower than 1/32 of its lower edge. `percentile` returns the upper edge of the bucket that holds the
value asked for, never more than the largest value seen, so that

    true value <= result < true value * (1 + 1/32)

up to LIMIT (18 minutes). Longer values share the last bucket, whose upper edge is the largest value seen.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import accumulate
from typing import Any, Final, Self

_BITS: Final = 5
_PARTS: Final = 1 << _BITS
_LIMIT_BITS: Final = 40

LIMIT: Final = (1 << _LIMIT_BITS) - 1
"""[ns] the largest value that RELATIVE_ERROR holds for."""

RELATIVE_ERROR: Final = 1 / _PARTS

BUCKETS: Final = (_LIMIT_BITS - _BITS + 1) * _PARTS
SIZE: Final = 8 * (BUCKETS + 1)
"""[byte] of a histogram: a 64-bit count for every bucket, then the largest value."""

_LAST: Final = BUCKETS - 1
_MAXIMUM: Final = BUCKETS


def upper_edge(bucket: int) -> int:
    """Return the largest value [ns] that `bucket` counts."""
    if bucket < 2 * _PARTS:
        return bucket
    exponent = (bucket >> _BITS) - 1
    return ((bucket - (exponent << _BITS) + 1) << exponent) - 1


class Histogram:
    """The frequency of each duration.

    The counts lie in memory of the caller's, so that another process can read them, or in memory of their own. One
    process records, any number read; a reader finds each count as it was at some moment.
    """

    def __init__(self, memory: memoryview | None = None) -> None:
        area = memoryview(bytearray(SIZE)) if memory is None else memory
        if area.nbytes != SIZE:
            raise ValueError(f"a histogram needs {SIZE} bytes, not {area.nbytes}")
        self._cells = area.cast("Q")

    def record(self, value: int) -> None:
        """Count one duration [ns]; a negative one counts as 0."""
        if value < _PARTS:
            bucket = max(0, value)
        elif value <= LIMIT:
            exponent = value.bit_length() - 1 - _BITS
            bucket = (exponent << _BITS) + (value >> exponent)
        else:
            bucket = _LAST
        cells = self._cells
        cells[bucket] += 1
        if value > cells[_MAXIMUM]:
            cells[_MAXIMUM] = value

    @property
    def maximum(self) -> int:
        """[ns] the largest value, exactly; 0 while nothing was recorded."""
        return self._cells[_MAXIMUM]

    @property
    def count(self) -> int:
        """The number of recorded values."""
        return sum(self._cells[:BUCKETS])

    def percentile(self, percent: float) -> int:
        """Return the least value [ns] that at least `percent` (0..100) % of those recorded do not exceed; 0 if none."""
        return self.percentiles(percent)[0]

    def percentiles(self, *percents: float) -> Sequence[int]:
        """Return several percentiles, which costs little more than one."""
        *counts, maximum = self.to_list()
        counted = list(accumulate(counts))
        buckets = (bisect_left(counted, max(1.0, percent / 100 * counted[-1])) for percent in percents)
        return [maximum if bucket >= _LAST else min(upper_edge(bucket), maximum) for bucket in buckets]

    def merge(self, other: "Histogram") -> None:
        """Add the counts of `other`."""
        cells = self._cells
        counts = other.to_list()
        maximum = counts.pop()
        for bucket, count in enumerate(counts):
            cells[bucket] += count
        cells[_MAXIMUM] = max(cells[_MAXIMUM], maximum)

    def since(self, earlier: "Histogram") -> "Histogram":
        """Return what was recorded since `earlier` was copied from this histogram; the maximum is that of both."""
        cells = [now - then for now, then in zip(self.to_list(), earlier.to_list(), strict=True)]
        cells[_MAXIMUM] = self.maximum
        return Histogram.from_list(cells)

    def copy(self) -> "Histogram":
        """Return a histogram with the present counts, in memory of its own."""
        return Histogram.from_bytes(self.to_bytes())

    def summary(self) -> dict[str, int]:
        """Return the figures of a report: p50, p99, p99.9 and the maximum [ns]."""
        p50, p99, p99_9 = self.percentiles(50, 99, 99.9)
        return {"p50": p50, "p99": p99, "p99_9": p99_9, "max": self.maximum}

    def to_list(self) -> list[int]:
        """Return the count of every bucket, then the maximum."""
        return self._cells.tolist()

    @classmethod
    def from_list(cls, cells: Iterable[int]) -> Self:
        """Return the histogram of which `to_list` returned `cells`."""
        histogram = cls()
        for index, cell in enumerate(cells):
            histogram._cells[index] = cell
        return histogram

    def to_bytes(self) -> bytes:
        """Return the cells of `to_list` as 64-bit integers in the byte order of the machine."""
        return self._cells.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the histogram of which `to_bytes` returned `data`."""
        return cls(memoryview(bytearray(data)))

    def release(self) -> None:
        """Release the memory, so that its owner can unmap it."""
        self._cells.release()


def counters(statistics: Any) -> dict[str, int]:
    """Return the counters of a dataclass by name, those that are not 0."""
    return {field.name: value for field in fields(statistics) if (value := getattr(statistics, field.name))}
