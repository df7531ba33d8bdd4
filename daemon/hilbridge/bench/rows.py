"""The rows of what is no part of a bench but what its parts join: buses, ports, and the frames of its plan."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.rows import Counts, Family, armed_fact, counter, fact, gauge, trouble_fact
from hilbridge.base.common.statistics import counters
from hilbridge.base.common.units import MILLISECOND, NEVER, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.links.link import Endpoint
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.plan.event_frame import EventFrame
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.report import statistics
from hilbridge.frames.protection.position import BitRun

_FRAMES: Final = Family("bus_frames_total", "Frames on a bus", ("bus", "direction"))
_LOST: Final = Family("bus_frames_lost_total", "Frames that a fault kept from crossing", ("bus",))
_LINK_EVENTS: Final = Family("link_events_total", "What the link of a bus counts", ("bus", "event"))
_HELD_BACK: Final = Family("gate_held_back_total", "Frames held back", ("bus", "reason"))
_CONFLICTS: Final = Family(
    "id_conflicts_total", "Frames of another sender with an identifier of the bench", ("bus", "identifier")
)
_BUS_DOWN: Final = Family("bus_down_seconds", "How long the link of a bus has not worked", ("bus",))
_PORT_DOWN: Final = Family("port_down_seconds", "How long a serial or scan tool port has not worked", ("port",))
_PORT_UP: Final = Family("port_up", "Whether a serial or scan tool port works", ("port",))
_PORT_EVENTS: Final = Family("port_events_total", "What a port counts", ("port", "event"))
_SKIPPED: Final = Family("frames_skipped_total", "Left out for missed ticks", ("bus",))
_LIMITED: Final = Family(
    "values_limited_total", "Frames with a value held at a limit of its signal", ("bus", "message", "signal")
)


class BusRow(NamedTuple):
    """The status of a bus with its link and its gate."""

    link: Annotated[str, fact("way in")]
    profile: Annotated[str, fact()]
    trouble: Annotated[str, trouble_fact("state", Family("bus_up", "Whether the link of a bus works", ("bus",)))]
    down_s: Annotated[float, gauge("down [s]", _BUS_DOWN, unit="s")]
    hardware: Annotated[bool, fact(texts=("virtual", "hardware"))]
    armed: Annotated[bool, armed_fact("state", Family("bus_armed", "Whether frames of a bus may go out", ("bus",)))]
    received: Annotated[int, counter("received", _FRAMES)]
    transmitted: Annotated[int, counter("transmitted", _FRAMES)]
    lost: Annotated[int, counter("", _LOST)]
    counters: Annotated[Mapping[str, int], counter("", _LINK_EVENTS)]
    gate: Annotated[Mapping[str, int], counter({"passed": "", "*": "held back"}, _HELD_BACK)]
    id_conflicts: Annotated[Mapping[str, int], counter("", _CONFLICTS)]


class PortRow(NamedTuple):
    """The status of a serial port, of a port for scan tools or of an output's."""

    port: Annotated[str, fact("port")]
    trouble: Annotated[
        str, trouble_fact("state", Family("port_up", "Whether a serial or scan tool port works", ("port",)))
    ]
    down_s: Annotated[float, gauge("down [s]", _PORT_DOWN, unit="s")]
    counters: Annotated[Mapping[str, int], counter("", _PORT_EVENTS)]


class PlanRow(NamedTuple):
    """Frames of the plan on a bus: left out for missed ticks, and, by message and signal, with a value at a limit."""

    skipped: Annotated[int, counter("left out for missed ticks", _SKIPPED)]
    limited: Annotated[Counts, counter("with a value at its limit", _LIMITED)]


_PERIODS: Final = {"shortest": "shortest ms", "mean": "mean ms", "longest": "longest ms", "*": ""}


class PeriodRow(NamedTuple):
    """The periods of a frame [ms], and their deviation from its cycle time that 1 % exceed [ticks]."""

    shortest: float
    mean: float
    longest: float
    deviation_p99_ticks: int


