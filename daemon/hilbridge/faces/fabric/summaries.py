"""The summary of a bench on the fabric by itself, as far as a stranger is believed."""

from typing import Any, Final

from hilbridge.base.common.shape import MisfitError, fit, read_json

LONGEST: Final = 64 << 10
"""[bytes] of a summary."""

UNREADABLE: Final = "unreadable"
"""The key with the reason why a summary is none."""

_SHAPE: Final = {
    "bench": str,
    "vehicle": str,
    "host": str,
    "session?": str,
    "process?": int,
    "version?": str,
    "rate_hz?": int,
    "pace?": object,
    "allow?": [str],
    "time?": float,
    "ticks?": int,
    "missed_ticks?": int,
    "overload?": int,
    "listens_only?": [str],
}
_RUNS: Final = frozenset(("time", "missed_ticks", "overload", "listens_only"))
"""Keys of a bench that has made a tick, beside `ticks`."""


def read_summary(name: str, content: bytes) -> dict[str, Any]:
    """Return the summary of the bench whose key has this name; what is none: its name, and the reason.

    The key is the name of a bench: who may use it, Zenoh's access rules can say; of what a summary says they know
    nothing.
    """
    try:
        summary: dict[str, Any] = fit(read_json(content, LONGEST), _SHAPE)
        if "ticks" in summary and (missing := _RUNS - summary.keys()):
            raise MisfitError(f"{min(missing)!r} is missing")
        if summary["bench"] != name:
            raise MisfitError(f"it calls itself {summary['bench']!r}")
    except MisfitError as error:
        return {"bench": name, UNREADABLE: str(error)}
    summary.pop(UNREADABLE, None)
    return summary
