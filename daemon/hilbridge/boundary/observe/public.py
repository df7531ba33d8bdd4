"""The HTTP port of a run: for every program on this machine, or for those of the network that have its token.

    /metrics   time series for Prometheus
    /healthz   200 while the run is healthy, else 503
    /readyz    200 while it is ready, else 503
    ?          404

    healthy    ticks are done, and half of those that were due in the last second or so (base/process/notify.py)
    ready      healthy, not overloaded, and every bus and port is open

Both are judged by what lies in shared memory, so that a tick process that hangs cannot claim to be well. They are
reported as JSON: `status`, `reasons` as text, and the ticks that it rests on. A port that another
program has is a line of the log, and is tried again: the run, and its recording, continue.
"""

import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Final

from hilbridge.base.common.rows import Layout
from hilbridge.base.common.units import SECOND
from hilbridge.base.process.notify import TickHealth
from hilbridge.boundary.observe.event_ring import RingEvent
from hilbridge.boundary.observe.events import (
    About,
    Fields,
    LogLevel,
    LogRecord,
    MetricsWay,
    Snapshot,
    decode_part_status,
)
from hilbridge.boundary.observe.http_port import HttpAnswer, HttpPort, HttpRequest
from hilbridge.boundary.observe.notices import ObserverWork
from hilbridge.boundary.observe.rings import Rings

_INTERVAL: Final = SECOND // 4
"""[ns] Interval at which the ticks are counted."""

SHORTEST: Final = 1_000_000_000
"""[ns] of the observer's clock from one judgement to the next, and without any tick until the run counts as hung."""

_TICKS: Final = 3
"""Or so many ticks, where these take longer."""


class ProcessHealth:
    """The judgement of a run; times are those of the observer's clock [ns]."""

    def __init__(self, now: int, period: float) -> None:
        """`period`: of a tick [ns], by the same clock."""
        self._window: Final = max(SHORTEST, round(_TICKS * period))
        self._ticks_health: Final = TickHealth()
        self._now = now
        self._judged = now
        self._moved = now  # time of the last tick that was seen
        self._ticks = 0
        self._overload = 0
        self._is_good = True

    def update(self, now: int, snapshot: Snapshot | None) -> None:
        """Take the newest snapshot; judge when the window is over."""
        self._now = now
        if snapshot is None:
            return
        self._overload = snapshot.overload
        if snapshot.ticks != self._ticks:
            self._ticks = snapshot.ticks
            self._moved = now
        if now - self._judged >= self._window:
            self._judged = now
            self._is_good = self._ticks_health.is_good(snapshot.ticks, snapshot.missed)

    def health_problems(self) -> list[str]:
        """Return why the run is not healthy; empty while it is."""
        silence = self._now - self._moved
        if not self._ticks:
            return ["no tick was done yet"]
        if silence >= self._window:
            return [f"no tick for {silence / 1e9:.0f} s"]
        return [] if self._is_good else ["fewer than half of the ticks are done"]

    def obstacles(self, part_status: Fields) -> list[str]:
        """Return why the run is not ready; `part_status`: the status of the parts of the bench."""
        overload = [f"overloaded: {self._overload} % of the ticks are missed"] if self._overload else []
        ways = [(f"bus {name}", bus) for name, bus in part_status.get("buses", {}).items()]
        ways += part_status.get("ports", {}).items()
        return self.health_problems() + overload + [f"{name}: {way['trouble']}" for name, way in ways if way["trouble"]]


class PublicPort:
    """A port that answers from the tallies it takes; times are those of the observer's clock [ns]."""

    def __init__(self, way: MetricsWay, rings: Rings, now: int, work: Callable[[], ObserverWork]) -> None:
        self._rings: Final = rings
        self._about: Final = About.decode(rings.about)
        self._work: Final = work
        self._health: Final = ProcessHealth(now, SECOND / (self._about.rate * self._about.pace))
        self._layouts: Final = {part: Layout.of_plain(plain) for part, plain in self._about.layouts.items()}
        self._part_status: Final[Fields] = {}
        self._http: Final = HttpPort(way, self._answer)
        self._logged: str | None = None
        self._next = now

    def take(self, event: RingEvent) -> None:
        """Take a PART_STATUS event."""
        self._part_status.update(decode_part_status(event.payload))

    def poll(self, now: int) -> Iterator[LogRecord]:
        """Answer requests; return the line of the log that the port is open, or why not."""
        if now >= self._next:
            self._next = now + _INTERVAL
            self._health.update(now, self._snapshot())
        self._http.poll(now)
        trouble = self._http.trouble
        if trouble != self._logged:
            self._logged = trouble
            if trouble:
                yield LogRecord(
                    LogLevel.WARNING, "metrics not open", {"reason": trouble, "remedy": "metrics: {port: N}"}
                )
            else:
                yield LogRecord(LogLevel.INFO, "metrics", {"url": f"{self._http.url}/metrics"})

    def close(self) -> None:
        """Close the port."""
        self._http.close()

    def _answer(self, request: HttpRequest) -> HttpAnswer:
        match request.path:
            case "/metrics":
                return self._metrics(request.fields.get("accept", ""))
            case "/healthz":
                return self._verdict(self._health.health_problems())
            case "/readyz":
                return self._verdict(self._health.obstacles(self._part_status))
            case _:
                return HttpAnswer(HTTPStatus.NOT_FOUND, "text/plain", b"/metrics, /healthz, /readyz\n")

    def _verdict(self, reasons: list[str]) -> HttpAnswer:
        snapshot = self._snapshot()
        content = {
            "status": "failing" if reasons else "ok",
            "reasons": reasons,
            "bench": self._about.name,
            "ticks": snapshot.ticks if snapshot else 0,
            "missed_ticks": snapshot.missed if snapshot else 0,
        }
        status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
        return HttpAnswer(status, "application/json", json.dumps(content).encode() + b"\n")

    def _metrics(self, accepts: str) -> HttpAnswer:
        from hilbridge.boundary.observe.metrics import (  # prometheus_client is imported with the first request
            MetricsInput,
            expose,
        )

        facts = MetricsInput(
            about=self._about,
            snapshot=self._snapshot(),
            durations=self._rings.durations,
            layouts=self._layouts,
            part_status=self._part_status,
            health_problems=self._health.health_problems(),
            events_lost=self._rings.event_reader().lost,
            work=self._work(),
        )
        body, content_type = expose(facts, accepts)
        return HttpAnswer(HTTPStatus.OK, content_type, body)

    def _snapshot(self) -> Snapshot | None:
        content = self._rings.snapshots.get()
        return None if content is None else Snapshot.decode(content)
