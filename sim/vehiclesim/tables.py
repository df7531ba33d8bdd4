"""Measured curves and maps: straight lines between given points."""

from collections.abc import Sequence


class Table:
    """y(x) by straight lines between points with ascending x, held at the first and the last value beyond them."""

    def __init__(self, x: Sequence[float], y: Sequence[float]) -> None:
        if not x or len(x) != len(y):
            raise ValueError(f"a table needs as many values as points: {len(y)} for {len(x)}")
        self._x: list[float] = [float(value) for value in x]
        self._y: list[float] = [float(value) for value in y]
        self._slopes: list[float] = []
        for k in range(len(x) - 1):
            width = self._x[k + 1] - self._x[k]
            if not width > 0.0:
                raise ValueError(f"the points of a table must ascend: {x[k + 1]} after {x[k]}")
            self._slopes.append((self._y[k + 1] - self._y[k]) / width)

    def at(self, x: float) -> float:
        """Return the value at x; not-a-number counts as lying before the first point."""
        points = self._x
        low, high = 0, len(points) - 1
        if not x > points[low]:
            return self._y[low]
        if x >= points[high]:
            return self._y[high]
        while high - low > 1:
            middle = (low + high) // 2
            if x < points[middle]:
                high = middle
            else:
                low = middle
        return self._y[low] + self._slopes[low] * (x - points[low])


class Map:
    """z(x, y) by straight lines between the points of a grid, held at its borders; `rows` has a row of z for each x."""

    def __init__(self, x: Sequence[float], y: Sequence[float], rows: Sequence[Sequence[float]]) -> None:
        if len(rows) != len(x):
            raise ValueError(f"a map needs a row for each point: {len(rows)} for {len(x)}")
        self._rows: list[Table] = [Table(y, row) for row in rows]
        self._place: Table = Table(x, [float(k) for k in range(len(x))])

    def at(self, x: float, y: float) -> float:
        """Return the value at x, y."""
        place = self._place.at(x)
        first = int(place)
        low = self._rows[first].at(y)
        share = place - first
        return low + share * (self._rows[first + 1].at(y) - low) if share > 0.0 else low
