"""Real-time set-up: taken where it is allowed, explained where it is not, taken back afterwards."""

import ctypes
import gc
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from hilbridge import realtime
from hilbridge.realtime import Outcome, RealTime

STEPS = ["collector", "memory", "DMA latency", "timer slack", "scheduler"]


def timer_slack() -> int:
    return int(Path("/proc/self/timerslack_ns").read_text())


def locked_memory() -> int:
    """[KiB]"""
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmLck")]
    return int(line.split()[1])


def test_every_step_says_what_became_of_it() -> None:
    """Each step once, in order; one that was refused says why. None raises, whatever this process may do."""
    real_time = RealTime()
    outcomes = real_time.set_up()
    real_time.undo()
    assert [outcome.step for outcome in outcomes] == STEPS
    assert all(outcome.detail for outcome in outcomes)


def test_outcomes_tell_the_truth() -> None:
    """What is granted can be seen in the process; what is refused has not changed it."""
    before = timer_slack(), os.sched_getscheduler(0)
    real_time = RealTime()
    granted = {outcome.step: outcome.granted for outcome in real_time.set_up()}
    seen = {
        "collector": not gc.isenabled() and gc.get_freeze_count() > 0,
        "memory": locked_memory() > 0,
        "timer slack": timer_slack() != before[0] or timer_slack() == 1,
        "scheduler": os.sched_getscheduler(0) == os.SCHED_FIFO | os.SCHED_RESET_ON_FORK,
    }
    real_time.undo()
    assert seen == {step: granted[step] for step in seen}


def test_undo_restores_everything() -> None:
    """Afterwards this is the process that it was: collector, memory, descriptors, timers, scheduler."""

    def state() -> tuple[object, ...]:
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        return (
            gc.isenabled(),
            gc.get_freeze_count(),
            locked_memory(),
            descriptors,
            timer_slack(),
            os.sched_getscheduler(0),
        )

    before = state()
    real_time = RealTime()
    real_time.set_up()
    real_time.undo()
    assert state() == before


def test_refusals_come_with_reason_and_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any privilege: collector and timers work, the others say what limit stands in the way and how to lift it."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    def mlockall(_: int) -> int:
        ctypes.set_errno(12)
        return -1

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    monkeypatch.setattr(realtime, "DMA_LATENCY", "/nonexistent/cpu_dma_latency")
    monkeypatch.setattr(realtime._libc, "mlockall", mlockall)  # noqa: SLF001 (the system call itself)
    real_time = RealTime()
    outcomes = {outcome.step: outcome for outcome in real_time.set_up()}
    real_time.undo()
    assert [step for step in STEPS if outcomes[step].granted] == ["collector", "timer slack"]
    refused = [outcomes[step] for step in STEPS if not outcomes[step].granted]
    assert all(outcome.remedy for outcome in refused)
    assert "Cannot allocate memory" in outcomes["memory"].detail
    assert outcomes["DMA latency"] == Outcome(
        "DMA latency",
        granted=False,
        detail="/nonexistent/cpu_dma_latency: No such file or directory",
        remedy="write access to /nonexistent/cpu_dma_latency, for example by a udev rule",
    )
    assert "Operation not permitted" in outcomes["scheduler"].detail


def test_limited_process_can_still_allocate() -> None:
    """Under a limit of locked memory nothing is locked that is allocated later: no allocation fails because of it.

    The limit is put high enough for what the process has, and far below what it then asks for.
    """
    program = """
        import resource
        from hilbridge import realtime
        realtime._has_capability = lambda number: False
        limit = 8 << 30
        hard = resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
        flags = []
        def mlockall(value):
            flags.append(value)
            return 0
        realtime._libc.mlockall = mlockall
        resource.getrlimit = lambda which: (limit, limit)
        outcome = realtime.RealTime()._lock_memory()
        print(flags, outcome.granted, outcome.detail)
    """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True, check=True)
    assert done.stdout == "[5] True what exists now is locked; later memory is not\n"


def test_children_are_ordinary() -> None:
    """`become_ordinary` gives the ordinary class and the usual 50 µs of timer slack back."""
    real_time = RealTime()
    real_time.set_up()
    child = os.fork()
    if child == 0:
        inherited = timer_slack(), os.sched_getscheduler(0)
        realtime.become_ordinary()
        ordinary = inherited == (1, os.SCHED_OTHER) and timer_slack() == 50_000
        os._exit(0 if ordinary else 1)
    real_time.undo()
    assert os.waitpid(child, 0)[1] == 0
