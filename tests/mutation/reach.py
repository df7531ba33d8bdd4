"""Which test reaches which line, and how long it takes: measured once by coverage, and kept until a file changes."""

import gzip
import json
import os
import signal
import time
from collections.abc import Generator, Iterable
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import coverage
import pytest
from coverage import Coverage

from .rooms import CHECKOUT, Room

FOLDER = CHECKOUT / "build/mutation"


LONGEST: Final = 0.5
"""[s] of processor time under coverage after which a test is broken off: by then it has reached nearly all it does."""

LONG: Final = 2.0
"""[s] that a test is taken for which was broken off: a mutant is tried with few of them, and after the quick ones.

Such a test may reach more of the modules that it mirrors: it is tried on all of them.
"""

_AGAIN: Final = 0.01
"""[s] of processor time after which a test is broken off that could not be."""

_COVERAGE: Final = str(Path(coverage.__file__).parent)


class Test(NamedTuple):
    """A test of a room, and the processor time [s] that it takes while it is measured."""

    name: str
    seconds: float

    def may_reach(self, path: str) -> bool:
        """Return whether it was broken off, and is of the folder of tests that mirrors the folder of a module."""
        file = Path(self.name.partition("::")[0])
        return self.seconds == LONG and file.parent.name == Path(path).parent.name


class Reach(NamedTuple):
    """The tests of a room, and those, by their numbers, that reach a line; -1 stands for import and collection."""

    tests: list[Test]
    lines: dict[str, dict[int, set[int]]]
    """By the path of a module in the checkout."""

    def of(self, path: str, lines: Iterable[int]) -> set[int]:
        """Return the tests that reach any of these lines, or may."""
        known = self.lines.get(path, {})
        longer = {number for number, test in enumerate(self.tests) if test.may_reach(path)}
        return longer.union(*(known.get(line, ()) for line in lines))

    def of_module(self, path: str) -> set[int]:
        """Return the tests that reach any line of a module."""
        return set().union(*self.lines.get(path, {}).values())


class Stopwatch:
    """A plugin of pytest that tells coverage which test runs, and takes its time."""

    def __init__(self, measuring: Coverage) -> None:
        self.tests: list[Test] = []
        self.failed: list[str] = []
        self.left_out: set[int] = set()
        self._measuring = measuring
        self._is_broken_off = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._measuring.switch_context(str(len(self.tests)))
        begun = time.process_time()
        self._is_broken_off = False
        signal.setitimer(signal.ITIMER_PROF, LONGEST, _AGAIN)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            taken = LONG if self._is_broken_off else round(time.process_time() - begun, 4)
            self.tests.append(Test(item.nodeid, taken))
            self._measuring.switch_context("")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, Any, Any]:
        """Let a test end that has come to its end: the next one could not begin otherwise."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._is_broken_off:
            return
        if report.skipped:
            self.left_out.add(len(self.tests))
        elif report.failed:
            self.failed.append(report.nodeid)

    def break_off(self, _number: int, frame: FrameType | None) -> None:
        """End a test, wherever it is; within coverage, which may hold a lock, only a moment later."""
        if frame is None or frame.f_code.co_filename.startswith(_COVERAGE):
            return
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._is_broken_off = True
        pytest.skip("takes too long")


def measured(name: str, room: Room, options: list[str]) -> Reach:
    """Return the reach of a room's tests. SystemExit: they fail without any mutant."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"reach-{name}.json.gz"
    digest = room.digest()
    if not file.exists() or (kept := _read(file))["digest"] != digest:
        child = os.fork()
        if not child:
            os._exit(_measure(file, digest, room, options))
        if os.waitpid(child, 0)[1]:
            raise SystemExit(f"{name}: the tests of the room fail without any mutant")
        kept = _read(file)
    lines = {
        path: {int(line): set(tests) for line, tests in by_line.items()} for path, by_line in kept["lines"].items()
    }
    return Reach([Test(*one) for one in kept["tests"]], lines)


def _read(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))


def _measure(file: Path, digest: str, room: Room, options: list[str]) -> int:
    """Run the tests of a room under coverage, and write what was found; return the exit status."""
    files = {str(path): str(path.relative_to(CHECKOUT)) for _, path in room.modules()}
    measuring = Coverage(data_file=None, config_file=False, include=list(files), messages=False)
    stopwatch = Stopwatch(measuring)
    signal.signal(signal.SIGPROF, stopwatch.break_off)
    measuring.start()
    status = pytest.main(options, plugins=[stopwatch])
    measuring.stop()
    if stopwatch.failed or status not in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
        print(*stopwatch.failed, sep="\n", flush=True)
        return 1
    data = measuring.get_data()
    lines = {
        files[path]: {
            line: [number for context in contexts if (number := int(context or -1)) not in stopwatch.left_out]
            for line, contexts in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }
    content = {"digest": digest, "tests": stopwatch.tests, "lines": lines}
    file.write_bytes(gzip.compress(json.dumps(content).encode(), 1))
    return 0
