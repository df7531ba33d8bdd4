"""The schemas are valid JSON Schema, and accept and refuse what the program does."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.base.resources import Kind, find, names
from hilbridge.files.configuration.benchfile import bench_schema, load_bench
from hilbridge.files.configuration.layouts import layout_schema
from hilbridge.files.configuration.schema import DIALECT, descend
from hilbridge.files.configuration.units import unit_schema
from hilbridge.files.configuration.vehiclefile import load_vehicle, vehicle_schema

SCHEMAS = {
    Kind.BENCH: bench_schema(),
    Kind.VEHICLE: vehicle_schema(),
    Kind.UNIT: unit_schema(),
    Kind.LAYOUT: layout_schema(),
}

SHIPPED = [(kind, name) for kind in SCHEMAS for name in names(kind)]


def subschemas(node: Any) -> list[dict[str, Any]]:
    """Every part of a schema that describes a key."""
    if isinstance(node, list):
        return [each for item in node for each in subschemas(item)]
    if not isinstance(node, dict):
        return []
    return [*node.get("properties", {}).values(), *(each for value in node.values() for each in subschemas(value))]


@pytest.mark.parametrize("kind", SCHEMAS)
def test_a_schema_is_valid_by_its_metaschema(kind: Kind) -> None:
    """Draft 2020-12, and it says so."""
    assert SCHEMAS[kind]["$schema"] == DIALECT == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(SCHEMAS[kind])


@pytest.mark.parametrize(("kind", "name"), SHIPPED)
def test_every_shipped_file_fits_its_schema(kind: Kind, name: str) -> None:
    """An editor shows no error in what the program accepts."""
    data = json.loads(json.dumps(yaml.safe_load(find(kind, name).read_text())))  # for JSON, keys are text
    assert [error.message for error in Draft202012Validator(SCHEMAS[kind]).iter_errors(data)] == []


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_number_has_its_unit_in_its_description(kind: Kind) -> None:
    """Editors show the description, not the keyword `unit`."""
    with_units = [node for node in subschemas(SCHEMAS[kind]) if isinstance(node.get("unit"), str)]
    assert with_units
    assert all(node["description"].endswith(f" [{node['unit']}]") for node in with_units)


@pytest.mark.parametrize("kind", SCHEMAS)
def test_every_section_refuses_unknown_keys(kind: Kind) -> None:
    """So an editor marks a misspelt key."""
    sections = [node for node in [SCHEMAS[kind], *SCHEMAS[kind]["$defs"].values()] if "properties" in node]
    assert sections
    assert all(node["additionalProperties"] is False for node in sections)


BENCHES = [
    "{}",
    "{rate: 100}",
    "{rate: 60}",
    "{rate: '100'}",
    "{seed: -1}",
    "{buses: {one: {interface: embedded, fd: true}}}",
    "{buses: {one: {interface: embedded, fd: 1}}}",
    "{buses: {one two: {interface: embedded}}}",
    "{buses: {one: {}}}",
    "{inputs: [{source: demo-driver}]}",
    "{inputs: [{source: demo}]}",
    "{inputs: [{source: serial, port: pty, signals: {Key: {safe: hold}}}]}",
    "{inputs: [{source: serial, port: pty, signals: {Key: {safe: held}}}]}",
    "{inputs: [{source: serial, port: pty, signals: {}}]}",
    "{diagnostics: {}}",
    "{diagnostics: {units: on}}",
]


@pytest.mark.parametrize("keys", BENCHES)
def test_schema_and_program_agree_about_single_settings(tmp_path: Path, keys: str) -> None:
    """What the schema can express at all: kinds of value, bounds, choices, names, unknown and missing keys."""
    data = {"name": "test", "vehicle": "./car.yaml", **yaml.safe_load(keys)}
    (tmp_path / "car.yaml").write_text("name: car\n")
    (tmp_path / "bench.yaml").write_text(yaml.safe_dump(data))
    try:
        load_bench(f"{tmp_path}/bench.yaml")
        accepted = True
    except InvalidFileError:
        accepted = False
    assert Draft202012Validator(SCHEMAS[Kind.BENCH]).is_valid(data) is accepted


def test_a_signal_may_be_mapped_by_an_entry_alone() -> None:
    """The short form is in the schema too."""
    bus = {"interface": "embedded", "database": "x.dbc", "messages": {"M": {"signals": {"S": "vehicle.Speed"}}}}
    data = {"name": "test", "vehicle": "car", "buses": {"one": bus}}
    assert Draft202012Validator(SCHEMAS[Kind.BENCH]).is_valid(data)


def test_the_way_through_a_schema_follows_the_data() -> None:
    """References, alternatives and kinds of input are passed through; {} where nothing is known."""
    schema = SCHEMAS[Kind.BENCH]
    data = {"inputs": [{"source": "serial", "signals": {"Key": {}}}, {"source": "demo-driver"}]}
    assert descend(schema, ("buses", "one", "messages", "M", "period"), data)["unit"] == "ms"
    assert descend(schema, ("inputs", 0, "baudrate"), data)["unit"] == "bit/s"
    assert descend(schema, ("inputs", 0, "signals", "Key", "dead_zone"), data)["exclusiveMaximum"] == 0.5
    assert descend(schema, ("inputs", 1, "baudrate"), data) == {}
    assert descend(schema, ("inputs", 7, "baudrate", "x"), data) == {}


def test_every_shipped_file_loads() -> None:
    """Benches with their vehicles and databases, and every vehicle."""
    assert ("demo" in names(Kind.BENCH), "compact" in names(Kind.VEHICLE)) == (True, True)
    for name in names(Kind.BENCH):
        load_bench(name)
    for name in names(Kind.VEHICLE):
        load_vehicle(name)
