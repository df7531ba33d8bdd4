"""What measurements work with: how much effort to take, the builds of the model, and one running daemon at a time."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple, Self, TypeVar

from hilbridge import model_build
from hilbridge.benchmarks import benches, child
from hilbridge.benchmarks.benches import BenchName
from hilbridge.benchmarks.child import Model, Samples
from hilbridge.benchmarks.daemon import Daemon
from hilbridge.benchmarks.result import Quantity, Result

Done = TypeVar("Done")


class Effort(NamedTuple):
    """How much is measured; times are in seconds."""

    batches: int
    """Of a calculation that is timed batch by batch."""
    ticks: int
    """Of computation alone."""
    slices: int
    """Into which a measurement in real time is cut."""
    slice: float
    starts: int
    """Of the daemon."""


FULL: Final = Effort(batches=400, ticks=60_000, slices=12, slice=1.0, starts=5)
QUICK: Final = Effort(batches=20, ticks=3_000, slices=2, slice=0.15, starts=1)


class Rig:
    """To be used in a `with` statement, which stops the daemon at the end."""

    def __init__(self, effort: Effort) -> None:
        self.effort: Final = effort
        self.default: Final[Model] = "compiled" if model_build.is_compiled() else "interpreted"
        self.start_ups: Final[list[float]] = []
        self._resources = ExitStack()
        self.folder: Final = Path(self._resources.enter_context(tempfile.TemporaryDirectory(prefix="hilbridge-bench-")))
        self._daemon: Daemon | None = None
        self._running: tuple[Model, BenchName] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._resources.close()

    def lacks(self, model: Model) -> str:
        """Why there is no such build; empty when there is."""
        return "" if model in {"interpreted", self.default} else "not compiled here"

    def sample(self, module: str, count: int, model: Model) -> Samples:
        """What a calculation takes in a process of its own; UnavailableError when that fails."""
        return child.sample(module, count, model)

    def daemon(self, model: Model, bench: BenchName = "demo") -> Daemon:
        """The running daemon, with the build and bench that are asked for. UnavailableError when it does not start."""
        if self._daemon is not None and self._running == (model, bench):
            return self._daemon
        return self.start(model, bench)

    def start(self, model: Model, bench: BenchName = "demo") -> Daemon:
        """A new daemon; the one before is stopped."""
        self._stop()
        file = benches.write(bench, self.folder)
        daemon = self._daemon = Daemon(file, model, *benches.options(bench, self.folder))
        self._running = (model, bench)
        if self._running == (self.default, "demo"):
            self.start_ups.append(daemon.start_up)
        return daemon

    def by_turns(self, daemon: Daemon, act: Callable[[], Done]) -> Iterator[tuple[Done, float, float]]:
        """What `act` returned, which lasts a slice; the missed ticks [%] of a slice at rest before it, and of its own.

        Again and again (A B A B ...), so that whatever else the machine does falls on both.
        """
        for _ in range(self.effort.slices):
            begin = Missed.of(daemon)
            time.sleep(self.effort.slice)
            middle = Missed.of(daemon)
            done = act()
            end = Missed.of(daemon)
            yield done, middle.share_since(begin), end.share_since(middle)

    def _stop(self) -> None:
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            daemon.stop()


class Missed(NamedTuple):
    """Ticks that a daemon has missed, of all that should have been, since its start."""

    ticks: int
    due: int

    @classmethod
    def of(cls, daemon: Daemon) -> Self:
        """As its own counters say now."""
        statistics = daemon.statistics()
        return cls(statistics["missed_ticks"], statistics["missed_ticks"] + statistics["ticks"])

    def share_since(self, earlier: "Missed") -> float:
        """[%] of the ticks between two looks."""
        return 100 * (self.ticks - earlier.ticks) / (self.due - earlier.due)


class Measurement(NamedTuple):
    """What belongs together: its heading, the quantities, and how their results are found, in the same order.

    `measure` yields a result for every quantity, or raises UnavailableError.
    """

    title: str
    quantities: tuple[Quantity, ...]
    measure: Callable[[Rig], Iterator[Result]]