class FrameRow(NamedTuple):
    """The status of a frame of the plan; times in milliseconds.

    `transmitted`: those of `sent` that an armed bus let out; `events`: those that are on, None of a frame without any.
    `protection`: where each counter and checksum lies, in runs of bits.
    """

    bus: Annotated[str, fact()]
    id: Annotated[str, fact("id")]
    message: Annotated[str, fact("message")]
    sent: Annotated[int, counter()]
    transmitted: Annotated[int, counter("sent")]
    held_back: Annotated[int, counter("held back")]
    skipped: Annotated[int, counter("late")]
    withheld: Annotated[int, counter("held back")]
    checksum_failures: Annotated[int, counter()]
    limited: Annotated[Mapping[str, int], fact("at a limit")]
    cycle_ms: Annotated[float | None, gauge()]
    awake: Annotated[bool, fact()]
    armed: Annotated[bool, fact()]
    protection: Annotated[Mapping[str, Sequence[BitRun]], fact()]
    disturbed: Annotated[bool, fact()]
    events: Annotated[Sequence[str] | None, fact()]
    last_ms: Annotated[float | None, gauge()]
    period_ms: Annotated[PeriodRow | None, gauge(_PERIODS)]


def frame_row(frame: PlannedFrame) -> FrameRow:
    """Return the status of a planned frame."""
    row = statistics(frame)
    period = row.period
    events = frame.shown if isinstance(frame, EventFrame) else None
    protector = frame.outgoing.protector
    return FrameRow(
        row.bus,
        f"0x{row.identifier:X}",
        row.message,
        row.sent,
        row.sent - frame.held_back,
        frame.held_back,
        row.skipped,
        row.withheld,
        row.checksum_failures,
        dict(frame.limited),
        None if frame.period == NEVER or events is not None else frame.period / MILLISECOND,
        frame.awake,
        frame.bus.is_armed,
        {} if protector is None else {role: position.pieces for role, position in protector.numbers},
        frame.disturbance is not None,
        events,
        None if row.last is None else row.last / MILLISECOND,
        None
        if period is None
        else PeriodRow(
            period.shortest / MILLISECOND,
            round(period.mean / MILLISECOND, 3),
            period.longest / MILLISECOND,
            period.deviation_p99,
        ),
    )


def trouble_of(bus: Bus, link: Endpoint) -> str:
    """Return why nothing crosses between a bus and the outside: faults that cut it, then the trouble of its link."""
    return ", ".join(filter(None, (*bus.cuts, link.trouble)))


def bus_row(bench: Bench, name: str) -> BusRow:
    """Return the status of one bus."""
    bus, link, gate = bench.buses[name], bench.links[name], bench.gates[name]
    profile = bench.wiring.bench_files.file.profiles.get(name)
    return BusRow(
        link.describe(),
        "" if profile is None else profile.headline,
        trouble_of(bus, link),
        down_for(bench, link),
        gate.is_hardware,
        gate.armed,
        bus.received,
        gate.statistics.passed,
        bus.lost,
        counters(link.statistics),
        counters(gate.statistics),
        bench.id_conflicts[name].status(),
    )


def bus_rows(bench: Bench) -> Iterator[tuple[str, BusRow]]:
    """Yield each bus."""
    for name in bench.buses:
        yield name, bus_row(bench, name)


def down_for(bench: Bench, endpoint: Endpoint) -> float:
    """Return how long a link or port has not worked [s]; 0 while it works."""
    lost_at = bench.lost_at.get(endpoint)
    return 0.0 if lost_at is None else round((bench.now - lost_at) / SECOND, 1)


def port_row(bench: Bench, port: Endpoint) -> PortRow:
    """Return the status of one port."""
    return PortRow(port.describe(), port.trouble, down_for(bench, port), counters(port.statistics))


def port_rows(bench: Bench) -> Iterator[tuple[str, PortRow]]:
    """Yield each port by its kind and number."""
    for kind, some in bench.ports.items():
        for number, port in enumerate(some, 1):
            yield f"{kind} {number}", port_row(bench, port)


def frame_rows(bench: Bench) -> Iterator[tuple[str, FrameRow]]:
    """Yield each frame of the plan."""
    return ((frame.bus.name, frame_row(frame)) for frame in bench.wiring.plan.frames)


def plan_rows(bench: Bench) -> Iterator[tuple[str, PlanRow]]:
    """Yield each bus on which the plan sends."""
    skipped: Counter[str] = Counter()
    limited: dict[str, dict[str, dict[str, int]]] = {}
    for frame in bench.wiring.plan.frames:
        bus = frame.bus.name
        skipped[bus] += frame.skipped
        by_message = limited.setdefault(bus, {})
        if frame.limited:
            by_message[frame.outgoing.message] = dict(frame.limited)
    for bus, count in skipped.items():
        yield bus, PlanRow(count, limited[bus])
