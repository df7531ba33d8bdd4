"""The commands of all viewers, over one connection to the daemon."""

from pathlib import Path
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.control.lines import Answer, Command
from hilbridge.client.async_client import AsyncClient
from hilbridge.client.talks import UnreachableError

__all__ = ["Answer", "ControlClient"]


class ControlClient:
    """A connection to the daemon that all viewers share. A page is shown each reason, so nothing here raises."""

    def __init__(self, path: Path | None) -> None:
        """`path`: None where there is no control socket."""
        self._client: Final = None if path is None else AsyncClient(path)

    @property
    def is_available(self) -> bool:
        """Whether the bench accepts commands."""
        return self._client is not None

    async def ask(self, command: Command) -> Answer:
        """Send a command and return the daemon's answer, or `{"error": reason}`; raise nothing."""
        if self._client is None:
            return {"error": "this bench has no control socket"}
        try:
            return await self._client.exchange(command)
        except UnreachableError:
            return {"error": "the daemon cannot be reached"}
        except ConfigurationError as error:
            return {"error": error.message}

    def close(self) -> None:
        """Close the connection; the next command opens another."""
        if self._client is not None:
            self._client.close()
