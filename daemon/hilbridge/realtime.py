"""Real-time set-up of the tick process: five steps, each of which may be refused without harm.

| step        | without it a tick may wait for                           | needs                                |
|-------------|----------------------------------------------------------|--------------------------------------|
| collector   | a garbage collection (the clock collects in slack time)  |                                      |
| memory      | a page that was taken away and comes back from the disk  | CAP_IPC_LOCK or RLIMIT_MEMLOCK       |
| DMA latency | a processor that wakes from deep sleep                   | write access to /dev/cpu_dma_latency |
| timer slack | 50 us, outside a real-time class: timers are gathered    |                                      |
| scheduler   | other programs                                           | CAP_SYS_NICE or RLIMIT_RTPRIO        |

Sources: sched(7), mlock(2), prctl(2), the kernel's pm_qos_interface.
"""

import ctypes
import gc
import os
import resource
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final, NamedTuple

PRIORITY: Final = 40
"""Of 1..99. Threaded interrupt handlers, which deliver the frames, have 50 and must go first."""

DMA_LATENCY: Final = "/dev/cpu_dma_latency"

_PR_SET_TIMERSLACK: Final = 29
_PR_GET_TIMERSLACK: Final = 30
_USUAL_TIMER_SLACK: Final = 50_000

_MCL_CURRENT: Final = 1
_MCL_FUTURE: Final = 2
_MCL_ONFAULT: Final = 4
_CAP_IPC_LOCK: Final = 14

_libc: Final = ctypes.CDLL(None, use_errno=True)


class Outcome(NamedTuple):
    """What became of one step: what was reached, or why not and how to grant it."""

    step: str
    granted: bool
    detail: str
    remedy: str = ""


class RealTime:
    """The set-up of this process; `undo` takes it back."""

    def __init__(self) -> None:
        self._undo = ExitStack()

    def set_up(self) -> list[Outcome]:
        """Takes every step that is allowed, the scheduler last; call it when start-up work is done. Never raises."""
        return [
            self._freeze_collector(),
            self._lock_memory(),
            self._hold_dma_latency(),
            self._sharpen_timers(),
            self._enter_real_time_class(),
        ]

    def undo(self) -> None:
        """Makes this an ordinary process again."""
        self._undo.close()

    def _freeze_collector(self) -> Outcome:
        """What exists now is never looked at again; nothing is collected unasked."""
        if gc.isenabled():
            self._undo.callback(gc.enable)
        gc.disable()
        gc.collect()
        gc.freeze()
        self._undo.callback(gc.unfreeze)
        return Outcome("collector", granted=True, detail=f"{gc.get_freeze_count()} objects frozen, automatic runs off")

    def _lock_memory(self) -> Outcome:
        """Pages stay once they were touched (MCL_ONFAULT: locking what was never touched takes three times as much).

        Under a limit MCL_FUTURE would make later allocations fail, so only what exists is locked then.
        """
        limit = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
        unlimited = limit == resource.RLIM_INFINITY or _has_capability(_CAP_IPC_LOCK)
        flags = _MCL_CURRENT | _MCL_ONFAULT | (_MCL_FUTURE if unlimited else 0)
        if _libc.mlockall(flags) == 0:
            self._undo.callback(_libc.munlockall)
            detail = "locked" if unlimited else "what exists now is locked; later memory is not"
            return Outcome("memory", granted=True, detail=detail)
        reason = os.strerror(ctypes.get_errno())
        return Outcome(
            "memory",
            granted=False,
            detail=f"{reason}; the limit is {limit // 1024} KiB",
            remedy="memlock in /etc/security/limits.d and a new login, or LimitMEMLOCK=infinity in systemd",
        )

    def _hold_dma_latency(self) -> Outcome:
        """Sleep states with a wake-up time above 0 us are not entered as long as the file is held open."""
        try:
            descriptor = os.open(DMA_LATENCY, os.O_WRONLY | os.O_CLOEXEC)
        except OSError as error:
            return Outcome(
                "DMA latency",
                granted=False,
                detail=f"{DMA_LATENCY}: {error.strerror}",
                remedy=f"write access to {DMA_LATENCY}, for example by a udev rule",
            )
        self._undo.callback(os.close, descriptor)
        try:
            os.write(descriptor, (0).to_bytes(4, "little"))
        except OSError as error:
            return Outcome("DMA latency", granted=False, detail=f"{DMA_LATENCY}: {error.strerror}")
        return Outcome("DMA latency", granted=True, detail=f"{DMA_LATENCY} held at 0 us")

    def _sharpen_timers(self) -> Outcome:
        """Timers of this thread fire when they are due, not up to 50 us later."""
        before = _libc.prctl(_PR_GET_TIMERSLACK, 0, 0, 0, 0)
        if not set_timer_slack(1):
            return Outcome("timer slack", granted=False, detail=os.strerror(ctypes.get_errno()))
        self._undo.callback(set_timer_slack, before)
        return Outcome("timer slack", granted=True, detail="1 ns")

    def _enter_real_time_class(self) -> Outcome:
        """SCHED_FIFO, before every ordinary program; children start as ordinary ones (SCHED_RESET_ON_FORK)."""
        policy, parameter = os.sched_getscheduler(0), os.sched_getparam(0)
        limit = resource.getrlimit(resource.RLIMIT_RTPRIO)[1]
        priority = PRIORITY
        reason = _enter_fifo(priority)
        if reason and limit > 0:
            resource.setrlimit(resource.RLIMIT_RTPRIO, (limit, limit))
            priority = min(PRIORITY, limit)
            reason = _enter_fifo(priority)
        if reason:
            return Outcome(
                "scheduler",
                granted=False,
                detail=f"{reason}; the highest priority allowed is {limit}",
                remedy=f"rtprio {PRIORITY} in /etc/security/limits.d, new login; LimitRTPRIO={PRIORITY} in systemd",
            )
        self._undo.callback(_restore_scheduler, policy, parameter)
        return Outcome("scheduler", granted=True, detail=f"SCHED_FIFO, priority {priority}")


def become_ordinary() -> None:
    """For a child of a real-time process: the ordinary class and timer slack, which a child otherwise inherits."""
    with suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    set_timer_slack(_USUAL_TIMER_SLACK)


def set_timer_slack(nanoseconds: int) -> bool:
    """How late timers of this thread may fire. False when the kernel refuses."""
    return bool(_libc.prctl(_PR_SET_TIMERSLACK, ctypes.c_ulong(nanoseconds), 0, 0, 0) == 0)


def _enter_fifo(priority: int) -> str:
    """Why the class was refused; empty when it was granted."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _restore_scheduler(policy: int, parameter: os.sched_param) -> None:
    with suppress(OSError):
        os.sched_setscheduler(0, policy, parameter)


def _has_capability(number: int) -> bool:
    """Whether this process may act beyond the limits in that respect (CapEff in proc(5))."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False
