"""What the parts of a bench have to say, on its way to the log."""

from typing import Any

from hilbridge.clock import Clock
from hilbridge.observe.reporter import Reporter


class Journal:
    """Hands on to the reporter what is to be logged; before a run has one, and in a mere check, there is nobody."""

    def __init__(self) -> None:
        self.reporter: Reporter | None = None

    def info(self, t: int, event: str, **fields: Any) -> None:
        if self.reporter is not None:
            self.reporter.info(t, event, **fields)

    def warning(self, t: int, event: str, **fields: Any) -> None:
        if self.reporter is not None:
            self.reporter.warning(t, event, **fields)

    def tick(self, clock: Clock) -> None:
        if self.reporter is not None:
            self.reporter.tick(clock.t, clock.missed, clock.lateness)
