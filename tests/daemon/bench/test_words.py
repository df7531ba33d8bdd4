"""Editors complete what a place of a file may name, and accept what the program accepts besides."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from hilbridge.bench.words import words
from hilbridge.files.configuration.benchfile import bench_schema
from hilbridge.files.configuration.completion import completed
from hilbridge.files.configuration.scenariofile import scenario_schema
from hilbridge.files.configuration.schema import descend

BENCH = completed(bench_schema(), words())
SCENARIO = completed(scenario_schema(), words())


def offered(schema: dict[str, Any], *place: str | int) -> list[str]:
    """The words that an editor shows at a place of a file."""
    return words_of(descend(schema, place, None), schema)


def words_of(node: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    if "$ref" in node:
        return words_of(schema["$defs"][node["$ref"].rpartition("/")[2]], schema)
    return [*node.get("enum", ()), *(word for branch in node.get("anyOf", ()) for word in words_of(branch, schema))]


@pytest.mark.parametrize(
    ("place", "word"),
    [
        (("vehicle",), "320d-g20"),
        (("buses", "one", "interface"), "embedded"),
        (("buses", "one", "interface"), "pcan"),
        (("buses", "one", "database"), "powertrain.dbc"),
        (("buses", "one", "messages", "M", "signals", "S"), "vehicle.EngineRpm"),
        (("buses", "one", "messages", "M", "signals", "S", "from"), "auxiliary.FuelShare"),
        (("buses", "one", "messages", "M", "signals", "S", "unit"), "km/h"),
    ],
)
def test_a_bench_file_completes(place: tuple[str, ...], word: str) -> None:
    assert word in offered(BENCH, *place)


def test_presets_are_a_list_of_their_own() -> None:
    """No other name is one, so they are no mere offer."""
    place = ("buses", "one", "messages", "M", "protection", 0, "preset")
    assert "vw-mqb" in offered(BENCH, *place)


def test_controls_complete_as_keys() -> None:
    """Of an input, and of a scenario's `set`."""
    data = {"inputs": [{"source": "serial"}]}
    for node in (descend(BENCH, ("inputs", 0, "signals"), data), descend(SCENARIO, ("steps", 0, "set"), None)):
        assert "input.Throttle" in node["propertyNames"]["anyOf"][0]["enum"]


def test_other_texts_stay_allowed() -> None:
    """A path of a vehicle, several databases, an interface that python-can learns later, a misspelt entry."""
    messages = {"M": {"signals": {"S": "my.Entry"}}}
    bus = {"interface": "brandnew", "channel": "1", "database": ["mine.dbc"], "messages": messages}
    data = {"name": "test", "vehicle": "./car.yaml", "buses": {"one": bus}}
    assert list(Draft202012Validator(BENCH).iter_errors(data)) == []
    Draft202012Validator.check_schema(BENCH)
    assert list(Draft202012Validator(BENCH).iter_errors(data | {"vehicle": 3})) != []


def test_nothing_of_the_marks_is_left() -> None:
    assert "completes" not in str(BENCH) + str(SCENARIO)
