"""An integral that loses nothing: whole units as an integer, and the fraction that is carried."""

from typing import ClassVar, Final

from vehiclesim.state import Stateful

_MOST: Final = 4503599627370496.0
"""2^52: larger amounts have no fraction to carry."""


class Integral(Stateful):
    """sum = count + fraction, with 0 <= fraction < 1 in the unit that is counted.

    A float that has summed up a day of milliseconds has lost their last digits; here the float stays below the amount
    of one step, so its rounding is that of one step. The count has no upper bound and never falls.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("count", "fraction")

    def __init__(self, count: int = 0) -> None:
        self.count: int = count
        self.fraction: float = 0.0

    def add(self, amount: float) -> int:
        """Add an amount and return by how many whole units the count grew; what is not positive adds nothing."""
        if not 0.0 < amount < _MOST:
            return 0
        total = self.fraction + amount
        if total < 1.0:
            self.fraction = total
            return 0
        whole = int(total)
        self.fraction = total - whole
        self.count += whole
        return whole

    def start_from(self, count: int, fraction: float) -> None:
        """Continue from a sum that was stored."""
        self.count = count
        self.fraction = fraction
