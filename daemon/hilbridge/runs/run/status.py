"""The status of a run: that of its bench (bench/status.py), and what the run itself counts.

The tick pays some 100 µs at most for each question: an answer is made piece by piece, the metrics a part at a time, and
percentiles in the log are added by the observer, out of the shared memory.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import cycle
from typing import Final, NamedTuple, TypeAlias

from hilbridge.base.clock import Clock
from hilbridge.base.common.rows import PlainRow, plain, plain_rows
from hilbridge.base.common.units import SECOND
from hilbridge.bench import status as bench_status
from hilbridge.bench.bench import Bench
from hilbridge.bench.kinds import KINDS
from hilbridge.bench.scenario.player import Player
from hilbridge.bench.views import resolve, status_of, views_of
from hilbridge.boundary.control.chunked_json import JsonPiece, encode_pieces, split_rows
from hilbridge.boundary.control.commands import Query, Status
from hilbridge.boundary.observe.events import Fields
from hilbridge.faces.fabric.process import FabricRow
from hilbridge.runs.reload.reload import Reload
from hilbridge.runs.run.endpoints import Endpoints
from hilbridge.runs.run.measured import PROCESSES, ProcessRow
from hilbridge.runs.run.observation import Observation
from hilbridge.runs.run.overload import Overload


class ObserverRow(NamedTuple):
    """How often the observer was started again, and the events that did not fit into its ring."""

    restarts: int
    events_lost: int


class ServiceRow(NamedTuple):
    """The process of the run, how the run before ended, if the service manager has said so, and that if it failed.

    `troubles`: what is wrong with the run itself, as text: stored state, recording, active faults, clock, page,
    control socket.
    """

    process: int
    last_end: str
    failed_end: str
    troubles: Mapping[str, str]


MakePieces: TypeAlias = Callable[[Collection[str]], Iterator[JsonPiece]]
"""Makes the pieces of a part; it takes the parts that are requested."""


def _one(part: str, read: Callable[[], object]) -> MakePieces:
    """Return what makes a part of one piece."""

    def make(_parts: Collection[str]) -> Iterator[JsonPiece]:
        yield (part,), read()

    return make


class RunStatus:
    """The facts and counters of a run, read when they are asked for."""

    def __init__(
        self,
        *,
        clock: Clock,
        bench: Bench,
        observation: Observation,
        endpoints: Endpoints,
        overload: Overload,
        reload: Reload,
        player: Player,
        troubles: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._clock: Final = clock
        self._bench: Final = bench
        self._observation: Final = observation
        self._reporter: Final = observation.reporter
        self._endpoints: Final = endpoints
        self._overload: Final = overload
        self._reload: Final = reload
        self._player: Final = player
        self._troubles: Final = troubles
        absent = {kind.key for kind in KINDS} - bench.wiring.parts.keys()  # a reload adds none of them
        measured = (part for part, view in views_of(bench).items() if view.is_measured and part not in absent)
        self._measured: Final = cycle((*measured, PROCESSES))
        recording = observation.recording
        self._of_run: Final[Mapping[str, MakePieces]] = {
            "statistics": self._statistics,
            "recording": _one("recording", recording.status),
            "recordings": _one("recordings", lambda: recording.home),
            "service": _one("service", self._service),
            "page": _one("page", self._page),
            "fabric": _one("fabric", self._fabric),
            "reload": _one("reload", reload.status),
            "scenario": _one("scenario", player.status),
            "verdicts": self._verdicts,
        }
        """The parts that the run adds to a status; `OF_RUN` of bench/views.py has their names."""

    def statistics(self) -> Fields:
        """Return all counters so far, by part, as JSON knows them."""
        observer = ObserverRow(self._observation.process.restarts, self._reporter.events.lost)
        counted: Fields = plain(
            {
                "ticks": self._reporter.ticks,
                "missed_ticks": self._reporter.missed,
                "overload": self._overload.status(),
                **bench_status.statistics(self._bench),
                "reload": self._reload.statistics(),
                "observer": observer,
            }
        )
        return counted

    def next_measured(self) -> tuple[str, dict[str, PlainRow]]:
        """Return the name and the status of the next part for the metrics, each part in its turn."""
        name = next(self._measured)
        if name != PROCESSES:
            return name, status_of(self._bench, name)
        others = {
            "cockpit": self._endpoints.cockpit,
            "control": self._endpoints.control,
            "fabric": self._endpoints.fabric,
            "xcp": self._endpoints.xcp,
        }
        running = {name: process for name, process in others.items() if process is not None}
        processes = {"observer": self._observation.process, **running}
        return name, plain_rows((name, ProcessRow(process.restarts)) for name, process in processes.items())

    def answer(self, question: Query) -> Iterator[bytes]:
        """Make the pieces of the answer to a question from the control socket.

        ConfigurationError: it is about a part that does not exist.
        """
        if isinstance(question, Status):
            return encode_pieces(self._pieces(resolve(self._bench, question.wanted, bench_status.PARTS)))
        return encode_pieces(bench_status.fault_pieces(self._bench))

    def _pieces(self, parts: Collection[str]) -> Iterator[JsonPiece]:
        yield (), {"time": max(self._clock.t, 0) / SECOND}
        yield from bench_status.answer(self._bench, parts)
        for part, make in self._of_run.items():
            if part in parts:
                yield from make(parts)

    def _verdicts(self, _parts: Collection[str]) -> Iterator[JsonPiece]:
        for rows in split_rows(self._player.verdicts()):
            yield ("verdicts",), rows

    def _service(self) -> ServiceRow:
        end = self._observation.last_end
        failed = "" if end is None or not end.is_failure else end.words
        return ServiceRow(os.getpid(), "" if end is None else end.words, failed, self._troubles())

    def _page(self) -> str | None:
        cockpit = self._endpoints.cockpit
        return None if cockpit is None else cockpit.url

    def _fabric(self) -> FabricRow | None:
        fabric = self._endpoints.fabric
        return None if fabric is None else fabric.status()

    def _statistics(self, others: Collection[str]) -> Iterator[JsonPiece]:
        """Make the pieces of the statistics, without those that `others` report in more detail under the same name."""
        counted = {name: part for name, part in self.statistics().items() if name not in others}
        yield (), {name: counted.pop(name) for name in ("ticks", "missed_ticks")}
        yield (), counted
        for name, figures in self._observation.rings.durations.figures():
            yield (name,), figures
