"""Benches that are built once and serve many runs: what a run of a campaign costs is mostly the building of its bench.

    template = bench and vehicle values, and their files; seed and scenario, with its parameters, are the run's own

A process that is forked from the one that has built the bench gives it the seed of its run. The bench has never ticked.
What names code of the user is built in the process of the run alone: it may hang, or remember something.

Where a run has values of its own, what does not depend on them is found, parsed, checked and compiled, in what the
prepared process has built of the same files before: settings, databases, codecs, PIDs, data sheets. Values of the
vehicle alone, which are numbers within their bounds, are built in the prepared process too: it writes to its own
memory, where a new process copies each page first. Values of the bench, and runs with a limit of memory, are built in
the process of the run, which has the limits.
"""

import gc
import json
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.bench import Bench
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.bundle import BENCH
from hilbridge.files.configuration.changes import Changes

MOST: Final = 4
"""Benches that are kept; then only values that come twice in a row take the place of the one used longest ago."""

_REMEMBERED: Final = 256
"""Values of runs that are remembered: a bench is built as a template when they come a second time."""


class BuiltBench(NamedTuple):
    """A bench, and the file of which it was made."""

    file: BenchFile
    bench: Bench

    def seeded(self, seed: int) -> "BuiltBench":
        """Return the bench with the seed of a run."""
        file = self.file.seeded(seed)
        self.bench.wiring.seed.change(seed)
        return BuiltBench(file, self.bench)


def build(folder: Path, run: Mapping[str, Any]) -> BuiltBench:
    """Build the bench of a run, with the seed of its file. ConfigurationError: its files or its values are wrong."""
    changes = Changes.of(run["keys"]["set"])
    path = str(folder / run["bench_files"] / BENCH)
    checked = _checked.get(path)
    if checked is not None and not changes.bench:
        file = checked.with_vehicle(changes.vehicle)
    else:
        file = load_bench(path, changes).without_demo_driver()
        if not changes.bench:
            _checked.clear()
            _checked[path] = file
    return BuiltBench(file, Bench(file))


_checked: Final[dict[str, BenchFile]] = {}
"""The bench file that was checked last without values of its own, by path: files of a campaign do not change."""


class Templates:
    """The benches that the prepared process keeps."""

    def __init__(self, folder: Path) -> None:
        """`folder` holds the files of the campaign."""
        self._folder: Final = folder
        self._kept: Final[OrderedDict[str, BuiltBench | None]] = OrderedDict()  # None: it cannot be built
        self._seen: Final[OrderedDict[str, None]] = OrderedDict()
        self._files: Final[dict[str, bool | None]] = {}  # whether one has been built of them here; None: it cannot be

    def get(self, run: Mapping[str, Any]) -> BuiltBench | None:
        """Return the bench for a run; None: the process of the run builds its own."""
        if run["trusted"]:
            return None
        key = _key(run)
        again, latest = key in self._seen, next(reversed(self._seen), None)
        self._seen[key] = None
        self._seen.move_to_end(key)
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        if key in self._kept:
            self._kept.move_to_end(key)
        elif again and (len(self._kept) < MOST or key == latest):
            self._make(key, run)
        elif not again and self._files.get(run["bench_files"]) is False:
            self._files[run["bench_files"]] = None
            self._build({**run, "keys": {"set": {}}})
            _hold()
        self._files.setdefault(run["bench_files"], False)
        if key not in self._kept and self._files[run["bench_files"]] and _is_bounded(run):
            return self._build(run)
        return self._kept.get(key)

    def _make(self, key: str, run: Mapping[str, Any]) -> None:
        if len(self._kept) == MOST:
            self._kept.popitem(last=False)
            gc.unfreeze()
        self._kept[key] = self._build(run)
        _hold()

    def _build(self, run: Mapping[str, Any]) -> BuiltBench | None:
        """Build the bench of a run; None: it cannot be, and the process of each run says why."""
        try:
            built = build(self._folder, run)
        except ConfigurationError:
            return None
        self._files[run["bench_files"]] = True
        return built


def _is_bounded(run: Mapping[str, Any]) -> bool:
    """Return whether a bench with the values of a run takes no more than the one of its files as they are."""
    return run["memory_limit"] is None and not Changes.of(run["keys"]["set"]).bench


def _hold() -> None:
    """Keep what there is from the collector: in a run it would write to every page of it, and so copy them all."""
    gc.collect()
    gc.freeze()


def _key(run: Mapping[str, Any]) -> str:
    """Return what the bench of a run depends on, but for its seed."""
    changes = Changes.of(run["keys"]["set"])
    return json.dumps([run["bench_files"], changes.bench, changes.vehicle], sort_keys=True)
