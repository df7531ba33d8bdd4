"""Messages between page and server on the WebSocket.

To the page:

    binary      a record of the snapshot ring as it is: 64-bit integers, little-endian, SNAPSHOT_HEAD first, then
                every value of the data bus in the order of `values` of the greeting
    hello       facts of the bench, the list of values, the integer of a value that is not available; once
    viewers     who looks on, and who drives (roster.py): first after the greeting, then with each change
    state       what no snapshot has: buses, inputs, faults, trouble codes, recording, scenario; twice a second
    needles     what frames say that move needles, by the greeting's `gauges`: time [ms] and value; with each change
    frames      the table of frames; twice a second
    lamps       why lamps shine and needles rest, and what the clusters say; twice a second
    lateness    how late ticks began: number of ticks by the power of two [µs] below which they were, once a second
    log         the newest lines of the log, when there are new ones
    answer      to a command, by the page's number for it

From the page: `{"id": 7, "command": {"command": "set", "entry": "input.Throttle", "value": 0.4}}`, where `command` is
any of the control socket's that is in COMMANDS, or one about the wheel (roster.py). A key of a keyboard that is pressed
or let go is one `set` with a `rate`: the daemon moves the pedal. A scenario is started by its name in the greeting.
A page says `here` twice a second: one that has said it and falls silent hangs, and lets go (overrides.py).
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from hilbridge.base.common.statistics import BUCKETS, Histogram, upper_edge
from hilbridge.boundary.observe.events import SNAPSHOT_HEAD, SNAPSHOT_LAYOUT
from hilbridge.faces.cockpit.log_tail import Line
from hilbridge.faces.explain.said import Said
from hilbridge.faces.explain.verdicts import Verdict
from vehiclesim.channels import NAN
from vehiclesim.entries import ENTRIES, Entry

COMMANDS: Final = frozenset(
    (
        "set", "release", "arm", "fault-add", "fault-clear", "trouble-set", "trouble-clear", "record-start",
        "record-stop", "scenario-start", "scenario-stop", "reload", "stop", "take-wheel", "leave-wheel",
        "here", "introduce", "calibrate", "calibrate-begin", "calibrate-look", "calibrate-step", "calibrate-compare",
        "calibrate-write",
    )
)  # fmt: skip
"""Commands that a page may send."""

LONGEST: Final = 4096
"""[byte] Longest message from the page."""

_OCTAVES: Final = 16
"""Classes of the histogram of lateness; the last one counts all ticks that were later than 16 ms."""


class PageCommand(NamedTuple):
    """A command from the page, with the page's number for it."""

    number: int
    command: dict[str, Any]


class MessageError(ValueError):
    """A message that no page of ours sends."""


def parse(text: str) -> PageCommand:
    """Parse a message from the page. MessageError: it is malformed."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError from None
    match message:
        case {"id": int(number), "command": {"command": str(name)} as command} if len(message) == 2:
            if name in COMMANDS:
                return PageCommand(number, command)
    raise MessageError


def hello(facts: dict[str, Any], scenarios: list[str], *, read_only: bool, rate: int) -> str:
    """Return the greeting: `values` are the entries in the order of a snapshot, with what `hilbridge values` tells.

    Those that the bench declares are last, and come with its facts; a snapshot has room for more of them, so `record`
    is its size [byte].
    """
    values = [entry_facts(entry) for channel in ENTRIES for entry in channel] + facts.get("custom", [])
    return _message("hello", facts=facts, scenarios=scenarios, read_only=read_only, rate=rate, head=SNAPSHOT_HEAD,
                    record=SNAPSHOT_LAYOUT.size, not_available=NAN, values=values)  # fmt: skip


def viewers(view: dict[str, Any]) -> str:
    return _message("viewers", **view)


def state(parts: dict[str, Any]) -> str:
    return _message("state", **parts)


def needles(readings: Sequence[tuple[float, float | None] | None]) -> str:
    """Return what frames say: when the frame went [ms], and the value, null where it is not available or not known."""
    return _message("needles", readings=readings)


def frames(rows: list[dict[str, Any]]) -> str:
    return _message("frames", rows=rows)


def lamps(verdicts: Iterable[Verdict], said: Iterable[Said]) -> str:
    return _message("lamps", verdicts=[one.plain() for one in verdicts], said=[one._asdict() for one in said])


def log(lines: Iterable[Line]) -> str:
    """Return the newest lines of the log, oldest first."""
    return _message("log", lines=[*lines])


def answer(number: int, reply: dict[str, Any]) -> str:
    return _message("answer", id=number, **reply)


def lateness(histogram: Histogram) -> str:
    """Return the lateness: `counts[k]` ticks began less than 2^k µs late, and not less than half of that."""
    counts = octaves(histogram)
    return _message("lateness", counts=counts, p50=histogram.percentile(50), p99=histogram.percentile(99),
                    max=histogram.maximum)  # fmt: skip


def octaves(histogram: Histogram) -> list[int]:
    """Return the histogram in classes by powers of two of a microsecond."""
    counts = [0] * _OCTAVES
    for bucket, count in enumerate(histogram.to_list()[:BUCKETS]):
        if count:
            counts[min((upper_edge(bucket) // 1000).bit_length(), _OCTAVES - 1)] += count
    return counts


def entry_facts(entry: Entry) -> dict[str, Any]:
    """Return the facts of an entry; `range` in its unit: None where it cannot be set."""
    return {
        "path": entry.path,
        "resolution": entry.resolution,
        "unit": entry.unit,
        "range": entry.limits,
        "meaning": entry.meaning,
        "codes": entry.codes,
    }


def _message(kind: str, **fields: Any) -> str:
    return json.dumps({"kind": kind, **fields}, separators=(",", ":"))
