"""The scenario file: YAML to checked settings, and the line of every step."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.common.errors import ConfigurationError, InvalidFileError, KeyPath
from hilbridge.configuration.schema import Schema, schema_of
from hilbridge.configuration.validation import explain
from hilbridge.configuration.yamlfile import YamlFile
from hilbridge.resources import Kind, find
from hilbridge.settings.scenario import ScenarioSettings

TITLE: Final = "hilbridge scenario file"


@dataclass(frozen=True, slots=True)
class ScenarioFile:
    """A scenario, as far as its file alone shows that it can be played."""

    file: YamlFile
    settings: ScenarioSettings

    @property
    def path(self) -> Path:
        """The scenario file."""
        return self.file.path

    @property
    def name(self) -> str:
        """The name of the scenario in reports."""
        return self.path.stem

    def line(self, place: KeyPath) -> int:
        """Return the line of a key path."""
        return self.file.line(place)

    def locate(self, error: ConfigurationError) -> InvalidFileError:
        """Return an error with a key path, with file and line."""
        return InvalidFileError([self.file.problem(error.place, error.message)])


def load_scenario(name: str) -> ScenarioFile:
    """Find and read a scenario file.

    ConfigurationError when there is none of that name, InvalidFileError with everything that is wrong with it.
    """
    file = YamlFile.load(find(Kind.SCENARIO, name))
    try:
        return ScenarioFile(file, ScenarioSettings.model_validate(file.data, strict=True))
    except ValidationError as error:
        reasons = explain(error, file.data, scenario_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


@cache
def scenario_schema() -> Schema:
    """Return the JSON Schema of a scenario file."""
    return schema_of(TypeAdapter(ScenarioSettings), TITLE)
