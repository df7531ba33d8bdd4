"""How far and how long: with the indicator on, and since the codes were cleared (SAE J1979, PIDs 21, 30, 31, 4D, 4E).

Distances are differences of the odometer, times are differences of the engine's run time (PID 1F), so that no two
counters of the car disagree, even where the bench has missed ticks that the vehicle does not make up for. What is
counted with the indicator on begins anew when it comes on, and stands when it goes out.
"""

from typing import Final

from hilbridge.common.units import MILLISECOND
from vehiclesim.channels import AuxiliaryData
from vehiclesim.databus import DataBus

COUNTERS: Final = (
    "distance_with_indicator",
    "time_with_indicator",
    "distance_since_clear",
    "time_since_clear",
    "warm_ups_since_clear",
)

_MOST_WARM_UPS: Final = 255


class MilCounters:
    """Distances in mm, times in ns."""

    def __init__(self, data: DataBus) -> None:
        self.distance_with_indicator = 0
        self.time_with_indicator = 0
        self.distance_since_clear = 0
        self.time_since_clear = 0
        self.warm_ups_since_clear = 0
        self._data: Final = data
        self._odometer: int | None = None
        self._run_time: int | None = None

    def advance(self, *, indicator: bool) -> None:
        """Counts what has passed since the last time; a counter of the car that was set back takes nothing away."""
        odometer, run_time = self._data.auxiliary[AuxiliaryData.ODOMETER], self._data.auxiliary[AuxiliaryData.RUN_TIME]
        way = max(0, odometer - self._odometer) if self._odometer is not None else 0
        time = max(0, run_time - self._run_time) * MILLISECOND if self._run_time is not None else 0
        self._odometer, self._run_time = odometer, run_time
        self.distance_since_clear += way
        self.time_since_clear += time
        if indicator:
            self.distance_with_indicator += way
            self.time_with_indicator += time

    def indicate(self) -> None:
        """The indicator comes on."""
        self.distance_with_indicator = self.time_with_indicator = 0

    def warm_up(self) -> None:
        self.warm_ups_since_clear = min(self.warm_ups_since_clear + 1, _MOST_WARM_UPS)

    def clear(self) -> None:
        for name in COUNTERS:
            setattr(self, name, 0)

    def export(self) -> dict[str, int]:
        """As JSON data."""
        return {name: getattr(self, name) for name in COUNTERS}
