"""Route the commands of all pages: to roster, overrides and library of scenarios, or straight to the daemon."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.faces.cockpit.control import Answer, ControlClient
from hilbridge.faces.cockpit.library import Library
from hilbridge.faces.cockpit.overrides import PageOverrides, is_drivers
from hilbridge.faces.cockpit.roster import Roster

if TYPE_CHECKING:
    from hilbridge.faces.cockpit.calibration import Calibration


class CommandRouter:
    """Router of commands, one for all pages. `read_only`: every command is refused."""

    def __init__(
        self,
        control: ControlClient,
        roster: Roster,
        overrides: PageOverrides,
        library: Library,
        bench: Path | None = None,
        *,
        read_only: bool,
    ) -> None:
        """`bench`: the bench file, which a page may calibrate."""
        self.roster: Final = roster
        self.overrides: Final = overrides
        self.library: Final = library
        self._control: Final = control
        self._read_only: Final = read_only
        self._bench: Final = bench
        self._calibration: Calibration | None = None

    async def execute(self, page: object, command: dict[str, object]) -> Answer:
        """Carry out a command of a page, and return the daemon's answer."""
        if self._read_only:
            return {"error": "this page is read-only"}
        match command:
            case {"command": "here"}:
                self.overrides.note(page)
                return {}
            case {"command": "take-wheel" | "leave-wheel" as change}:
                await (self._take_wheel(page) if change == "take-wheel" else self._leave_wheel(page))
                return {}
            case {"command": "introduce", "name": str(name)}:
                self.roster.introduce(page, name)
                await self.overrides.renew(page)
                return {}
            case {"command": "set", "entry": str(entry), "value": value}:
                return await self._set(page, entry, value, command.get("rate"))
            case {"command": "release"}:
                return await self._release(command.get("entry"))
            case {"command": "record-start"}:
                return await self._control.ask({"command": "record-start", "folder": None})
            case {"command": "scenario-start", "scenario": str(name)}:
                return await self._start_scenario(name)
            case {"command": str(name)} if name.startswith("calibrate"):
                return await self._calibrate(page, command)
        return await self._control.ask(command)

    async def close(self, page: object) -> None:
        """Give back what a closed page holds, the wheel too."""
        await self.overrides.leave(page)
        self.roster.leave(page)
        if self._calibration is not None:
            self._calibration.leave(page)

    async def _start_scenario(self, name: str) -> Answer:
        try:
            return await self._control.ask(self.library.command(name))
        except ConfigurationError as error:
            return {"error": str(error)}

    async def _calibrate(self, page: object, command: dict[str, object]) -> Answer:
        if self._calibration is None:
            from hilbridge.faces.cockpit.calibration import Calibration  # sources and links: seldom needed

            self._calibration = Calibration(self._bench, self._control)
        return await self._calibration.execute(page, command)

    async def _take_wheel(self, page: object) -> None:
        before = self.roster.driver
        self.roster.driver = page
        if before is not None and before is not page:
            await self.overrides.hand_over(before, page)

    async def _leave_wheel(self, page: object) -> None:
        if self.roster.driver is page:
            self.roster.driver = None
        await self.overrides.leave(page)

    async def _set(self, page: object, entry: str, value: object, rate: object) -> Answer:
        if is_drivers(entry):
            driver = self.roster.driver
            if driver is not None and driver is not page:
                return {"error": f"{self.roster.title(driver)} drives; take the wheel first"}
            self.roster.driver = page
        return await self.overrides.set(page, entry, value, rate)

    async def _release(self, entry: object) -> Answer:
        """Release an entry; without one all of them, and then no page drives any more."""
        if isinstance(entry, str):
            return await self.overrides.release(entry)
        self.roster.driver = None
        return await self.overrides.release(None)
