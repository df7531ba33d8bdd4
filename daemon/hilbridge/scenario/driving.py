"""A step that drives: the driver of `hilbridge drive` at the controls of the bench."""

from typing import Final

from hilbridge.common.units import SECOND
from hilbridge.drive.driver import PERIOD, Driver
from hilbridge.drive.trace import KMH, Trace
from hilbridge.inputs.controls import INPUT_CONTROLS
from hilbridge.scenario.actions import CommandedControls
from hilbridge.scenario.engine import Ending, in_nanoseconds
from vehiclesim.channels import VEHICLE, InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import VehicleSettings

_PERIOD: Final = in_nanoseconds(PERIOD)

_LONGEST_START: Final = 10 * SECOND
"""[ns] until the engine must run."""

_CATCH_UP: Final = SECOND
"""[ns] of a time jump that the driver does not make up for: nobody moves a pedal while time stands still."""

_AROUND: Final = 1.0
"""[s]. The speed may be what the trace is within so long before and after (UN Regulation No. 83, Annex 4a)."""

_CONTROLS: Final = tuple(
    INPUT_CONTROLS[index]
    for index in (
        InputData.THROTTLE,
        InputData.BRAKE,
        InputData.CLUTCH,
        InputData.MANUAL_GEAR,
        InputData.AUTOMATIC_GEAR,
        InputData.KEY,
    )
)


class DriveStep:
    """The engine is started first; the trace begins when it idles.

    Fails when the engine does not start, or where the speed leaves the trace by more than `tolerance` [m/s], if there
    is one. Pedals and levers stay where they are at the end.

    The driver works on a data bus of its own, whose Vehicle channel is the vehicle's: what it does to the Input channel
    is then done by commands.

    `departure` [ns]: when the trace began.
    """

    acts: Final = True
    endless: Final = False

    def __init__(
        self, data: DataBus, vehicle: VehicleSettings, trace: Trace, tolerance: float | None, hand: CommandedControls
    ) -> None:
        self._cabin: Final = DataBus()
        self._cabin.vehicle = data.vehicle
        self._data: Final = data
        self.trace: Final = trace
        self.tolerance: Final = tolerance
        self._hand: Final = hand
        self._driver: Final = Driver(self._cabin, vehicle, trace)
        self._begin = 0
        self._due = 0  # [ns] of the next look at the instruments
        self.departure: int | None = None
        self._largest = 0.0  # deviation from the trace, with its sign [m/s]

    def begin(self, t: int) -> None:
        self._begin = self._due = t

    def look(self, t: int) -> Ending | None:
        self._due = max(self._due, t - _CATCH_UP)
        while self._due <= t:
            self._operate(self._due)
            self._due += _PERIOD
        for control in _CONTROLS:
            self._hand.hold(control, self._cabin.input[control.index])
        if self.departure is None:
            late = t - self._begin >= _LONGEST_START
            return Ending(passed=False, seen="the engine does not start", fatal=True) if late else None
        return self._judge((t - self.departure) / SECOND)

    def close(self, t: int) -> Ending | None:
        return None

    def _operate(self, t: int) -> None:
        if self.departure is None and self._driver.ready:
            self.departure = t
        if self.departure is None:
            self._driver.start()
        else:
            self._driver.drive((t - self.departure) / SECOND)

    def _judge(self, t: float) -> Ending | None:
        """At the time `t` [s] of the trace."""
        speed = self._data.read(VEHICLE, VehicleData.SPEED)
        deviation = speed - self.trace.speed(t)
        if abs(deviation) > abs(self._largest):
            self._largest = deviation
        if self.tolerance is not None and abs(deviation) > self.tolerance:
            lowest, highest = self.trace.bounds(t - _AROUND, t + _AROUND)
            if not lowest - self.tolerance <= speed <= highest + self.tolerance:
                wanted = f"{self.trace.speed(t) / KMH:.1f} km/h"
                return Ending(passed=False, seen=f"{t:.1f} s into the trace: {speed / KMH:.1f} km/h for {wanted}")
        if t < self.trace.duration:
            return None
        return Ending(passed=True, seen=f"largest deviation {self._largest / KMH:+.1f} km/h")
