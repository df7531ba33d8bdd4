"""The state of `hilbridge top` from one answer to the next: rates, and the courses of speeds."""

from collections import deque
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.terminal import printable_tree
from hilbridge.boundary.control.answers import UNREADABLE
from hilbridge.boundary.control.commands import Part
from hilbridge.boundary.control.lines import USUAL, Answer
from hilbridge.boundary.control.outlets import outlets
from hilbridge.faces.top.lists import List, lists_of

_PARTS: Final[tuple[Part, ...]] = (USUAL, "auxiliary", "frames", "service")
"""Parts of the status that are requested each time."""

_REQUIRED: Final = ("bench", "vehicle", "rate_hz", "ticks", "missed_ticks")

_EMPTY: Final[dict[str, Any]] = {
    "overload": {"percent": 0},
    "values": {},
    "auxiliary": {},
    "buses": {},
    "outputs": {},
    "lines": {},
    "inputs": [],
    "faults": [],
    "troubles": {},
    "frames": [],
    "observer": {"restarts": 0, "events_lost": 0},
    "recording": None,
    "scenario": None,
    "layouts": {},
    "service": {},
}
"""The text where a part is missing."""

HISTORY: Final = 240
"""Number of answers in a course."""


class BusRates(NamedTuple):
    """[1/s] Rates of frames of a bus."""

    received: float = 0.0
    sent: float = 0.0
    """Those that passed the gate."""
    held_back: float = 0.0
    """Those that were held back because the bus is not armed."""


class TopView:
    """The newest status, with rates [1/s] since the one before, in time of the run."""

    def __init__(self) -> None:
        self.status: dict[str, Any] = {}
        self.trouble = ""
        self.rates: dict[str, BusRates] = {}
        """The rates by bus, in time of the run."""
        self.missed = 0
        """Ticks since the answer before."""
        self.courses: Final[dict[str, deque[float]]] = {
            name: deque(maxlen=HISTORY) for name in ("EngineRpm", "Speed", "EngineTorque")
        }

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the status to request next: once for a run how its parts are shown."""
        return _PARTS if self.status.get("layouts") else (*_PARTS, "layouts")

    @property
    def lists(self) -> dict[str, List]:
        """The lists by the digit that selects them."""
        return lists_of(self.status or _EMPTY)

    @property
    def seconds(self) -> float:
        """The time of the run [s]."""
        return _seconds(self.status)

    @property
    def unreadable(self) -> str:
        """The first reason why a part of the status is missing, and how many more there are; empty: none is."""
        reasons = self.status.get(UNREADABLE, ())
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        return f"{reasons[0]}{more}" if reasons else ""

    def take(self, answer: Answer) -> None:
        """Take an answer of the daemon. ConfigurationError: it lacks what nothing can be shown without."""
        for name in _REQUIRED:
            answer[name]
        if answer["rate_hz"] <= 0:
            raise ConfigurationError(f"the bench answers with {answer['rate_hz']} ticks/s")
        before = self.status
        status = _EMPTY | {"layouts": before.get("layouts", {})} | printable_tree(answer)
        passed = _seconds(status) - _seconds(before) if before else 0.0
        if passed < 0.0:  # it was started anew
            before, passed = {}, 0.0
            status["layouts"] = answer.get("layouts", {})
            for course in self.courses.values():
                course.clear()
        if passed > 0.0:
            self.missed = status["missed_ticks"] - before["missed_ticks"]
            known = outlets(before)
            self.rates = {
                name: _rates(known[name], bus, passed) for name, bus in outlets(status).items() if name in known
            }
        for name, course in self.courses.items():
            course.append(status["values"].get(name, {}).get("value") or 0.0)
        self.status, self.trouble = status, ""

    def lose(self, reason: str) -> None:
        """Note that the daemon did not answer; the last status stays on the screen."""
        self.trouble = reason
        self.rates, self.missed = {}, 0


def _rates(before: dict[str, Any], bus: dict[str, Any], seconds: float) -> BusRates:
    passed, unarmed = (bus["gate"].get(key, 0) - before["gate"].get(key, 0) for key in ("passed", "unarmed"))
    received = bus.get("received", 0) - before.get("received", 0)
    return BusRates(received / seconds, passed / seconds, unarmed / seconds)


def _seconds(status: dict[str, Any]) -> float:
    return (status["ticks"] + status["missed_ticks"]) / status["rate_hz"] if status else 0.0
