"""Waits until a running daemon has done what it was told: what takes longer than an answer."""

import time
from pathlib import Path
from typing import Any, Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.control.client import PATIENCE, ask

_NAP: Final = 0.05
"""[s] between two questions."""


def await_recording(path: Path) -> None:
    """Until the recording that was started is being written. ConfigurationError: it cannot be, or it takes too long."""
    deadline = time.monotonic() + PATIENCE
    while (recording := _status(path, "recording")["recording"]) is not None and not recording["begun"]:
        if time.monotonic() > deadline:
            raise ConfigurationError("the recording does not begin: the daemon's observer is busy or gone, see its log")
        time.sleep(_NAP)
    if recording is not None and recording["error"]:
        raise ConfigurationError(recording["error"])


def await_scenario(path: Path) -> dict[str, Any]:
    """Until the scenario that was started is over; the parts `scenario` and `verdicts` of the status."""
    while _status(path, "scenario")["scenario"]["state"] == "running":
        time.sleep(_NAP)
    status = _status(path, "scenario", "verdicts")
    return {"scenario": status["scenario"], "verdicts": status["verdicts"]}


def _status(path: Path, *parts: str) -> dict[str, Any]:
    return ask(path, {"command": "status", "parts": list(parts)})
