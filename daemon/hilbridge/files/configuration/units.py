"""Templates of control units: the keys of a file in config/units, taken over into the unit of a bench that names it.

The bench's own keys win as those over a profile do (profiles.py): key by key and at any depth, and null leaves a key
of the template out. A list of the bench, such as `addresses`, replaces the template's.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem
from hilbridge.base.resources import Kind, find
from hilbridge.files.configuration.profiles import located, merge
from hilbridge.files.configuration.schema import Schema, schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.settings.units import UnitKeys

TITLE: Final = "hilbridge template of a control unit"


def load_unit(name: str, beside: Path | None = None) -> YamlFile:
    """Find and read a template; `beside` is the file that names it.

    ConfigurationError when there is no such file, InvalidFileError with everything that is wrong with it.
    """
    template = YamlFile.load(find(Kind.UNIT, name, beside))
    try:
        UnitKeys.model_validate(template.data, strict=True, context={"folder": template.path.parent})
    except ValidationError as error:
        reasons = explain(error, template.data, unit_schema())
        raise InvalidFileError(template.problem(reason.place, reason.message) for reason in reasons) from None
    return template


@cache
def unit_schema() -> Schema:
    """Return the JSON Schema of a template."""
    return schema_of(TypeAdapter(UnitKeys), TITLE)


def with_units(file: YamlFile) -> YamlFile:
    """Return a bench file with the keys of the templates that its control units name.

    InvalidFileError: all that is wrong with the templates.
    """
    root, diagnostics = file.root.value, file.root.child("diagnostics")
    units = None if diagnostics is None else diagnostics.child("units")
    if not isinstance(root, dict) or diagnostics is None or units is None or not isinstance(units.value, dict):
        return file
    assert isinstance(diagnostics.value, dict)  # noqa: S101 - it has a child
    problems: list[Problem] = []
    whole = dict(units.value)
    for name, entry in units.value.items():
        named = entry.node.child("unit")
        if named is None or not isinstance(named.value, str):
            continue
        try:
            template = load_unit(named.value, file.path)
        except InvalidFileError as error:
            problems += error.problems
        except ConfigurationError as error:
            problems.append(file.problem(("diagnostics", "units", name, "unit"), error.message))
        else:
            base = located(template.root, template.path.parent)
            whole[name] = replace(entry, node=merge(entry.node, base, template.path))
    if problems:
        raise InvalidFileError(problems)
    filled = diagnostics.value | {"units": replace(diagnostics.value["units"], node=replace(units, value=whole))}
    section = replace(root["diagnostics"], node=replace(diagnostics, value=filled))
    return YamlFile(file.path, replace(file.root, value=root | {"diagnostics": section}))
