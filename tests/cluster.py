"""A Dask cluster of programs: a scheduler, and workers that a test may kill.

Nothing of it is in the process of the test: what Dask starts there (threads, a tracker of resources) would stay.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, MutableSequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from .program import PATIENCE


class Cluster(NamedTuple):
    """A scheduler's HOST:PORT, the processes of its workers, and what starts another."""

    address: str
    scheduler: "subprocess.Popen[bytes]"
    workers: MutableSequence["subprocess.Popen[bytes]"]
    start_worker: Callable[[], "subprocess.Popen[bytes]"]

    def replace_worker(self, index: int) -> None:
        """Kills a worker, and starts another in its place."""
        self.workers[index].kill()
        self.workers[index].wait()
        self.workers[index] = self.start_worker()


@contextmanager
def cluster(folder: Path, workers: int, environment: Mapping[str, str] = MappingProxyType({})) -> Iterator[Cluster]:
    """Start a scheduler and workers of one thread each on 127.0.0.1; `folder` is for their files.

    `environment`: more variables of the workers.
    """
    told = folder / "scheduler.json"
    told.unlink(missing_ok=True)  # of an earlier one
    with ExitStack() as programs:
        words = ("--scheduler-file", str(told), "--port", "0", "--no-show")
        scheduler = programs.enter_context(_dask("scheduler", folder, {}, *words))
        until = time.monotonic() + PATIENCE
        while not (told.is_file() and told.read_bytes().endswith(b"}")):
            assert time.monotonic() < until
            time.sleep(0.02)
        address = json.loads(told.read_bytes())["address"]
        options = ["--no-nanny", "--nthreads", "1", "--local-directory", str(folder)]

        def start_worker() -> "subprocess.Popen[bytes]":
            return programs.enter_context(_dask("worker", folder, environment, address, *options))

        started = [start_worker() for _ in range(workers)]
        yield Cluster(address.removeprefix("tcp://"), scheduler, started, start_worker)


@contextmanager
def _dask(
    program: str, folder: Path, environment: Mapping[str, str], *words: str
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run `dask PROGRAM`; its log is a file."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--host", "127.0.0.1", "--no-dashboard", *words]
    variables = os.environ | environment
    with (
        (folder / f"{program}.log").open("ab") as log,
        subprocess.Popen(command, stdout=log, stderr=log, env=variables) as process,
    ):
        try:
            yield process
        finally:
            process.kill()
