"""The client for asyncio."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from functools import wraps
from os import PathLike
from types import TracebackType
from typing import Any, Concatenate, Final, ParamSpec, Self, cast

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.answers import LONGEST_ANSWER
from hilbridge.boundary.control.lines import Answer, Command, encode_command
from hilbridge.boundary.control.socket_paths import find_socket
from hilbridge.client import talks
from hilbridge.client.reach import unreachable
from hilbridge.client.sync_client import AnyClient
from hilbridge.client.talks import Result, Talk, UnreachableError

P = ParamSpec("P")


class _Collector(AnyClient):
    """A client that keeps the talk of a method instead of carrying it out."""

    def close(self) -> None:
        """Do nothing."""

    def exchange(self, command: Command) -> Answer:
        raise NotImplementedError

    def carry_out(self, talk: Talk[Result]) -> Result:
        self.talk: Talk[Any] = talk
        return cast("Result", None)


def _as_coroutine(
    method: Callable[Concatenate[AnyClient, P], Result],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, Result]]:
    """Return the coroutine that carries out the talk of a method of `AnyClient`."""

    @wraps(method)
    async def carry_out(client: "AsyncClient", /, *arguments: P.args, **keys: P.kwargs) -> Result:
        collector = _Collector()
        collector.by = client.by
        method(collector, *arguments, **keys)
        client.by = collector.by
        result: Result = await client.carry_out(collector.talk)
        return result

    return carry_out


class AsyncClient:
    """A connection to a running bench for asyncio; an asynchronous context manager.

    Its methods are those of `Client`, as coroutines, and so is `by`. Several tasks may share it: commands are sent one
    at a time.
    """

    def __init__(self, bench: str | PathLike[str] | None = None, *, by: str | None = None) -> None:
        self.path: Final = find_socket(bench)
        self.by = by
        self._turn: Final = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            await self.give_back()
        except ConfigurationError:
            if error is None:
                raise
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._reader = self._writer = None

    status = _as_coroutine(AnyClient.status)
    values = _as_coroutine(AnyClient.values)
    get = _as_coroutine(AnyClient.get)
    set = _as_coroutine(AnyClient.set)
    release = _as_coroutine(AnyClient.release)
    give_back = _as_coroutine(AnyClient.give_back)
    wait_until = _as_coroutine(AnyClient.wait_until)
    arm = _as_coroutine(AnyClient.arm)
    fault = _as_coroutine(AnyClient.fault)
    clear = _as_coroutine(AnyClient.clear)
    ask = _as_coroutine(AnyClient.ask)
    record = _as_coroutine(AnyClient.record)
    stop_recording = _as_coroutine(AnyClient.stop_recording)
    scenario = _as_coroutine(AnyClient.scenario)
    drive = _as_coroutine(AnyClient.drive)
    reload = _as_coroutine(AnyClient.reload)
    stop = _as_coroutine(AnyClient.stop)
    command = _as_coroutine(AnyClient.command)

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
