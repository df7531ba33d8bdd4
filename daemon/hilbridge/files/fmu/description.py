"""modelDescription.xml of an FMU (FMI 2.0.4, 2.2; FMI 3.0, 2.4), as far as an importer of co-simulation needs it.

The parser builds no tree, follows no reference and refuses a document type, so that no entity is expanded; size,
depth and number of elements are bounded.
"""

from typing import Final, NamedTuple
from xml.parsers import expat

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.fmu.physical_units import BaseUnit, base_unit

LARGEST: Final = 32 << 20
"""[byte]"""

MOST_ELEMENTS: Final = 200_000
DEEPEST: Final = 50
_LONGEST: Final = 500

_KINDS_2: Final = {"Real": "real", "Integer": "integer", "Boolean": "boolean", "Enumeration": "enumeration"}
_KINDS_3: Final = {
    name: name.lower()
    for name in (
        *("Float64", "Float32", "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"),
        *("Boolean", "Enumeration"),
    )
}
REALS: Final = frozenset({"real", "float64", "float32"})


class Variable(NamedTuple):
    """A variable. `kind`: its type in lower case, empty of one whose values are no numbers; `unit`: its name."""

    name: str
    reference: int
    kind: str
    causality: str
    unit: str
    is_array: bool = False


class Description(NamedTuple):
    """The account that an FMU gives of itself. `token`: what its library is told to know that both belong together."""

    version: int
    name: str
    identifier: str
    token: str
    internal_step: float | None
    """[s] of which a communication step is a multiple, if it says so."""
    variables: dict[str, Variable]
    units: dict[str, BaseUnit]


class _Reader:
    """The handlers of the parser."""

    def __init__(self) -> None:
        self.root: dict[str, str] = {}
        self.co_simulation: dict[str, str] | None = None
        self.variables: dict[str, Variable] = {}
        self.units: dict[str, BaseUnit] = {}
        self.version = 0
        self._path: list[str] = []
        self._count = 0
        self._types: dict[str, str] = {}  # unit of a declared type
        self._name = ""  # of the variable, unit or type at hand
        self._attributes: dict[str, str] = {}

    def declared(self, *_words: object) -> None:
        raise ConfigurationError("declares a document type, which FMI does not have")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise ConfigurationError(f"has more than {MOST_ELEMENTS:,} elements")
        if len(self._path) >= DEEPEST:
            raise ConfigurationError(f"is nested deeper than {DEEPEST} elements")
        self._path.append(tag)
        match self._path[1:]:
            case []:
                self._begin(tag, attributes)
            case ["CoSimulation"]:
                self.co_simulation = attributes
            case ["ModelVariables", *path]:
                self._of_variable(path, attributes)
            case path:
                self._of_definition(path, attributes)

    def _of_definition(self, path: list[str], attributes: dict[str, str]) -> None:
        match path:
            case ["UnitDefinitions", "Unit"] | ["TypeDefinitions", "SimpleType"]:
                self._name = _required(attributes, "name")
            case ["UnitDefinitions", "Unit", "BaseUnit"]:
                self.units[self._name] = base_unit({key: float(value) for key, value in attributes.items()})
            case ["TypeDefinitions", "SimpleType", "Real"]:
                self._types[self._name] = attributes.get("unit", "")
            case ["TypeDefinitions", _]:
                self._types[_required(attributes, "name")] = attributes.get("unit", "")

    def _of_variable(self, path: list[str], attributes: dict[str, str]) -> None:
        match path:
            case ["ScalarVariable"] if self.version == 2:
                self._attributes = attributes
            case ["ScalarVariable", kind] if kind in _KINDS_2 or kind == "String":
                self._add(_KINDS_2.get(kind, ""), self._attributes, attributes)
            case [kind] if self.version == 3:
                self._add(_KINDS_3.get(kind, ""), attributes, attributes)
            case [_, "Dimension"] if self.version == 3:
                name = self._attributes["name"]
                self.variables[name] = self.variables[name]._replace(is_array=True)

    def end(self, _tag: str) -> None:
        self._path.pop()

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "fmiModelDescription":
            raise ConfigurationError(f"begins with {quoted(tag)}, not with fmiModelDescription")
        version = _required(attributes, "fmiVersion")
        if not version.startswith(("2.0", "3.0")):
            raise ConfigurationError(f"is of FMI {quoted(version)}: only 2.0 and 3.0 are read")
        self.version, self.root = int(version[0]), attributes

    def _add(self, kind: str, attributes: dict[str, str], typed: dict[str, str]) -> None:
        self._attributes = attributes
        name = _required(attributes, "name")
        if name in self.variables:
            raise ConfigurationError(f"has the variable {quoted(name)} twice")
        reference = _required(attributes, "valueReference")
        if not (reference.isascii() and reference.isdigit() and int(reference[:11]) < 1 << 32):
            raise ConfigurationError(f"{quoted(reference)} is no value reference")
        unit = typed.get("unit") or self._types.get(typed.get("declaredType", ""), "")
        self.variables[name] = Variable(name, int(reference), kind, attributes.get("causality", "local"), unit)


def read_description(text: bytes) -> Description:
    """Return what a description says. ConfigurationError: it is none of co-simulation, or beyond the bounds."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.StartDoctypeDeclHandler = reader.declared
    try:
        parser.Parse(text, True)
        return _description(reader)
    except ConfigurationError as error:
        raise ConfigurationError(f"modelDescription.xml {error.message}") from None
    except (expat.ExpatError, LookupError, ValueError) as error:
        raise ConfigurationError(f"modelDescription.xml is no XML of FMI: {quoted(str(error), 200)}") from None


def _description(reader: _Reader) -> Description:
    if reader.co_simulation is None:
        raise ConfigurationError("offers no co-simulation, only what needs a solver of the importer")
    identifier = _required(reader.co_simulation, "modelIdentifier")
    if not identifier.isascii() or not identifier.isidentifier():
        raise ConfigurationError(f"{quoted(identifier)} is no model identifier, which is a name in C")
    token = _required(reader.root, "guid" if reader.version == 2 else "instantiationToken")
    internal = reader.co_simulation.get("fixedInternalStepSize")
    return Description(
        reader.version,
        reader.root.get("modelName", "")[:_LONGEST],
        identifier,
        token,
        None if internal is None else float(internal),
        reader.variables,
        reader.units,
    )


def _required(attributes: dict[str, str], key: str) -> str:
    value = attributes.get(key, "")
    if not value:
        raise ConfigurationError(f"lacks the attribute {key!r}")
    if len(value) > _LONGEST:
        raise ConfigurationError(f"has an attribute {key!r} of more than {_LONGEST} characters")
    return value
