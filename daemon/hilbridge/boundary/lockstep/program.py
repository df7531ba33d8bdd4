"""The program of a lockstep client: how it ended, and what it prints.

What firmware prints, on both of its streams, comes through a pipe and is put into the log line by line: LINES of a
run, LONGEST characters of each; what is beyond that is counted. A line of a sanitizer (AddressSanitizer, LeakSanitizer,
UndefinedBehaviorSanitizer, ThreadSanitizer, MemorySanitizer) is an alarm, with which the run has failed; the lines of
its report are logged beyond LINES.
"""

import os
import re
import select
import signal
import subprocess
import time
from contextlib import suppress
from typing import Final, Literal, NamedTuple

PATIENCE: Final = 2.0
"""[s] for a program to end by itself after the run."""

LINES: Final = 1000
REPORT_LINES: Final = 200
LONGEST: Final = 300

_SLICE: Final = 0.05
"""[s] of waiting for the end of a program, after which its output is taken, lest it wait for us."""

_CHUNK: Final = 1 << 16
_MOST_CHUNKS: Final = 16
"""The most chunks that are read at one look, so that a program that prints without an end delays nothing."""

_ALARM: Final = re.compile(r"(ERROR|WARNING): \w+Sanitizer\b|: runtime error: ")


Event = Literal["firmware", "sanitizer", "firmware process"]
"""A line of its own; one of a sanitizer's report; one about its process."""


_CHANGING: Final = re.compile(r"==\d+==|\b0x[0-9a-f]+")
"""The parts that differ from run to run in a line of a sanitizer: process and addresses."""


class Said(NamedTuple):
    """A line that a program has printed. `event`: under which it is logged, each with a share of the log of its own."""

    name: str
    line: str
    event: Event = "firmware"


class Program:
    """A process that the bench has started. `said`: where its lines go; `holders`: clients that are this program."""

    def __init__(
        self,
        name: str,
        process: "subprocess.Popen[bytes]",
        output: int | None = None,
        said: list[Said] | None = None,
        holders: int = 1,
    ) -> None:
        """`output`: our end of the pipe that it prints into; None: it prints where we do."""
        self.speaks: Final = output is not None
        self._name: Final = name
        self._process: Final = process
        self._output: Final = output
        self._said: Final = [] if said is None else said
        self._holders = holders
        self._rest = b""
        self._left = LINES
        self._left_out = 0
        self._alarm = ""
        self._poll: Final = select.poll()
        if output is not None:
            os.set_blocking(output, False)
            self._poll.register(output, select.POLLIN)

    def has_ended(self) -> bool:
        """Return whether the process has ended, whatever it has started."""
        return self._process.poll() is not None

    def look(self) -> str:
        """Take what it has printed; return the first line of a sanitizer, or nothing."""
        if self._output is not None and self._poll.poll(0):
            self._read(self._output)
        return self._alarm

    def fate(self) -> str:
        """Return how the process ended, as text, once its connection is closed; nothing: it goes on without one."""
        try:
            status = self._wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return ""
        alarm = self.look()
        return f"ended with status {_words(status)}" + (f": {alarm}" if alarm else "")

    def end(self, patience: float) -> str:
        """End it, and what it has started, once all its clients have: return what of its end is a fault."""
        self._holders -= 1
        if self._holders:
            return ""
        fault = ""
        try:
            status = self._wait(patience)
            if status and self._output is not None:
                fault = f"ended with status {_words(status)}"
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            if patience and self._output is not None:
                self._said.append(
                    Said(self._name, f"(did not end within {patience:g} s after the run, and was killed)")
                )
        with suppress(ProcessLookupError):  # there is no other process in its group
            os.killpg(self._process.pid, signal.SIGKILL)
            if self._output is not None:
                self._note("processes that it had started were killed with it")
        return self._conclude() or fault

    def _wait(self, patience: float) -> int:
        """Return its exit status, and take what it prints until then. subprocess.TimeoutExpired: it has not ended."""
        until = time.monotonic() + patience
        while True:
            try:
                return self._process.wait(min(patience, _SLICE))
            except subprocess.TimeoutExpired:
                self.look()
                if time.monotonic() > until:
                    raise

    def _conclude(self) -> str:
        if self._output is None:
            return ""
        self.look()
        os.close(self._output)
        if self._rest:
            self._say(self._rest)
        if self._left_out:
            self._note(f"printed {self._left_out:,} more lines, which are not in the log")
        return f"is at fault: {self._alarm}" if self._alarm else ""

    def _note(self, line: str) -> None:
        self._said.append(Said(self._name, line, "firmware process"))

    def _read(self, output: int) -> None:
        for _ in range(_MOST_CHUNKS):
            try:
                data = os.read(output, _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._poll.unregister(output)
                return
            *lines, rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._say(line)
            self._rest = rest[:LONGEST]

    def _say(self, line: bytes) -> None:
        text = line[:LONGEST].decode(errors="replace").rstrip("\r")
        if not self._alarm and _ALARM.search(text):
            self._alarm = _CHANGING.sub("…", text)
            self._left = max(self._left, REPORT_LINES)
        if self._left:
            self._left -= 1
            self._said.append(Said(self._name, text, "sanitizer" if self._alarm else "firmware"))
        else:
            self._left_out += 1


def _words(status: int) -> str:
    """Return an exit status, and the name of the signal that it is."""
    if status >= 0:
        return str(status)
    try:
        return f"{status} ({signal.Signals(-status).name})"
    except ValueError:  # a real-time signal
        return f"{status} (signal {-status})"
