"""The reference for lateness: cyclictest of the rt-tests, a C program that only wakes up in time.

It runs under the conditions of the daemon with which it is compared: scheduling class, priority, processor, locked
memory, and `--laptop` (sleep states allowed) unless the daemon forbids them. Without the right to a real-time class it
does not run.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import MICROSECOND
from hilbridge.runs.benchmarks.daemon import Conditions
from hilbridge.runs.benchmarks.result import UnavailableError

PROGRAM: Final = "cyclictest"

LIMIT: Final = 50_000
"""Upper end of its histogram, which has steps of 1 µs [µs]."""

_TIMEOUT: Final = 30.0
"""[s] beyond the duration of the run."""


def run(conditions: Conditions, period: int, seconds: float, folder: Path) -> Histogram:
    """Return the lateness of its wake-ups [ns], every `period` [ns]; UnavailableError when it cannot run."""
    return histogram(report(conditions, period, seconds, folder))


def report(conditions: Conditions, period: int, seconds: float, folder: Path) -> dict[str, Any]:
    """Return its own report of such a run."""
    path = folder / "cyclictest.json"
    try:
        process = subprocess.run(
            command(conditions, period, seconds, path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=seconds + _TIMEOUT,
            check=False,
            process_group=0,  # Ctrl-C is for the parent, which then ends it
        )
    except FileNotFoundError:
        raise UnavailableError(f"{PROGRAM} is not installed (Debian: apt-get install rt-tests)") from None
    if process.returncode or not path.exists():
        lines = process.stderr.strip().splitlines() or [f"exit status {process.returncode}"]
        raise UnavailableError(f"{PROGRAM}: {lines[-1]}")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    return content


def command(conditions: Conditions, period: int, seconds: float, report: Path) -> list[str]:
    """Return the words of its command line."""
    interval = period // MICROSECOND
    return [
        PROGRAM,
        "--quiet",
        "--threads=1",
        f"--affinity={conditions.cpu}",
        f"--policy={'other' if conditions.policy == os.SCHED_OTHER else 'fifo'}",
        f"--priority={conditions.priority}",
        f"--interval={interval}",
        f"--loops={round(seconds * 1e6 / interval)}",
        f"--histogram={LIMIT}",
        f"--json={report}",
        *(["--mlockall"] if conditions.memory_locked else []),
        *([] if conditions.dma_latency_held else ["--laptop"]),
    ]


def histogram(report: dict[str, Any]) -> Histogram:
    """Read its JSON report: whole µs, counted at their upper edges; values beyond LIMIT count as the largest one."""
    thread = report["thread"]["0"]
    result = Histogram()
    counted = 0
    for microseconds, count in thread["histogram"].items():
        counted += count
        for _ in range(count):
            result.record((int(microseconds) + 1) * MICROSECOND - 1)
    for _ in range(thread["cycles"] - counted):
        result.record(thread["max"] * MICROSECOND)
    return result
