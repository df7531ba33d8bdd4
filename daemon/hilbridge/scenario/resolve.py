"""A scenario that needs no file beside it: what a daemon is sent, which may not read where its user may.

And which has no time to: what can be read and checked without the bench, the sender does.
"""

from copy import deepcopy
from typing import Any, Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.drive.cycles import WRITTEN_HERE
from hilbridge.drive.trace import KMH
from hilbridge.scenario.build import find_trace

_EXACT: Final = 9
"""Digits behind the point, of s and km/h."""


def resolved(file: ScenarioFile) -> dict[str, Any]:
    """The content of the file, with the points of each speed trace in the place of its file's name.

    InvalidFileError, with the line, for a trace that cannot be read, or that prescribes gears, which points cannot.
    """
    data: dict[str, Any] = deepcopy(file.file.data)
    for i, step in enumerate(file.settings.steps):
        if step.drive is None or step.drive.cycle is None or step.drive.cycle.lower() in WRITTEN_HERE:
            continue
        place = ("steps", i, "drive", "cycle")
        try:
            trace = find_trace(step.drive.cycle, file.path.parent)
            if trace.gears is not None:
                raise ConfigurationError("a running bench takes no trace that prescribes gears; use 'gear' or 'points'")
        except ConfigurationError as error:
            raise file.locate(ConfigurationError(error.message, place)) from None
        drive = data["steps"][i]["drive"]
        del drive["cycle"]
        drive["points"] = [
            [_short(time), _short(round(speed / KMH, _EXACT))]
            for time, speed in zip(trace.times, trace.speeds, strict=True)
        ]
    return data


def _short(number: float) -> float:
    """As an integer where it is one: a line of the control socket has its limit."""
    return int(number) if number.is_integer() else number
