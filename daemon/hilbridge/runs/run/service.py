"""The reports of a run to the service manager: ready, one line of status, the watchdog."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.base.process.notify import Notifier, TickHealth
from hilbridge.bench.bench import Bench
from hilbridge.bench.status import headline
from hilbridge.boundary.observe.reporter import Reporter

_HEADLINE: Final = 5 * SECOND
"""[ns] of the run between two lines for `systemctl status`."""

_START_TIME: Final = 19
"""Index of the start time among the fields of /proc/self/stat that follow the program's name."""


class ServiceReport:
    """The reports of one run; without a service manager they go nowhere."""

    def __init__(self, bench: Bench, reporter: Reporter, trouble: Callable[[], str] = str) -> None:
        """`trouble` returns what is added to the line of status; empty: nothing."""
        self.notifier: Final = Notifier()
        self._bench: Final = bench
        self._reporter: Final = reporter
        self._trouble: Final = trouble
        self._health: Final = TickHealth()
        self._next = 0  # [ns]

    def ready(self, t: int) -> None:
        """Report that the start is complete."""
        self._reporter.info(t, "ready", start_up_ms=_age_of_process())
        self.notifier.ready(self.line())

    def poll(self, t: int) -> None:
        """Feed the watchdog while the tick is healthy, and renew the status; called some ten times a second."""
        if self._health.is_good(self._reporter.ticks, self._reporter.missed):
            self.notifier.alive()
        if self.notifier.listening and t >= self._next:
            self._next = t + _HEADLINE
            self.notifier.status(self.line())

    def line(self) -> str:
        """Return the line of `systemctl status`."""
        return headline(self._bench, self._reporter.missed, self._reporter.overload) + self._trouble()


def _age_of_process() -> float:
    """Return the time since the kernel started this process [ms], in clock ticks of usually 10 ms; see proc(5)."""
    fields = Path("/proc/self/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    started = int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
    return round(1000 * (time.clock_gettime(time.CLOCK_BOOTTIME) - started), 0)
