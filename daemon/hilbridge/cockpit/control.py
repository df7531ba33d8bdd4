"""The cockpit's end of the control socket: commands out, answers back in their order, a new connection after a loss."""

import asyncio
import contextlib
import json
from pathlib import Path
from typing import Any, Final

Answer = dict[str, Any]

_PATIENCE: Final = 5.0
"""[s] for an answer."""
_LONGEST: Final = 4 << 20
"""[bytes] of an answer."""
_GONE: Final = {"error": "the daemon cannot be reached"}


class Control:
    """One connection for all viewers: a command at a time, so that none of them takes more than its turn."""

    def __init__(self, path: Path | None) -> None:
        """None: there is no control socket."""
        self._path: Final = path
        self._turn: Final = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @property
    def is_there(self) -> bool:
        """The bench takes commands."""
        return self._path is not None

    async def ask(self, command: dict[str, Any]) -> Answer:
        """The daemon's answer, or `{"error": reason}`; nothing is raised."""
        if self._path is None:
            return {"error": "this bench has no control socket"}
        async with self._turn:
            try:
                return await asyncio.wait_for(self._exchange(self._path, command), _PATIENCE)
            except (OSError, ValueError, TimeoutError):
                self.close()
                return dict(_GONE)

    async def _exchange(self, path: Path, command: dict[str, Any]) -> Answer:
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_unix_connection(path, limit=_LONGEST)
        self._writer.write(json.dumps(command).encode() + b"\n")
        await self._writer.drain()
        answer: Answer = json.loads(await self._reader.readline())
        return answer

    def close(self) -> None:
        """Gives up the connection; the next command opens another."""
        if self._writer is not None:
            with contextlib.suppress(OSError):
                self._writer.close()
        self._reader = self._writer = None
