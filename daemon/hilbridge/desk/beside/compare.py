"""The frames of a profile beside those of a recorded car: lengths, periods, and what is in each bit.

Each bit of a profile's frame belongs to a signal, a counter, a checksum, or to the constant rest. Of the car's frames
of the same identifier follow

    signal     the lowest and the highest value, as the profile reads them
    counter    frames that count one further, among those whose predecessor the log has
    checksum   frames whose checksum is the one that the profile calculates
    rest       byte by byte: as the profile has it, another constant, or moving
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hilbridge.base.common.units import MILLISECOND
from hilbridge.boundary.logs.signals import SignalReader
from hilbridge.desk.beside.car import Car
from hilbridge.desk.frames.describe import bench_of, moving
from hilbridge.desk.learn.log import Payloads, Series
from hilbridge.desk.learn.timing import Timing, timing
from hilbridge.files.configuration.profiles import Profile
from hilbridge.frames.bus.gate import never_sent
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.frame import EXTENDED_MASK
from hilbridge.frames.codec.layout import occupied
from hilbridge.frames.codec.mapping import Assignment
from hilbridge.frames.codec.sources import Channels
from hilbridge.frames.plan.selection import Outgoing
from hilbridge.frames.protection.build import build_checker, resolved
from hilbridge.frames.protection.checker import WRONG_CHECKSUM, WRONG_HEADER
from hilbridge.frames.protection.counter import Numbers
from hilbridge.frames.protection.position import Places, Position
from hilbridge.frames.protection.recipe import Recipe

_MOST: Final = 5000
"""Frames of an identifier whose checksums are calculated, spread over the log."""

_LATE: Final = 1.5
"""Periods after which the predecessor of a frame is taken for lost."""


class SignalFinding(NamedTuple):
    """A signal in the car's frames: its lowest and highest value, and how many it takes; None: frames end before it."""

    name: str
    source: str
    low: float | None
    high: float | None
    unit: str | None
    numbers: int


class CheckFinding(NamedTuple):
    """A counter or checksum in the car's frames: right in so many of so many."""

    kind: str
    right: int
    frames: int


class ByteFinding(NamedTuple):
    """The constant bits of a byte (`mask`) that are not as the profile has them.

    `car`: the numbers of the car by how often they come, the most frequent first; `equal`: frames as in the profile.
    """

    byte: int
    mask: int
    ours: int
    car: list[int]
    equal: int
    frames: int


class FrameFinding(NamedTuple):
    """A frame of the profile beside the car's; `frames` is 0 where the log has none.

    `period` [ms] is the profile's, `timing` the car's. `lengths`: frames of the car by length [byte].
    `unread`: why its bytes were not compared.
    """

    name: str
    can_id: int
    frames: int
    length: int
    lengths: dict[int, int]
    period: float | None
    timing: Timing | None = None
    signals: Sequence[SignalFinding] = ()
    checks: Sequence[CheckFinding] = ()
    rest: Sequence[ByteFinding] = ()
    unread: str = ""


class Findings(NamedTuple):
    """A profile beside a car; `strangers` are the car's identifiers (with flag) that the profile does not send.

    `never_sent`: those of them that the profile leaves to the receiver.
    """

    frames: list[FrameFinding]
    strangers: list[int]
    never_sent: list[int]


class _Ours(NamedTuple):
    """A frame as the profile sends it: signals, bytes with the constant rest, and the bits of that rest."""

    outgoing: Outgoing
    signals: list[Assignment]
    data: bytes
    rest: bytes


def compare(profile: Profile, car: Car) -> Findings:
    """Lay a profile beside the frames of a car."""
    bench = bench_of(profile)
    channels = bench.vehicle.data.channels
    ours = [_ours(planned.outgoing, channels) for planned in bench.wiring.plan.frames]
    ours.sort(key=lambda one: one.outgoing.can_id)
    frames = [_beside(one, car.series.get(one.outgoing.can_id)) for one in ours]
    sent = {one.outgoing.can_id for one in ours}
    silent = [never for bus in bench.settings.buses.values() for never in never_sent(bus)]
    strangers = sorted(car.series.keys() - sent)
    left = [one for one in strangers if any(one & EXTENDED_MASK in never for never in silent)]
    return Findings(frames, [one for one in strangers if one not in left], left)


def _ours(frame: Outgoing, channels: Channels) -> _Ours:
    signals = moving(frame, channels) if frame.codec is not None else []
    taken = [] if frame.codec is None else [occupied(frame.codec.layouts[one.signal]) for one in signals]
    places = Places(frame.codec, frame.length)
    for recipe, counters, checksum in _resolved(frame):
        taken += [position.occupied for _, position in counters]
        taken += [checksum.occupied] if checksum is not None else []
        taken += [places.position([constant.at], frame.place).occupied for constant in recipe.constants]
    free = ~reduce(or_, taken, 0) & ((1 << 8 * frame.length) - 1)
    return _Ours(frame, signals, frame.encode(channels), free.to_bytes(frame.length, "little"))


