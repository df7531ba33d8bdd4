"""Layouts: files of config/layouts, which say where the values lie in the datagrams of a game."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.layouts import LayoutSettings

TITLE: Final = "hilbridge layout of datagrams"


@dataclass(frozen=True, slots=True)
class LayoutFile:
    """A layout and its file."""

    path: Path
    settings: LayoutSettings


def load_layout(name: str, beside: Path | None = None) -> LayoutFile:
    """Find and read a layout; `beside` is the file that names it.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with it.
    """
    file = YamlFile.load(find(Kind.LAYOUT, name, beside))
    try:
        return LayoutFile(file.path, LayoutSettings.model_validate(file.data, strict=True))
    except ValidationError as error:
        reasons = explain(error, file.data, layout_schema())
        raise InvalidFileError(file.problem(reason.place, reason.message) for reason in reasons) from None


@cache
def layout_schema() -> Schema:
    """Return the JSON Schema of a layout."""
    return schema_of(TypeAdapter(LayoutSettings), TITLE)
