"""Reading of a log of any format, in this process or in one of its own, which is bounded in memory and processor time.

    python -P -m hilbridge.boundary.logs.reading FILE

writes the blocks of the log to its standard output, then its account. A reader that makes no block for a minute of
processor time is ended by the kernel.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, cast

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.logs.account import Account, LogError, load
from hilbridge.boundary.logs.blf import read_blf
from hilbridge.boundary.logs.frames import Block, read_block, write_end
from hilbridge.boundary.logs.mf4 import read_mf4
from hilbridge.boundary.logs.process import accounted, bound, fate, grant_time, placed, start
from hilbridge.boundary.logs.source import Source
from hilbridge.boundary.logs.text import read_text


def read_here(path: Path, account: Account) -> Iterator[Block]:
    """Yield the data frames of a log, whatever its name is. LogError: it cannot be read; what was yielded is right."""
    source = Source(path)
    try:
        yield from _blocks_of(source, path, account)
    finally:
        source.close()
    account.require_readable()


def _blocks_of(source: Source, path: Path, account: Account) -> Iterator[Block]:
    if source.head[:4] == b"LOGG":
        return read_blf(source, account)
    if source.head[:8] in (b"MDF     ", b"UnFinMF "):
        if source.packed:
            raise LogError("an MF4 file is read only unpacked")
        return read_mf4(path, account)
    if source.head[:15] == b"SQLite format 3":
        raise LogError("a database of python-can is read only as another format: convert it with `can_logconvert`")
    if not source.head:
        raise LogError(source.damage or "it is empty")
    return read_text(source, account)


def of_one_bus(blocks: Iterator[Block], channel: str | None) -> Iterator[Block]:
    """Yield the frames of a channel, by its name in the file; without one those of the first that has any."""
    for block in blocks:
        channel = block.names[int(block.channels[0])] if channel is None else channel
        yield block.of_channel(channel)


class OneBus:
    """The frames of one bus of a log: of the channel that is named, or of the only one."""

    def __init__(
        self,
        path: Path,
        channel: str | None,
        progress: Callable[[float], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`progress` takes the bytes that were read, `stopped` ends it early."""
        self.account = Account()
        self.interrupted = False
        self.channel = channel
        self._path: Final = path
        self._progress: Final = progress
        self._stopped: Final = stopped
        self._used = ""

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks. ConfigurationError: it cannot be read, or has several buses and none was named."""
        process = start("hilbridge.boundary.logs.reading", self._path, errors=subprocess.DEVNULL)
        try:
            for block in of_one_bus(self._written(process), self.channel):
                self._used = block.names[0]
                yield block
        finally:
            cast("BinaryIO", process.stdout).close()
            if process.poll() is None:
                process.kill()
            process.wait()
        if self.account.error:
            raise ConfigurationError(placed(self._path, self.account.error))
        if not self.interrupted:
            self.account.require_one_channel(str(self._path), self.channel)

    @property
    def used(self) -> str:
        """The channel of the frames."""
        return self.channel or self._used

    def _written(self, process: subprocess.Popen[bytes]) -> Iterator[Block]:
        output = cast("BinaryIO", process.stdout)
        try:
            while (block := read_block(output)) is not None:
                self.interrupted = self._stopped()
                if self.interrupted:
                    return
                self._progress(block.position)
                yield block
            self.account = load(output.read())
        except (EOFError, ValueError):
            raise ConfigurationError(f"{self._path}: {fate(process.wait())}") from None


def main() -> int:
    path = Path(sys.argv[1])
    bound(path)
    output = sys.stdout.buffer
    account = Account()
    with accounted(account):
        for block in read_here(path, account):
            block.write(output)
            grant_time()
    with accounted(account):
        write_end(output)
        output.write(account.dump())
        output.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
