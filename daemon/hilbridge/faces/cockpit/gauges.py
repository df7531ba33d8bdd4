"""The signals of sent frames that carry what a needle of the page shows, so that it can draw what the frames say.

A signal counts where it depends on the entry alone and is a straight line of it:

    signal = factor * entry + offset                      found from three values of the entry

One that is scaled by a table, or made of several entries, is left out: the page then says the model's value.
"""

import math
from collections.abc import Iterable
from typing import Any, Final

from hilbridge.frames.codec.sources import Channels, EntryId, EntrySource, ExpressionSource, SignalSource, find_entry
from hilbridge.frames.plan.planned import PlannedFrame
from vehiclesim.databus import DataBus
from vehiclesim.entries import Entries

_SHOWN: Final = {
    "vehicle.EngineRpm": (1000.0, 3000.0, 5000.0),
    "vehicle.Speed": (10.0, 20.0, 30.0),
    "auxiliary.CoolantTemperature": (70.0, 80.0, 90.0),
    "auxiliary.FuelShare": (0.25, 0.5, 0.75),
    "electric.TractionCharge": (0.25, 0.5, 0.75),
}
"""Entries with a needle or a small gauge, and three values of each in its unit."""

_STRAIGHT: Final = 0.02
"""Deviation of the middle value from a straight line, as a share of the whole step: whole numbers are rounded."""


def gauges_of(frames: Iterable[PlannedFrame], entries: Entries) -> list[dict[str, Any]]:
    """Return the signals: `entry`, `bus`, `message`, `signal`, `factor`, `offset`; frames that feed a needle first."""
    found = []
    frames = sorted(frames, key=lambda frame: not frame.outgoing.feeds)
    for path, values in _SHOWN.items():
        entry = find_entry(path, entries=entries)
        resolution = entries.at(entry).resolution
        for frame in frames:
            for assignment in frame.outgoing.assignments:
                line = _line(assignment.source, entry, resolution, values)
                if line is not None:
                    factor, offset = line
                    message, signal = frame.outgoing.message, assignment.signal
                    found.append({"entry": path, "bus": frame.bus.name, "message": message, "signal": signal,
                                  "factor": factor, "offset": offset})  # fmt: skip
    return found


def _line(
    source: SignalSource, entry: EntryId, resolution: int, values: tuple[float, float, float]
) -> tuple[float, float] | None:
    """Return factor and offset; None where the source is no straight line of the entry alone."""
    if set(source.entries) != {entry} or not isinstance(source, EntrySource | ExpressionSource):
        return None
    if isinstance(source, ExpressionSource) and source.memory is not None:
        return None
    low, middle, high = (_value(source, entry, round(value * resolution)) for value in values)
    if not math.isfinite(low + middle + high) or high == low:
        return None
    if abs(middle - (low + high) / 2) > _STRAIGHT * abs(high - low):
        return None
    factor = (high - low) / (values[2] - values[0])
    return factor, low - factor * values[0]


def _value(source: EntrySource | ExpressionSource, entry: EntryId, integer: int) -> float:
    """Return what a source makes of one integer of the entry, all other entries at rest."""
    if isinstance(source, EntrySource):
        return source.value(integer)
    channels: Channels = DataBus().channels
    channels[entry[0]][entry[1]] = integer
    return source.value(channels)
