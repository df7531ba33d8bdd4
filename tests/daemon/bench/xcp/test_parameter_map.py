"""The calibration segment: IEEE 754 singles and integers, one after the other; the vehicle file's values are exact."""

import struct
from typing import Any

import pytest

from hilbridge.bench.xcp.parameter_map import BASE, ParameterMap, engine_values
from hilbridge.files.configuration.vehiclefile import engine_of, load_vehicle

MEASURED = {
    "idle_rpm": 745.1,
    "rpm_limiter": True,
    "rpm_limiter_mode": "injection-limit",
    "cylinders": 6,
    "firing_order": [1, 5, 3, 6, 2, 4],
    "active_idle_bias": 0.0001,
    "table_rpm": [700.0, 3000.0, 7000.0],
    "table_torque": [50.3, 180.7, 0.0],
    "table_resistive_torque": [-10.1, -20.2, -40.4],
    "efficiency_rpm": [],
}
ADDRESSES = {
    "idle_rpm": 0,
    "rpm_limiter": 4,
    "rpm_limiter_mode": 8,
    "active_idle_bias": 12,
    "cylinders": 16,
    "table_rpm": 20,
    "table_torque": 32,
    "table_resistive_torque": 44,
}


def test_cells_follow_each_other_in_the_order_of_the_reference() -> None:
    memory = ParameterMap(MEASURED)
    assert {one.name: one.address - BASE for one in memory.parameters} == ADDRESSES
    assert memory.reference == struct.pack(
        "<fiifi9f", 745.1, 1, 1, 0.0001, 6, 700, 3000, 7000, 50.3, 180.7, 0, -10.1, -20.2, -40.4
    )
    assert len(memory) == 56


def changed(name: str, packed: bytes, cell: int = 0) -> dict[str, Any]:
    """What differs from the file with other bytes in a cell of a parameter."""
    memory = ParameterMap(MEASURED)
    begin = ADDRESSES[name] + 4 * cell
    return memory.changes(memory.reference[:begin] + packed + memory.reference[begin + 4 :])


def test_what_is_not_written_is_as_exact_as_in_the_file() -> None:
    """Beside a changed cell too: a single has no 180.7."""
    memory = ParameterMap(MEASURED)
    assert memory.changes(memory.reference) == {}
    assert changed("table_torque", struct.pack("<f", 0.1), 2) == {"table_torque": [50.3, 180.7, 0.1]}


@pytest.mark.parametrize(
    ("name", "packed", "value"),
    [
        ("idle_rpm", struct.pack("<f", 812.35), 812.35),
        ("idle_rpm", struct.pack("<f", 1 / 3 + 1), 1.3333334),
        ("rpm_limiter", struct.pack("<i", 0), False),
        ("rpm_limiter_mode", struct.pack("<i", 0), "injection-cut"),
        ("cylinders", struct.pack("<i", 8), 8),
    ],
)
def test_a_cell_is_the_value_that_was_written(name: str, packed: bytes, value: object) -> None:
    assert changed(name, packed) == {name: value}


@pytest.mark.parametrize(
    ("name", "packed"),
    [
        ("idle_rpm", struct.pack("<f", 0.5)),
        ("idle_rpm", struct.pack("<f", float("nan"))),
        ("idle_rpm", struct.pack("<f", float("inf"))),
        ("idle_rpm", bytes.fromhex("0100a07f")),
        ("rpm_limiter", struct.pack("<i", 2)),
        ("rpm_limiter_mode", struct.pack("<i", -1)),
        ("cylinders", struct.pack("<i", 0)),
    ],
)
def test_what_is_beyond_the_bounds_of_a_parameter_is_refused(name: str, packed: bytes) -> None:
    with pytest.raises(ValueError, match=name):
        changed(name, packed)


def test_changes_come_back_as_they_went_and_what_has_no_place_is_named() -> None:
    memory = ParameterMap(MEASURED)
    changes = {"idle_rpm": 812.35, "table_torque": [60.0, 170.5, 0.0]}
    image, strange = memory.image_of(changes)
    assert memory.changes(image) == changes
    assert strange == []
    image, strange = memory.image_of({"table_rpm": [1.0, 2.0], "firing_order": [1, 2, 3, 4, 5, 6], "cylinders": 8})
    assert strange == ["table_rpm", "firing_order"]
    assert memory.changes(image) == {"cylinders": 8}


@pytest.mark.parametrize("vehicle", ["compact", "mx5-nd", "320d-g20", "swift-sport-hybrid"])
def test_every_parameter_of_a_vehicle_that_ships_is_there(vehicle: str) -> None:
    """And an engine with these values is the one of the file."""
    file = load_vehicle(vehicle)
    values = engine_values(file.settings)
    memory = ParameterMap(values)
    assert {one.name for one in memory.parameters} == {
        name for name, value in values.items() if value != [] and name != "firing_order"
    }
    assert engine_of(values) == file.settings.engine


def test_a_vehicle_without_an_engine_has_none() -> None:
    assert engine_values(load_vehicle("leaf-ze1").settings) == {}


def test_the_mark_of_the_layout_is_another_one_for_another_layout() -> None:
    longer = MEASURED | {"efficiency_rpm": [1000.0, 2000.0], "indicated_efficiency": [0.3, 0.3]}
    assert ParameterMap(longer).epk != ParameterMap(MEASURED).epk
    assert ParameterMap(MEASURED | {"idle_rpm": 800.0}).epk == ParameterMap(MEASURED).epk
