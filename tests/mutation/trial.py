"""The trial of a mutant: tests run in a forked child that has the mutant in place of its module.

What changes within a function is tried in a child of a process that has imported and collected everything: all
functions that have the code get another. What changes at import (tables, constants, defaults, and functions that run
then) is tried in a child that imports the changed module and collects the tests anew, which takes some seconds.
"""

import contextlib
import gc
import importlib
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from .operators import Mutant, Source

KILLED: Final = "killed"
TIMEOUT: Final = "timeout"
SURVIVED: Final = "survived"
UNTRIED: Final = "untried"
"""No function has the code: it exists for the time of a call, or was made in another way."""

_UNTRIED_STATUS: Final = 99

PROCESSOR: Final = 60
"""[s] of processor time after which a child hangs: several times what all tests that are chosen for a mutant take."""

WALL: Final = 240
"""[s] after which one hangs that waits."""

MEMORY: Final = 4 << 30
"""[byte] that a child may take."""


class Case(NamedTuple):
    """A mutant, and the tests that may kill it, the likeliest first."""

    source: Source
    mutant: Mutant | None
    """None: the module as it is, which its tests must not kill."""
    tests: Sequence[str]
    at_import: bool
    """Whether the lines run when the modules are imported or the tests are collected."""


Verdicts = Iterator[tuple[int, str]]
"""The number of a case, and its verdict."""


def _begin_child(folder: str) -> None:
    """Bound what a child takes; a limit that it exceeds ends it."""
    os.setpgid(0, 0)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
    devnull = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(devnull, descriptor)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, PROCESSOR)
    signal.setitimer(signal.ITIMER_REAL, WALL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _verdict(status: int) -> str:
    """Return what the end of a child says: tests passed, or no test was left to fail."""
    if os.WIFSIGNALED(status):
        return TIMEOUT if os.WTERMSIG(status) in {signal.SIGPROF, signal.SIGALRM} else KILLED
    return {0: SURVIVED, _UNTRIED_STATUS: UNTRIED}.get(os.WEXITSTATUS(status), KILLED)


class _Children:
    """The children that are under way, each with a folder of its own."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._cases: dict[int, tuple[int, str]] = {}

    def fork(self, number: int) -> bool:
        """Fork a child for a case; return whether this is the child."""
        folder = tempfile.mkdtemp(prefix="mutant-")
        child = os.fork()
        if not child:
            _begin_child(folder)
            return True
        self._cases[child] = number, folder
        return False

    def ended(self, most: int | None = None) -> Verdicts:
        """Wait until at most so many are under way (as many as allowed, less one), and yield the verdicts."""
        while len(self._cases) > (self._jobs - 1 if most is None else most):
            child, status = os.wait()
            number, folder = self._cases.pop(child)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # what it has started
            shutil.rmtree(folder, ignore_errors=True)
            yield number, _verdict(status)


class _Chosen:
    """A plugin of pytest that runs the tests of a case in their order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._tests = tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self._tests if name in by_name]


class _MutantLoader(SourceFileLoader):
    """Loads a module with a mutant."""

    def __init__(self, case: Case) -> None:
        super().__init__(case.source.module, case.source.path)
        self._case = case

    def get_code(self, fullname: str) -> CodeType:
        return self._case.source.code(self._case.mutant)


class _MutantFinder(MetaPathFinder):
    """Finds the module of a case, and no other."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != self._case.source.module:
            return None
        return spec_from_file_location(fullname, self._case.source.path, loader=_MutantLoader(self._case))


def try_at_import(cases: dict[int, Case], options: list[str], jobs: int) -> Verdicts:
    """Try each case in a child of this process, which must not have imported any module of the packages."""
    children = _Children(jobs)
    for number, case in cases.items():
        yield from children.ended()
        if children.fork(number):
            sys.meta_path.insert(0, _MutantFinder(case))
            files = list(dict.fromkeys(name.partition("::")[0] for name in case.tests))
            os._exit(pytest.main([*options, *files], plugins=[_Chosen(case.tests)]))
    yield from children.ended(0)


class _Server:
    """A plugin of pytest that, instead of running the tests, tries each case in a child of its own, which runs some."""

    def __init__(self, cases: dict[int, Case], modules: Iterable[str], jobs: int, results: int) -> None:
        """`results`: the descriptor that takes a line for each verdict."""
        self._cases = cases
        self._modules = modules
        self._jobs = jobs
        self._results = results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        for module in self._modules:
            importlib.import_module(module)
        gc.unfreeze()
        gc.collect()
        functions = _Functions(Path(case.source.path) for case in self._cases.values())
        gc.freeze()
        by_name = {item.nodeid: item for item in session.items}
        children = _Children(self._jobs)
        for number, case in self._cases.items():
            self._report(children.ended())
            if children.fork(number):
                if case.mutant and not functions.exchange(case.source.code(), case.source.code(case.mutant)):
                    os._exit(_UNTRIED_STATUS)
                session.items[:] = [by_name[name] for name in case.tests]
                return None  # pytest runs them, and ends with their status
        self._report(children.ended(0))
        return True

    def _report(self, verdicts: Verdicts) -> None:
        for number, verdict in verdicts:
            os.write(self._results, f"{number} {verdict}\n".encode())


class _Functions:
    """The functions that are alive, by their code."""

    def __init__(self, files: Iterable[Path]) -> None:
        paths = {str(file) for file in files}
        self._by_code: dict[CodeType, list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename in paths:
                self._by_code.setdefault(one.__code__, []).append(one)

    def exchange(self, before: CodeType, after: CodeType) -> bool:
        """Give each function whose code differs the other one; return whether there was any."""
        found = False
        old, new = _codes(before), _codes(after)
        for known, other in zip(old, new, strict=False) if len(old) == len(new) else ():
            if known != other:
                for function in self._by_code.get(known, ()):
                    function.__code__ = other
                    found = True
                found |= self.exchange(known, other)
        return found


def _codes(code: CodeType) -> list[CodeType]:
    return [one for one in code.co_consts if isinstance(one, CodeType)]


def try_in_functions(cases: dict[int, Case], modules: Iterable[str], options: list[str], jobs: int) -> Verdicts:
    """Try each case in a child of a process that has imported the modules and collected the tests."""
    read, write = os.pipe()
    server = os.fork()
    if not server:
        os.close(read)
        status = pytest.main(options, plugins=[_Server(cases, modules, jobs, write)])
        os._exit(status)  # of a child too: that of its tests
    os.close(write)
    with os.fdopen(read) as results:
        for line in results:
            number, verdict = line.split()
            yield int(number), verdict
    if os.waitpid(server, 0)[1]:
        raise SystemExit("the process that tries the mutants failed")
