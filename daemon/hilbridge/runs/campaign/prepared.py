"""A prepared process: it has imported all that a run needs, and forks a process for each run.

    python -m hilbridge.runs.campaign.prepared FOLDER

A run as a line of JSON in; its row as a line of JSON out, and a line with the last bytes that it printed, in hex.

So every run begins in a process that has never run a tick, in hundredths of a second instead of most of one. The
prepared process has one thread, ticks no bench, and ends with its standard input or with the process that started it.
"""

import gc
import json
import os
import resource
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
from hilbridge.base.process.limits import lower_limit
from hilbridge.bench.bench import Bench
from hilbridge.boundary.control import commands
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.runs.campaign.play import MOST_PRINTED, Made, Row, line, play, trouble
from hilbridge.runs.campaign.templates import BuiltBench, Templates

ATTEMPTS: Final = 3
"""How often a run is begun whose process dies; it may be the machine that takes its memory, and not the run."""

_CHUNK: Final = 1 << 16
_MEBIBYTE: Final = 1 << 20

_TIMES: Final = slice(11, 15)
"""utime, stime, cutime, cstime among the fields of /proc/PID/stat that follow the program's name (proc(5))."""


class Prepared:
    """The prepared process, seen by the one that has started it; it is started when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False
        self._used = 0.0  # [s] by processes that have ended

    def make(self, run: Mapping[str, Any]) -> Made | None:
        """Have a run made; return its outcome, also if its process died or took too long. None after `stop`."""
        for _ in range(ATTEMPTS):
            if self._stopped:
                return None
            with suppress(OSError):
                if answer := self._ask(line(dict(run))):
                    return answer
            self.close()
        return Made(line(trouble(run, "died", f"the process of the run died {ATTEMPTS} times")))

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

    def _ask(self, question: bytes) -> Made | None:
        """Return the answer; None if the process has gone."""
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
        row, printed = answers.readline(), answers.readline()
        return Made(row, bytes.fromhex(printed.decode())) if printed.endswith(b"\n") else None


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
        made = next(one for one in attempts if one)
        sys.stdout.buffer.write(made.row + made.printed.hex().encode() + b"\n")
        sys.stdout.buffer.flush()


def _warm_up() -> None:
    """Build what the first bench, scenario and command of a process build: two thirds of a short run."""
    with suppress(ConfigurationError):  # this machine's own files of these names come first, and may be wrong
        Bench(load_bench("demo"))
        load_scenario("launch")
    commands.warm_up()


def _made(folder: Path, run: Mapping[str, Any], built: BuiltBench | None, *, last: bool) -> Made | None:
    """Make a run in a process of its own; return its outcome; None if the process died and it is not the `last`."""
    (reader, writer), (printed, printing) = os.pipe(), os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.close(reader)
        os.close(printed)
        die_with(parent, signal.SIGKILL)
        _play(folder, run, built, writer, printing)
    os.close(writer)
    os.close(printing)
    heard = _Heard(reader, printed)
    is_over = heard.until(time.monotonic() + run["time_limit"])
    if not is_over:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    row, words = heard.end()
    if not is_over:
        return Made(line(trouble(run, "hung", f"it took longer than {run['time_limit']:g} s")), words)
    if row.endswith(b"\n"):
        return Made(row, words)
    if not last:
        return None
    reason = f"its process died {ATTEMPTS} times, at last with status {status}"
    return Made(line(trouble(run, "died", reason)), words)


def _play(folder: Path, run: Mapping[str, Any], built: BuiltBench | None, writer: int, printing: int) -> None:
    """Be the process of the run."""
    try:
        gc.freeze()  # a bench that was built for this run alone is not held by its template
        os.dup2(printing, 1)  # what the user's code prints is no row, and not the campaign's own words either
        os.dup2(printing, 2)
        if (limit := run["memory_limit"]) is not None:
            lower_limit(resource.RLIMIT_DATA, limit * _MEBIBYTE)
        with os.fdopen(writer, "wb") as answer:
            answer.write(line(_played(folder, run, built)))
        sys.stdout.flush()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the process ends here, whatever came; nothing of it may go on
        sys.excepthook(*sys.exc_info())
    os._exit(1)


def _played(folder: Path, run: Mapping[str, Any], built: BuiltBench | None) -> Row:
    try:
        return play(folder, run, built)
    except MemoryError:
        if run["memory_limit"] is None:
            raise
        return trouble(run, "died", f"it needed more memory than {run['memory_limit']} MiB")


class _Heard:
    """The output of the process of a run: its row, and the last of what it prints."""

    def __init__(self, reader: int, printed: int) -> None:
        os.set_blocking(printed, False)
        self._reader: Final = reader
        self._printed: Final = printed
        self._poll: Final = select.poll()
        self._poll.register(reader, select.POLLIN)
        self._poll.register(printed, select.POLLIN)
        self._row = b""
        self._words = b""
        self._is_silent = False  # all that could print have closed their end

    def until(self, t: float) -> bool:
        """Listen until the row has ended; return whether it has by time `t` of the monotonic clock [s]."""
        while (left := t - time.monotonic()) > 0:
            ready = [descriptor for descriptor, _ in self._poll.poll(left * 1000)]
            if self._printed in ready:
                self._listen()
            if self._reader in ready:
                part = os.read(self._reader, _CHUNK)
                if not part:
                    return True
                self._row += part
        return False

    def end(self) -> tuple[bytes, bytes]:
        """Return row and words; what the process has started may go on printing, to no one."""
        self._listen()
        os.close(self._reader)
        os.close(self._printed)
        return self._row, self._words

    def _listen(self) -> None:
        try:
            part = os.read(self._printed, _CHUNK)
        except BlockingIOError:
            return
        self._words = (self._words + part)[-MOST_PRINTED:]
        if not part and not self._is_silent:
            self._is_silent = True
            self._poll.unregister(self._printed)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
