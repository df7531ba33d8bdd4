"""Programs that begin in a third of the time: forked from a server that has imported what `hilbridge` imports.

A start of the program takes 0.7 s of processor, most of it imports, and the tests start it hundreds of times. A forked
one runs the same `main` with the same words, in a process of its own with its own standard streams, environment and
working directory; it differs in its command line in /proc and in its parent, which is the server. What the server has
not imported, or what environment variables of Python or of the model change, is started as ever, in the same process.
"""

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Final

SERVER: Final = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload(["tests.preloaded"])

PATIENCE: Final = 60.0
"""[s] for the exit of a program that has closed its outputs."""

PREPARED: Final = ("run", "check", "replay")
"""The commands whose modules the server has imported."""


class Forked:
    """A program under way, with the method names of `subprocess.Popen`; its output and errors are text."""

    def __init__(self, words: Sequence[object], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> None:
        """`words`: what stands behind `hilbridge` on the command line."""
        output, theirs = SERVER.Pipe(duplex=False)
        errors, also_theirs = SERVER.Pipe(duplex=False)
        arguments = list(map(str, words))
        self._process: Final = SERVER.Process(
            target=_be_hilbridge,
            args=(arguments, str(cwd or Path.cwd()), dict(os.environ if env is None else env), theirs, also_theirs),
        )
        self._process.start()
        theirs.close()
        also_theirs.close()
        self.args: Final = ["hilbridge", *arguments]
        self.stdout: Final[IO[str]] = _text(output)
        self.stderr: Final[IO[str]] = _text(errors)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status; subprocess.TimeoutExpired after `timeout` [s]."""
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(self.args, timeout)
        return code

    def completed(self, timeout: float) -> subprocess.CompletedProcess[str]:
        """What it has printed by the end of it and its children; TimeoutExpired: killed after `timeout` [s]."""
        outputs: list[list[str]] = [[], []]
        readers = [
            threading.Thread(target=_gather, args=(stream, into), daemon=True)
            for stream, into in zip((self.stdout, self.stderr), outputs, strict=True)
        ]
        deadline = time.monotonic() + timeout
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(max(0.0, deadline - time.monotonic()))
        if any(reader.is_alive() for reader in readers):
            self.kill()
            raise subprocess.TimeoutExpired(self.args, timeout, *("".join(lines) for lines in outputs))
        output, errors = ("".join(lines) for lines in outputs)
        return subprocess.CompletedProcess(self.args, self.wait(PATIENCE), output, errors)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


def read(stream: IO[str]) -> str:
    """All that comes, until the program and its children have closed it."""
    with stream:
        return stream.read()


def _gather(stream: IO[str], into: list[str]) -> None:
    with stream:
        into.extend(stream)


def _text(end: Connection) -> IO[str]:
    descriptor = os.dup(end.fileno())
    end.close()
    return os.fdopen(descriptor, encoding="utf-8")


def _be_hilbridge(
    words: list[str], folder: str, environment: Mapping[str, str], output: Connection, errors: Connection
) -> None:
    """What the forked process does."""
    for descriptor, end in enumerate((output, errors), 1):
        os.dup2(end.fileno(), descriptor)
        end.close()
    os.chdir(folder)
    if words[0] not in PREPARED or _of_the_start(environment) != _of_the_start(os.environ):
        os.execve(sys.executable, [sys.executable, "-m", "hilbridge", *words], environment)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["hilbridge", *words]
    from hilbridge.commands.cli import main

    sys.exit(main())


def _of_the_start(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that count when a program starts, and no more later."""
    return {name: text for name, text in environment.items() if name.startswith(("PYTHON", "HILBRIDGE_"))}
