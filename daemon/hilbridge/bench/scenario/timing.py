"""A step that measures the cycle time of a frame, in ticks: a frame counts at the tick that carries it."""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.units import MILLISECOND
from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.context import ScenarioContext
from hilbridge.bench.scenario.engine import Ending, in_nanoseconds, seconds
from hilbridge.bench.scenario.pattern import Pattern
from hilbridge.files.settings.scenario import FrameSettings
from hilbridge.files.settings.scenario_wire import PeriodSettings
from hilbridge.frames.bus.frame_listener import FrameListener
from hilbridge.frames.codec.frame import Frame


class FramePeriod:
    """Expects frames with a cycle time [ns] for a time [ns], None: to the end of the scenario.

    mean = (t_n - t_1)/(n - 1) of n frames must be within `tolerance` [ns] of `cycle`; every t_i - t_(i-1) within
    `jitter` [ns], if there is one.
    """

    acts: Final = False

    def __init__(
        self,
        pattern: Pattern,
        listener: FrameListener,
        cycle: int,
        tolerance: float,
        jitter: int | None,
        duration: int | None,
    ) -> None:
        self.endless: Final = duration is None
        self._pattern: Final = pattern
        self._listener: Final = listener
        self._cycle: Final = cycle
        self._tolerance: Final = tolerance
        self._jitter: Final = jitter
        self._duration: Final = duration
        self._begin = 0
        self._first = 0
        self._last = 0
        self._count = 0
        self._shortest = 0
        self._longest = 0

    def begin(self, t: int) -> None:
        self._begin = t
        self._listener.receivers.append(self._receive)

    def evaluate(self, t: int) -> Ending | None:
        return None if self._duration is None or t - self._begin < self._duration else self._over(t)

    def close(self, t: int) -> Ending | None:
        ending = self._over(t)
        return ending if self.endless else None

    def _receive(self, frame: Frame, t: int) -> None:
        if not self._pattern.matches(frame):
            return
        if self._count == 0:
            self._first = t
        else:
            interval = t - self._last
            self._shortest = interval if self._count == 1 else min(self._shortest, interval)
            self._longest = max(self._longest, interval)
        self._last = t
        self._count += 1

    def _over(self, t: int) -> Ending:
        self._listener.receivers.remove(self._receive)
        if self._count < 2:
            return Ending(passed=False, seen=f"{self._count} {self._pattern.title} in {seconds(t - self._begin)}")
        mean = (self._last - self._first) / (self._count - 1)
        deviation = max(self._longest - self._cycle, self._cycle - self._shortest)
        passed = abs(mean - self._cycle) <= self._tolerance and (self._jitter is None or deviation <= self._jitter)
        times = f"mean {_ms(mean)} for {_ms(self._cycle)}, shortest {_ms(self._shortest)}, longest {_ms(self._longest)}"
        return Ending(passed, f"{counted(self._count, 'frame')}: {times}")


def build_period(
    settings: PeriodSettings, duration: int | None, context: ScenarioContext, place: KeyPath
) -> FramePeriod:
    """Return the activity; `duration` [ns]. ConfigurationError, with the key path: no such frame, or no cycle time."""
    context.check_bus(settings.bus, (*place, "bus"))
    pattern = Pattern(FrameSettings(bus=settings.bus, message=settings.message), context.databases, place)
    cycle = in_nanoseconds(settings.cycle) if settings.cycle is not None else _of_database(settings, context, place)
    jitter = None if settings.jitter is None else in_nanoseconds(settings.jitter)
    return FramePeriod(pattern, context.listener(settings.bus), cycle, settings.tolerance * cycle, jitter, duration)


def _of_database(settings: PeriodSettings, context: ScenarioContext, place: KeyPath) -> int:
    if isinstance(settings.message, str):
        milliseconds = context.database(settings.bus, (*place, "bus")).message(settings.message).cycle_time
        if milliseconds:
            return milliseconds * MILLISECOND
    raise ConfigurationError("is missing: the database has no cycle time of this frame", (*place, "cycle"))


def _ms(nanoseconds: float) -> str:
    return f"{nanoseconds / MILLISECOND:g} ms"
