"""The tools of measurements: the effort to take, the builds of the model, and one running daemon at a time."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import yaml

from hilbridge.base import model_build
from hilbridge.base.resources import Kind, find
from hilbridge.runs.benchmarks import child
from hilbridge.runs.benchmarks.child import Model, Samples
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Quantity, Result, UnavailableError


class Effort(NamedTuple):
    """The amount of measuring; times are in seconds."""

    batches: int
    """Batches of a calculation that is timed batch by batch."""
    ticks: int
    """Ticks that are computed without waiting."""
    slices: int
    """Slices of a measurement in real time."""
    slice: float
    starts: int
    """Starts of the daemon."""


FULL: Final = Effort(batches=400, ticks=60_000, slices=12, slice=1.0, starts=5)
QUICK: Final = Effort(batches=20, ticks=3_000, slices=2, slice=0.15, starts=1)


class MeasuredBench(NamedTuple):
    """A bench that is measured: its name, the function that makes its content in a folder, and how it is run.

    `words`: further options of `hilbridge run`.
    """

    name: str
    content: Callable[[Path], dict[str, Any]]
    recorded: bool = False
    words: tuple[str, ...] = ()

    def write(self, folder: Path) -> Path:
        """Write the bench file; it uses free ports and no stored state, so that it disturbs no other daemon."""
        base = {"control": {"enabled": False}, "cockpit": {"port": 0}, "state": "none"}
        content = base | self.content(folder) | {"name": self.name}
        path = folder / f"{self.name}.yaml"
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    def options(self, folder: Path) -> tuple[str, ...]:
        """Return further words of the command line."""
        recording = ("--record", tempfile.mkdtemp(prefix="recording-", dir=folder)) if self.recorded else ()
        return (*self.words, *recording)


def demo_content(_folder: Path) -> dict[str, Any]:
    """Return the packaged demo bench, its ports replaced by free ones."""
    content: dict[str, Any] = yaml.safe_load(find(Kind.BENCH, "demo").read_text(encoding="utf-8"))
    for bus in content["buses"].values():
        if "slcan" in bus:
            bus["slcan"] = 0
    for adapter in content["diagnostics"].get("elm327", []):
        adapter["ways"] = [way if way == "pty" else 0 for way in adapter["ways"]]
    return content


DEMO: Final = MeasuredBench("demo", demo_content)


class Rig:
    """The resources of a run of measurements; its `with` statement stops the daemon at the end."""

    def __init__(self, effort: Effort) -> None:
        self.effort: Final = effort
        self.default: Final[Model] = "compiled" if model_build.is_compiled() else "interpreted"
        self.start_ups: Final[list[float]] = []
        self._resources = ExitStack()
        self.folder: Final = Path(self._resources.enter_context(tempfile.TemporaryDirectory(prefix="hilbridge-bench-")))
        self._daemon: Daemon | None = None
        self._running: tuple[Model, MeasuredBench] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._resources.close()

    def reason_against(self, model: Model) -> str:
        """Return why a build of the model is not available; empty when it is."""
        return "" if model in {"interpreted", self.default} else "not compiled here"

    def sample(self, file: str, count: int, model: Model) -> Samples:
        """Return the durations of a calculation in a process of its own; UnavailableError when that fails."""
        return child.sample(file, count, model)

    def daemon(self, model: Model, bench: MeasuredBench = DEMO) -> Daemon:
        """Return the running daemon with this build and bench; start it if necessary, as `start` does."""
        if self._daemon is not None and self._running == (model, bench):
            return self._daemon
        return self.start(model, bench)

    def start(self, model: Model, bench: MeasuredBench = DEMO) -> Daemon:
        """Stop the running daemon and start a new one; UnavailableError when it does not start."""
        self._stop()
        file = bench.write(self.folder)
        daemon = self._daemon = Daemon(file, model, *bench.options(self.folder))
        self._running = (model, bench)
        if self._running == (self.default, DEMO):
            self.start_ups.append(daemon.start_up)
        return daemon

    def _stop(self) -> None:
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            daemon.stop()


class Measurement(NamedTuple):
    """Quantities that are measured together: heading, quantities, and the function that measures them.

    `measure` yields a result for every quantity, in this order, or raises UnavailableError.
    """

    title: str
    quantities: tuple[Quantity, ...]
    measure: Callable[[Rig], Iterator[Result]]

    def results(self, rig: Rig) -> tuple[Result, ...]:
        """Measure; where that is not possible here, each quantity has the reason instead of a value."""
        try:
            return tuple(self.measure(rig))
        except UnavailableError as reason:
            return tuple(quantity.missing(str(reason)) for quantity in self.quantities)
