"""The faults of a bench: those of its file and those of commands.

The same seed, and the same faults added at the same times, give the same bytes: fault n has a random number generator
of its own, seeded with "seed n". Begin and end are logged; the status shows waiting, active and recently ended faults.
"""

from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.event_log import EventLog
from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import SECOND
from hilbridge.bench.faults.disturbance import DelayLine
from hilbridge.bench.faults.effects import EffectBuilder, FaultTargets
from hilbridge.bench.faults.fault import Effect, HitSelector, InjectedFault
from hilbridge.bench.faults.rows import FaultCounts, FaultRow
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault
from hilbridge.files.settings.faults import FaultSettings, FrameFault, RouteFault, SignalFault

GONE: Final = "the bench file has it no longer, or not what it is of"

MAX_FAULTS: Final = 64
"""Faults that are waiting or active at a time."""

REMEMBERED: Final = 16
"""Ended faults that the status shows."""


class Injector:
    """Injects faults; `poll` is called once a tick, before everything else."""

    def __init__(
        self,
        settings: Sequence[FaultSettings],
        seed: RunSeed,
        parts: FaultTargets,
        event_log: EventLog,
        replaced: "Injector | None" = None,
        t: int = 0,
    ) -> None:
        """`settings`: the faults of the bench file.

        `replaced`: the injector that this one replaces at `t` [ns]. Faults that its bench file contained too continue;
        new ones begin at `t`.

        ConfigurationError, with the key path in the bench file: a fault of something that does not exist.
        """
        self._seed: Final = seed
        self._event_log: Final = event_log
        self._line: Final[DelayLine] = DelayLine() if replaced is None else replaced._line
        self._effects: Final = EffectBuilder(parts, self._line)
        self._present: Final[list[InjectedFault]] = []
        self._over: Final[deque[InjectedFault]] = deque(maxlen=REMEMBERED) if replaced is None else replaced._over
        self._number: int = 0 if replaced is None else replaced._number
        self._hits = 0  # of faults that are over
        self._of_file: Final[dict[int, FaultSettings]] = {}  # by number, also of faults that are over
        self._new_effects: Final[dict[int, Effect]] = {}  # of faults that continue
        left = {} if replaced is None else dict(replaced._of_file)
        for index, one in enumerate(settings):
            place: KeyPath = ("faults", index)
            number = next((number for number, known in left.items() if known == one), None)
            if number is None:
                number = self._add(one, t, place)
            else:
                self.check(one, place)
                del left[number]
            self._of_file[number] = one
        for fault in replaced._present if replaced is not None else ():
            if fault.number not in left:
                with suppress(ConfigurationError):
                    self._new_effects[fault.number] = self._effects.make(
                        fault.number, fault.settings, fault.selector, ()
                    )

    def take_over(self, previous: "Injector", t: int) -> None:
        """Take over the state of another injector at `t` [ns]: its faults act on the frames of this one, or end."""
        for fault in tuple(previous._present):
            if fault.number in self._new_effects:
                fault.replace_effect(self._new_effects[fault.number])
                self._present.append(fault)
            else:
                fault.stop(GONE, t)
                previous._log_change(fault, t)
        self._present.sort(key=lambda fault: fault.number)
        self._hits = previous._hits

    def poll(self, t: int) -> None:
        """Begin and end faults, and send delayed frames, as due at `t` [ns]."""
        if self._line.waiting:
            self._line.release(t)
        for fault in tuple(self._present):
            if fault.advance(t):
                self._log_change(fault, t)

    def add(self, settings: FaultSettings, t: int, by: str | None = None) -> int:
        """Add a fault of a client from `t` [ns] on, or later; return its number.

        ConfigurationError, with the key: it is of something that does not exist, or there are too many faults.
        """
        return self._add(settings, t, (), by)

    def check(self, settings: FaultSettings, place: KeyPath) -> None:
        """Check a fault without adding it.

        ConfigurationError, with the key path: it is of something that does not exist.
        """
        self._effects.make(0, settings, HitSelector(Random(0)), place)

    def clear(self, number: int | None, t: int) -> None:
        """End a fault, or all, at `t` [ns], begun or not. ConfigurationError: there is none of this number."""
        chosen = [fault for fault in self._present if number in (None, fault.number)]
        if number is not None and not chosen:
            raise ConfigurationError(f"there is no fault {number} that waits or is active")
        self._clear(chosen, t)

    def clear_of(self, by: str, t: int) -> None:
        """End the faults that someone has added at `t` [ns], begun or not."""
        self._clear([fault for fault in self._present if fault.by == by], t)

    def status(self) -> list[FaultRow]:
        """Return the waiting, active and recently ended faults by number."""
        faults = sorted([*self._over, *self._present], key=lambda fault: fault.number)
        return [
            FaultRow(
                fault.number,
                fault.settings.describe(),
                fault.state,
                fault.start / SECOND,
                None if fault.finish is None else fault.finish / SECOND,
                _hits(fault),
            )
            for fault in faults
        ]

    @property
    def active(self) -> str:
        """The faults that act now, as text: the only one by its description; empty: none."""
        found = [fault.settings.describe() for fault in self._present if fault.state == "active"]
        return f"fault: {found[0]}" if len(found) == 1 else f"{len(found)} faults are active" if found else ""

    def statistics(self) -> FaultCounts:
        """Return the counters of all faults so far."""
        hits = self._hits + sum(fault.selector.hits for fault in self._present)
        return FaultCounts(self._number, hits, self._line.lost)

    def _clear(self, chosen: Sequence[InjectedFault], t: int) -> None:
        for fault in chosen:
            fault.stop("cleared", t)
            self._log_change(fault, t)

    def _add(self, settings: FaultSettings, t: int, place: KeyPath, by: str | None = None) -> int:
        if len(self._present) >= MAX_FAULTS:
            raise ConfigurationError(f"{MAX_FAULTS} faults wait or are active already", place)
        number = self._number + 1
        selector = _hit_selector(settings, self._seed.generator(f"{{}} {number}"))
        self._present.append(
            InjectedFault(number, settings, self._effects.make(number, settings, selector, place), selector, t, by)
        )
        self._number = number
        return number

    def _log_change(self, fault: InjectedFault, t: int) -> None:
        """Log that a fault has begun or ended."""
        what = fault.settings.describe()
        if fault.state == "active":
            self._event_log.warning(t, "fault begins", fault=fault.number, what=what)
            return
        self._present.remove(fault)
        self._over.append(fault)
        self._hits += fault.selector.hits
        hits = {} if (number := _hits(fault)) is None else {"hits": number}
        self._event_log.info(t, "fault over", fault=fault.number, what=what, reason=fault.why_over, **hits)


def _hit_selector(settings: FaultSettings, random: Random) -> HitSelector:
    if isinstance(settings, SignalFault | FrameFault | RouteFault):
        return HitSelector(random, settings.probability, settings.frames)
    if isinstance(settings, DiagnosticsFault):
        return HitSelector(random, settings.probability, settings.requests, settings.every)
    return HitSelector(random)


def _hits(fault: InjectedFault) -> int | None:
    """Return how many frames or requests a fault has hit; None for one that hits neither."""
    hitting = isinstance(fault.settings, SignalFault | FrameFault | RouteFault | DiagnosticsFault)
    return fault.selector.hits if hitting else None
