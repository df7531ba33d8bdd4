"""modelDescription.xml, as FMI 2.0.4, 2.2 and FMI 3.0, 2.4 have it; what is none of these is refused in words."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.fmu.description import MOST_ELEMENTS, read_description
from hilbridge.files.fmu.physical_units import BaseUnit

from ....fmus import description


@pytest.mark.parametrize(
    ("version", "kinds"), [(2, ("real", "integer", "boolean")), (3, ("float64", "int32", "boolean"))]
)
def test_variables_and_units_are_read(version: int, kinds: tuple[str, ...]) -> None:
    read = read_description(description(version, units={"u": "rad/s"}).encode())
    found = {name: (one.reference, one.kind, one.causality, one.unit) for name, one in read.variables.items()}
    real, integer, boolean = kinds
    assert found["u"] == (0, real, "input", "rad/s")
    assert found["tau"] == (2, real, "parameter", "s")
    assert found["steps"] == (4, integer, "output", "")
    assert found["on"] == (5, boolean, "input", "")
    assert read.units["rad/s"] == BaseUnit((0, 0, -1, 0, 0, 0, 0), 1.0, 0.0)
    assert (read.version, read.name, read.identifier) == (version, "lag", "lag")


def test_the_unit_of_a_declared_type_counts() -> None:
    text = description(2).replace(
        "<ModelVariables>",
        '<TypeDefinitions><SimpleType name="T"><Real unit="K"/></SimpleType></TypeDefinitions><ModelVariables>',
    )
    read = read_description(text.replace('<Real start="0"/>', '<Real declaredType="T"/>').encode())
    assert read.variables["u"].unit == "K"


def test_texts_and_arrays_are_told_apart() -> None:
    rows = (
        '<String name="a" valueReference="8"/><Float64 name="b" valueReference="9"><Dimension start="3"/></Float64>'
        '<Clock name="c" valueReference="10"/></ModelVariables>'
    )
    read = read_description(description(3).replace("</ModelVariables>", rows).encode())
    assert [read.variables[name].kind for name in "abc"] == ["", "float64", ""]
    assert [read.variables[name].is_array for name in "abc"] == [False, True, False]


CO_SIMULATION = '<CoSimulation modelIdentifier="lag"/>'
FIRST = '<ScalarVariable name="u" valueReference="0"'

WRONG = {
    "no XML": ("hello", "is no XML of FMI"),
    "another file": ("<html/>", "begins with 'html'"),
    "FMI 1.0": (description(2).replace('"2.0"', '"1.0"'), "is of FMI '1.0': only 2.0 and 3.0 are read"),
    "no version": (description(2).replace("fmiVersion", "version"), "lacks the attribute 'fmiVersion'"),
    "no token": (description(2).replace("guid=", "id="), "lacks the attribute 'guid'"),
    "an empty token": (description(3, token=""), "lacks the attribute 'instantiationToken'"),
    "model exchange alone": (description(2).replace("CoSimulation", "ModelExchange"), "offers no co-simulation"),
    "a path as identifier": (
        description(2).replace('modelIdentifier="lag"', 'modelIdentifier="../../lib/x"'),
        "is no model identifier",
    ),
    "a reference that is none": (description(2).replace(FIRST, FIRST[:-2] + '-1"'), "'-1' is no value reference"),
    "a reference beyond 32 bits": (description(2).replace(FIRST, FIRST[:-2] + '4294967296"'), "is no value reference"),
    "a reference without end": (description(2).replace(FIRST, FIRST[:-2] + "9" * 400 + '"'), "is no value reference"),
    "a variable twice": (description(2).replace('name="y"', 'name="u"'), "has the variable 'u' twice"),
    "a long name": (description(2).replace('name="y"', f'name="{"y" * 501}"'), "more than 500 characters"),
    "a factor that is no number": (description(2).replace('s="1"/>', 's="1" factor="x"/>'), "is no XML of FMI"),
    "deep nesting": (
        description(2).replace("<ModelStructure>", "<ModelStructure>" + "<a>" * 60),
        "nested deeper than 50",
    ),
    "elements without end": (
        description(2).replace("<ModelStructure>", "<ModelStructure>" + "<a/>" * MOST_ELEMENTS),
        "has more than 200,000 elements",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_description_is_refused_in_words(case: str) -> None:
    text, words = WRONG[case]
    with pytest.raises(ConfigurationError, match=words):
        read_description(text.encode())


@given(st.binary(max_size=300), st.integers(0, 2000))
def test_any_bytes_are_a_description_or_refused(data: bytes, at: int) -> None:
    text = description(3).encode()
    for content in (data, text[:at] + data + text[at:]):
        with suppress(ConfigurationError):
            read_description(content)
