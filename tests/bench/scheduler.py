"""Measures what a task costs a Dask cluster here, beside the run itself: for docs/scaling.md.

    python -m tests.bench.scheduler    [ms] of processor of scheduler and client for a task, [ms] of a synchronised row

The tasks are as a campaign's: a key of one group, retries, a callback, and a row as the answer.
"""

import os
import tempfile
import threading
import time
from pathlib import Path
from statistics import median
from typing import Final

from distributed import Client

from ..cluster import cluster

TASKS: Final = 2_000
ROW: Final = b"x" * 299 + b"\n"
LINES: Final = 200


def processor(pid: int | str = "self") -> float:
    """[s] that a process has had so far."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answer(number: int) -> bytes:
    """Be the task."""
    return ROW


def synchronised(folder: Path) -> float:
    """[s] until a row is on the disk."""
    times = []
    with (folder / "rows").open("ab") as file:
        for _ in range(LINES):
            begun = time.monotonic()
            file.write(ROW)
            file.flush()
            os.fsync(file.fileno())
            times.append(time.monotonic() - begun)
    return median(times)


def main() -> None:
    """Print the three figures."""
    with (
        tempfile.TemporaryDirectory() as name,
        cluster(Path(name), workers=2) as programs,
        Client(programs.address, set_as_default=False) as client,  # type: ignore[no-untyped-call]
    ):
        client.wait_for_workers(2)
        client.submit(answer, -1).result()
        left = threading.Semaphore(0)
        before = processor(programs.scheduler.pid), processor()
        for future in client.map(answer, range(TASKS), key=[("row", each) for each in range(TASKS)], pure=False):
            future.add_done_callback(lambda _: left.release())
        for _ in range(TASKS):
            left.acquire()
        scheduler, own = processor(programs.scheduler.pid) - before[0], processor() - before[1]
        row = synchronised(Path(name))
    print(f"{TASKS:,} tasks, two workers; processor for a task, and a row on the disk:")
    print(f"scheduler  {1e3 * scheduler / TASKS:.2f} ms")
    print(f"client     {1e3 * own / TASKS:.2f} ms")
    print(f"row        {1e3 * row:.2f} ms")


if __name__ == "__main__":
    main()
