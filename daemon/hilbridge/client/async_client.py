"""The client for asyncio."""

import asyncio
import contextlib
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from hilbridge.boundary.control.answers import LONGEST_ANSWER
from hilbridge.boundary.control.lines import Answer, Command, encode_command
from hilbridge.boundary.control.socket_paths import find_socket
from hilbridge.client import talks
from hilbridge.client.reach import unreachable
from hilbridge.client.talks import Result, Talk, UnreachableError, Values

if TYPE_CHECKING:
    from hilbridge.bench.scenario.report import Report


class AsyncClient:
    """A connection to a running bench for asyncio; an asynchronous context manager.

    Its methods are those of `Client`, as coroutines. Several tasks may share it: commands are sent one at a time.
    """

    def __init__(self, bench: str | PathLike[str] | None = None) -> None:
        self.path: Final = find_socket(bench)
        self._turn: Final = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._reader = self._writer = None

    async def status(self, *parts: str) -> Answer:
        return await self.carry_out(talks.status(*parts))

    async def values(self, *entries: str) -> Values:
        return await self.carry_out(talks.values(*entries))

    async def get(self, entry: str) -> float:
        return await self.carry_out(talks.get(entry))

    async def set(self, entry: str, value: float | str, seconds: float | None = None) -> None:
        await self.command("set", entry=entry, value=value, seconds=seconds)

    async def release(self, entry: str | None = None) -> None:
        await self.command("release", entry=entry)

    async def wait_until(self, condition: str, timeout: float = 10.0) -> float:
        return await self.carry_out(talks.wait_until(condition, timeout))

    async def arm(self, bus: str | None = None, *, armed: bool = True) -> None:
        await self.command("arm", bus=bus, armed=armed)

    async def fault(self, what: str | Mapping[str, Any], **keys: Any) -> int:
        return await self.carry_out(talks.add_fault(what, keys))

    async def clear(self, number: int | None = None) -> None:
        await self.command("fault-clear", number=number)

    async def ask(self, bus: str, request: bytes) -> bytes:
        return await self.carry_out(talks.ask(bus, request))

    async def record(self, folder: str | PathLike[str] | None = None) -> Path:
        return await self.carry_out(talks.start_recording(None if folder is None else Path(folder)))

    async def stop_recording(self) -> Path:
        return await self.carry_out(talks.stop_recording())

    async def scenario(self, scenario: str | PathLike[str]) -> "Report":
        return await self.carry_out(talks.play(str(scenario)))

    async def reload(self) -> None:
        await self.carry_out(talks.adopt())

    async def stop(self) -> None:
        await self.command("stop")

    async def command(self, command: str, /, **keys: Any) -> Answer:
        return await self.carry_out(talks.command(command, **keys))

    async def carry_out(self, talk: Talk[Result]) -> Result:
        """Send what a talk says until it is over; return its result."""
        answer: Answer | None = None
        while True:
            try:
                said = talk.send(answer)
            except StopIteration as end:
                result: Result = end.value
                return result
            if isinstance(said, float):
                await asyncio.sleep(said)
                answer = {}
            else:
                answer = await self.exchange(said)

    async def exchange(self, command: Command) -> Answer:
        """Send a command; return the answer, also a refusal."""
        line, answer = encode_command(command), b""
        async with self._turn:
            try:
                answer = await asyncio.wait_for(self._send(line), talks.TIMEOUT)
            except TimeoutError:
                raise UnreachableError(f"the daemon at {self.path} does not answer") from None
            except (OSError, ValueError) as error:  # ValueError: an answer that is longer than any
                raise unreachable(self.path, error) from error
            finally:
                if not answer.endswith(b"\n"):  # the next command must not get the rest of this answer
                    self.close()
        if not answer.endswith(b"\n"):
            raise UnreachableError(f"the daemon at {self.path} ended before it answered")
        return talks.read(answer, command, f"the daemon at {self.path}")

    async def _send(self, line: bytes) -> bytes:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_unix_connection(self.path, limit=LONGEST_ANSWER)
        self._writer.write(line)
        await self._writer.drain()
        return await self._reader.readline()
