"""The scenario file: YAML to checked settings, and the line of every step."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, KeyPath
from hilbridge.base.common.lasting_files import is_folder
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.scenario_template import Expansion, expand
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import MAXIMUM_BYTES, YamlFile, scalar
from hilbridge.files.settings.scenario import ScenarioSettings

TITLE: Final = "hilbridge scenario file"


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario, as far as its file alone shows that it can be played. `expansion`: parameters put in."""

    file: YamlFile
    expansion: Expansion
    settings: ScenarioSettings

    @property
    def path(self) -> Path:
        """The scenario file."""
        return self.file.path

    @property
    def name(self) -> str:
        """The name of the scenario in reports."""
        return self.path.stem

    @property
    def source(self) -> str:
        """The file in reports: its path, or the plain name of one that came with the program or the machine."""
        return self.name if self.path.parent in Kind.SCENARIO.folders else str(self.path)

    def line(self, place: KeyPath) -> int:
        """Return the line of a key path of the settings."""
        return self.file.line(self.expansion.place(place))

    def locate(self, error: ConfigurationError) -> InvalidFileError:
        """Return an error with a key path, with file and line."""
        return InvalidFileError([self.file.problem(self.expansion.place(error.place), error.message)])


def load_scenario(name: str, parameters: Mapping[str, Any] | None = None) -> ScenarioFile:
    """Find and read a scenario file; `parameters` are in place of those in the file.

    ConfigurationError when there is none of that name, InvalidFileError with everything that is wrong with it.
    """
    file = YamlFile.load(find(Kind.SCENARIO, name))
    try:
        expansion = expand(file.data, parameters or {})
    except ConfigurationError as error:
        raise InvalidFileError([file.problem(error.place, error.message)]) from None
    try:
        return ScenarioFile(file, expansion, ScenarioSettings.model_validate(expansion.data, strict=True))
    except ValidationError as error:
        reasons = explain(error, expansion.data, scenario_schema())
        problems = [file.problem(expansion.place(reason.place), reason.message) for reason in reasons]
        raise InvalidFileError(dict.fromkeys(problems)) from None


def find_scenarios(names: Iterable[str]) -> list[str]:
    """Return the scenarios that are named, those of a folder by their names. ConfigurationError: a folder has none.

    A name is that of a scenario, or of a folder where scenarios lie: `tester` is a suite that is shipped.
    """
    found: list[str] = []
    for name in names:
        folder = _folder(name)
        if folder is None:
            found.append(name)
            continue
        files = [str(path) for path in sorted(folder.glob("*.yaml")) if is_scenario(path)]
        if not files:
            raise ConfigurationError(f"there is no scenario in {name}")
        found += files
    return found


def _folder(name: str) -> Path | None:
    """Return the folder that a name or path means; None for that of a scenario."""
    if is_folder(Path(name)):
        return Path(name)
    if "/" in name or name.endswith(".yaml"):
        return None
    return next((folder / name for folder in Kind.SCENARIO.folders if is_folder(folder / name)), None)


def is_scenario(path: Path) -> bool:
    """Return whether the keys of a file are those of a scenario, valid or not, and not of a bench."""
    try:
        if path.stat().st_size > MAXIMUM_BYTES:
            return False
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    keys = {line.partition(":")[0] for line in text.splitlines() if line[:1].isalpha()}
    return "steps" in keys and keys <= set(ScenarioSettings.model_fields)


def parameter(text: str) -> tuple[str, Any]:
    """Return name and value of `NAME=VALUE`. ConfigurationError: it has another form."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ConfigurationError(f"{text!r} is no NAME=VALUE")
    return name, scalar(value)


@cache
def scenario_schema() -> Schema:
    """Return the JSON Schema of a scenario file."""
    return schema_of(TypeAdapter(ScenarioSettings), TITLE)
