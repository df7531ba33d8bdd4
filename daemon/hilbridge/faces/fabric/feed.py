"""Publishes a bench: values and log out of shared memory, the rest from the control socket; only to listeners."""

import json
import re
import time
from typing import Any, Final

import zenoh

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.event_ring import EventReader
from hilbridge.boundary.observe.events import LOG as LINE
from hilbridge.boundary.observe.events import LogRecord, Snapshot
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.fabric.door import Door
from hilbridge.faces.fabric.keys import BUS, ENTRIES, LOG, STATUS, VERDICTS, key_of
from hilbridge.faces.fabric.setup import Setup
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK
from vehiclesim.channels import NAN
from vehiclesim.entries import STANDARD

_READS: Final = 16
"""Reads of the event ring at a time, of some 64 KiB each."""
_STATUS_PERIOD: Final = 1.0
_BUS_PERIOD: Final = 0.5
"""[s]"""
_TOKEN: Final = re.compile(r"(token=)[A-Za-z0-9._~-]+")


class Topic:
    """A key, or a pattern of keys, to which is published once a `period` [s] while it has listeners."""

    def __init__(self, session: zenoh.Session, key: str, period: float) -> None:
        self._session: Final = session
        self._publisher: Final = session.declare_publisher(key)
        self._period: Final = period
        self._next = 0.0

    def is_due(self, now: float) -> bool:
        """Return whether something is to be published now [s]."""
        if now < self._next:
            return False
        status = self._publisher.matching_status
        if not status.matching:  # type: ignore[attr-defined]  # the types of Zenoh call it a bool
            return False
        self._next = now + self._period
        return True

    def put(self, content: Any) -> None:
        """Publish to the key."""
        self._publisher.put(_encode(content))


class Feed:
    """The values, frames, log, status and verdicts of one bench."""

    def __init__(self, session: zenoh.Session, rings: Rings, door: Door, setup: Setup) -> None:
        self._session: Final = session
        self._rings: Final = rings
        self._door: Final = door
        self._bench: Final = setup.bench
        channels = [[(entry.path, entry.resolution, entry.unit) for entry in some] for some in STANDARD.channels]
        channels[channels.index([])] = [*setup.custom]
        self._channels: Final = channels
        self._before: dict[str, int] = {}
        self._reader: EventReader | None = None
        self._verdicts: Any = None
        self._seen: dict[str, float] = {}  # [ms] time of the newest frame that was published, by bus
        self._entries: Final = Topic(session, key_of(self._bench, ENTRIES, "*"), 1 / setup.rate)
        self._buses: Final = Topic(session, key_of(self._bench, BUS, "*"), _BUS_PERIOD)
        self._log: Final = Topic(session, key_of(self._bench, LOG), 0.0)
        self._status: Final = Topic(session, key_of(self._bench, STATUS), _STATUS_PERIOD)
        self._judged: Final = Topic(session, key_of(self._bench, VERDICTS), _STATUS_PERIOD)

    def publish(self) -> None:
        """Publish what is due; call it some twenty times a second."""
        now = time.monotonic()
        if self._entries.is_due(now):
            for path, entry in self.entries(changed=True).items():
                self._session.put(key_of(self._bench, ENTRIES, path), _encode(entry))
        self._publish_log(now)
        if self._buses.is_due(now):
            self._publish_frames()
        if self._status.is_due(now):
            self._status.put(self._door.ask({"command": "status"}))
        if self._judged.is_due(now):
            verdicts = self._door.ask({"command": "status", "parts": ["scenario", "verdicts"]})
            verdicts.pop("time", None)
            if verdicts != self._verdicts:
                self._verdicts = verdicts
                self._judged.put(verdicts)

    def entries(self, *, changed: bool = False) -> dict[str, dict[str, Any]]:
        """Return the values of the newest snapshot by path; those that are others than in the last call, if `changed`.

        A value is None while it is not available.
        """
        content = self._rings.snapshots.get()
        if content is None:
            return {}
        snapshot = Snapshot.decode(content)
        found = {}
        for entries, numbers in zip(self._channels, snapshot.channels, strict=True):
            for (path, resolution, unit), number in zip(
                entries, numbers, strict=False
            ):  # a channel may have spare room
                if not changed or self._before.get(path) != number:
                    value = None if number == NAN else number / resolution
                    found[path] = {"time": snapshot.t / SECOND, "value": value, "unit": unit}
                    if changed:
                        self._before[path] = number
        return found

    def _publish_log(self, now: float) -> None:
        """Publish the lines since the last call; those from before there was a listener are left out."""
        if not self._log.is_due(now):
            self._reader = None
            return
        if self._reader is None:
            self._reader = self._rings.event_reader()
            self._reader.position = self._reader.written
        for _ in range(_READS):
            events = self._reader.read()
            for event in events:
                if event.kind == LINE:
                    record = LogRecord.decode(event.payload)
                    level = record.level.name.lower()
                    self._log.put({"time": event.t / SECOND, "level": level, "event": record.event, **record.fields})
            if not events:
                break

    def _publish_frames(self) -> None:
        answer = self._door.ask({"command": "status", "parts": ["traffic"]})
        for bus, rows in answer.get("traffic", {}).get("buses", {}).items():
            seen = self._seen.get(bus, -1.0)
            frames = [_frame(*row) for row in rows if row[3] > seen]
            if frames:
                self._seen[bus] = max(row[3] for row in rows)
                content = {"time": answer["time"], "frames": frames}
                self._session.put(key_of(self._bench, BUS, bus), _encode(content))


def _frame(can_id: int, received: bool, count: int, t: float, data: str) -> dict[str, Any]:
    """Return a row of the part `traffic`; `count`: of these frames since someone has looked."""
    identifier = f"{can_id & EXTENDED_MASK:08X}" if can_id & EXTENDED else f"{can_id:03X}"
    return {"id": identifier, "data": data, "received": received, "count": count, "time": t / 1000}


def _encode(content: Any) -> str:
    """Return the payload, without the token of the page, which a line of the log has."""
    return _TOKEN.sub(r"\1...", json.dumps(content, ensure_ascii=False, default=str))
