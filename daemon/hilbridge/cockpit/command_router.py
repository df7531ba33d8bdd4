"""Route the commands of all pages: to the overrides, to the library of scenarios, or straight to the daemon."""

from typing import Final

from hilbridge.cockpit.control import Answer, ControlClient
from hilbridge.cockpit.library import Library
from hilbridge.cockpit.overrides import PageOverrides
from hilbridge.common.errors import ConfigurationError


class CommandRouter:
    """Router of commands, one for all pages. `read_only`: every command is refused."""

    def __init__(self, control: ControlClient, overrides: PageOverrides, library: Library, *, read_only: bool) -> None:
        self.overrides: Final = overrides
        self.library: Final = library
        self._control: Final = control
        self._read_only: Final = read_only

    async def execute(self, page: object, command: dict[str, object]) -> Answer:
        """Carry out a command of a page, and return the daemon's answer."""
        if self._read_only:
            return {"error": "this page is read-only"}
        match command:
            case {"command": "set", "entry": str(entry), "value": value}:
                return await self.overrides.set(page, entry, value)
            case {"command": "release"}:
                one = command.get("entry")
                return await self.overrides.release(one if isinstance(one, str) else None)
            case {"command": "record-start"}:
                return await self._control.ask({"command": "record-start", "folder": None})
            case {"command": "scenario-start", "scenario": str(name)}:
                try:
                    return await self._control.ask(self.library.command(name))
                except ConfigurationError as error:
                    return {"error": str(error)}
        return await self._control.ask(command)
