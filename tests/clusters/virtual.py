"""A virtual instrument cluster: it believes what a real one believes, by its fact table, and complains of the rest."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .table import Cluster, Field, Frame

Reason: TypeAlias = Literal["missing", "late", "wrong length", "counter", "checksum", "implausible", "unknown", "never"]

_LOOK = 0.02
"""[s] between two looks at what is missing."""

_WINDOW = 1.0
"""[s] over which a distance counter is compared with the speed."""


@dataclass(frozen=True)
class Complaint:
    """What the cluster does not believe: of which identifier, when [s] for the first time, and why."""

    t: float
    can_id: int
    reason: Reason


class _Heard:
    """What the cluster remembers of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.since: float | None = None  # terminal 15, or the frame itself
        self.came = False
        self.believed = False
        self.counters: list[int] = []
        self.repeated = 0
        self.data = b""
        self.raws: dict[int, int] = {}
        self.dropped = False
        self.way: tuple[float, float, float] | None = None  # when, way by the speed, way by the count


class VirtualCluster:
    """A cluster of a table, fed with frames in the order of time.

    `power`: the wire of terminal 15. A frame with a wrong length, checksum or counter is not believed: it does not feed
    a needle, and after its patience it counts as missing. A counter that jumped is believed from its next value on.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.complaints: dict[tuple[int, Reason], Complaint] = {}
        self.trip = 0.0  # [m]
        self.litres = 0.0
        self._heard = {frame.id: _Heard(frame) for frame in cluster.frames}
        self._ignition = False
        self._looked = 0.0
        self._way = 0.0
        self._speed: tuple[float, float] | None = None

    # -- what it is fed with ------------------------------------------------------------------------------------

    def power(self, t: float, on: bool) -> None:
        """Terminal 15, by wire."""
        if on != self._ignition:
            self._ignition = on
            for heard in self._heard.values():
                heard.since = t if on else None
                heard.came = heard.believed = heard.dropped = False
                heard.counters, heard.way, heard.raws = [], None, {}
            self._speed = None

    def receive(self, t: float, can_id: int, data: bytes) -> None:
        self.pass_time(t)
        if can_id in self.cluster.never:
            self._complain(t, can_id, "never")
        heard = self._heard.get(can_id)
        if heard is None:
            if can_id not in self.cluster.never:
                self._complain(t, can_id, "unknown")
            return
        if self._ignition and self._sound(t, heard, data):
            self._believe(t, heard, data)

    def _sound(self, t: float, heard: _Heard, data: bytes) -> bool:
        """Whether the frame is to be believed."""
        frame = heard.frame
        if len(data) != frame.length:
            self._complain(t, frame.id, "wrong length")
            return False
        if frame.check is not None and frame.checked(data) != data:
            self._complain(t, frame.id, "checksum")
            return False
        before, heard.counters = heard.counters, [counter.place.get(data) for counter in frame.counters]
        right = all(
            counter.follows(old, new) if counter.repeat == 1 else self._turns(heard, old, new)
            for counter, old, new in zip(frame.counters, before, heard.counters, strict=False)
        )
        if not right:
            self._complain(t, frame.id, "counter")
        return right

    @staticmethod
    def _turns(heard: _Heard, old: int, new: int) -> bool:
        """Whether a multiplexer that shows each page several times goes on in its turn."""
        (counter,) = heard.frame.counters
        heard.repeated = heard.repeated + 1 if new == old else 1
        return heard.repeated <= counter.repeat if new == old else counter.follows(old, new)

    def _believe(self, t: float, heard: _Heard, data: bytes) -> None:
        frame = heard.frame
        if (
            heard.came
            and heard.since is not None
            and not (frame.once or frame.event)
            and t - heard.since > 1.6e-3 * frame.period + 0.002
        ):
            self._complain(t, frame.id, "late")
        heard.since, heard.came, heard.believed, heard.data = t, True, True, data
        for number, field in enumerate(frame.fields):
            if field.shows == "speed":
                self._travel(t, field.physical(data) / 3.6)
            if field.counts:
                self._count(t, heard, number, field, data)

    def _travel(self, t: float, speed: float) -> None:
        if self._speed is not None:
            before, at = self._speed
            self._way += (speed + before) / 2.0 * (t - at)
        self._speed = speed, t

    def _count(self, t: float, heard: _Heard, number: int, field: Field, data: bytes) -> None:
        raw = field.place.get(data)
        modulus = 1 << field.place.length
        advance = (raw - heard.raws.get(number, raw)) % modulus / field.rate
        heard.raws[number] = raw
        if field.counts == "litres":
            self.litres += advance
            return
        self.trip += advance
        speed = 0.0 if self._speed is None else self._speed[0]
        if heard.way is None:
            heard.way = t, self._way, self.trip
        elif t - heard.way[0] >= max(_WINDOW, 2e-3 * heard.frame.period):
            driven = self._way + speed * (t - self._speed[1] if self._speed else 0.0) - heard.way[1]
            counted = self.trip - heard.way[2]
            heard.dropped = abs(counted - driven) > 0.1 * driven + 2.0 / field.rate + 2.0
            if heard.dropped:
                self._complain(t, heard.frame.id, "implausible")
            heard.way = t, self._way, self.trip

    def pass_time(self, t: float) -> None:
        """See what has not come until now."""
        if not self._ignition or t - self._looked < _LOOK:
            return
        self._looked = t
        for heard in self._heard.values():
            if heard.since is None or heard.frame.event or (heard.frame.once and heard.came):
                continue
            if t - heard.since > heard.frame.patience and not (heard.frame.optional and not heard.came):
                heard.believed = False
                self._complain(t, heard.frame.id, "missing")
                if any(field.shows == "speed" for field in heard.frame.fields):
                    self._speed = None

    def _complain(self, t: float, can_id: int, reason: Reason) -> None:
        self.complaints.setdefault((can_id, reason), Complaint(t, can_id, reason))

    # -- what it shows -------------------------------------------------------------------------------------------

    @property
    def awake(self) -> bool:
        """Whether the terminals say that the cluster is on: its wake frame, or the wire."""
        if not self._ignition or self.cluster.wake is None:
            return self._ignition
        can_id, says = self.cluster.wake
        heard = self._heard[can_id]
        return heard.believed and says(heard.data)

    @property
    def needles(self) -> dict[str, float | None]:
        """Where every needle stands; None: it rests."""
        shown: dict[str, float | None] = {}
        resting: set[str] = set()
        for heard in self._heard.values():
            frame = heard.frame
            if not (self.awake and heard.believed):
                if not (frame.optional and not heard.came):
                    resting |= {field.shows for field in frame.fields if field.shows} | set(frame.feeds)
                continue
            if heard.dropped:
                resting.update(frame.drops)
            for name in frame.feeds:
                shown.setdefault(name, float("nan"))
            for field in frame.fields:
                if field.shows:
                    shown[field.shows] = field.physical(heard.data)
        return shown | dict.fromkeys(resting)

    @property
    def lamps(self) -> set[str]:
        """The lamps that are lit."""
        lit: set[str] = set()
        for heard in self._heard.values():
            if heard.believed:
                for field in heard.frame.fields:
                    if field.lights and field.is_lit(heard.data):
                        lit.update(field.lights)
            elif self._ignition and not heard.frame.optional:
                lit.update(heard.frame.darkens)
        return lit if self._ignition else set()
