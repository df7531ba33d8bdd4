"""The data bytes of PIDs: places of the database, fields of the bench file, and both."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.obd.scaling import Getter, Pid, PidScaling, build_pids
from hilbridge.files.settings.obd_data import DataTable
from hilbridge.frames.codec.database import load_database
from vehiclesim.databus import DataBus

from ..control_units import CHECKOUT, SCALING

TABLE: TypeAdapter[DataTable] = TypeAdapter(DataTable)


def pids(
    table: Mapping[str, Any], computed: Mapping[int, Mapping[str, Getter]] | None = None, data: DataBus | None = None
) -> dict[int, Pid]:
    return build_pids(TABLE.validate_python(table), computed or {}, SCALING, data or DataBus(), ("pids",))


def test_an_entry_is_converted_to_the_unit_of_the_pid() -> None:
    """The odometer is in millimetres on the bus, and in 100 m in PID A6; speed is in mm/s and in km/h."""
    data = DataBus()
    found = pids({"0D": {"VehicleSpeed": "vehicle.Speed"}, "A6": {"Odometer": "auxiliary.Odometer"}}, data=data)
    data.vehicle[0] = 10_000
    data.auxiliary[11] = 1_234_500_000
    assert found[0x0D].read() == bytes((36,))
    assert found[0xA6].read() == (12_345).to_bytes(4, "big")


def test_a_pid_has_the_length_that_the_standard_gives_it() -> None:
    """Also where some of its signals have no origin; they are 0."""
    computed = {0x0C: {"EngineRPM": lambda: 1000.0}, 0x34: {"OxygenSensor1Lambda": lambda: 1.0}}
    assert {number: pid.read() for number, pid in pids({}, computed).items()} == {
        0x0C: bytes.fromhex("0F A0"),
        0x34: bytes.fromhex("80 00 00 00"),
    }


def test_one_value_that_is_not_available_is_enough() -> None:
    computed = {0x34: {"OxygenSensor1Lambda": lambda: 1.0, "OxygenSensor1Current": lambda: float("nan")}}
    (pid,) = pids({}, computed).values()
    assert not pid.is_available()
    assert pid.read() is None


def test_a_signal_of_the_bench_file_replaces_the_computed_one() -> None:
    """And leaves the others of its PID; null drops a PID."""
    computed: dict[int, dict[str, Getter]] = {
        0x34: {"OxygenSensor1Lambda": lambda: 1.0, "OxygenSensor1Current": lambda: 0.0},
        0x51: {"FuelType": lambda: 1.0},
    }
    found = pids({"34": {"OxygenSensor1Lambda": {"constant": 0.5}}, "51": None}, computed)
    assert {number: pid.read() for number, pid in found.items()} == {0x34: bytes.fromhex("40 00 80 00")}


def test_a_pid_that_the_database_does_not_have_is_laid_out_by_the_bench_file() -> None:
    """Hybrid battery, PID 5B: A * 100 / 255; PID 9F of a maker: two nibbles and a text."""
    table = {
        "5B": {"RemainingLife": {"expression": "60", "length": 1, "scale": 100 / 255}},
        "9F": {"A": {"constant": 3, "bits": 4}, "B": {"constant": 10, "bits": 4}, "C": {"text": "OK"}},
    }
    found = pids(table)
    assert found[0x5B].read() == bytes((153,))
    assert found[0x9F].read() == b"\x3aOK"


def test_a_field_beside_those_of_the_database_makes_the_pid_longer() -> None:
    """A third byte behind engine speed."""
    table = {"0C": {"EngineRPM": {"constant": 1000}, "Extra": {"constant": 7, "length": 1, "byte": 2}}}
    assert pids(table)[0x0C].read() == bytes.fromhex("0F A0 07")


@given(st.floats(-1e9, 1e9))
def test_values_saturate_as_the_pid_does(speed: float) -> None:
    """0 to 16383.75 rpm in quarters."""
    data = pids({"0C": {"EngineRPM": {"expression": f"{speed!r} + 0"}}})[0x0C].read()
    assert data is not None
    assert abs(int.from_bytes(data, "big") / 4 - min(max(speed, 0), 16383.75)) <= 0.125


@pytest.mark.parametrize(
    ("table", "reason", "place"),
    [
        ({"0C": {"Speed": "vehicle.EngineRpm"}}, "EngineRPM", ("pids", "0C", "Speed")),
        ({"0C": {"EngineRPM": "vehicle.EngineRmp"}}, "EngineRpm", ("pids", "0C", "EngineRPM", "from")),
        ({"0C": {"EngineRPM": "vehicle.Speed"}}, "speed", ("pids", "0C", "EngineRPM")),
        ({"0C": {"EngineRPM": {"constant": 1, "length": 1}}}, "SAE J1979", ("pids", "0C", "EngineRPM")),
        ({"0C": {"EngineRPM": {"text": "AB"}}}, "SAE J1979", ("pids", "0C", "EngineRPM")),
        ({"0C": {"EngineRPM": {"constant": 20_000}}}, "is sent", ("pids", "0C", "EngineRPM", "constant")),
        (
            {"0C": {"EngineRPM": {"constant": 1}, "Extra": {"constant": 1, "byte": 1}}},
            "overlaps with Extra",
            ("pids", "0C", "EngineRPM"),
        ),
    ],
)
def test_mistakes_are_told_with_their_place(table: dict[str, Any], reason: str, place: tuple[str, ...]) -> None:
    """Unknown signals and entries, wrong units, places that the database has."""
    with pytest.raises(ConfigurationError, match=reason) as raised:
        pids(table)
    assert raised.value.place == place


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ({"C": {"A": {"constant": 1}}}, "two hexadecimal digits"),
        ({"0x0C": {"A": {"constant": 1}}}, "two hexadecimal digits"),
        ({"20": {"A": {"constant": 1}}}, "made by itself"),
        ({"0C": {}}, "at least 1 item"),
    ],
)
def test_a_pid_is_named_by_its_digits(table: dict[str, Any], reason: str) -> None:
    """And has a signal; masks are no data."""
    with pytest.raises(ValueError, match=reason):
        TABLE.validate_python(table)


def test_cars_share_the_records_of_which_nothing_is_computed() -> None:
    """As long as the file says the same of a PID; each reads its own values."""
    table = {"0D": {"VehicleSpeed": "vehicle.Speed"}, "51": {"FuelType": {"constant": 1}}}
    computed: dict[int, dict[str, Getter]] = {0x51: {"FuelType": lambda: 1.0}}
    one, other = DataBus(), DataBus()
    first, second = pids(table, computed, one), pids(table, computed, other)
    assert first[0x0D].record is second[0x0D].record
    assert first[0x51].record is not second[0x51].record
    one.vehicle[0], other.vehicle[0] = 10_000, 20_000
    assert (first[0x0D].read(), second[0x0D].read()) == (bytes((36,)), bytes((72,)))
    assert pids({"0D": {"VehicleSpeed": {"constant": 5}}})[0x0D].read() == bytes((5,))
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            pids({"0D": {"VehicleSpeed": "vehicle.Sped"}})


def test_a_database_without_the_pids_is_refused() -> None:
    powertrain = load_database(CHECKOUT / "dbc" / "powertrain.dbc")
    with pytest.raises(ConfigurationError, match="ObdResponse"):
        PidScaling(powertrain)
