"""Reading of a log of any format, in this process or in one of its own, which is bounded in memory and processor time.

    python -P -m hilbridge.logs.reading FILE

writes the blocks of the log to its standard output, then its account. A reader that makes no block for a minute of
processor time is ended by the kernel.
"""

import contextlib
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, cast

from hilbridge.common.errors import ConfigurationError, KeyPath
from hilbridge.common.lean_imports import lean_imports
from hilbridge.logs.account import Account, LogError, load
from hilbridge.logs.blf import read_blf
from hilbridge.logs.frames import Block, read_block, write_end
from hilbridge.logs.mf4 import read_mf4
from hilbridge.logs.source import Source
from hilbridge.logs.text import read_text

_MOST_MEMORY: Final = 512 << 20
_MOST_MEMORY_OF_MF4: Final = 2 << 30
"""[byte] of the process that reads a log."""

_PATIENCE: Final = 60
"""[s] of processor time from one block to the next."""


def read_here(path: Path, account: Account) -> Iterator[Block]:
    """Yield the data frames of a log, whatever its name is. LogError: it cannot be read; what was yielded is right."""
    source = Source(path)
    if source.head[:4] == b"LOGG":
        blocks = read_blf(source, account)
    elif source.head[:8] in (b"MDF     ", b"UnFinMF "):
        if source.packed:
            raise LogError("an MF4 file is read only unpacked")
        blocks = read_mf4(path, account)
    elif source.head[:15] == b"SQLite format 3":
        raise LogError("a database of python-can is read only as another format: convert it with `can_logconvert`")
    elif not source.head:
        raise LogError(source.damage or "it is empty")
    else:
        blocks = read_text(source, account)
    yield from blocks
    account.require_readable()


_LINE: Final = re.compile(r"line (\d+): (.*)", re.DOTALL)


class LogReader:
    """A log that a process of its own reads; `blocks` is to be used up, or `close` called. `account` is whole then."""

    def __init__(self, path: Path, place: KeyPath = ()) -> None:
        """`place`: key path of the file. ConfigurationError: there is no such file."""
        if not path.is_file():
            raise ConfigurationError(f"there is no log {path}", place)
        self.account = Account()
        self._path: Final = path
        self._place: Final = place
        command = [sys.executable, "-P", "-m", "hilbridge.logs.reading", str(path)]
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
        self._process: Final = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **threads},
        )

        self._output: Final = cast("BinaryIO", self._process.stdout)

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks. ConfigurationError: the log cannot be read, with what is wrong."""
        try:
            while (block := read_block(self._output)) is not None:
                yield block
            self.account = load(self._output.read())
        except (EOFError, ValueError):
            self._process.wait()
            raise ConfigurationError(f"{self._path}: {self._fate()}", self._place) from None
        finally:
            self.close()
        if self.account.error:
            raise ConfigurationError(self._placed(self.account.error), self._place)

    def _placed(self, error: str) -> str:
        """Return an error with the place in the form of file:line where it has one."""
        line, text = found.groups() if (found := _LINE.match(error)) else ("", error)
        return f"{self._path}:{line}: {text}" if line else f"{self._path}: {text}"

    def _fate(self) -> str:
        return f"its reader made nothing of it in {_PATIENCE} s of processor time, or died ({self._process.returncode})"

    def close(self) -> None:
        """End the reader."""
        self._output.close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()


class OneBus:
    """The frames of one bus of a log: of the channel that is named, or of the only one."""

    def __init__(
        self,
        path: Path,
        channel: str | int | None,
        place: KeyPath = (),
        progress: Callable[[float], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`progress` takes the bytes that were read, `stopped` ends it early. ConfigurationError: no such file."""
        self.channel = None if channel is None else str(channel)
        self.interrupted = False
        self._named: Final = channel is not None
        self._reader: Final = LogReader(path, place)
        self._path: Final = path
        self._place: Final = place
        self._progress: Final = progress
        self._stopped: Final = stopped

    @property
    def account(self) -> Account:
        """What the log has, once its blocks are used up."""
        return self._reader.account

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks. ConfigurationError: it cannot be read, or has several buses and none was named."""
        with contextlib.closing(self._reader):
            for block in self._reader.blocks():
                if self._stopped():
                    self.interrupted = True
                    self._reader.account.channels.clear()
                    return
                self._progress(block.position)
                if self.channel is None:
                    self.channel = block.names[int(block.channels[0])]
                yield block.of_channel(self.channel)
        try:
            self.account.require_one_channel(str(self._path), self.channel if self._named else None)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, self._place) from None


def main() -> int:
    path = Path(sys.argv[1])
    output = sys.stdout.buffer
    account = Account()
    try:
        for block in read_here(path, account):
            block.write(output)
            _grant(_PATIENCE)
    except LogError as error:
        account.error = str(error)
    except MemoryError:
        account.error = f"to read it takes more than {_MOST_MEMORY >> 20} MiB of memory"
    except BrokenPipeError:
        os._exit(1)  # whoever read has gone; nothing is to be flushed
    except OSError as error:
        account.error = error.strerror or str(error)
    except Exception as error:  # noqa: BLE001 - a reader of another's format may raise anything
        account.error = f"it cannot be read ({type(error).__name__}: {error})"
    write_end(output)
    output.write(account.dump())
    return 0


def _grant(seconds: int) -> None:
    """Have the kernel end this process after so many seconds of processor time from now on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _is_mf4(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(3) in (b"MDF", b"UnF")


if __name__ == "__main__":
    is_mf4 = _is_mf4(Path(sys.argv[1]))
    lean_imports(asammdf=is_mf4)
    _memory = _MOST_MEMORY_OF_MF4 if is_mf4 else _MOST_MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (_memory, _memory))
    _grant(_PATIENCE)
    sys.exit(main())
