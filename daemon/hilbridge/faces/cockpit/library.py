"""The scenarios that a page or an assistant may start: those beside the bench file, and the packaged ones.

They name one of the list, never a path. The file is read and checked here; the daemon receives its content and
opens nothing.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find, names
from hilbridge.files.configuration.scenariofile import ScenarioFile, is_scenario, load_scenario


class Library:
    """The scenarios on offer. `folder`: that of the bench file."""

    def __init__(self, folder: Path | None) -> None:
        self._folder: Final = folder

    def names(self) -> list[str]:
        """Return the names at present; a file beside the bench hides a packaged one of the same name."""
        return sorted(self._files())

    def load(self, name: str, parameters: Mapping[str, Any] | None = None) -> ScenarioFile:
        """Read a scenario. ConfigurationError: there is none, or every fault of its file."""
        path = self._files().get(name)
        if path is None:
            raise ConfigurationError(f"there is no scenario {name!r}")
        return load_scenario(str(path), parameters)

    def command(self, name: str) -> dict[str, Any]:
        """Return the command that starts a scenario; errors are those of `load`."""
        from hilbridge.bench.scenario.build import resolved  # slow to import, and seldom needed

        return {"command": "scenario-start", "scenario": resolved(self.load(name)), "name": name}

    def _files(self) -> dict[str, Path]:
        shipped = {name: find(Kind.SCENARIO, name) for name in names(Kind.SCENARIO)}
        if self._folder is None:
            return shipped
        return shipped | {path.stem: path for path in self._folder.glob("*.yaml") if is_scenario(path)}
