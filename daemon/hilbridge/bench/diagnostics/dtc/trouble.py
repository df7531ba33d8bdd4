"""The life cycle of a trouble code.

    test fails                         pending at once
    fails in the next driving cycle
    that tests it (or `trips` is 1)    confirmed, indicator on, permanent
    a driving cycle tests it, no fault pending ends
    three such cycles                  indicator off, permanent ends
    40 warm-ups after that             confirmed ends, freeze frame erased

A driving cycle that does not test the code changes nothing. A code that a tool has cleared stays permanent until a
driving cycle has tested it without a fault; where its monitor is continuous, that must be a general cycle, too (SAE
J1979, service 0A; 13 CCR 1968.2, erasure of permanent fault codes; drive_cycle.py).

The status byte is that of ISO 14229-1, annex D.2; so is the fault detection counter, which goes to 127 until a test has
failed and to -128 until it has passed (annex D.6). The other counters are those of AUTOSAR's diagnostic event manager.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from hilbridge.bench.diagnostics.dtc.codes import TroubleCode


@dataclass(frozen=True, slots=True)
class FreezeFrame:
    """The values stored when a fault was detected (SAE J1979, service 02): data bytes by PID, all of one tick.

    `order` is the number of the frame, counted from 1 in the order of storing.
    """

    values: dict[int, bytes]
    order: int

    def export(self) -> dict[str, object]:
        """Return JSON data; bytes in hexadecimal."""
        return {"order": self.order, "values": {f"{pid:02X}": data.hex() for pid, data in self.values.items()}}


HEALING_CYCLES: Final = 3
"""Driving cycles without a fault until the indicator goes off."""

AGING_WARM_UPS: Final = 40
"""Warm-ups with the indicator off until the code is erased."""

TEST_FAILED: Final = 0x01
TEST_FAILED_THIS_CYCLE: Final = 0x02
PENDING: Final = 0x04
CONFIRMED: Final = 0x08
NOT_COMPLETED_SINCE_CLEAR: Final = 0x10
FAILED_SINCE_CLEAR: Final = 0x20
NOT_COMPLETED_THIS_CYCLE: Final = 0x40
INDICATOR_REQUESTED: Final = 0x80

STORED_FLAGS: Final = ("failing", "failed_since_clear", "tested_since_clear", "pending", "confirmed", "indicator")
STORED_COUNTS: Final = (
    "occurrences",
    "passed_cycles",
    "warm_ups",
    "failed_cycles",
    "cycles_since_first_failed",
    "cycles_since_last_failed",
    "max_detection",
)
STORED_ORDERS: Final = ("first_failed", "last_failed", "last_confirmed")
FAILED: Final = 127
PASSED: Final = -128
"""The fault detection counter of a test that has a result."""

_MOST: Final = 0xFF
_OF_THIS_CYCLE: Final = ("failed_this_cycle", "tested_this_cycle", "detection", "max_detection_this_cycle")


@dataclass(slots=True)
class Trouble:
    """A trouble code and its status. Methods return whether data changed that is worth storing.

    `snapshots`: data by identifier, by record. `first_failed`, `last_failed` and `last_confirmed` since the last
    clearing are numbers of events of the store, 0 for never. `detection` is the fault detection counter.
    """

    code: TroubleCode
    failing: bool = False
    failed_this_cycle: bool = False
    tested_this_cycle: bool = False
    failed_since_clear: bool = False
    tested_since_clear: bool = False
    pending: bool = False
    confirmed: bool = False
    indicator: bool = False
    permanent: bool = False
    occurrences: int = 0
    passed_cycles: int = 0
    warm_ups: int = 0
    failed_cycles: int = 0
    cycles_since_first_failed: int = 0
    cycles_since_last_failed: int = 0
    first_failed: int = 0
    last_failed: int = 0
    last_confirmed: int = 0
    detection: int = 0
    max_detection: int = 0
    max_detection_this_cycle: int = 0
    frame: FreezeFrame | None = None
    snapshots: dict[int, dict[int, bytes]] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The status byte of ISO 14229-1."""
        return (
            TEST_FAILED * self.failing
            | TEST_FAILED_THIS_CYCLE * self.failed_this_cycle
            | PENDING * self.pending
            | CONFIRMED * self.confirmed
            | NOT_COMPLETED_SINCE_CLEAR * (not self.tested_since_clear)
            | FAILED_SINCE_CLEAR * self.failed_since_clear
            | NOT_COMPLETED_THIS_CYCLE * (not self.tested_this_cycle)
            | INDICATOR_REQUESTED * self.indicator
        )

    def fail(self) -> bool:
        """Note that the test has failed."""
        if self.failing and self.failed_this_cycle:
            return False
        if not self.failing:
            self.occurrences = min(self.occurrences + 1, _MOST)
        if not self.failed_this_cycle and (self.pending or self.code.trips == 1):
            self.confirm()
        self.failing = self.failed_this_cycle = self.tested_this_cycle = True
        self.failed_since_clear = self.tested_since_clear = self.pending = True
        self.passed_cycles = self.warm_ups = 0
        return True

    def confirm(self) -> bool:
        """Confirm the code."""
        if self.confirmed and self.indicator == self.code.emission:
            return False
        self.confirmed = True
        self.indicator = self.permanent = self.code.emission
        return True

    def succeed(self) -> bool:
        """Note that the test has passed."""
        if self.tested_this_cycle and not self.failing:
            return False
        changed = self.failing or not self.tested_since_clear
        self.failing = False
        self.tested_this_cycle = self.tested_since_clear = True
        return changed

    def detect(self, counter: int) -> None:
        """Note the fault detection counter of the test."""
        self.detection = counter
        self.max_detection = max(self.max_detection, counter)
        self.max_detection_this_cycle = max(self.max_detection_this_cycle, counter)

    def end_cycle(self, *, driven: bool, general: bool = False) -> bool:
        """End the operation cycle; `driven`: it was a driving cycle, `general`: a general cycle."""
        changed = self.first_failed > 0
        self._count_cycle()
        if driven and self.tested_this_cycle and not self.failed_this_cycle:
            changed = self.pending or self.indicator or self.permanent
            self.pending = False
            if self.indicator:
                self.passed_cycles += 1
                self.indicator = self.passed_cycles < HEALING_CYCLES
                self.permanent = self.indicator
            elif general or not self.code.is_continuous:
                self.permanent = False
            if not self.confirmed:
                self._forget()
        self.failed_this_cycle = self.tested_this_cycle = False
        self.detection = self.max_detection_this_cycle = 0
        return changed

    def _count_cycle(self) -> None:
        if self.first_failed:
            self.cycles_since_first_failed = min(self.cycles_since_first_failed + 1, _MOST)
            if self.failed_this_cycle:
                self.failed_cycles = min(self.failed_cycles + 1, _MOST)
                self.cycles_since_last_failed = 0
            else:
                self.cycles_since_last_failed = min(self.cycles_since_last_failed + 1, _MOST)

    def _forget(self) -> None:
        """Erase the values of the moment of the failure."""
        self.frame = None
        self.snapshots.clear()
        self.last_confirmed = 0

    def warm_up(self) -> bool:
        """Count a warm-up."""
        if not self.confirmed or self.indicator or self.failed_this_cycle:
            return False
        self.warm_ups += 1
        if self.warm_ups >= AGING_WARM_UPS:
            self.confirmed = False
            self._forget()
            self.warm_ups = 0
        return True

    def clear(self) -> None:
        """Clear the code, as a tool does: everything but `permanent` is reset."""
        fresh = Trouble(self.code)
        for name in (*STORED_FLAGS, *STORED_COUNTS, *STORED_ORDERS, *_OF_THIS_CYCLE, "frame", "snapshots"):
            setattr(self, name, getattr(fresh, name))

    def export(self) -> dict[str, Any]:
        """Return JSON data without the state of the present cycle: a start of the program begins a new one."""
        stored = {name: getattr(self, name) for name in (*STORED_FLAGS, "permanent", *STORED_COUNTS, *STORED_ORDERS)}
        snapshots = {
            str(number): {f"{identifier:04X}": data.hex() for identifier, data in values.items()}
            for number, values in self.snapshots.items()
        }
        return stored | {"frame": None if self.frame is None else self.frame.export(), "snapshots": snapshots}
