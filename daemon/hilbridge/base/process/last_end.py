"""The end of the run before this one, as the service manager has noted it.

`ExecStopPost=` of the unit writes `$SERVICE_RESULT $EXIT_CODE $EXIT_STATUS` (systemd.exec(5)) into the file that
HILBRIDGE_LAST_END names. The file is in /run: after a power cut or a boot there is none, and nothing is known.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

VARIABLE: Final = "HILBRIDGE_LAST_END"

_LONGEST: Final = 200
"""[characters] of the line."""

_WORDS: Final = {
    "success": "ended in good order",
    "watchdog": "ended by the watchdog: its ticks stood still, or less than half of them were done",
    "exit-code": "ended with exit status {status}",
    "signal": "killed by signal {status}",
    "core-dump": "crashed with signal {status}",
    "oom-kill": "killed because the machine had no memory left",
    "timeout": "did not start or stop in time",
}
"""The results of a service (systemd.exec(5), $SERVICE_RESULT)."""


class LastEnd(NamedTuple):
    """The result of a service, and the exit status or the signal of its process."""

    result: str
    status: str

    @property
    def is_failure(self) -> bool:
        return self.result != "success"

    @property
    def words(self) -> str:
        """Why the run ended, for people."""
        return _WORDS.get(self.result, "ended: {result}, {status}").format(**self._asdict())


def read_last_end(environment: Mapping[str, str] = os.environ) -> LastEnd | None:
    """Return how the run before ended. None: no service manager has noted it."""
    path = environment.get(VARIABLE)
    return None if path is None else parse_last_end(Path(path))


def parse_last_end(path: Path) -> LastEnd | None:
    """Return what a file says of an end. None: there is no such file, or it says nothing."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            words = file.readline(_LONGEST).split()
    except OSError:
        return None
    return LastEnd(words[0], words[-1]) if len(words) == 3 and all(map(str.isprintable, words)) else None
