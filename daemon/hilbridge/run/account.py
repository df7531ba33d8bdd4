"""What a run tells of itself when it is asked: its statistics, and the answers of `hilbridge ctl`.

Whoever asks, a tick pays some 100 µs at most: statistics go to the log as counters, and the observer adds how punctual
the run is out of the shared memory; an answer is made piece by piece (control/pieces.py).
"""

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from hilbridge.bench.bench import Bench
from hilbridge.bench.status import faults, overview
from hilbridge.control.chunked_json import Piece, encoded, in_rows
from hilbridge.control.commands import Part, Question, Status
from hilbridge.observe.process import ObserverProcess
from hilbridge.observe.recording_switch import RecordingSwitch
from hilbridge.observe.reporter import Reporter
from hilbridge.observe.rings import Rings
from hilbridge.reload.reload import Reload
from hilbridge.scenario.player import Player


class Subjects(NamedTuple):
    """What of a run there is something to tell of."""

    bench: Bench
    rings: Rings
    reporter: Reporter
    observer: ObserverProcess
    reload: Reload
    recording: RecordingSwitch
    play: Player


class Account:
    """Costs nothing until somebody asks."""

    def __init__(self, told: Subjects) -> None:
        self._told: Final = told

    def statistics(self) -> dict[str, Any]:
        """All counters so far, by part."""
        told = self._told
        return {
            "ticks": told.reporter.ticks,
            "missed_ticks": told.reporter.missed,
            **told.bench.statistics(),
            "reload": told.reload.statistics(),
            "observer": {"restarts": told.observer.restarts, "events_lost": told.reporter.events.lost},
        }

    def answer(self, question: Question) -> Iterator[bytes]:
        """The answer to what somebody asks through the control socket."""
        return encoded(self._status(question) if isinstance(question, Status) else faults(self._told.bench))

    def _status(self, question: Status) -> Iterator[Piece]:
        parts = question.wanted
        yield from overview(self._told.bench, parts)
        if "statistics" in parts:
            yield from self._statistics(parts)
        if "recording" in parts:
            yield ("recording",), self._told.recording.describe()
        if "scenario" in parts:
            yield ("scenario",), self._told.play.describe()
        if "verdicts" in parts:
            for rows in in_rows(self._told.play.verdicts()):
                yield ("verdicts",), rows

    def _statistics(self, others: Collection[Part]) -> Iterator[Piece]:
        """Without what `others` tell under the same name, and more of it."""
        counted = {name: told for name, told in self.statistics().items() if name not in others}
        yield (), {name: counted.pop(name) for name in ("ticks", "missed_ticks")}
        yield (), counted
        for name, figures in self._told.rings.durations.figures():
            yield (name,), figures
