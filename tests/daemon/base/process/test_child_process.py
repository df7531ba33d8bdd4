"""What stands beside the tick: how it is started, what it begins with, how it ends."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.process.child_process import DAEMON_SIGNALS, spawn

PATIENCE = 20.0

WITNESS = """
import json, os, signal, sys
facts = {
    "words": sys.argv[1:],
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
    "standard input": os.readlink("/proc/self/fd/0"),
    "class": os.sched_getscheduler(0),
}
with os.fdopen(int(sys.argv[1]), "w") as pipe:
    json.dump(facts, pipe)
sys.exit(7)
"""


CHILD = """
import os, signal, sys
from hilbridge.base.process.child_process import die_with
die_with(int(sys.argv[1]), signal.SIGTERM)
print(os.getpid(), flush=True)
signal.pause()
"""

PARENT = """
import os, signal, subprocess, sys
subprocess.Popen([sys.executable, "-c", sys.argv[1], str(os.getpid())])
signal.pause()
"""

SOMEBODY_ELSE = 1


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules that a child may be."""
    (tmp_path / "witness.py").write_text(WITNESS)
    (tmp_path / "reader.py").write_text("import sys; sys.exit(len(sys.stdin.read()))")
    (tmp_path / "sleeper.py").write_text("import time; time.sleep(20)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def told(theirs: int) -> Any:
    with os.fdopen(theirs) as pipe:
        return json.load(pipe)


def open_descriptors() -> list[str]:
    return sorted(each.name for each in Path("/proc/self/fd").iterdir())


def test_a_child_has_its_descriptors_and_none_of_the_signals_that_are_for_the_daemon() -> None:
    """Numbers of descriptors come first; there is nothing to read; it is an ordinary process."""
    before = open_descriptors()
    ours, theirs = os.pipe()
    child = spawn("witness", [theirs], "word", 5)
    os.close(theirs)
    facts = told(ours)
    assert child.wait(PATIENCE) == 7
    assert facts["words"] == [str(theirs), "word", "5"]
    assert set(DAEMON_SIGNALS) <= set(facts["blocked"])
    assert facts["standard input"] == "/dev/null"
    assert facts["class"] == os.SCHED_OTHER
    assert open_descriptors() == before


def test_a_child_that_listens_reads_to_the_end_of_the_pipe() -> None:
    """Our end is closed in the child, else it would wait for itself."""
    child = spawn("reader", [], pipe_input=True)
    assert child.stdin is not None
    child.stdin.write(b"twelve bytes")
    child.stdin.close()
    assert child.wait(PATIENCE) == 12


def test_a_child_that_is_killed_says_so() -> None:
    """Until then it is not waited for longer than wanted."""
    child = spawn("sleeper", [], inherit_output=False)
    assert child.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(0.01)
    child.kill()
    assert child.wait(PATIENCE) == child.poll() == child.returncode == -signal.SIGKILL
    child.kill()  # nobody else may have its number by now


@pytest.mark.parametrize("policy", [os.SCHED_FIFO, os.SCHED_RR])
def test_no_ordinary_program_is_waited_for_while_a_real_time_process_starts_a_child(
    monkeypatch: pytest.MonkeyPatch, policy: int
) -> None:
    """Its program is loaded in the class of the parent at the lowest priority, 1 (sched(7)); then it is ordinary."""
    done: list[tuple[int, int, int]] = []
    start = os.posix_spawn

    def note(*words: Any, scheduler: tuple[int, os.sched_param], **rest: Any) -> int:
        pid = start(*words, **rest)
        done.append((pid, scheduler[0], scheduler[1].sched_priority))
        return pid

    def ask(pid: int, policy: int, parameter: os.sched_param) -> None:
        done.append((pid, policy, parameter.sched_priority))

    monkeypatch.setattr(os, "sched_getscheduler", lambda _: policy)
    monkeypatch.setattr(os, "sched_setscheduler", ask)
    monkeypatch.setattr(os, "posix_spawn", note)
    child = spawn("sleeper", [], inherit_output=False)
    child.kill()
    child.wait(PATIENCE)
    assert done == [(child.pid, policy, 1), (child.pid, os.SCHED_OTHER, 0)]


def test_a_start_that_fails_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    before = open_descriptors()
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(FileNotFoundError):
        spawn("reader", [], pipe_input=True)
    assert open_descriptors() == before


def test_a_child_ends_when_its_parent_has_gone() -> None:
    """However the parent ends: the kernel sees to it."""
    with subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = os.pidfd_open(int(parent.stdout.readline()))
        parent.kill()
        ended, _, _ = select.select([child], [], [], 20)
        assert ended == [child]
        os.close(child)


def test_a_child_whose_parent_has_gone_already_does_not_begin() -> None:
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(SOMEBODY_ELSE)], capture_output=True, timeout=20, check=False
    )
    assert (run.returncode, run.stdout) == (1, b"")
