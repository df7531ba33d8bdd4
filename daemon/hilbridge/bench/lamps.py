"""The meaning of each frame of the plan to the lamps and needles of a cluster at this moment, without a verdict.

faces/explain/causes.py makes the verdict of them, in another process: here it would cost the tick.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.control.chunked_json import JsonPiece, split_rows
from hilbridge.boundary.links.link import Link
from hilbridge.frames.codec.frame import EXTENDED_MASK
from hilbridge.frames.codec.sources import Channels, FixedSource, is_available
from hilbridge.frames.plan.lit import lit_lamps
from hilbridge.frames.plan.planned import PlannedFrame
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.plan.terminals import BITS

_ROWS: Final = 2
"""Rows in one piece: a row reads every signal of its frame."""


class LampRow(NamedTuple):
    """The facts of one frame of the plan. `refused`: why the gate never passes it; `lit`: its lamps that are lit."""

    bus: str
    id: str
    message: str
    feeds: Sequence[str]
    darkens: Sequence[str]
    terminals: list[str]
    awake: bool
    refused: str | None
    silenced: list[str]
    accepted: bool
    unavailable: list[str]
    lights: Mapping[str, str]
    lit: Mapping[str, str]
    bulb_check: bool


def lamp_pieces(bench: Bench) -> Iterator[JsonPiece]:
    """Make the part `lamps` of the status: the time in ms, then a row for each frame of the plan."""
    yield ("lamps",), {"now_ms": bench.now / MILLISECOND}
    channels = bench.vehicle.data.channels
    refused = bench.wiring.refused
    rows = (
        lamp_row(frame, channels, refused[frame.bus.name], bench.links[frame.bus.name])
        for frame in bench.wiring.plan.frames
    )
    for some in split_rows(rows, _ROWS):
        yield ("lamps", "frames"), some


def lamp_row(frame: PlannedFrame, channels: Channels, refused: Mapping[int, str], link: Link) -> LampRow:
    """Return the facts of one frame. `refused` has the reasons why the gate never passes identifiers.

    The link is asked itself and not through the bus: a recording counts what is asked there, and a replay looks at no
    lamp.
    """
    outgoing = frame.outgoing
    return LampRow(
        frame.bus.name,
        f"0x{frame.can_id & EXTENDED_MASK:X}",
        outgoing.message,
        outgoing.feeds,
        outgoing.darkens,
        [str(terminal) for terminal, bit in BITS.items() if outgoing.terminals & bit],
        frame.awake,
        refused.get(outgoing.can_id),
        sorted(frame.silenced),
        link.accepts(frame.can_id),
        _unavailable(outgoing, channels),
        {lamp: signal for signal, lamps in outgoing.lights.items() for lamp in lamps},
        lit_lamps(outgoing, frame.content),
        frame.encode is not outgoing.encode,
    )


def _unavailable(outgoing: Outgoing, channels: Channels) -> list[str]:
    """Return the signals whose value is not known now, each with its source, where nothing stands in for it."""
    found = []
    for signal, _, source, text, _ in outgoing.assignments:
        if signal in outgoing.protected or isinstance(source, FixedSource) or source.substitute is not None:
            continue
        if not all(is_available(entry, channels) for entry in source.entries):
            found.append(f"{signal} ({text})")
    return found
