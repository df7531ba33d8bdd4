"""ELM327-emulator in a process of its own, on a pseudo terminal, for the comparison with it.

    python tests/bench/emulator.py

prints the terminal's name and serves until its standard input ends. No extra of this package installs
ELM327-emulator, because of its licence (CC BY-NC-SA); where that is acceptable, `pip install ELM327-emulator` does.
"""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hilbridge.runs.benchmarks.result import UnavailableError

DISTRIBUTION: Final = "ELM327-emulator"
_PACKAGE: Final = "elm"
_NAP: Final = 0.01
_TIMEOUT: Final = 10.0
"""[s] for its end."""


def is_installed() -> bool:
    return find_spec(_PACKAGE) is not None


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Start it, with its log in the folder; yield the name of its terminal. UnavailableError when it does not start."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).resolve())],
            cwd=folder,
            stdin=theirs.fileno(),
            stdout=theirs.fileno(),
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the benchmarks, which then end it
        )
        theirs.close()
        try:
            name = ours.makefile(encoding="ascii").readline().strip()
            if not name:
                raise UnavailableError("it does not start")
            yield name
        finally:
            ours.shutdown(socket.SHUT_RDWR)
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of the process, and kill it after the time-out."""
    try:
        process.wait(_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """Serve. A thread makes the terminal; before it has, `slave_name` is None."""
    from elm import Elm  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with Elm(batch_mode=True) as emulator:
        while emulator.slave_name is None:
            time.sleep(_NAP)
        sys.stdout.write(f"{emulator.slave_name}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