def _resolved(frame: Outgoing) -> list[tuple[Recipe, list[tuple[Numbers, Position]], Position | None]]:
    return resolved(frame.protection, frame.codec, frame.can_id, frame.length, frame.place)


def _beside(ours: _Ours, series: Series | None) -> FrameFinding:
    """Return what a car has of a frame."""
    frame = ours.outgoing
    period = None if frame.sending.period is None else frame.sending.period / MILLISECOND
    if series is None:
        return FrameFinding(frame.message, frame.can_id, 0, frame.length, {}, period)
    times, data = series.times, series.data
    lengths = {series.length: len(times)} | series.others
    heard = timing(times, (np.diff(data, axis=0) != 0).any(axis=1))
    found = FrameFinding(frame.message, frame.can_id, len(times), frame.length, lengths, period, heard)
    if frame.codec is not None and any(one.multiplexer_ids for one in frame.codec.layouts.values()):
        return found._replace(unread="pages of one message")
    if frame.events is not None and frame.events.events:
        return found._replace(unread="a list of events in turn")
    whole = data.shape[1] >= frame.length
    return found._replace(
        signals=[_signal(one, frame.codec, data) for one in ours.signals if frame.codec is not None],
        checks=_checks(frame, data, times, min(filter(None, (heard.period, period)), default=None)) if whole else (),
        rest=_rest(ours, data),
        unread="" if whole else f"counters and checksums: the car's frames have {data.shape[1]} bytes",
    )


def read(position: Position, data: Payloads) -> NDArray[np.int64]:
    """Return a number of each frame; bits beyond a frame's end are 0."""
    numbers = np.zeros(len(data), np.int64)
    for byte, target, source, mask in position.pieces:
        if byte < data.shape[1]:
            numbers |= ((data[:, byte].astype(np.int64) & mask) >> target) << source
    return numbers


def _signal(one: Assignment, codec: CompiledMessage, data: Payloads) -> SignalFinding:
    reader = SignalReader(codec.layouts[one.signal])
    unit = reader.signal.unit
    if reader.byte + reader.count > data.shape[1]:
        return SignalFinding(one.signal, one.text, None, None, unit, 0)
    values = reader.physical(reader.raw(data))
    return SignalFinding(one.signal, one.text, float(values.min()), float(values.max()), unit, len(np.unique(values)))


def _checks(
    frame: Outgoing, data: Payloads, times: NDArray[np.int64], period: float | None
) -> list[CheckFinding]:  # fmt: skip
    """Return how often counters and checksums are right."""
    found = []
    for settings, (recipe, counters, checksum) in zip(frame.protection, _resolved(frame), strict=True):
        second = recipe.counter.second if recipe.counter is not None else None
        rounds = second is not None and second.advance == "round"
        for numbers, position in counters[: 1 if rounds else None]:
            found.append(_counter(numbers, position, data, times, period))
        checker = build_checker([settings], frame.codec, frame.can_id, frame.length, frame.place)
        if checker is not None and (checksum is not None or recipe.constants):
            chosen = np.unique(np.linspace(0, len(data) - 1, min(_MOST, len(data))).astype(int))
            wrong = sum(checker.check(data[row].tobytes()) in (WRONG_CHECKSUM, WRONG_HEADER) for row in chosen)
            found.append(CheckFinding("checksum", len(chosen) - wrong, len(chosen)))
    return found


def _counter(
    numbers: Numbers, position: Position, data: Payloads, times: NDArray[np.int64], period: float | None
) -> CheckFinding:
    raw = read(position, data)
    counts = {number: numbers.count(int(number)) for number in np.unique(raw)}
    known = np.array([-1 if (count := counts[number]) is None else count for number in raw])
    before, after = known[:-1], known[1:]
    near = np.ones(len(after), np.bool_) if period is None else np.diff(times) <= _LATE * period * MILLISECOND
    right = (before >= 0) & (after >= 0) & ((after - before) % numbers.size == 1)
    return CheckFinding("counter", int((right & near).sum()), int(near.sum()))


def _rest(ours: _Ours, data: Payloads) -> list[ByteFinding]:
    """Return the bytes whose constant bits differ in some frame."""
    found = []
    for byte, (mask, own) in enumerate(zip(ours.rest, ours.data, strict=True)):
        if not mask or byte >= data.shape[1]:
            continue
        numbers, counts = np.unique(data[:, byte] & mask, return_counts=True)
        equal = int(counts[numbers == own & mask].sum())
        if equal < len(data):
            order = np.argsort(-counts, kind="stable")
            found.append(
                ByteFinding(byte, mask, own & mask, [int(one) for one in numbers[order]], equal, len(data))
            )  # fmt: skip
    return found
