"""Decides how much of an answer a client believes: what of each part of it must fit for those who show it.

The other end may be of another version, or a foreign program: the fabric has no owner, a socket's path may be
anybody's. Names that are not listed here are handed on as they came.
"""

from collections.abc import Mapping
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.shape import MisfitError, fit, read_json, sift
from hilbridge.base.common.words import counted
from hilbridge.boundary.control.lines import PROTOCOL, USUAL, Answer, Command

LONGEST_ANSWER: Final = 4 << 20
"""[bytes] of one answer, its end included."""

MOST_TOLD: Final = 20
"""Reasons that an answer keeps; of the others there is the number."""

UNREADABLE: Final = "unreadable"
"""The key under which a checked answer has the reasons why parts of it were left out, if there are any."""

_VALUE: Final = {"value": (None, float), "unit": str}
_COUNTS: Final = {str: int}
_BUS: Final = {
    "link": str,
    "trouble": str,
    "down_s": float,
    "hardware": bool,
    "armed": bool,
    "received": int,
    "transmitted": int,
    "lost": int,
    "counters": _COUNTS,
    "gate": _COUNTS,
    "id_conflicts": _COUNTS,
    "profile": str,
}
_OUTPUT: Final = {
    "link": str,
    "profile": str,
    "trouble": str,
    "armed": bool,
    "gate": _COUNTS,
    "counters": _COUNTS,
}
_TROUBLE: Final = {"code": str, "states": [str], "held": bool, "status": int, "text": str}
_FAULT: Final = {
    "fault": int,
    "what": str,
    "state": str,
    "begin": float,
    "end": (None, float),
    "hits": (None, int),
}
_FRAME: Final = {
    "bus": str,
    "id": str,
    "message": str,
    "sent": int,
    "held_back": int,
    "withheld": int,
    "skipped": int,
    "limited": _COUNTS,
    "cycle_ms": (None, float),
    "awake": bool,
    "armed": bool,
    "disturbed": bool,
    "period_ms": (None, {"shortest": float, "mean": float, "longest": float}),
}
_RECORDING: Final = {
    "folder": str,
    "since": float,
    "bytes": int,
    "complete": bool,
    "begun": bool,
    "error": str,
}
_SCENARIO: Final = {"name": str, "time": float, "state": str, "steps": int, "done": int}
_RELOAD: Final = {"last": (None, {"request": int, "outcome": str, "reason": (None, str), "took_ms": (None, float)})}
_FABRIC: Final = {"where": str, "trouble": str, "restarts": int}
_VERDICT: Final = {"outcome": str, "seen": str, "begin": (None, int), "end": (None, int)}
_QUESTION: Final = {"request": int, "outcome": str, "answer": (None, str)}
_TIMES: Final = {"p50": float, "p99": float, "p99_9": float, "max": float}

_HEAD: Final[dict[str, Any]] = {
    "protocol": int,
    "time": float,
    "bench": str,
    "vehicle": str,
    "rate_hz": int,
}
"""The keys of every answer to `status`, whatever its parts are."""

_PARTS: Final[dict[str, Any]] = {
    "values": {str: _VALUE},
    "auxiliary": {str: _VALUE},
    "entries": {str: {str: _VALUE}},
    "buses": {str: _BUS},
    "layouts": {str: {"title": str, "fields": {str: [object]}}},
    "outputs": {str: _OUTPUT},
    "ports": {str: {str: object}},
    "cluster": {str: {"question": (None, _QUESTION)}},
    "inputs": [{"control": str, "source": (None, str), "value": (None, float)}],
    "sources": [{"source": str, "raw": {str: object}}],
    "faults": [_FAULT],
    "troubles": {str: {"indicator": bool, "stored": [_TROUBLE]}},
    "frames": [_FRAME],
    "recording": (None, _RECORDING),
    "recordings": str,
    "reload": _RELOAD,
    "page": (None, str),
    "file": str,
    "fabric": (None, _FABRIC),
    "service": {"process": int, "last_end": str, "failed_end?": str, "troubles?": {str: str}},
    "scenario": (None, _SCENARIO),
    "verdicts": [_VERDICT],
}
COUNTED_TOO: Final = ("buses", "faults", "inputs", "outputs", "ports", "reload")
"""Parts by whose names the statistics have counters, where the part itself is not requested."""

