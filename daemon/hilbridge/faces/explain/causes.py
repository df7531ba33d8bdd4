"""Why a frame does not do for the cluster what it should: the causes, from the status of a bench.

The status is that of a run, or of a bench that was built and never begun: then only what the plan alone shows is found.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from hilbridge.boundary.control.commands import Part

PARTS: Final[tuple["Part", ...]] = ("lamps", "frames", "buses", "faults", "cluster")
"""The parts of the status that are needed."""

Status: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any]

_LATE: Final = 0.5
"""Share of the period by which one frame in a hundred may be late."""

_OFF_PERIOD: Final = 0.1
"""Share of the period by which the mean interval may be longer."""


class Cause(NamedTuple):
    """A reason why something is wrong with a frame, and what mends it, as far as that is known."""

    text: str
    remedy: str = ""


def frame_causes(row: Row, status: Status, *, running: bool) -> list[Cause]:
    """Return what is wrong with a frame of part `lamps`; what comes first hides the rest from the cluster."""
    causes = list(_held_back(row, status["buses"][row["bus"]]))
    if running:
        causes += _not_sent(row, status["buses"][row["bus"]])
        counted = [each for each in status["frames"] if _name(each) == _name(row)]  # none: a reload came between
        causes += [cause for each in counted for cause in _badly_sent(each, status["rate_hz"])]
        causes += [
            Cause(f"fault {one['fault']}: {one['what']}", _clear(one)) for one in _faults_of(row, status["faults"])
        ]
    return causes


def _held_back(row: Row, bus: Row) -> Iterator[Cause]:
    if row["refused"] is not None:
        yield Cause(row["refused"])
    if not bus["armed"]:
        yield Cause(f"bus {row['bus']} is not armed: nothing leaves", f"hilbridge ctl arm {row['bus']}")


def _not_sent(row: Row, bus: Row) -> Iterator[Cause]:
    if bus["trouble"]:
        yield Cause(f"bus {row['bus']}: {bus['trouble']}")
    elif bus["armed"] and not row["accepted"]:
        yield Cause(f"the link of bus {row['bus']} accepts no frame of this identifier")
    for reason in row["silenced"]:
        yield Cause(f"silent: {reason}")
    if bus["gate"].get("over_budget"):
        count = bus["gate"]["over_budget"]
        yield Cause(f"the load budget has held back {count} frames of bus {row['bus']}", "load_budget of the bus")
    if foreign := bus["id_conflicts"].get(row["id"]):
        yield Cause(f"somebody else on the bus sends {row['id']} too: {foreign} frames", "unplug the other sender")


def _badly_sent(counted: Row, rate: int) -> Iterator[Cause]:
    """Yield what the counters of a frame say about its period and its checksums."""
    cycle, measured = counted["cycle_ms"], counted["period_ms"]
    if cycle is not None and measured is not None:
        off = measured["deviation_p99_ticks"] * 1000 / rate  # early, too: the first one after a wake-up is
        often = min(off, measured["longest"] - cycle)
        if often > _LATE * cycle or measured["mean"] - cycle > _OFF_PERIOD * cycle:
            yield Cause(
                f"late: every {cycle:g} ms is promised, {measured['mean']:g} ms is the mean, "
                f"{measured['longest']:g} ms the longest",
                "hilbridge doctor",
            )
    if counted["checksum_failures"]:
        yield Cause(f"its checksum function has failed {counted['checksum_failures']} times: 0 was sent in its place")


def _faults_of(row: Row, faults: Sequence[Row]) -> Iterator[Row]:
    """Yield the active faults that hit a frame: `what` names it as bus.message, with its signal behind it."""
    own = {f"{row['bus']}.{row['message']}", f"{row['bus']}.{row['id']}"}
    for fault in faults:
        if fault["state"] == "active":
            target = fault["what"].split(" ")[1]
            if target in own or any(target.startswith(f"{name}.") for name in own):
                yield fault


def unit_faults(faults: Sequence[Row]) -> list[str]:
    """Return as text the active faults of what control units answer, and what ends each."""
    return [
        f"fault {one['fault']} acts: {one['what']} ({_clear(one)})"
        for one in faults
        if one["state"] == "active" and one["what"].startswith("diagnostics ")
    ]


def _clear(fault: Row) -> str:
    return f"hilbridge ctl fault clear {fault['fault']}"


def _name(row: Row) -> tuple[str, str]:
    return row["bus"], row["message"]
