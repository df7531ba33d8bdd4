"""All faults of a bench: those of its file and those of commands, from their announcement to their end.

The same seed, and the same faults added at the same times, give the same bytes: fault n draws from random numbers of
its own, seeded by "seed n". What begins and ends is logged; the status shows what waits, is active, or was lately.
"""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any, Final

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.event_log import EventLog
from hilbridge.common.units import SECOND
from hilbridge.faults.disturbance import DelayLine
from hilbridge.faults.effects import EffectBuilder, FaultTargets
from hilbridge.faults.fault import Effect, HitSelector, InjectedFault
from hilbridge.settings.faults import FaultSettings, FrameFault, SignalFault

GONE: Final = "the bench file has it no longer, or not what it is of"

MOST: Final = 64
"""Faults that wait or are active at a time."""

REMEMBERED: Final = 16
"""Faults that are over and still shown."""


class Injector:
    """`poll` once a tick, before all else."""

    def __init__(
        self,
        settings: Sequence[FaultSettings],
        seed: int,
        parts: FaultTargets,
        event_log: EventLog,
        before: "tuple[Injector, int] | None" = None,
    ) -> None:
        """`settings`: the faults of the bench file.

        `before`: an injector whose place this one is to take, at a time [ns]. Faults that the bench file had then go
        on, those that are new in it begin there.

        ConfigurationError, with the key path in the bench file: a fault of something that does not exist.
        """
        self._seed: Final = seed
        self._event_log: Final = event_log
        older, t = before or (None, 0)
        self._line: Final[DelayLine] = DelayLine() if older is None else older._line
        self._effects: Final = EffectBuilder(parts, self._line)
        self._present: Final[list[InjectedFault]] = []
        self._over: Final[deque[InjectedFault]] = deque(maxlen=REMEMBERED) if older is None else older._over
        self._number: int = 0 if older is None else older._number
        self._hits = 0  # of those that are over
        self._of_file: Final[dict[int, FaultSettings]] = {}  # by number, those that are over too
        self._moves: Final[dict[int, Effect]] = {}  # of those that go on
        left = {} if older is None else dict(older._of_file)
        for index, one in enumerate(settings):
            place: KeyPath = ("faults", index)
            number = next((number for number, known in left.items() if known == one), None)
            if number is None:
                number = self._add(one, t, place)
            else:
                self.check(one, place)
                del left[number]
            self._of_file[number] = one
        for fault in older._present if older is not None else ():
            if fault.number not in left:
                with suppress(ConfigurationError):
                    self._moves[fault.number] = self._effects.make(fault.number, fault.settings, fault.draw, ())

    def take_over(self, before: "Injector", t: int) -> None:
        """Goes on at `t` [ns] where another one was: its faults are of this one's frames now, or over."""
        for fault in tuple(before._present):
            if fault.number in self._moves:
                fault.move(self._moves[fault.number])
                self._present.append(fault)
            else:
                fault.stop(GONE, t)
                before._tell(fault, t)
        self._present.sort(key=lambda fault: fault.number)
        self._hits = before._hits

    def poll(self, t: int) -> None:
        """Faults begin and end, and frames that were delayed go, as is due at `t` [ns]."""
        if self._line.waiting:
            self._line.release(t)
        for fault in tuple(self._present):
            if fault.advance(t):
                self._tell(fault, t)

    def add(self, settings: FaultSettings, t: int) -> int:
        """A fault from `t` [ns] on, or later; its number.

        ConfigurationError, with the key: it is of something that does not exist, or there are too many.
        """
        return self._add(settings, t, ())

    def check(self, settings: FaultSettings, place: KeyPath) -> None:
        """ConfigurationError, with the key path, where `add` would refuse a fault of something that does not exist."""
        self._effects.make(0, settings, HitSelector(Random(0)), place)

    def clear(self, number: int | None, t: int) -> None:
        """Ends a fault, or all, at `t` [ns], begun or not. ConfigurationError: there is none of this number."""
        chosen = [fault for fault in self._present if number in (None, fault.number)]
        if number is not None and not chosen:
            raise ConfigurationError(f"there is no fault {number} that waits or is active")
        for fault in chosen:
            fault.stop("cleared", t)
            self._tell(fault, t)

    def describe(self) -> list[dict[str, Any]]:
        """What waits, is active, and was lately, by number; times in seconds of the run."""
        faults = sorted([*self._over, *self._present], key=lambda fault: fault.number)
        return [
            {
                "fault": fault.number,
                "what": fault.settings.describe(),
                "state": fault.state,
                "begin": fault.start / SECOND,
                "end": None if fault.finish is None else fault.finish / SECOND,
                "frames": _frames_hit(fault),
            }
            for fault in faults
        ]

    def statistics(self) -> dict[str, int]:
        """Faults so far, frames that they hit, and delayed frames for which there was no room."""
        hits = self._hits + sum(fault.draw.hits for fault in self._present)
        return {"added": self._number, "frames_hit": hits, "frames_lost": self._line.lost}

    def _add(self, settings: FaultSettings, t: int, place: KeyPath) -> int:
        if len(self._present) >= MOST:
            raise ConfigurationError(f"{MOST} faults wait or are active already", place)
        number = self._number + 1
        draw = _draw(settings, Random(f"{self._seed} {number}"))
        self._present.append(
            InjectedFault(number, settings, self._effects.make(number, settings, draw, place), draw, t)
        )
        self._number = number
        return number

    def _tell(self, fault: InjectedFault, t: int) -> None:
        """It has begun, or is over."""
        what = fault.settings.describe()
        if fault.state == "active":
            self._event_log.warning(t, "fault begins", fault=fault.number, what=what)
            return
        self._present.remove(fault)
        self._over.append(fault)
        self._hits += fault.draw.hits
        hits = {} if (frames := _frames_hit(fault)) is None else {"frames": frames}
        self._event_log.info(t, "fault over", fault=fault.number, what=what, reason=fault.why_over, **hits)


def _draw(settings: FaultSettings, random: Random) -> HitSelector:
    if isinstance(settings, SignalFault | FrameFault):
        return HitSelector(random, settings.probability, settings.frames)
    return HitSelector(random)


def _frames_hit(fault: InjectedFault) -> int | None:
    """None for a fault that is not one of frames."""
    return fault.draw.hits if isinstance(fault.settings, SignalFault | FrameFault) else None
