"""Resolving a scenario for a running bench: the daemon may not read the files that its user may.

The sender also reads and checks everything that does not need the bench, because the daemon has no time for it.
"""

from copy import deepcopy
from typing import Any, Final

from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.scenariofile import ScenarioFile
from hilbridge.drive.cycles import WRITTEN_HERE
from hilbridge.drive.trace import KMH
from hilbridge.scenario.build import find_trace

_EXACT: Final = 9
"""Decimal places of s and km/h."""


def resolved(file: ScenarioFile) -> dict[str, Any]:
    """Return the content of the file, with the points of each speed trace in place of its file name.

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
    """Return a whole number as an integer: lines of the control socket have a limited length."""
    return int(number) if number.is_integer() else number
