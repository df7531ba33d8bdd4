"""Real-time set-up of the tick process: seven steps, each of which may be refused without harm.

| step        | without it a tick may wait for                           | needs                                |
|-------------|----------------------------------------------------------|--------------------------------------|
| collector   | a garbage collection (the clock collects in slack time)  |                                      |
| huge pages  | addresses that are looked up in many small pages         | Linux 6.1, transparent huge pages    |
| memory      | a page that was taken away and comes back from the disk  | CAP_IPC_LOCK or RLIMIT_MEMLOCK       |
| DMA latency | a processor that wakes from deep sleep                   | write access to /dev/cpu_dma_latency |
| timer slack | 50 us, outside a real-time class: timers are gathered    |                                      |
| affinity    | caches that are cold after a move                        | processors that it may use           |
| scheduler   | other programs                                           | CAP_SYS_NICE or RLIMIT_RTPRIO        |

What the bench file does not want counts as granted, and says so.

A tick that takes longer than its period never sleeps, and in a real-time class nothing else would run on its processor.
The kernel watches over that (RLIMIT_RTTIME): after a second without sleep it sends SIGXCPU, and `step_down` gives the
class up.

Sources: sched(7), getrlimit(2), madvise(2), mlock(2), prctl(2), the kernel's pm_qos_interface.
"""

import ctypes
import gc
import os
import resource
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.process import huge_pages, scheduling
from hilbridge.settings.realtime import RealTimeSettings

DMA_LATENCY: Final = "/dev/cpu_dma_latency"

SLEEPLESS: Final = 1_000_000
"""[us] that the tick may keep its processor without a sleep, in a real-time class."""

_MCL_CURRENT: Final = 1
_MCL_FUTURE: Final = 2
_MCL_ONFAULT: Final = 4
_CAP_IPC_LOCK: Final = 14

_MEBIBYTE: Final = 1 << 20
_HUGE_PAGES: Final = "Linux 6.1 or later with CONFIG_TRANSPARENT_HUGEPAGE"
_AS_WANTED: Final = "as the bench file wants"
_CLASSES: Final = {"fifo": (os.SCHED_FIFO, "SCHED_FIFO"), "rr": (os.SCHED_RR, "SCHED_RR")}

_libc: Final = ctypes.CDLL(None, use_errno=True)


class Outcome(NamedTuple):
    """What became of one step: what was reached, or why not and how to grant it."""

    step: str
    granted: bool
    detail: str
    remedy: str = ""


