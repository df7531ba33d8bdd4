"""What everybody on this machine may ask of a run, over HTTP.

    /metrics   time series for Prometheus
    /healthz   200 while the run is healthy, else 503 (vital_signs.py)
    /readyz    200 while it is ready, else 503
    ?          404

Health and readiness are told as JSON: `status`, `reasons` in words, and the ticks that it rests on. A port that another
program has is a line of the log, and is tried again: the run, and its recording, go on.
"""

import json
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Final

from hilbridge.common.units import SECOND
from hilbridge.observe.event_ring import Event
from hilbridge.observe.events import About, Fields, Level, LogRecord, Snapshot, decode_tally
from hilbridge.observe.health import ProcessHealth
from hilbridge.observe.http_port import HttpAnswer, HttpPort, HttpRequest
from hilbridge.observe.rings import Rings
from hilbridge.observe.work import Work

_LOOK: Final = SECOND // 4
"""[ns] between two looks at the ticks."""


class PublicPort:
    """`take` what was counted, `look` again and again; times are those of the observer's clock [ns]."""

    def __init__(self, port: int, rings: Rings, now: int, work: Callable[[], Work]) -> None:
        self._rings: Final = rings
        self._about: Final = About.decode(rings.about)
        self._work: Final = work
        self._signs: Final = ProcessHealth(now, SECOND / (self._about.rate * self._about.pace))
        self._tally: Final[Fields] = {}
        self._http: Final = HttpPort(port, self._answer)
        self._said: str | None = None
        self._next = now

    def take(self, event: Event) -> None:
        """Takes a TALLY event."""
        self._tally.update(decode_tally(event.payload))

    def look(self, now: int) -> Iterator[LogRecord]:
        """Answers who asks; tells that the port is open, or why not."""
        if now >= self._next:
            self._next = now + _LOOK
            self._signs.look(now, self._snapshot())
        self._http.poll(now)
        trouble = self._http.trouble
        if trouble != self._said:
            self._said = trouble
            if trouble:
                yield LogRecord(Level.WARNING, "metrics not open", {"reason": trouble, "remedy": "metrics: {port: N}"})
            else:
                yield LogRecord(Level.INFO, "metrics", {"url": f"{self._http.url}/metrics"})

    def close(self) -> None:
        """Gives the port up."""
        self._http.close()

    def _answer(self, request: HttpRequest) -> HttpAnswer:
        match request.path:
            case "/metrics":
                return self._metrics(request.fields.get("accept", ""))
            case "/healthz":
                return self._verdict(self._signs.ailments())
            case "/readyz":
                return self._verdict(self._signs.obstacles(self._tally))
            case _:
                return HttpAnswer(HTTPStatus.NOT_FOUND, "text/plain", b"/metrics, /healthz, /readyz\n")

    def _verdict(self, reasons: list[str]) -> HttpAnswer:
        snapshot = self._snapshot()
        told = {
            "status": "failing" if reasons else "ok",
            "reasons": reasons,
            "bench": self._about.name,
            "ticks": snapshot.ticks if snapshot else 0,
            "missed_ticks": snapshot.missed if snapshot else 0,
        }
        status = HTTPStatus.SERVICE_UNAVAILABLE if reasons else HTTPStatus.OK
        return HttpAnswer(status, "application/json", json.dumps(told).encode() + b"\n")

    def _metrics(self, accepts: str) -> HttpAnswer:
        from hilbridge.observe.metrics import Facts, expose  # prometheus_client: for those who ask

        facts = Facts(
            about=self._about,
            snapshot=self._snapshot(),
            durations=self._rings.durations,
            tally=self._tally,
            ailments=self._signs.ailments(),
            events_lost=self._rings.event_reader().lost,
            work=self._work(),
        )
        body, content_type = expose(facts, accepts)
        return HttpAnswer(HTTPStatus.OK, content_type, body)

    def _snapshot(self) -> Snapshot | None:
        content = self._rings.snapshots.get()
        return None if content is None else Snapshot.decode(content)
