"""A step that drives: the driver of `hilbridge drive` operates the controls of the bench."""

from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.drive.driver import CONTROLS, PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.bench.inputs.controls import INPUT_CONTROLS
from hilbridge.bench.scenario.actions import CommandedControls
from hilbridge.bench.scenario.engine import Ending, in_nanoseconds
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import VehicleSettings

_PERIOD: Final = in_nanoseconds(PERIOD)

_LONGEST_START: Final = 10 * SECOND
"""[ns] Time in which the engine must start."""

_CATCH_UP: Final = SECOND
"""[ns] Longest part of a time jump that the driver makes up for: pedals do not move during a jump."""

_AROUND: Final = 1.0
"""[s] Time tolerance: the speed may be that of the trace so long before or after (UN Regulation No. 83, Annex 4a)."""

_ACCELERATION: Final = 1.5
"""[m/s²] of a drive to a speed, unless its step says another one."""

_HOLDING: Final = 3.0
"""[s] for which the speed is held, so that shifts are over."""

_NEAR: Final = 3.0 * KMH
"""[m/s] within which the car has reached a speed."""

_CONTROLS: Final = tuple(INPUT_CONTROLS[index] for index in CONTROLS)


class DriveStep:
    """Follows a speed trace. The engine is started first; the trace begins when it idles.

    The step fails if the engine does not start, or if the speed leaves the trace by more than `tolerance` [m/s], if
    there is one. Pedals and levers remain where they are at the end. `departure` [ns]: the begin of the
    trace.
    """

    acts: Final = True
    endless: Final = False

    def __init__(
        self,
        data: DataBus,
        vehicle: VehicleSettings,
        trace: Trace,
        tolerance: float | None,
        controls: CommandedControls,
    ) -> None:
        self._data: Final = data
        self.trace: Final = trace
        self.tolerance: Final = tolerance
        self._commanded: Final = controls
        self._driver: Final = Driver(data, InverseVehicle(vehicle), trace)
        self._begin = 0
        self._due = 0  # [ns] next step of the driver
        self.departure: int | None = None
        self._largest = 0.0  # deviation from the trace, with its sign [m/s]

    def begin(self, t: int) -> None:
        self._begin = self._due = t

    def evaluate(self, t: int) -> Ending | None:
        self._due = max(self._due, t - _CATCH_UP)
        while self._due <= t:
            self._operate(self._due)
            self._due += _PERIOD
        for control, value in zip(_CONTROLS, self._driver.values, strict=True):
            self._commanded.hold(control, value)
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
        """Return the ending at the time `t` [s] of the trace, None while it continues."""
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


class ReachStep:
    """Brings the car from the speed that it has to `speed` [m/s] and holds it; in `gear` at the end, if there is one.

    The step fails if the engine does not start, or if the speed at the end is another one.
    """

    acts: Final = True
    endless: Final = False

    def __init__(
        self,
        data: DataBus,
        vehicle: VehicleSettings,
        speed: float,
        acceleration: float | None,
        gear: int | None,
        controls: CommandedControls,
    ) -> None:
        self._data: Final = data
        self._vehicle: Final = vehicle
        self._speed: Final = speed
        self._acceleration: Final = acceleration or _ACCELERATION
        self._controls: Final = controls
        self._in_gear: Final = None if gear is None else self._drive((0.0, _HOLDING), (speed, speed), (gear, gear))
        self._part: DriveStep | None = None

    def begin(self, t: int) -> None:
        now = max(self._data.read(VEHICLE, VehicleData.SPEED), 0.0)
        reached = max(abs(self._speed - now) / self._acceleration, 1.0)
        self._start(self._drive((0.0, reached, reached + _HOLDING), (now, self._speed, self._speed)), t)

    def evaluate(self, t: int) -> Ending | None:
        part = self._part
        ending = None if part is None else part.evaluate(t)
        if ending is None or not ending.passed:
            return ending
        if self._in_gear is not None and part is not self._in_gear:
            self._start(self._in_gear, t)
            return None
        speed = self._data.read(VEHICLE, VehicleData.SPEED)
        passed = abs(speed - self._speed) <= _NEAR
        wanted = "" if passed else f", not {self._speed / KMH:g}"
        return Ending(passed=passed, seen=f"the car goes {speed / KMH:.1f} km/h{wanted}")

    def close(self, t: int) -> Ending | None:
        return None

    def _start(self, part: DriveStep, t: int) -> None:
        self._part = part
        part.begin(t)

    def _drive(
        self, times: tuple[float, ...], speeds: tuple[float, ...], gears: tuple[int, ...] | None = None
    ) -> DriveStep:
        trace = Trace("speed", times, speeds, gears)
        return DriveStep(self._data, self._vehicle, trace, None, self._controls)
