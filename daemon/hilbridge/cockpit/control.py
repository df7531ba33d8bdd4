"""Client of the control socket: sends commands, receives answers in their order, reconnects after a loss."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any, Final

Answer = dict[str, Any]

_TIMEOUT: Final = 5.0
"""[s] Time that an answer may take."""

_LONGEST: Final = 4 << 20
"""[byte] Longest answer."""

_UNREACHABLE: Final = {"error": "the daemon cannot be reached"}


class ControlClient:
    """A connection to the daemon that all viewers share: one command at a time, so that each waits for its turn."""

    def __init__(self, path: Path | None) -> None:
        """`path`: None where there is no control socket."""
        self._path: Final = path
        self._turn: Final = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def is_available(self) -> bool:
        """Whether the bench accepts commands."""
        return self._path is not None

    async def ask(self, command: dict[str, Any]) -> Answer:
        """Send a command and return the daemon's answer, or `{"error": reason}`; raise nothing."""
        if self._path is None:
            return {"error": "this bench has no control socket"}
        async with self._turn:
            try:
                return await asyncio.wait_for(self._exchange(self._path, command), _TIMEOUT)
            except (OSError, ValueError, TimeoutError):
                self.close()
                return dict(_UNREACHABLE)

    async def _exchange(self, path: Path, command: dict[str, Any]) -> Answer:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_unix_connection(path, limit=_LONGEST)
        self._writer.write(json.dumps(command).encode() + b"\n")
        await self._writer.drain()
        answer: Answer = json.loads(await self._reader.readline())
        return answer

    def close(self) -> None:
        """Close the connection; the next command opens another."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._reader = self._writer = None
