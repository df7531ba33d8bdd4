"""Measures what an idle bench costs: processor and memory of all its processes, with and without its page.

processor = (utime + stime of the processes, in a period) / period    [% of one processor] proc(5), stat
memory    = sum of the proportional sets: what is shared counts once   [MB] proc(5), smaps_rollup: Pss
"""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import yaml

from hilbridge.base.resources import Kind, find
from hilbridge.runs.benchmarks.result import Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import MeasuredBench, Measurement, Rig

_NAMES: Final = ("mazda-rx8", "vw-mqb")
"""Two shipped clusters: of few frames at 100 Hz, and of many with counters and checksums at 200 Hz."""

_UTIME: Final = 11
"""Index of the time in user mode among the fields of /proc/PID/stat that follow the program's name."""

_KIB: Final = 1024
_MEGABYTE: Final = 1e6
_SETTLING: Final = 1.0
"""[s] after the first tick, until the processes beside it are up."""


def _content(name: str, _folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(find(Kind.BENCH, f"cluster-{name}").read_text(encoding="utf-8"))
    for bus in content["buses"].values():
        if "slcan" in bus:
            bus["slcan"] = 0
    return content


def _quantities(name: str) -> tuple[Quantity, ...]:
    key = name.replace("-", "_")
    return (
        Quantity(f"idle_processor_{key}", f"{name}: processor", "%"),
        Quantity(f"idle_memory_{key}", f"{name}: memory", "MB"),
        Quantity(f"idle_processor_without_page_{key}", f"{name}, --no-web: processor", "%"),
        Quantity(f"idle_memory_without_page_{key}", f"{name}, --no-web: memory", "MB"),
    )


def _measure(rig: Rig) -> Iterator[Result]:
    for name in _NAMES:
        quantities = iter(_quantities(name))
        for words in ((), ("--no-web",)):
            bench = MeasuredBench(f"idle-{name}", partial(_content, name), words=words)
            pid = rig.start(rig.default, bench).pid
            time.sleep(_SETTLING)
            shares = [_share(pid, rig.effort.slice) for _ in range(rig.effort.slices)]
            yield next(quantities).median(shares, note="of one processor, in steps of the kernel's clock tick")
            yield next(quantities).median([sum(map(_proportional, _tree(pid))) / _MEGABYTE])


def _share(pid: int, seconds: float) -> float:
    """Return the share of one processor [%] that the processes of a bench take for some time."""
    before, begin = sum(map(_used, _tree(pid))), time.monotonic()
    time.sleep(seconds)
    return 100 * (sum(map(_used, _tree(pid))) - before) / (time.monotonic() - begin)


def _tree(pid: int) -> list[int]:
    """Return a process and those that it has started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended, or this kernel does not say
        return [pid]
    return [pid, *(each for child in children for each in _tree(int(child)))]


def _used(pid: int) -> float:
    """Return the time of the processor [s] that a process has used; 0 for one that has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[_UTIME]) + int(fields[_UTIME + 1])) / os.sysconf("SC_CLK_TCK")


def _proportional(pid: int) -> int:
    """Return the proportional set of a process [byte]. UnavailableError: the kernel does not say it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) * _KIB for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError) as error:
        raise UnavailableError(f"the kernel does not report the memory of process {pid}") from error


MEASUREMENT: Final = Measurement("idle bench", tuple(each for name in _NAMES for each in _quantities(name)), _measure)
