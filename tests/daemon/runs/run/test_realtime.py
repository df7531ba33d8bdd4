"""Real-time set-up: taken where it is allowed, explained where it is not, taken back afterwards."""

import ctypes
import gc
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from hilbridge.base.process.scheduling import become_ordinary
from hilbridge.files.settings.realtime import RealTimeSettings
from hilbridge.runs.run import realtime
from hilbridge.runs.run.realtime import Outcome, RealTime

ORDINARY = RealTimeSettings(scheduler="other")
STEPS = ["collector", "memory", "DMA latency", "timer slack", "affinity", "scheduler"]


@pytest.fixture(autouse=True)
def frozen_again() -> Iterator[None]:
    """What `undo` unfreezes is kept from the collector again; of the tests themselves it is ten thousand (conftest)."""
    yield
    gc.freeze()


def timer_slack() -> int:
    return int(Path("/proc/self/timerslack_ns").read_text())


def outcome(step: str, settings: RealTimeSettings) -> Outcome:
    """The outcome of one step of a whole set-up, which is taken back at once."""
    real_time = RealTime(settings)
    outcomes = {each.step: each for each in real_time.set_up()}
    real_time.undo()
    return outcomes[step]


def locked_memory() -> int:
    """In KiB."""
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
        "scheduler": os.sched_getscheduler(0) == os.SCHED_FIFO,
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
            os.sched_getaffinity(0),
            dict(os.environ),
        )

    gc.unfreeze()  # as in a process of ours
    gc.collect()  # what other tests of this process have left may hold descriptors, and the set-up collects
    before = state()
    real_time = RealTime(RealTimeSettings(affinity=[min(os.sched_getaffinity(0))]))
    real_time.set_up()
    real_time.undo()
    assert state() == before


def test_refusals_come_with_reason_and_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without privileges collector and timers work; the others say what stands in the way and how to lift it."""

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    def mlockall(_: int) -> int:
        ctypes.set_errno(12)
        return -1

    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    monkeypatch.setattr(realtime, "DMA_LATENCY", "/nonexistent/cpu_dma_latency")
    monkeypatch.setattr(realtime._libc, "mlockall", mlockall)
    real_time = RealTime()
    outcomes = {outcome.step: outcome for outcome in real_time.set_up()}
    real_time.undo()
    assert [step for step in STEPS if outcomes[step].granted] == ["collector", "timer slack", "affinity"]
    refused = [outcomes[step] for step in STEPS if not outcomes[step].granted]
    assert all(outcome.remedy for outcome in refused)
    assert "Cannot allocate memory" in outcomes["memory"].detail
    assert outcomes["DMA latency"] == Outcome(
        "DMA latency",
        granted=False,
        detail="/nonexistent/cpu_dma_latency: No such file or directory",
        remedy="write access to /nonexistent/cpu_dma_latency, by a udev rule (systemd/udev/70-hilbridge.rules)",
    )
    assert "Operation not permitted" in outcomes["scheduler"].detail


def test_limited_process_can_still_allocate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a limit of locked memory only what exists is locked (MCL_CURRENT 1 | MCL_ONFAULT 4, not MCL_FUTURE 2).

    With MCL_FUTURE every allocation beyond the limit would fail from then on.
    """
    asked = []

    def mlockall(flags: int) -> int:
        asked.append(flags)
        return 0

    monkeypatch.setattr(realtime._libc, "mlockall", mlockall)
    monkeypatch.setattr(realtime._libc, "munlockall", lambda: 0)
    monkeypatch.setattr(realtime, "_has_capability", lambda number: False)
    for limit in (8 << 20, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda which, limit=limit: (limit, limit))
        assert outcome("memory", ORDINARY).granted
    assert asked == [1 | 4, 1 | 4 | 2]


def test_a_class_that_is_not_wanted_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as granted and says that the bench file wants it so; the kernel is not even asked."""

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(os, "sched_setscheduler", never)
    monkeypatch.setattr(os, "sched_setaffinity", never)
    assert outcome("scheduler", ORDINARY) == Outcome(
        "scheduler", granted=True, detail="SCHED_OTHER, as the bench file wants"
    )


@pytest.mark.parametrize(("name", "number"), [("fifo", 1), ("rr", 2)])
def test_class_and_priority_are_those_of_the_bench_file(
    monkeypatch: pytest.MonkeyPatch, name: Literal["fifo", "rr"], number: int
) -> None:
    """Numbers of sched.h. Where a limit is lower, the limit is taken."""
    asked = []

    def ask(_process: int, policy: int, parameter: os.sched_param) -> None:
        asked.append((policy, parameter.sched_priority))
        if parameter.sched_priority > 30:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_setscheduler", ask)
    monkeypatch.setattr(resource, "getrlimit", lambda which: (0, 30))
    monkeypatch.setattr(resource, "setrlimit", lambda which, limits: None)
    monkeypatch.setattr(realtime._libc, "mlockall", lambda flags: 0)
    reached = outcome("scheduler", RealTimeSettings(scheduler=name, priority=50))
    assert asked[:2] == [(number, 50), (number, 30)]
    assert reached == Outcome("scheduler", granted=True, detail=f"SCHED_{name.upper()}, priority 30")


def test_no_processor_may_sleep_deeply(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The longest wake-up time is 0 us, as a 32-bit integer (pm_qos_interface)."""
    file = tmp_path / "cpu_dma_latency"
    file.touch()
    monkeypatch.setattr(realtime, "DMA_LATENCY", str(file))
    assert outcome("DMA latency", ORDINARY) == Outcome("DMA latency", granted=True, detail=f"{file} held at 0 us")
    assert file.read_bytes() == bytes(4)


def test_processors_that_are_not_there_are_refused() -> None:
    """The kernel would take the rest of the list in silence; here nothing is taken, and the list says what is wrong."""
    before = os.sched_getaffinity(0)
    first = min(before)
    for affinity in ([8000], [first, 8000]):
        reached = outcome("affinity", RealTimeSettings(scheduler="other", affinity=affinity))
        assert not reached.granted
        assert reached.remedy
        assert os.sched_getaffinity(0) == before


def test_children_stay_away_from_processors_of_the_tick() -> None:
    """They go back to where the process might run before."""
    before = os.sched_getaffinity(0)
    real_time = RealTime(RealTimeSettings(affinity=[max(before)]))
    assert all(each.granted for each in real_time.set_up() if each.step == "affinity")
    child = os.fork()
    if child == 0:
        inherited = os.sched_getaffinity(0)
        become_ordinary()
        os._exit(0 if (inherited, os.sched_getaffinity(0)) == ({max(before)}, before) else 1)
    real_time.undo()
    assert os.waitpid(child, 0)[1] == 0


def test_children_are_ordinary() -> None:
    """`become_ordinary` gives the ordinary class and the usual 50 µs of timer slack back, which children inherit."""
    real_time = RealTime()
    real_time.set_up()
    child = os.fork()
    if child == 0:
        changed = timer_slack() != 50_000
        become_ordinary()
        ordinary = timer_slack() == 50_000 and os.sched_getscheduler(0) == os.SCHED_OTHER
        os._exit(0 if changed and ordinary else 1)
    real_time.undo()
    assert os.waitpid(child, 0)[1] == 0
