"""Trials: many short-lived scenarios on one bench, each a run of its own, as a campaign makes them.

Nothing is kept of a trial but its row, and nothing is run a second time. The number of trials and their time on the
processor are bounded.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Final, Self

from hilbridge.base.common.bundle_files import write_bundle
from hilbridge.base.trust import gate
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.bundle import bundle, dumped
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.run.build import build

ScenarioData = Mapping[str, Any]
"""The content of a scenario file."""

_BENCH: Final = "bench"


class ExhaustedError(Exception):
    """The bound on trials or on the time of the processor is reached, or the user wants an end: the reason."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


class Trials:
    """Runs of scenarios on a bench without its demo driver. A context manager: its end ends the processes.

    `made` counts runs. ConfigurationError: the bench cannot be built, or its code is not trusted.
    """

    def __init__(
        self,
        file: BenchFile,
        seed: int,
        *,
        most: int,
        seconds: float,
        time_limit: float = 300.0,
        figures: Mapping[str, Mapping[str, str]] | None = None,
        stopped: Callable[[], bool] = lambda: False,
        jobs: int | None = None,
    ) -> None:
        """`most` trials, `seconds` of the processor; `figures` as of a campaign; `stopped`: the user wants an end."""
        build(file)
        self.made = 0
        self._most: Final = most
        self._seconds: Final = seconds
        self._stopped: Final = stopped
        self._known: Final[dict[str, Row]] = {}
        self._stack: Final = ExitStack()
        self._folder: Final = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="hilbridge-")))
        write_bundle(self._folder, {f"{_BENCH}/{name}": content for name, content in bundle(file, runs=True).items()})
        self._run: Final = {
            "bench_files": _BENCH,
            "recording": "",
            "picture": "",
            "figures": dict(figures or {}),
            "time_limit": time_limit,
            "memory_limit": None,
            "trusted": sorted(code.digest for code in gate.passed()),
        }
        self._keys: Final[Row] = {"bench": file.settings.name, "vehicle": None, "set": {}, "seed": seed}
        self._free: Final[SimpleQueue[Prepared]] = SimpleQueue()
        self._prepared: Final = [Prepared(self._folder) for _ in range(jobs or processors())]
        for prepared in self._prepared:
            self._stack.enter_context(closing(prepared))
            self._free.put(prepared)
        self._threads: Final = self._stack.enter_context(ThreadPoolExecutor(len(self._prepared)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for prepared in self._prepared:
            prepared.stop()
        self._stack.close()

    @property
    def at_once(self) -> int:
        """How many runs are made at a time."""
        return len(self._prepared)

    def rows(self, scenarios: Sequence[ScenarioData]) -> list[Row]:
        """Return the rows of scenarios, which are run side by side. ExhaustedError."""
        texts = [dumped(scenario).decode() for scenario in scenarios]
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if self._stopped():
            raise ExhaustedError("interrupted")
        if self.made + len(new) > self._most:
            raise ExhaustedError(f"{self._most} runs were made")
        if sum(prepared.processor_time() for prepared in self._prepared) > self._seconds:
            raise ExhaustedError(f"{self._seconds:g} s of the processor were used")
        for text, row in zip(new, self._threads.map(self._made, new), strict=True):
            self._known[text] = row
        self.made += len(new)
        return [self._known[text] for text in texts]

    def again(self, file: Path) -> Row:
        """Return the row of a scenario file, run once more. ExhaustedError: the user wants an end."""
        return self._played(file.stem, lambda trial: shutil.copyfile(file, trial))

    def first(self, scenarios: Sequence[ScenarioData], wanted: Callable[[Row], bool]) -> int | None:
        """Return the number of the first scenario with a row as wanted, whatever the number of processors; or None."""
        for begin in range(0, len(scenarios), self.at_once):
            for i, row in enumerate(self.rows(scenarios[begin : begin + self.at_once])):
                if wanted(row):
                    return begin + i
        return None

    def _made(self, text: str) -> Row:
        return self._played(sha256(text.encode()).hexdigest()[:16], lambda trial: trial.write_text(text, "utf-8"))

    def _played(self, name: str, write: Callable[[Path], object]) -> Row:
        file = self._folder / f"trial-{name}" / "trial.yaml"
        file.parent.mkdir()
        write(file)
        prepared = self._free.get()
        try:
            keys = {**self._keys, "scenario": "trial"}
            made = prepared.make({**self._run, "name": name, "scenario_files": file.parent.name, "keys": keys})
        finally:
            self._free.put(prepared)
        shutil.rmtree(file.parent)
        if made is None:
            raise ExhaustedError("interrupted")
        row: Row = json.loads(made.row)
        return row
