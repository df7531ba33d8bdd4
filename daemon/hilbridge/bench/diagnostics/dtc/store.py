"""The store of trouble codes of one control unit, which OBD-II, UDS and J1939 read and clear.

Monitors and commands `report` test results; `advance`, once a tick, follows the cycles by which codes are confirmed,
healed and erased (trouble.py). `changes` counts the changes that are worth storing; `export` returns the data to store.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.drive_cycle import NOTHING, CycleEvents, DriveCycle
from hilbridge.bench.diagnostics.dtc.misfires import MisfireCounts
from hilbridge.bench.diagnostics.dtc.monitor_status import COUNTERS, InUsePerformance, MilCounters, Readiness
from hilbridge.bench.diagnostics.dtc.stored import StoredTrouble, read_stored
from hilbridge.bench.diagnostics.dtc.trouble import (
    FAILED,
    PASSED,
    STORED_COUNTS,
    STORED_FLAGS,
    STORED_ORDERS,
    FreezeFrame,
    Trouble,
)
from hilbridge.frames.codec.database import unknown
from vehiclesim.databus import DataBus

INTERVAL: Final = SECOND // 10
"""[ns] Period of cycles, counters and monitors."""


class TroubleStore:
    """The trouble codes of one control unit, by name (P0301).

    `snapshot` returns the data bytes by PID of a freeze frame, `read_identifier` those of an identifier of UDS or None.
    `readiness_groups` are the numbers of groups of monitors in service 19 56. While `recording` is off, test results
    change nothing (UDS service 85). `held` are the codes whose test fails whatever their monitors find. `cycles` counts
    key-ons and `clears` clearings: after either, monitors restart.
    """

    def __init__(
        self,
        codes: Mapping[str, TroubleCode],
        data: DataBus,
        monitors: Iterable[str] = (),
        readiness_groups: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """`monitors`: the names of the monitors that run, out of those of the codes."""
        self.troubles: Final = {name: Trouble(code) for name, code in codes.items()}
        groups = {code.monitor: code.group for code in codes.values() if code.monitor is not None}
        self.readiness: Final = Readiness({name: groups[name] for name in monitors})
        self.performance: Final = InUsePerformance()
        self.history: Final = MilCounters(data)
        self.misfires: Final = MisfireCounts(self.troubles, data)
        self.cycle: Final = DriveCycle(data)
        self.readiness_groups: Final = readiness_groups
        self.snapshot: Callable[[], dict[int, bytes]] = dict
        self.read_identifier: Callable[[int], bytes | None] = lambda _number: None
        self.recording = True
        self.held: Final[list[str]] = []
        self.indicator = False
        self.changes = 0
        self.clears = 0
        self.cycles = 0
        self._events = 0
        self._looked = 0  # [ns]

    # -- state ----------------------------------------------------------------------------------------------

    def trouble(self, code: str) -> Trouble:
        """Return a code. ConfigurationError: this control unit has no such code."""
        if code not in self.troubles:
            raise unknown("trouble code", code, self.troubles, ())
        return self.troubles[code]

    def pending(self) -> list[TroubleCode]:
        """Return the emission-related codes of service 07."""
        return [one.code for one in self.troubles.values() if one.pending and one.code.emission]

    def confirmed(self) -> list[TroubleCode]:
        """Return the emission-related codes of service 03."""
        return [one.code for one in self.troubles.values() if one.confirmed and one.code.emission]

    def permanent(self) -> list[TroubleCode]:
        """Return the codes of service 0A."""
        return [one.code for one in self.troubles.values() if one.permanent]

    def frozen(self) -> Trouble | None:
        """Return the code whose freeze frame OBD-II reads: the first one; misfire and fuel system have priority."""
        frames = [
            (not trouble.code.has_priority, trouble.frame.order, name)
            for name, trouble in self.troubles.items()
            if trouble.frame is not None and trouble.code.emission
        ]
        return self.troubles[min(frames)[2]] if frames else None

    # -- events -----------------------------------------------------------------------------------------

    def report(self, code: str, failed: bool, t: int) -> None:
        """Report the result of a test. ConfigurationError: no such code."""
        trouble = self.trouble(code)
        if not self.recording:
            return
        failed = failed or code in self.held
        changed = trouble.fail() if failed else trouble.succeed()
        trouble.detect(FAILED if failed else PASSED)
        if failed and changed:
            self._note_failure(trouble)
        if trouble.code.monitor is not None:
            changed |= self._complete(trouble.code.monitor, trouble.code.group)
        if changed:
            self._change()

    def confirm(self, code: str, t: int) -> None:
        """Report that a test has failed in as many cycles as confirm its code. ConfigurationError: no such code."""
        self.report(code, failed=True, t=t)
        trouble = self.troubles[code]
        if self.recording and trouble.confirm():
            self._note_confirmation(trouble)
            self._change()

    def hold(self, code: str, t: int) -> None:
        """Let a test fail now and in each later cycle, until `let_go`. ConfigurationError: no such code."""
        self.report(code, failed=True, t=t)
        if code not in self.held:
            self.held.append(code)

    def let_go(self, code: str) -> None:
        """Leave a test to its monitor."""
        if code in self.held:
            self.held.remove(code)

    def advance(self, t: int) -> None:
        """Advance the cycles to time `t` [ns], if INTERVAL has passed."""
        elapsed = t - self._looked
        if elapsed < INTERVAL:
            return
        self._looked = t
        events = self.cycle.advance(elapsed)
        self.history.advance(elapsed, indicator=self.indicator)
        if events is not NOTHING:
            self._follow(events)
        if self.cycle.running:
            self.misfires.advance(elapsed)
        if self.cycle.key_on:
            for code in self.held:
                self.report(code, failed=True, t=t)

    def clear(self, codes: Collection[str] | None = None, *, readiness: bool = False) -> None:
        """Clear the given codes, and `readiness` and counters if wanted; without codes all of the primary memory.

        Permanent codes remain.
        """
        for name, trouble in self.troubles.items():
            if name in codes if codes is not None else trouble.code.memory is None:
                trouble.clear()
        if codes is None or readiness:
            self.readiness.clear()
            self.history.clear()
            self.misfires.clear()
        self.clears += 1
        self._change()

    def _note_failure(self, trouble: Trouble) -> None:
        """Number the event, and keep the values of the moment."""
        self._events += 1
        trouble.first_failed = trouble.first_failed or self._events
        trouble.last_failed = self._events
        self._note_confirmation(trouble)
        if trouble.frame is None:
            trouble.frame = FreezeFrame(self.snapshot(), self._events)
        for number, record in trouble.code.snapshots.items():
            if record.identifiers is not None and (record.latest or number not in trouble.snapshots):
                values = {identifier: self.read_identifier(identifier) for identifier in record.identifiers}
                trouble.snapshots[number] = {key: data for key, data in values.items() if data is not None}

    def _note_confirmation(self, trouble: Trouble) -> None:
        if trouble.confirmed and not trouble.last_confirmed:
            trouble.last_confirmed = self._events

    def _follow(self, events: CycleEvents) -> None:
        troubles = self.troubles.values()
        if events.began:
            self.cycles += 1
            self.readiness.begin_cycle()
            self.misfires.begin_cycle()
            self.performance.begin_cycle()
        changed = events.ignition or events.general or events.warmed_up or events.driven
        for trouble in troubles:
            if events.ended:
                changed |= trouble.end_cycle(driven=events.driven, general=events.complete)
            if events.warmed_up:
                changed |= trouble.warm_up()
        if events.driven:
            self.misfires.end_driving_cycle()
        if events.ignition:
            self.performance.ignite()
        if events.general:
            self.performance.complete_general()
        if events.warmed_up:
            self.history.warm_up()
        if changed:
            self._change()

    def _complete(self, monitor: str, group: str) -> bool:
        """Note the result of a monitor, which may complete its group; return whether data to store changed."""
        if monitor in self.readiness.this_cycle:
            return False
        changed = self.readiness.complete(monitor)
        if group not in self.readiness.incomplete_this_cycle():
            changed |= self.performance.complete(group)
        return changed

    def _change(self) -> None:
        self.changes += 1
        indicator = any(trouble.indicator for trouble in self.troubles.values())
        if indicator and not self.indicator:
            self.history.indicate()
        self.indicator = indicator

    # -- restarts ------------------------------------------------------------------------------------------------

    def export(self) -> dict[str, Any]:
        """Return the data that must survive a restart of the program, as JSON data."""
        return {
            "troubles": {name: trouble.export() for name, trouble in self.troubles.items()},
            "completed": sorted(self.readiness.completed),
            "misfires": self.misfires.export(),
            "history": self.history.export(),
            "performance": self.performance.export(),
        }

    def restore(self, data: object) -> None:
        """Restore what `export` returned; codes and monitors that no longer exist are left out.

        ValueError: the data cannot be used; nothing has changed then.
        """
        stored = read_stored(data)
        for name, kept in stored.troubles.items():
            if name in self.troubles:
                self._take(self.troubles[name], kept)
        self.readiness.completed.update(set(stored.completed) & set(self.readiness.monitors))
        for name in COUNTERS:
            setattr(self.history, name, getattr(stored.history, name))
        self.misfires.restore(stored.misfires)
        performance = stored.performance
        self.performance.ignitions, self.performance.general = performance.ignitions, performance.general
        for group in self.performance.completions:
            self.performance.completions[group] = performance.completions.get(group, 0)
        self.indicator = any(trouble.indicator for trouble in self.troubles.values())

    def _take(self, trouble: Trouble, kept: StoredTrouble) -> None:
        for name in (*STORED_FLAGS, "permanent", *STORED_COUNTS, *STORED_ORDERS):
            setattr(trouble, name, getattr(kept, name))
        self._events = max(self._events, kept.last_failed)
        trouble.snapshots = {
            int(number): {int(identifier, 16): bytes.fromhex(text) for identifier, text in values.items()}
            for number, values in kept.snapshots.items()
            if int(number) in trouble.code.snapshots
        }
        if kept.frame is not None:
            values = {int(pid, 16): bytes.fromhex(text) for pid, text in kept.frame.values.items()}
            trouble.frame = FreezeFrame(values, kept.frame.order)
            self._events = max(self._events, kept.frame.order)
