"""Programs that tests start keep their state and their sockets in a folder of the tests."""

import gc
import itertools
import os
import sys
import time
from collections.abc import Container, Generator, Iterator
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("shared machine", deadline=None)
settings.register_profile("ci", deadline=None, max_examples=10)  # others in each run
settings.register_profile("few", deadline=None, max_examples=5)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "shared machine"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let no collection of garbage walk over the tests, of which there are ten thousand and which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


WHOLE_PROGRAM = ("clients", "packaging", "scenarios")
"""Folders whose tests start the program; `make test` has those that are marked as a `way_out`."""


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests marked as `nightly` out of a run with HILBRIDGE_TESTS=merge, as `.ci/run` is."""
    for item in items:
        if Path(item.nodeid).parts[1] in WHOLE_PROGRAM and item.get_closest_marker("way_out") is None:
            item.add_marker("long")
    chosen = os.environ.get("HILBRIDGE_TESTS", "all")
    if chosen not in ("all", "merge"):
        raise pytest.UsageError(f"HILBRIDGE_TESTS is all or merge, not {chosen!r}")
    if chosen == "merge" and (left_out := [item for item in items if is_nightly(item)]):
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)


def is_nightly(item: pytest.Item) -> bool:
    """Whether a test is marked as nightly, whole or with its parameters: `nightly("truck", "demo-False")`."""
    callspec = getattr(item, "callspec", None)
    return any(not mark.args or (callspec and callspec.id in mark.args) for mark in item.iter_markers("nightly"))


NUMBERS = itertools.count()

LONGEST_END = 30.0
"""[s] that a process may take to end after the last test that uses it."""


@pytest.fixture(scope="session", autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is read from the user's own runs, and nothing is left in them."""
    names = {"XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
    before = {name: os.environ.get(name) for name in names}
    os.environ |= {name: str(tmp_path_factory.mktemp(folder)) for name, folder in names.items()}
    yield
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value


@pytest.fixture(scope="module", autouse=True)
def no_process_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a file of tests starts has ended before the next file begins; browser and lab share theirs."""
    before = child_processes().keys()
    yield
    if {"browser", "lab"} & set(request.path.parts):
        return
    deadline = time.monotonic() + LONGEST_END
    while left := new_processes(before) + active_children():  # also those of prepared.py
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


MOST_LEFT_OPEN = 64
"""Descriptors that a file of tests may leave open: what libraries keep. From 1024 on, none is one for select()."""


@pytest.fixture(scope="module", autouse=True)
def no_file_is_left_open() -> Iterator[None]:
    """What a file of tests opens is closed behind it, or with what held it when the collector runs."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    yield
    if len(list(Path("/proc/self/fd").iterdir())) >= before + MOST_LEFT_OPEN:
        gc.collect()
    assert len(list(Path("/proc/self/fd").iterdir())) < before + MOST_LEFT_OPEN


def new_processes(before: Container[int]) -> list[object]:
    """Process and command line of each program of ours that was not there before."""
    return [(pid, words) for pid, words in child_processes().items() if pid not in before and is_ours(words)]


def is_ours(words: str) -> bool:
    """Tell a program or a module of ours by its command line; the tracker that Python starts once for all is none."""
    return any(Path(word).name.partition(".")[0] == "hilbridge" for word in words.split("\0"))


def child_processes() -> dict[int, str]:
    """The command lines of the processes that this process has started; empty for one that has ended."""
    found = {}
    for pid in map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            found[pid] = Path(f"/proc/{pid}/cmdline").read_text()
    return found


@pytest.fixture(autouse=True)
def new_car(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test's programs store is found by that test alone: neither the order nor the company of tests matters."""
    monkeypatch.setenv("XDG_STATE_HOME", str(Path(os.environ["XDG_STATE_HOME"], str(next(NUMBERS)))))


@pytest.fixture(autouse=True)
def own_modules() -> Iterator[None]:
    """Code that a test wrote is forgotten after it: Hypothesis reads the file of every module, be it a pipe by then."""
    before = set(sys.modules)
    yield
    for name in sys.modules.keys() - before:
        if name.startswith("hilbridge_user_code"):
            del sys.modules[name]


@pytest.fixture
def own_code() -> Iterator[None]:
    """The Python code of the benches and vehicles that the test writes may run in the test's process."""
    from hilbridge.base.trust.gate import everything_trusted

    with everything_trusted():
        yield
