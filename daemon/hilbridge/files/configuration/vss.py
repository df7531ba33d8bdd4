"""Tables of VSS: which values of a bench stand at which paths of COVESA's Vehicle Signal Specification."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import CollectedError, ConfigurationError, InvalidFileError
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.vss import VssSettings

TITLE: Final = "hilbridge table of VSS"


@dataclass(frozen=True, slots=True)
class VssFile:
    """A table and its file."""

    file: YamlFile
    settings: VssSettings

    def locate(self, error: ConfigurationError) -> InvalidFileError:
        """Return an error with a key path, or several, with file and line."""
        errors = error.errors if isinstance(error, CollectedError) else [error]
        return InvalidFileError(self.file.problem(each.place, each.message) for each in errors)


def load_vss(name: str = "vss") -> VssFile:
    """Find and read a table; `vss` is the shipped one, or this machine's own.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with it.
    """
    file = YamlFile.load(find(Kind.VSS, name))
    try:
        return VssFile(file, VssSettings.model_validate(file.data, strict=True))
    except ValidationError as error:
        reasons = explain(error, file.data, vss_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


@cache
def vss_schema() -> Schema:
    """Return the JSON Schema of a table."""
    return schema_of(TypeAdapter(VssSettings), TITLE)
