"""The process that reads a log: how it is started and bounded in memory and processor time, and how it ends."""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.base.common.lean_imports import lean_imports
from hilbridge.base.process.limits import lower_limit
from hilbridge.boundary.logs.account import Account, LogError

_MOST_MEMORY: Final = 512 << 20
_MOST_MEMORY_OF_MF4: Final = 2 << 30
"""[byte] of the process that reads a log."""

_PATIENCE: Final = 60
"""[s] of processor time from one block to the next."""

_LINE: Final = re.compile(r"line (\d+): (.*)", re.DOTALL)


def start(module: str, path: Path, *words: str, place: KeyPath = (), errors: int) -> subprocess.Popen[bytes]:
    """Start the module of a reader; -P: another can.py is not python-can. ConfigurationError: there is no such file."""
    if not path.is_file():
        raise ConfigurationError(f"there is no log {path}", place)
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")  # they have memory that they never touch
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, str(path), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, **threads},
    )


def fate(status: int | None) -> str:
    """Return what is to be said of a reader that ended without an account."""
    return f"its reader made nothing of it in {_PATIENCE} s of processor time, or died (status {status})"


def placed(path: Path, error: str) -> str:
    """Return an error of a log in the form `file:line: reason`."""
    found = _LINE.match(error)
    return f"{path}:{found[1]}: {found[2]}" if found else f"{path}: {error}"


def bound(path: Path) -> None:
    """Bound this process, which reads a log."""
    with path.open("rb") as file:
        is_mf4 = file.read(3) in (b"MDF", b"UnF")
    lean_imports(asammdf=is_mf4)
    memory = _MOST_MEMORY_OF_MF4 if is_mf4 else _MOST_MEMORY
    lower_limit(resource.RLIMIT_DATA, memory)
    grant_time()


def grant_time() -> None:
    """Have the kernel end this process after so many seconds of processor time from now on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    lower_limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + _PATIENCE)


@contextmanager
def accounted(account: Account) -> Iterator[None]:
    """Note in the account why the block could not read on."""
    try:
        yield
    except LogError as error:
        account.error = str(error)
    except MemoryError:
        most = resource.getrlimit(resource.RLIMIT_DATA)[0]
        account.error = f"to read it takes more than {most >> 20} MiB of memory"
    except BrokenPipeError:
        os._exit(1)  # the other end has gone: nothing is to be flushed
    except OSError as error:
        account.error = error.strerror or str(error)
    except Exception as error:  # noqa: BLE001 - a reader of another's format may raise anything
        account.error = f"it cannot be read ({type(error).__name__}: {error})"
