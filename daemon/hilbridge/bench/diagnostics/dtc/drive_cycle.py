"""Operation and driving cycles of the vehicle, from the data bus.

    operation cycle   from key on to key off
    driving cycle     an operation cycle in which the engine has run for 10 s
    warm-up           coolant at least 22 K above that at engine start, and at least 70 °C
    general cycle     engine run 600 s, 300 s of it above 40 km/h, and once 30 s at rest with the pedal released
                      (SAE J1979: the condition of the general denominator)

The 10 s are an assumption (regulations require a start and a drive).
"""

from dataclasses import dataclass
from typing import Final

from hilbridge.base.common.units import SECOND
from vehiclesim.channels import NAN, AuxiliaryData, ElectricData, InputData, VehicleData
from vehiclesim.databus import DataBus

_DRIVEN: Final = 10 * SECOND
_IGNITION: Final = 2 * SECOND
_RISE: Final = 22_000
_WARM: Final = 70_000
"""[m°C], as the data bus holds temperatures."""

_FAST: Final = 11_111
"""[mm/s] 40 km/h"""
_SLOW: Final = 447
"""[mm/s] 1 mile/h"""
_RUN_NEEDED: Final = 600 * SECOND
_FAST_NEEDED: Final = 300 * SECOND
_IDLE_NEEDED: Final = 30 * SECOND


@dataclass(frozen=True, slots=True)
class CycleEvents:
    """The events since the last call of `DriveCycle.advance`."""

    began: bool = False
    ended: bool = False
    driven: bool = False  # the cycle that ended was a driving cycle
    complete: bool = False  # and a general one
    warmed_up: bool = False
    ignition: bool = False  # the engine has run for 2 s: an ignition cycle
    general: bool = False


NOTHING: Final = CycleEvents()


class DriveCycle:
    """The present cycle. `key_on` and `running` (the engine) are those of the last `advance`."""

    def __init__(self, data: DataBus) -> None:
        self.key_on = False
        self.running = False
        self._data: Final = data
        self._reset()

    def _reset(self) -> None:
        self._run = 0  # [ns] engine run time in this cycle
        self._fast = 0
        self._idle = 0
        self._longest_idle = 0
        self._coldest: int | None = None
        self._warm = False
        self._general = False

    def advance(self, elapsed: int) -> CycleEvents:
        """Read the data bus `elapsed` ns after the last call; return the events since."""
        was_on, self.key_on = self.key_on, self._data.input[InputData.KEY] >= 0
        if was_on and not self.key_on:
            driven, complete = self._run >= _DRIVEN, self._general
            self.running = False
            self._reset()
            return CycleEvents(ended=True, driven=driven, complete=complete)
        began = self.key_on and not was_on
        running = self._data.vehicle[VehicleData.ENGINE_WORKING] or self._data.electric[ElectricData.DRIVE_READY]
        self.running = self.key_on and bool(running)
        if not self.running:
            self._idle = 0
            return CycleEvents(began=True) if began else NOTHING
        before = self._run
        self._run += elapsed
        warmed_up, general = self._warms_up(), self._completes(elapsed)
        ignition = before < _IGNITION <= self._run
        if began or warmed_up or general or ignition:
            return CycleEvents(began=began, warmed_up=warmed_up, general=general, ignition=ignition)
        return NOTHING

    def _warms_up(self) -> bool:
        """Return whether the warm-up is complete, once a cycle.

        The lowest temperature since engine start stands for the temperature at engine start.
        """
        coolant = self._data.auxiliary[AuxiliaryData.COOLANT_TEMPERATURE]
        if self._warm or coolant == NAN:
            return False
        if self._coldest is None or coolant < self._coldest:
            self._coldest = coolant
        self._warm = coolant >= _WARM and coolant - self._coldest >= _RISE
        return self._warm

    def _completes(self, elapsed: int) -> bool:
        """Return whether the general cycle is complete, once a cycle."""
        speed = abs(self._data.vehicle[VehicleData.SPEED])
        if speed >= _FAST:
            self._fast += elapsed
        resting = speed <= _SLOW and self._data.input[InputData.THROTTLE] == 0
        self._idle = self._idle + elapsed if resting else 0
        if self._idle > self._longest_idle:
            self._longest_idle = self._idle
        if self._general or not (
            self._run >= _RUN_NEEDED and self._fast >= _FAST_NEEDED and self._longest_idle >= _IDLE_NEEDED
        ):
            return False
        self._general = True
        return True
