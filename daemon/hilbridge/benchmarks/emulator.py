"""ELM327-emulator in a process of its own, on a pseudo terminal, for the comparison with it.

    python -m hilbridge.benchmarks.emulator

prints the terminal's name and serves until its standard input ends. The licence of ELM327-emulator (CC BY-NC-SA) is
not for everybody: no extra of this package installs it; whoever may use it installs it beside (`pip install
ELM327-emulator`).
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

from hilbridge.benchmarks.result import UnavailableError

DISTRIBUTION: Final = "ELM327-emulator"
_PACKAGE: Final = "elm"
_NAP: Final = 0.01
_PATIENCE: Final = 10.0
"""[s] for an end."""


def is_installed() -> bool:
    return find_spec(_PACKAGE) is not None


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The name of its terminal. Its log goes into the folder. UnavailableError when it does not start."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "hilbridge.benchmarks.emulator"],
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
    """In good order if it can."""
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def main() -> None:
    """Its thread makes the terminal; whoever asked for the name at once would get another one."""
    from elm import Elm  # type: ignore[import-untyped,import-not-found,unused-ignore]

    with Elm(batch_mode=True) as emulator:
        while emulator.slave_name is None:
            time.sleep(_NAP)
        sys.stdout.write(f"{emulator.slave_name}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