_STATISTICS: Final[dict[str, Any]] = {
    "ticks": int,
    "missed_ticks": int,
    "overload": {"percent": int, "seconds": float},
    "observer": {"restarts": int, "events_lost": int},
    "lateness_us": _TIMES,
    "tick_us": _TIMES,
}
_OTHERS: Final[Mapping[str, dict[str, Any]]] = {
    "fault-add": {"fault": int},
    "fault-list": {"faults": [_FAULT]},
    "reload": {"request": int},
    "ask": {"request": int},
    "record-start": {"recording": str},
    "record-stop": {"recording": str},
}
"""The answers to commands other than `status`."""


class CheckedAnswer(dict[str, Any]):
    """An answer whose known parts fit; that a part is missing is a ConfigurationError with the reason."""

    def __missing__(self, name: str) -> Any:
        reasons = [one for one in self.get(UNREADABLE, ()) if one.startswith(name)]
        raise ConfigurationError(
            f"the bench has answered without {name!r}" + (f": {reasons[0]}" if reasons else "; is it another version?")
        )


def read_answer(line: bytes | bytearray, command: Command) -> Answer:
    """Return the answer to a command. ConfigurationError: the line is none, with what it is."""
    try:
        answer = fit(read_json(line, LONGEST_ANSWER), {})
    except MisfitError as error:
        raise ConfigurationError(f"its answer cannot be read: {error}") from None
    return _checked(answer, command)


def _checked(answer: Mapping[str, Any], command: Command) -> Answer:
    """Return an answer without what in its parts does not fit, the reasons of which it has then."""
    misfits: list[str] = []
    found = CheckedAnswer(answer)
    found.pop(UNREADABLE, None)
    if "error" in found:
        return CheckedAnswer(_refusal(found))
    found.pop("sought", None)  # is of a refusal alone
    for name, shape in _shapes(command).items():
        if name in found:
            try:
                found[name] = sift(found[name], shape, misfits, name)
            except MisfitError as error:
                misfits.append(str(error))
                del found[name]
    if (spoken := found.get("protocol", PROTOCOL)) != PROTOCOL:
        misfits.insert(0, f"the bench speaks version {spoken} of the control protocol, this program version {PROTOCOL}")
    if misfits:
        more = len(misfits) - MOST_TOLD
        found[UNREADABLE] = misfits[:MOST_TOLD] + ([f"{counted(more, 'item')} more"] if more > 0 else [])
    return found


def shapes() -> dict[str, dict[str, Any]]:
    """Return the shape of the answer to each command that says anything, by its name, with all that it may have."""
    return {"status": _STATISTICS | _HEAD | _PARTS, **_OTHERS}


def _shapes(command: Command) -> dict[str, Any]:
    name = command.get("command")
    if name != "status":
        return _OTHERS.get(str(name), {})
    parts = command.get("parts")
    named = {part: _PARTS[part] for part in parts or () if part in _PARTS}
    if parts is None or USUAL in parts:
        # of reloads the usual status has the counters
        return _HEAD | _STATISTICS | {part: shape for part, shape in _PARTS.items() if part != "reload"} | named
    return _HEAD | (_STATISTICS if "statistics" in parts else {}) | named


def _refusal(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a refusal whose reason is a text, with what was sought and where if they are what they should be."""
    found: dict[str, Any] = {key: text for key in ("error", "reason") if isinstance(text := answer.get(key), str)}
    found.setdefault("error", "the command was refused, in no words that can be read")
    sought, place = answer.get("sought"), answer.get("place")
    if isinstance(sought, list) and len(sought) == 2 and isinstance(sought[0], str) and _is_path(sought[1]):
        found["sought"] = [sought[0], [*map(str, sought[1])]]
    if _is_path(place):
        found["place"] = place
    return found


def _is_path(value: Any) -> bool:
    return isinstance(value, list) and len(value) < 1000 and all(type(one) in (str, int) for one in value)
