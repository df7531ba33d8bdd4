"""Real-time set-up of the tick process: six steps, each of which may be refused without harm.

| step        | without it a tick may wait for                           | needs                                |
|-------------|----------------------------------------------------------|--------------------------------------|
| collector   | a garbage collection (the clock collects in slack time)  |                                      |
| memory      | a page that was taken away and comes back from the disk  | CAP_IPC_LOCK or RLIMIT_MEMLOCK       |
| DMA latency | a processor that wakes from deep sleep                   | write access to /dev/cpu_dma_latency |
| timer slack | 50 us, outside a real-time class: timers are gathered    |                                      |
| affinity    | caches that are cold after a move                        | processors that it may use           |
| scheduler   | other programs                                           | CAP_SYS_NICE or RLIMIT_RTPRIO        |

A tick that takes longer than its period never sleeps, and in a real-time class nothing else would run on its processor.
The kernel limits that (RLIMIT_RTTIME): after a second without sleep it sends SIGXCPU, and `step_down` gives the class
up.

Sources: sched(7), getrlimit(2), mlock(2), prctl(2), the kernel's pm_qos_interface.
"""

import ctypes
import gc
import os
import resource
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.process import scheduling
from hilbridge.files.settings.realtime import RealTimeSettings

DMA_LATENCY: Final = "/dev/cpu_dma_latency"

SLEEPLESS: Final = 1_000_000
"""Longest time in a real-time class without a sleep [us]."""

_NO_DEEP_SLEEP: Final = bytes(4)
"""Longest wake-up time of a sleep state, 0 us, as a 32-bit integer (pm_qos_interface)."""

_TIMER_SLACK: Final = 1
"""Tolerance of timers outside of a real-time class, the smallest that there is [ns]."""

_MCL_CURRENT: Final = 1
_MCL_FUTURE: Final = 2
_MCL_ONFAULT: Final = 4
_CAP_IPC_LOCK: Final = 14

_CLASSES: Final = {"fifo": (os.SCHED_FIFO, "SCHED_FIFO"), "rr": (os.SCHED_RR, "SCHED_RR")}

_libc: Final = ctypes.CDLL(None, use_errno=True)


class Outcome(NamedTuple):
    """The outcome of one step: what was reached, or why not and how to grant it."""

    step: str
    granted: bool
    detail: str
    remedy: str = ""


