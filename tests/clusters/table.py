"""What a fact table says of a cluster, as data: frames, where their values lie, what they feed and darken.

A table is written from what is published of the cluster, never from hilbridge's profile of it, and shares no code with
hilbridge: it encodes the frames that the bench must send, and the virtual cluster reads by it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from .car import Car
from .checksums import Checksum

Source: TypeAlias = Callable[[Car], float]

Order: TypeAlias = Literal["little", "big"]


@dataclass(frozen=True)
class Place:
    """So many bits of the frame as one number: `start` counts from its least significant bit."""

    start: int
    length: int
    order: Order = "little"

    def get(self, data: bytes) -> int:
        return int.from_bytes(data, self.order) >> self.start & (1 << self.length) - 1

    def put(self, data: bytes, raw: int) -> bytes:
        mask = (1 << self.length) - 1 << self.start
        return (int.from_bytes(data, self.order) & ~mask | raw << self.start & mask).to_bytes(len(data), self.order)


def le(start: int, length: int = 16) -> Place:
    """Little endian, `start` as in a database: byte times 8, and bit."""
    return Place(start, length)


def byte(number: int, low: int = 0, length: int = 8) -> Place:
    """Bits of one byte."""
    return Place(8 * number + low, length)


def bit(number: int, position: int) -> Place:
    return Place(8 * number + position, 1)


def be(number: int, size: int, *, bytes_: int = 2, bits: int = 0) -> Place:
    """Big endian from byte `number` in a frame of `size` bytes; of its bits the lowest, if not all."""
    return Place(8 * (size - number - bytes_), bits or 8 * bytes_, "big")


_TIE: Final = 1e-9


@dataclass(frozen=True)
class Field:
    """A value in a frame: raw = (value - offset) / scale to the nearest, within the place; a count is rounded down.

    Of two that are as near, either is right: speeds are in whole mm/s, so that this happens.

    `shows`: the needle or display that the value moves. `lights`: the lamps that it lights when its raw number is in
    `lit` (default: any but 0). `counts`: "trip" or "litres", `rate` of them in a metre or a litre.
    `value`: what the cluster makes of the raw number, where that is no straight line. `resolution`: of the display.
    """

    place: Place
    source: Source
    scale: float = 1.0
    offset: float = 0.0
    shows: str = ""
    lights: Sequence[str] = ()
    lit: Sequence[int] | None = None
    counts: Literal["", "trip", "litres"] = ""
    rate: float = 1.0
    value: Callable[[float], float] | None = None
    resolution: float = 0.0

    def raw(self, car: Car, like: int) -> int:
        """The raw number; `like`, if that is as near."""
        number = self.source(car)
        if self.counts:
            return int(number * self.rate // 1) % (1 << self.place.length)
        exact = (number - self.offset) / self.scale
        nearest = like if abs(abs(exact - like) - 0.5) < _TIE else round(exact)
        return max(0, min(nearest, (1 << self.place.length) - 1))

    @property
    def step(self) -> float:
        """The resolution of what is shown."""
        return self.resolution or self.scale

    def physical(self, data: bytes) -> float:
        raw = self.place.get(data) * self.scale + self.offset
        return raw if self.value is None else self.value(raw)

    def is_lit(self, data: bytes) -> bool:
        raw = self.place.get(data)
        return raw != 0 if self.lit is None else raw in self.lit


@dataclass(frozen=True)
class Counter:
    """A counter: `first` to `last`, where the first follows, by `step`; `last` may have several values.

    `modulus`: it goes round that. `values`: it takes these in turn. `repeat`: so often each.
    """

    place: Place
    last: Sequence[int] = (15,)
    step: int = 1
    modulus: int = 0
    values: Sequence[int] = ()
    repeat: int = 1

    def follows(self, before: int, now: int) -> bool:
        if self.values:
            return before in self.values and now == self.values[(self.values.index(before) + 1) % len(self.values)]
        if self.modulus:
            return now == (before + self.step) % self.modulus
        return now == before + self.step <= max(self.last) or (now == 0 and before in self.last)

    def after(self, before: int) -> int:
        """One that follows."""
        return next(now for now in range(1 << self.place.length) if self.follows(before, now))


@dataclass(frozen=True)
class Frame:
    """A frame of the table: `template` in hex, ".." is alive, "??" is not in the fact table.

    `period` [ms]: the longest that the table allows; after `timeout` [ms] without it the cluster does without.
    `darkens`: lamps that shine without it. `feeds`: needles that rest without it, beside those of its fields.
    `optional`: the cluster does not miss it. `once`: it comes when the cluster wakes up. `event`: it comes only when
    there is something to say. `drops`: needles that fall when what the frame counts is not in step with the speed.
    """

    id: int
    name: str
    period: float
    template: str
    fields: Sequence[Field] = ()
    counters: Sequence[Counter] = ()
    check: tuple[Place, Checksum] | None = None
    timeout: float = 0.0
    darkens: Sequence[str] = ()
    feeds: Sequence[str] = ()
    drops: Sequence[str] = ()
    optional: bool = False
    once: bool = False
    event: bool = False

    @cached_property
    def words(self) -> list[str]:
        return self.template.split()

    @cached_property
    def length(self) -> int:
        return len(self.words)

    @cached_property
    def start(self) -> bytes:
        return bytes(0 if word in {"..", "??"} else int(word, 16) for word in self.words)

    @cached_property
    def free(self) -> list[int]:
        """The bytes that are not in the fact table."""
        return [number for number, word in enumerate(self.words) if word == "??"]

    @cached_property
    def patience(self) -> float:
        """[s] of silence after which the cluster does without the frame."""
        return (self.timeout or (2.2 * self.period if self.period >= 1000 else max(500.0, 5.0 * self.period))) / 1000.0

    def encode(self, car: Car, like: bytes) -> bytes:
        """The bytes that the table asks for now; counters and what is not in the table are those of `like`."""
        data = self.start
        for number in self.free:
            data = data[:number] + like[number : number + 1] + data[number + 1 :]
        for one in self.fields:
            data = one.place.put(data, one.raw(car, one.place.get(like)))
        for counter in self.counters:
            data = counter.place.put(data, counter.place.get(like))
        return self.checked(data)

    def checked(self, data: bytes) -> bytes:
        """The bytes with the right checksum."""
        if self.check is None:
            return data
        place, checksum = self.check
        data = place.put(data, 0)
        return place.put(data, checksum(self.id, data))


@dataclass(frozen=True)
class Cluster:
    """A cluster, or the part of it on one bus, as its fact table describes it. `name`: of its profile.

    `own`: identifiers that the cluster sends itself. `wake`: the identifier whose frame must say so for it to be awake,
    and what it says then; else a wire does. `never`: what harms it.
    """

    name: str
    frames: Sequence[Frame]
    wake: tuple[int, Callable[[bytes], bool]] | None = None
    own: Sequence[int] = ()
    never: Sequence[int] = ()

    @cached_property
    def by_id(self) -> dict[int, Frame]:
        return {frame.id: frame for frame in self.frames}


def presence(can_id: int, name: str, period: float, template: str, darkens: Sequence[str] = ()) -> Frame:
    """A frame that must only be there."""
    return Frame(can_id, name, period, template, darkens=darkens or (name,))


def all_optional(frames: Sequence[Frame]) -> list[Frame]:
    return [replace(frame, optional=True) for frame in frames]


def lamp(place: Place, name: str, source: Source) -> Field:
    """A bit that lights a lamp."""
    return Field(place, source, lights=(name,))


def interpolated(points: Sequence[tuple[float, float]]) -> Callable[[float], float]:
    """Straight lines between points in rising order, level beyond them."""

    def at(x: float) -> float:
        if x <= points[0][0]:
            return points[0][1]
        for (x0, y0), (x1, y1) in pairwise(points):
            if x <= x1:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return points[-1][1]

    return at