class RealTime:
    """The set-up of this process; `undo` takes it back."""

    def __init__(self, settings: RealTimeSettings = RealTimeSettings()) -> None:  # noqa: B008 - it is frozen
        self._settings = settings
        self._undo = ExitStack()

    def set_up(self) -> list[Outcome]:
        """Takes every step that is allowed, the scheduler last; call it when start-up work is done. Never raises."""
        return [
            self._freeze_collector(),
            self._take_huge_pages(),
            self._lock_memory(),
            self._hold_dma_latency(),
            self._sharpen_timers(),
            self._take_processors(),
            self._enter_real_time_class(),
        ]

    def undo(self) -> None:
        """Makes this an ordinary process again."""
        self._undo.close()

    def step_down(self) -> bool:
        """Into the ordinary class, for good, because the tick lets nobody else work; False: it is there already."""
        if os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK == os.SCHED_OTHER:
            return False
        _enter_class(os.SCHED_OTHER, 0)
        return True

    def _freeze_collector(self) -> Outcome:
        """What exists now is never looked at again; nothing is collected unasked."""
        if not self._settings.freeze_collector:
            return Outcome("collector", granted=True, detail=f"left to itself, {_AS_WANTED}")
        if gc.isenabled():
            self._undo.callback(gc.enable)
        gc.disable()
        gc.collect()
        gc.freeze()
        self._undo.callback(gc.unfreeze)
        return Outcome("collector", granted=True, detail=f"{gc.get_freeze_count()} objects frozen, automatic runs off")

    def _take_huge_pages(self) -> Outcome:
        """What exists now moves there once, and stays."""
        if not self._settings.huge_pages:
            return Outcome("huge pages", granted=True, detail=f"not asked for, {_AS_WANTED}")
        try:
            collapsed, refused, reason = huge_pages.collapse()
        except OSError as error:
            reason = f"{error.filename or 'madvise(MADV_COLLAPSE)'}: {error.strerror}"
            return Outcome("huge pages", granted=False, detail=reason, remedy=_HUGE_PAGES)
        if refused:
            detail = f"{refused / _MEBIBYTE:g} of {(collapsed + refused) / _MEBIBYTE:g} MiB not: {reason}"
            return Outcome("huge pages", granted=False, detail=detail, remedy="more free memory")
        return Outcome("huge pages", granted=True, detail=f"{collapsed / _MEBIBYTE:g} MiB")

    def _lock_memory(self) -> Outcome:
        """Pages stay once they were touched (MCL_ONFAULT: locking what was never touched takes three times as much).

        Under a limit MCL_FUTURE would make later allocations fail, so only what exists is locked then.
        """
        if not self._settings.lock_memory:
            return Outcome("memory", granted=True, detail=f"not locked, {_AS_WANTED}")
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
        """Sleep states with a longer wake-up time are not entered as long as the file is held open."""
        latency = self._settings.dma_latency
        if latency == "any":
            return Outcome("DMA latency", granted=True, detail=f"not held, {_AS_WANTED}")
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
            os.write(descriptor, latency.to_bytes(4, sys.byteorder))
        except OSError as error:
            return Outcome("DMA latency", granted=False, detail=f"{DMA_LATENCY}: {error.strerror}")
        return Outcome("DMA latency", granted=True, detail=f"{DMA_LATENCY} held at {latency} us")

    def _sharpen_timers(self) -> Outcome:
        """Timers of this thread fire when they are due, not up to 50 us later."""
        slack = self._settings.timer_slack
        before = scheduling.timer_slack()
        if not scheduling.set_timer_slack(slack):
            return Outcome("timer slack", granted=False, detail="prctl(PR_SET_TIMERSLACK) is not allowed here")
        self._undo.callback(scheduling.set_timer_slack, before)
        return Outcome("timer slack", granted=True, detail=f"{slack} ns")

    def _take_processors(self) -> Outcome:
        """The tick stays on the processors named, all of which must be there; children stay away from them."""
        wanted, before = set(self._settings.affinity), os.sched_getaffinity(0)
        if not wanted:
            return Outcome("affinity", granted=True, detail=f"processors {scheduling.listed(before)}")
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
                detail=reason or f"processors {scheduling.listed(missing)} may not be used, or are not there",
                remedy="name others in realtime.affinity; CPUAffinity= and AllowedCPUs= in systemd, or a container, "
                "may keep some away",
            )
        os.environ[scheduling.PROCESSORS] = scheduling.listed(before)
        self._undo.callback(os.environ.pop, scheduling.PROCESSORS, None)
        self._undo.callback(os.sched_setaffinity, 0, before)
        return Outcome("affinity", granted=True, detail=f"processors {scheduling.listed(wanted)}")

    def _enter_real_time_class(self) -> Outcome:
        """Before every ordinary program; how children get by without being ordinary at once, child_process.py says."""
        if self._settings.scheduler == "other":
            return Outcome("scheduler", granted=True, detail=f"SCHED_OTHER, {_AS_WANTED}")
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
    """Why the class was refused; empty when it was granted."""
    kept = os.sched_getscheduler(0) & os.SCHED_RESET_ON_FORK  # only privileged processes may clear it
    try:
        os.sched_setscheduler(0, number | kept, os.sched_param(priority))
    except OSError as error:
        return os.strerror(error.errno or 0)
    return ""


def _has_capability(number: int) -> bool:
    """Whether this process may act beyond the limits in that respect (CapEff in proc(5))."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False
