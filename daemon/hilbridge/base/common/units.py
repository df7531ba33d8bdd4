"""Durations in the unit in which the daemon counts time: integer nanoseconds."""

from typing import Final

MICROSECOND: Final = 1_000
"""[ns]"""

MILLISECOND: Final = 1_000_000
"""[ns]"""

SECOND: Final = 1_000_000_000
"""[ns]"""

NEVER: Final = 1 << 62
"""[ns] A time that no run reaches: 146 years."""
