"""Probes of what a process cannot change by itself: kernel, processors, network buffers, the clock, the service.

Read from files; nothing is changed. Sources: the kernel's documentation of its processors in
/sys, of cpufreq and of net.core; systemd.exec(5).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from hilbridge.base.process.clock_sync import REMEDY, is_synchronised
from hilbridge.boundary.links.can_interface import NETWORK
from hilbridge.boundary.links.socketcan import RECEIVE_BUFFER
from hilbridge.commands.doctor_machine import Finding, State
from hilbridge.commands.service_unit import SERVICE, Unit, is_booted, units
from hilbridge.files.settings.realtime import RealTimeSettings

ROOT: Final = Path("/")
TRANSMIT_QUEUE: Final = 100
"""Frames that a receive buffer should hold: 20 ms of a full bus at 500 kbit/s."""

_PROCESSORS: Final = "sys/devices/system/cpu"
_UNLIMITED: Final = "infinity"


def scheduling(settings: RealTimeSettings) -> Iterator[Finding]:
    """Probe the kernel and its processors, on which the lateness of ticks depends."""
    yield _kernel()
    yield _isolation(settings.affinity)
    yield _governor()


def _kernel() -> Finding:
    version = _read("proc/sys/kernel/version")
    if _read("sys/kernel/realtime") == "1" or "PREEMPT_RT" in version:
        return Finding("kernel", State.GOOD, "PREEMPT_RT")
    return Finding(
        "kernel",
        State.WARNING,
        "not PREEMPT_RT: a driver may hold a tick up, now and then for milliseconds",
        "install a real-time kernel (Debian: apt-get install linux-image-rt-amd64), where late ticks matter",
    )


def _isolation(affinity: Sequence[int]) -> Finding:
    """Probe the isolation of processors; only those that the bench names must be free of other work."""
    isolated = _numbers(_read(f"{_PROCESSORS}/isolated"))
    shared = ",".join(str(number) for number in affinity if number not in isolated)
    if shared:
        return Finding(
            "isolation",
            State.WARNING,
            f"processors {shared}, which the tick gets, are for other programs too",
            f"isolcpus={shared} nohz_full={shared} on the command line of the kernel",
        )
    there = ",".join(map(str, sorted(isolated))) or "none"
    return Finding("isolation", State.GOOD, f"isolated processors: {there}{'' if affinity else '; none are asked for'}")


def _governor() -> Finding:
    files = sorted((ROOT / _PROCESSORS).glob("cpu[0-9]*/cpufreq/scaling_governor"))
    governors = {file.read_text(encoding="ascii").strip() for file in files}
    if governors - {"performance"}:
        return Finding(
            "frequency",
            State.WARNING,
            f"governor {', '.join(sorted(governors))}: a processor that has slept starts slowly",
            "sudo cpupower frequency-set -g performance",
        )
    return Finding("frequency", State.GOOD, "governor performance" if governors else "not changed by this kernel")


def clock() -> Finding:
    """Probe whether the clock of the machine is synchronised: dates, and the names of recordings, follow it."""
    answer = is_synchronised()
    if answer is None:
        return Finding("clock", State.GOOD, "whether it is synchronised is not known")
    if answer:
        return Finding("clock", State.GOOD, "synchronised")
    return Finding("clock", State.WARNING, "not synchronised: dates and names of recordings may be wrong", REMEDY)


def can_buffers(name: str) -> Iterator[Finding]:
    """Probe the receive buffer and the transmit queue of a CAN interface."""
    largest = int(_read("proc/sys/net/core/rmem_max") or 0)
    if largest < RECEIVE_BUFFER:
        yield Finding(
            "receive buffer",
            State.WARNING,
            f"net.core.rmem_max allows {largest} bytes: received frames may be lost while a tick is late",
            f"sudo sysctl net.core.rmem_max={RECEIVE_BUFFER}, or systemd/sysctl.d/80-hilbridge.conf in /etc/sysctl.d",
        )
    try:
        frames = int((NETWORK / name / "tx_queue_len").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return
    if 0 < frames < TRANSMIT_QUEUE:
        yield Finding(
            f"queue of {name}",
            State.WARNING,
            f"holds {frames} frames: more of them at once are refused",
            f"sudo ip link set {name} txqueuelen {TRANSMIT_QUEUE}",
        )


def service(settings: RealTimeSettings, unit: Unit | None) -> Iterator[Finding]:
    """Probe what the service would be allowed, by any user; `unit`: that of the bench, if it has one."""
    if not is_booted():
        yield Finding("service", State.GOOD, "this machine is not run by systemd")
        return
    unit = unit or next((one for one in units() if one.name == SERVICE), None)
    if unit is None or not unit.is_loaded:
        yield Finding("service", State.GOOD, f"{SERVICE} is not installed")
        return
    yield Finding("service", State.GOOD, f"{unit.name} is {unit['ActiveState']}, as user {unit.user}")
    wanted = 0 if settings.scheduler == "other" else settings.priority
    allowed = unit["LimitRTPRIO"]
    if allowed != _UNLIMITED and int(allowed or 0) < wanted:
        yield _lacks(unit, "real-time priority", allowed or "0", f"LimitRTPRIO={wanted}")
    if unit["LimitMEMLOCK"] != _UNLIMITED:
        yield _lacks(unit, "locked memory", unit["LimitMEMLOCK"], "LimitMEMLOCK=infinity")


def _lacks(unit: Unit, what: str, limit: str, line: str) -> Finding:
    remedy = f"sudo systemctl edit {unit.name}, then below [Service]: {line}"
    return Finding("service", State.WARNING, f"its {what} is limited to {limit}", remedy)


def _read(path: str) -> str:
    """Read a file of the kernel; return an empty text where there is none."""
    try:
        return (ROOT / path).read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _numbers(text: str) -> set[int]:
    """Parse the list format of cpuset(7): 1,3-5."""
    numbers: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers
