"""Routes the commands of all pages: to the overrides, to the library of scenarios, or straight to the daemon."""

from typing import Final

from hilbridge.cockpit.control import Answer, Control
from hilbridge.cockpit.library import Library
from hilbridge.cockpit.overrides import Overrides
from hilbridge.common.errors import ConfigurationError


class CommandRouter:
    """One for all pages; `read_only`: it refuses everything."""

    def __init__(self, control: Control, overrides: Overrides, library: Library, *, read_only: bool) -> None:
        self.overrides: Final = overrides
        self.library: Final = library
        self._control: Final = control
        self._read_only: Final = read_only

    async def obey(self, page: object, command: dict[str, object]) -> Answer:
        """The answer to a command of a page."""
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