class RealTime:
    """The real-time set-up of this process, and its reversal."""

    def __init__(self, settings: RealTimeSettings = RealTimeSettings()) -> None:  # noqa: B008 - it is frozen
        self._settings = settings
        self._undo = ExitStack()

    def set_up(self) -> list[Outcome]:
        """Take every step that is allowed, the scheduler last; to be called after start-up work. Never raises."""
        return [
            self._freeze_collector(),
            self._lock_memory(),
            self._hold_dma_latency(),
            self._sharpen_timers(),
            self._take_processors(),
            self._enter_real_time_class(),
        ]

    def undo(self) -> None:
        """Make this an ordinary process again."""
        self._undo.close()

    def step_down(self) -> bool:
        """Enter the ordinary class for good, because the tick blocks all other programs; False: it is there already."""
        if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER:
            return False
        _enter_class(os.SCHED_OTHER, 0)
        return True

    def _freeze_collector(self) -> Outcome:
        """Exclude all present objects from garbage collection, and end automatic collections."""
        if gc.isenabled():
            self._undo.callback(gc.enable)
        gc.disable()
        gc.collect()
        gc.freeze()
        self._undo.callback(gc.unfreeze)
        return Outcome("collector", granted=True, detail=f"{gc.get_freeze_count()} objects frozen, automatic runs off")

    def _lock_memory(self) -> Outcome:
        """Lock pages once they were touched (MCL_ONFAULT: locking untouched pages takes three times as much memory).

        Under a limit MCL_FUTURE would make later allocations fail, so that only present memory is locked then.
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
        """Forbid sleep states that take time to wake from, as long as the file is held open."""
        try:
            descriptor = os.open(DMA_LATENCY, os.O_WRONLY | os.O_CLOEXEC)
        except OSError as error:
            return Outcome(
                "DMA latency",
                granted=False,
                detail=f"{DMA_LATENCY}: {error.strerror}",
                remedy=f"write access to {DMA_LATENCY}, by a udev rule (systemd/udev/70-hilbridge.rules)",
            )
        self._undo.callback(os.close, descriptor)
        try:
            os.write(descriptor, _NO_DEEP_SLEEP)
        except OSError as error:
            return Outcome("DMA latency", granted=False, detail=f"{DMA_LATENCY}: {error.strerror}")
        return Outcome("DMA latency", granted=True, detail=f"{DMA_LATENCY} held at 0 us")

    def _sharpen_timers(self) -> Outcome:
        """Let timers of this thread expire when they are due, not up to 50 us later."""
        before = scheduling.timer_slack()
        if not scheduling.set_timer_slack(_TIMER_SLACK):
            return Outcome("timer slack", granted=False, detail="prctl(PR_SET_TIMERSLACK) is not allowed here")
        self._undo.callback(scheduling.set_timer_slack, before)
        return Outcome("timer slack", granted=True, detail=f"{_TIMER_SLACK} ns")

    def _take_processors(self) -> Outcome:
        """Bind the tick to the processors that are named, which must all be available; children do not use them."""
        wanted, before = set(self._settings.affinity), os.sched_getaffinity(0)
        if not wanted:
            return Outcome("affinity", granted=True, detail=f"processors {scheduling.format_processors(before)}")
        missing, reason = wanted, ""
        try:
            os.sched_setaffinity(0, wanted)
            missing = wanted - os.sched_getaffinity(0)
        except OSError as error:
            reason = os.strerror(error.errno or 0)
        if missing:
            os.sched_setaffinity(0, before)
            return Outcome(
                "affinity",
                granted=False,
                detail=reason
                or f"processors {scheduling.format_processors(missing)} may not be used, or are not there",
                remedy="name others in realtime.affinity; CPUAffinity= and AllowedCPUs= in systemd, or a container, "
                "may keep some away",
            )
        os.environ[scheduling.PROCESSORS] = scheduling.format_processors(before)
        self._undo.callback(os.environ.pop, scheduling.PROCESSORS, None)
        self._undo.callback(os.sched_setaffinity, 0, before)
        return Outcome("affinity", granted=True, detail=f"processors {scheduling.format_processors(wanted)}")

    def _enter_real_time_class(self) -> Outcome:
        """Enter a class that has precedence over all ordinary programs; for children see child_process.py."""
        if self._settings.scheduler == "other":
            return Outcome("scheduler", granted=True, detail="SCHED_OTHER, as the bench file wants")
        number, name = _CLASSES[self._settings.scheduler]
        wanted = priority = self._settings.priority
        policy, parameter = os.sched_getscheduler(0), os.sched_getparam(0)
        limit = resource.getrlimit(resource.RLIMIT_RTPRIO)[1]
        reason = _enter_class(number, priority)
        if reason and limit > 0:
            resource.setrlimit(resource.RLIMIT_RTPRIO, (limit, limit))
            priority = min(wanted, limit)
            reason = _enter_class(number, priority)
        if reason:
            return Outcome(
                "scheduler",
                granted=False,
                detail=f"{reason}; the highest priority allowed is {limit}",
                remedy=f"rtprio {wanted} in /etc/security/limits.d, new login; LimitRTPRIO={wanted} in systemd",
            )
        self._undo.callback(os.sched_setscheduler, 0, policy, parameter)
        patience = resource.getrlimit(resource.RLIMIT_RTTIME)
        resource.setrlimit(resource.RLIMIT_RTTIME, (SLEEPLESS, patience[1]))
        self._undo.callback(resource.setrlimit, resource.RLIMIT_RTTIME, patience)
        return Outcome("scheduler", granted=True, detail=f"{name}, priority {priority}")


def _enter_class(number: int, priority: int) -> str:
    """Enter a scheduler class; return why it was refused, empty when it was granted."""
    kept = os.sched_getscheduler(0) & os.SCHED_RESET_ON_FORK  # only privileged processes may clear it
    try:
        os.sched_setscheduler(0, number | kept, os.sched_param(priority))
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _has_capability(number: int) -> bool:
    """Return whether this process has a capability (CapEff in proc(5))."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False
