"""What may go wrong with one frame of a recording: for virtual clusters, and as logs for programs that explain."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Final, TypeAlias

from .recording import Heard, judged
from .table import Cluster, Counter, Frame

Wrong: TypeAlias = Callable[[Frame, int, bytes, bytes], bytes | None]
"""Of the frame, its number since it began to go wrong, its bytes and those of the first: the wrong bytes, or none."""


def _counted(frame: Frame, data: bytes, value: Callable[[Counter], int]) -> bytes:
    for counter in frame.counters:
        data = counter.place.put(data, value(counter))
    return frame.checked(data)


def _checksum(frame: Frame, _: int, data: bytes, __: bytes) -> bytes:
    assert frame.check is not None
    place, _unused = frame.check
    return place.put(data, place.get(data) ^ 1)


def _late(frame: Frame, heard: Sequence[Heard]) -> Wrong:
    """Let so few through that they come at more than twice the longest period that the table allows."""
    times = [one.t for one in heard if one.can_id == frame.id]
    apart = (times[-1] - times[0]) / max(len(times) - 1, 1) or 1.0
    rate = int(2.1e-3 * frame.period / apart) + 1
    return lambda frame, number, data, first: None if number % rate else data


def _jump(frame: Frame, number: int, data: bytes, _: bytes) -> bytes:
    if number % 5:
        return data
    return _counted(frame, data, lambda counter: counter.after(counter.after(counter.place.get(data))))


def _toggles(frame: Frame, heard: Sequence[Heard]) -> bool:
    """Return whether all counters of a frame have two values, if it has any."""
    data = next((one.data for one in heard if one.can_id == frame.id), b"")
    values = [(counter, counter.place.get(data)) for counter in frame.counters] if data else []
    return bool(values) and all(counter.after(counter.after(value)) == value for counter, value in values)


ALWAYS: Final[dict[str, Wrong]] = {"short": lambda frame, number, data, first: data[:-1]}
EXPECTED: Final[dict[str, Wrong]] = {"left out": lambda frame, number, data, first: None}
CHECKED: Final[dict[str, Wrong]] = {"checksum": _checksum}
COUNTED: Final[dict[str, Wrong]] = {
    "stuck": lambda frame, number, data, first: _counted(frame, data, lambda counter: counter.place.get(first)),
    "jump": _jump,
}


@dataclass(frozen=True)
class Mutation:
    """A recording, to `end` [s], in which one frame of a table is wrong from `t` [s] on, and how."""

    cluster: Cluster
    frame: Frame
    how: str
    t: float
    end: float
    heard: Sequence[Heard]

    def is_noticed(self) -> bool:
        """Whether the virtual cluster complains of this identifier.

        It hears only what its opinion of the frame depends on: the frame, and what tells speed and distance.
        """
        part = replace(self.cluster, frames=[one for one in self.cluster.frames if self._matters(one)], wake=None)
        virtual = judged(part, (one for one in self.heard if one.can_id in part.by_id))
        virtual.pass_time(self.end)
        return any(can_id == self.frame.id for can_id, _ in virtual.complaints)

    def _matters(self, frame: Frame) -> bool:
        return frame is self.frame or any(field.shows == "speed" or field.counts for field in frame.fields)


def mutations(cluster: Cluster, heard: Sequence[Heard], t: float) -> Iterator[Mutation]:
    """Every frame of the recording left out, late or short; its counter stuck or jumping, its checksum wrong.

    A frame of events is neither missing nor late. Each has as much of the recording as shows it, of a frame that is
    sent once from the beginning.
    """
    for frame in cluster.frames:
        if not any(one.can_id == frame.id for one in heard):
            continue
        begin = 0.0 if frame.once else t - 2.0 - 3e-3 * frame.period
        end = t + max(2.0, 6e-3 * frame.period) + frame.patience
        part = [one for one in heard if begin <= one.t < end and one.car.ignition]
        wrongs = dict(ALWAYS)
        if not frame.event:
            wrongs |= EXPECTED
        if not (frame.once or frame.event):
            wrongs["late"] = _late(frame, part)
        if frame.check is not None:
            wrongs |= CHECKED
        if frame.counters:
            wrongs |= COUNTED
        if _toggles(frame, part):
            del wrongs["jump"]  # two values: a jump by two is a repetition
        for how, wrong in wrongs.items():
            yield Mutation(cluster, frame, how, t, part[-1].t, list(_with(frame, wrong, part, t)))


def _with(frame: Frame, wrong: Wrong, heard: Sequence[Heard], t: float) -> Iterator[Heard]:
    numbers, first = count(), b""
    for one in heard:
        if one.can_id != frame.id or (one.t < t and not frame.once):
            yield one
            continue
        first = first or one.data
        data = wrong(frame, next(numbers), one.data, first)
        if data is not None:
            yield replace(one, data=data)
