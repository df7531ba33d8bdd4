"""The non-volatile memory of the control units of a bench, as they see it: writings that end later, by number.

A control unit asks for a writing when a tester has changed what it keeps, and answers when the writing has ended. The
run writes (runs/run/observation.py); the end of a writing is an input of the run. Where nothing is stored, no unit
waits.
"""


class Nvram:
    """The writings of a bench. `connected`: a run stores what the control units keep."""

    def __init__(self) -> None:
        self.connected = False
        self.asked = 0
        """Number of the newest writing that was asked for; it has all that has changed until then."""

        self._written = 0
        self._failed = 0

    def write(self) -> int:
        """Ask for a writing of all that has changed; return its number."""
        self.asked += 1
        return self.asked

    @property
    def is_busy(self) -> bool:
        """Whether a writing that was asked for has not ended."""
        return self.asked > max(self._written, self._failed)

    def is_written(self, number: int) -> bool | None:
        """Return whether a writing has succeeded; None: it has not ended. A later one has what an earlier one had."""
        if number <= self._written:
            return True
        return False if number <= self._failed else None

    def end(self, number: int, *, written: bool) -> None:
        """End the writings up to a number."""
        if written:
            self._written = number
        else:
            self._failed = number
