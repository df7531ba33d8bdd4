"""A prepared process: it has imported all that a run needs, and forks a process for each run.

    python -m hilbridge.runs.campaign.prepared FOLDER    a run as a line of JSON in, its row as a line of JSON out

So every run begins in a process that has never run a tick, in hundredths of a second instead of most of one. The
prepared process has one thread, ticks no bench, and ends with its standard input or with the process that started it.
"""

import gc
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, cast

from hilbridge.base.common.lean_imports import lean_imports

if __name__ == "__main__":
    lean_imports()  # the imports that follow would load what this leaves out

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.process.child_process import die_with
from hilbridge.bench.bench import Bench
from hilbridge.boundary.control import commands
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.runs.campaign.play import line, play, trouble
from hilbridge.runs.campaign.templates import BuiltBench, Templates

ATTEMPTS: Final = 3
"""How often a run is begun whose process dies; it may be the machine that takes its memory, and not the run."""

_CHUNK: Final = 1 << 16

_TIMES: Final = slice(11, 15)
"""utime, stime, cutime, cstime among the fields of /proc/PID/stat that follow the program's name (proc(5))."""


class Prepared:
    """The prepared process, seen by the one that has started it; it is started when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._used = 0.0  # [s] by processes that have ended

    def row(self, run: Mapping[str, Any]) -> bytes:
        """Have a run made; return its row as a line of JSON, also if its process died or took too long.

        Empty after `stop`.
        """
        for _ in range(ATTEMPTS):
            if self._stopped:
                return b""
            with suppress(OSError):
                if answer := self._ask(line(dict(run))):
                    return answer
            self.close()
        return line(trouble(run, "died", f"the process of the run died {ATTEMPTS} times"))

    def stop(self) -> None:
        """Break off the run that is made, from another thread."""
        self._stopped = True
        if (process := self._process) is not None:
            process.kill()

    def processor_time(self) -> float:
        """Return how long the process and the runs that have ended have used a processor [s]."""
        times = 0.0
        if self._process is not None:
            with suppress(OSError):  # it has gone
                stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8", errors="replace")
                fields = stat.rpartition(")")[2].split()
                times = sum(map(int, fields[_TIMES])) / os.sysconf("SC_CLK_TCK")
        return self._used + times

    def close(self) -> None:
        """End the process."""
        self._used = self.processor_time()
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, question: bytes) -> bytes:
        """Return the answer; empty if the process has gone."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "hilbridge.runs.campaign.prepared", str(self._folder)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                process_group=0,  # Ctrl-C is for the campaign
                preexec_fn=partial(die_with, os.getpid(), signal.SIGKILL),  # noqa: PLW1509 - it runs no code of threads
            )
        questions, answers = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        questions.write(question)
        questions.flush()
        answer = answers.readline()
        return answer if answer.endswith(b"\n") else b""


def main(folder: Path) -> None:
    """Make runs until standard input ends."""
    _warm_up()
    gc.collect()
    gc.freeze()
    templates = Templates(folder)
    for question in sys.stdin.buffer:
        run = json.loads(question)
        built = templates.get(run)
        attempts = (_made(folder, run, built, last=attempt == ATTEMPTS) for attempt in range(1, ATTEMPTS + 1))
        sys.stdout.buffer.write(next(row for row in attempts if row))
        sys.stdout.buffer.flush()


def _warm_up() -> None:
    """Build what the first bench, scenario and command of a process build: two thirds of a short run."""
    with suppress(ConfigurationError):  # this machine's own files of these names come first, and may be wrong
        Bench(load_bench("demo"))
        load_scenario("launch")
    commands.warm_up()


def _made(folder: Path, run: Mapping[str, Any], built: BuiltBench | None, *, last: bool) -> bytes:
    """Make a run in a process of its own; return its row; empty if the process died and it is not the `last` time."""
    reader, writer = os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.close(reader)
        die_with(parent, signal.SIGKILL)
        _play(folder, run, built, writer)
    os.close(writer)
    row = _read(reader, child, run["time_limit"])
    os.close(reader)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if row is None:
        return line(trouble(run, "hung", f"it took longer than {run['time_limit']:g} s"))
    if row.endswith(b"\n"):
        return row
    return (
        line(trouble(run, "died", f"its process died {ATTEMPTS} times, at last with status {status}")) if last else b""
    )


def _play(folder: Path, run: Mapping[str, Any], built: BuiltBench | None, writer: int) -> None:
    """Be the process of the run."""
    try:
        os.dup2(2, 1)  # what the user's code prints is no row
        with os.fdopen(writer, "wb") as answer:
            answer.write(line(play(folder, run, built)))
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the process ends here, whatever came; nothing of it may go on
        sys.excepthook(*sys.exc_info())
    os._exit(1)


def _read(reader: int, child: int, limit: float) -> bytes | None:
    """Return what the process of the run writes until it ends; None, and it is killed, if that takes too long."""
    until, row = time.monotonic() + limit, b""
    while select.select([reader], [], [], max(0.0, until - time.monotonic()))[0]:
        if not (part := os.read(reader, _CHUNK)):
            return row
        row += part
    os.kill(child, signal.SIGKILL)
    return None


if __name__ == "__main__":
    main(Path(sys.argv[1]))
