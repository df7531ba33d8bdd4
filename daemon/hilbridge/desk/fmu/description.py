"""modelDescription.xml of a vehicle: FMI 2.0 and 3.0, co-simulation.

Both list the same variables (variables.py) with the same value references. In FMI 3.0 the time is a variable, behind
the last one. An enumeration has the states of its entry with their integers; a unit has its base units where they are
known (FMI 2.0.4, 2.2.2; FMI 3.0, 2.4.3). A network unit has its buses behind the time (terminals.py).
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from hilbridge.desk.fmu.terminals import COUNTDOWN, counted_values, put_buses
from hilbridge.desk.fmu.variables import Variable
from hilbridge.files.fmu.physical_units import BASE

Element = ET.Element


class Unit(NamedTuple):
    """The head of a description. `identity`: the token by which library and description know each other.

    `kind`: what it is of, for people.
    """

    name: str
    model: str
    identity: str
    tool: str
    made: datetime
    step: float
    kind: str = "vehicle"


def describe(
    unit: Unit,
    variables: Sequence[Variable],
    version: int,
    buses: Sequence[str] | None = None,
    clock: str = COUNTDOWN,
) -> bytes:
    """Return the file for FMI 2 or 3. `buses`: of a network unit, which is one of FMI 3; `clock`: of what they send."""
    return document(_two(unit, variables) if version == 2 else _three(unit, variables, buses, clock))


def document(root: Element) -> bytes:
    """Return the bytes of a file of XML."""
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _head(unit: Unit, version: str, token: str) -> Element:
    return Element(
        "fmiModelDescription",
        {
            "fmiVersion": version,
            "modelName": unit.name,
            token: unit.identity,
            "description": f"The {unit.kind} {unit.name}",
            "generationTool": unit.tool,
            "generationDateAndTime": unit.made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "variableNamingConvention": "structured",
        },
    )


# -- FMI 2.0 -----------------------------------------------------------------------------------------------------------


def _two(unit: Unit, variables: Sequence[Variable]) -> Element:
    root = _head(unit, "2.0", "guid")
    ET.SubElement(
        root,
        "CoSimulation",
        modelIdentifier=unit.model,
        canHandleVariableCommunicationStepSize="true",
        canGetAndSetFMUstate="true",
        canSerializeFMUstate="true",
    )
    _units(root, variables)
    types = ET.SubElement(root, "TypeDefinitions")
    for variable in _enumerations(variables):
        simple = ET.SubElement(types, "SimpleType", name=_type_name(variable))
        _items(ET.SubElement(simple, "Enumeration"), variable)
    _categories(root)
    ET.SubElement(root, "DefaultExperiment", startTime="0", stepSize=repr(unit.step))
    parent = ET.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        scalar = ET.SubElement(parent, "ScalarVariable", _common(reference, variable))
        kind = variable.kind.capitalize()
        ET.SubElement(scalar, kind, _of_type(variable))
    structure = ET.SubElement(root, "ModelStructure")
    for name in ("Outputs", "InitialUnknowns"):
        listed = ET.SubElement(structure, name)
        for place, variable in enumerate(variables, 1):
            if not variable.is_input:
                ET.SubElement(listed, "Unknown", index=str(place))
    return root


# -- FMI 3.0 -----------------------------------------------------------------------------------------------------------

_TYPES: Final = {"real": "Float64", "integer": "Int32", "boolean": "Boolean", "enumeration": "Enumeration"}


_STATE: Final = {"canGetAndSetFMUState": "true", "canSerializeFMUState": "true"}
_EVENTS: Final = {"hasEventMode": "true"}


def _three(unit: Unit, variables: Sequence[Variable], buses: Sequence[str] | None, clock: str) -> Element:
    root = _head(unit, "3.0", "instantiationToken")
    ET.SubElement(
        root,
        "CoSimulation",
        {
            "modelIdentifier": unit.model,
            "canHandleVariableCommunicationStepSize": "true",
            **(_STATE if buses is None else _EVENTS),
        },
    )
    _units(root, variables)
    types = ET.SubElement(root, "TypeDefinitions")
    for variable in _enumerations(variables):
        _items(ET.SubElement(types, "EnumerationType", name=_type_name(variable)), variable)
    _categories(root)
    ET.SubElement(root, "DefaultExperiment", startTime="0", stepSize=repr(unit.step))
    parent = ET.SubElement(root, "ModelVariables")
    for reference, variable in enumerate(variables):
        ET.SubElement(parent, _TYPES[variable.kind], _common(reference, variable) | _of_type(variable))
    time = len(variables) + counted_values(buses or ())
    ET.SubElement(
        parent,
        "Float64",
        name="time",
        valueReference=str(time),
        causality="independent",
        variability="continuous",
    )
    structure = ET.SubElement(root, "ModelStructure")
    for name in ("Output", "InitialUnknown"):
        for reference, variable in enumerate(variables):
            if not variable.is_input:
                ET.SubElement(structure, name, valueReference=str(reference))
    put_buses(parent, structure, buses or (), len(variables), clock)
    return root


# -- both --------------------------------------------------------------------------------------------------------------


def _common(reference: int, variable: Variable) -> dict[str, str]:
    given = {
        "name": variable.entry.path,
        "valueReference": str(reference),
        "description": variable.entry.meaning,
        "causality": "input" if variable.is_input else "output",
        "variability": "continuous" if variable.kind == "real" else "discrete",
    }
    return given if variable.is_input else given | {"initial": "calculated"}


def _of_type(variable: Variable) -> dict[str, str]:
    """Return the attributes of a type: unit, limits and start of an input."""
    entry, found = variable.entry, {}
    if variable.kind == "enumeration":
        found["declaredType"] = _type_name(variable)
    if variable.kind == "real" and entry.unit:
        found["unit"] = entry.unit
    if entry.limits is None:
        return found
    if variable.kind in ("real", "integer"):
        found |= {"min": _number(variable, entry.limits[0]), "max": _number(variable, entry.limits[1])}
    return found | {"start": _number(variable, variable.start)}


def _number(variable: Variable, value: float) -> str:
    if variable.kind == "boolean":
        return "true" if value else "false"
    if value != value:
        return "NaN"
    return repr(value) if variable.kind == "real" else str(round(value))


def _units(root: Element, variables: Sequence[Variable]) -> None:
    parent = ET.SubElement(root, "UnitDefinitions")
    for name in sorted({one.entry.unit for one in variables if one.kind == "real" and one.entry.unit}):
        unit = ET.SubElement(parent, "Unit", name=name)
        if name in BASE:
            ET.SubElement(unit, "BaseUnit", {key: repr(value) for key, value in BASE[name].items()})


def _categories(root: Element) -> None:
    parent = ET.SubElement(root, "LogCategories")
    ET.SubElement(parent, "Category", name="logStatusError", description="why a call has failed")


def _enumerations(variables: Sequence[Variable]) -> list[Variable]:
    found = {_type_name(one): one for one in variables if one.kind == "enumeration"}
    return list(found.values())


def _type_name(variable: Variable) -> str:
    return f"{variable.entry.channel}.{variable.entry.name}.States"


def _items(parent: Element, variable: Variable) -> None:
    for number, state in variable.entry.codes:
        ET.SubElement(parent, "Item", name=state, value=str(number))
