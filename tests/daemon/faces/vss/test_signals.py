"""Signals of VSS: from the integers of the data bus to values of a path, or the reason why there is none."""

from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.client.talks import EntryValue
from hilbridge.faces.vss.signals import (
    BEYOND,
    NO_STATE,
    NOT_AVAILABLE,
    Reader,
    Value,
    Withheld,
    entries_without_path,
    signals_of,
)
from hilbridge.files.configuration.vss import load_vss
from vehiclesim.entries import STANDARD

SHIPPED = Reader(signals_of(load_vss()))


def table(folder: Path, *lines: str) -> Reader:
    """A table with these signals."""
    file = folder / "table.yaml"
    file.write_text("\n".join(['release: "6.0"', "leaves: 9", "signals:", *lines]), encoding="utf-8")
    return Reader(signals_of(load_vss(str(file))))


def read(reader: Reader, path: str, **values: float | None) -> Value | Withheld:
    """The value of a path with these entries."""
    answered = {name.replace("_", "."): EntryValue(value, "") for name, value in values.items()}
    return reader.read(answered)[f"Vehicle.{path}"]


@pytest.mark.parametrize(
    ("path", "values", "expected"),
    [
        ("Speed", {"vehicle_Speed": 25.0}, 90.0),
        ("IsMoving", {"vehicle_Speed": -0.001}, True),
        ("IsMoving", {"vehicle_Speed": 0.0}, False),
        ("TraveledDistance", {"auxiliary_Odometer": 3_000_000_000.4}, 3_000_000_000),
        ("Exterior.AirTemperature", {"road_AmbientTemperature": -40.0}, -40.0),
        ("Powertrain.CombustionEngine.Power", {"vehicle_EnginePower": -12.0}, 0),
        ("Powertrain.CombustionEngine.Torque", {"vehicle_EngineTorque": -12.6}, -13),
        ("Powertrain.CombustionEngine.TPS", {"auxiliary_ThrottlePosition": 0.5049}, 50),
        ("Powertrain.TractionBattery.CurrentPower", {"electric_TractionPower": 15.5}, -15500.0),
        ("Powertrain.TractionBattery.StateOfCharge.Current", {"electric_TractionCharge": 0.8125}, 81.25),
        ("Powertrain.Transmission.GearChangeMode", {"vehicle_GearboxMode": 0}, "MANUAL"),
        ("Powertrain.Transmission.GearChangeMode", {"vehicle_GearboxMode": 4}, "AUTOMATIC"),
        ("Cabin.Infotainment.HMI.CurrentLanguage", {"body_Language": 8}, "sv"),
        ("LowVoltageSystemState", {"input_Key": -1}, "OFF"),
        ("ADAS.CruiseControl.IsEnabled", {"body_CruiseState": 5}, False),
        ("ADAS.CruiseControl.IsEnabled", {"body_CruiseState": 1}, True),
    ],
)
def test_values_are_those_of_a_hand_calculation(path: str, values: dict[str, Any], expected: object) -> None:
    """And of the kind of the datatype: a bool is none of the integers."""
    found = read(SHIPPED, path, **values)
    assert found == pytest.approx(expected) if isinstance(expected, float) else found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("shown", "manual", "engaged", "expected"),
    [(0, -1, 0, -1), (0, 3, 0, 3), (1, 0, 2, 126), (2, 0, 2, -1), (3, 0, 2, 0), (4, 0, 2, 127), (6, 0, 2, 2)],
)
def test_the_selected_gear_is_as_vss_counts(shown: int, manual: int, engaged: int, expected: int) -> None:
    """-1 reverse, 0 neutral, 126 park, 127 drive: its description in the tree."""
    values = {"body_SelectorShown": shown, "input_ManualGear": manual, "vehicle_GearboxGear": engaged}
    assert read(SHIPPED, "Powertrain.Transmission.SelectedGear", **values) == expected


@pytest.mark.parametrize(
    ("path", "values", "reason"),
    [
        ("Speed", {}, NOT_AVAILABLE),
        ("Speed", {"vehicle_Speed": None}, NOT_AVAILABLE),
        ("Powertrain.CombustionEngine.TPS", {"auxiliary_ThrottlePosition": 1.01}, BEYOND),
        ("Powertrain.CombustionEngine.Torque", {"vehicle_EngineTorque": 40_000.0}, BEYOND),
        ("Powertrain.FuelSystem.InstantConsumption", {"vehicle_FuelConsumption": -0.1}, BEYOND),
        ("TraveledDistance", {"auxiliary_Odometer": 5e9}, BEYOND),
        ("Powertrain.Transmission.PerformanceMode", {"body_DriveMode": 4}, NO_STATE),
    ],
)
def test_what_does_not_fit_is_withheld_and_not_held_at_a_bound(path: str, values: dict[str, Any], reason: Any) -> None:
    assert read(SHIPPED, path, **values) is reason


def test_the_entry_of_the_engine_load_is_none_while_it_is_not_available(tmp_path: Path) -> None:
    """It has a number of its own for that."""
    reader = table(tmp_path, "  Vehicle.Load: {type: float, unit: percent, value: vehicle.EngineLoad}")
    assert read(reader, "Load", vehicle_EngineLoad=None) is NOT_AVAILABLE
    assert read(reader, "Load", vehicle_EngineLoad=0.25) == 25.0


@pytest.mark.parametrize("value", [1e308, -1e308, float("inf"), float("nan"), 2.0**63])
def test_what_no_data_bus_has_is_not_available(value: float) -> None:
    assert read(SHIPPED, "Speed", vehicle_Speed=value) is NOT_AVAILABLE
    assert read(SHIPPED, "TraveledDistance", auxiliary_Odometer=value) is NOT_AVAILABLE


@pytest.mark.parametrize(
    ("datatype", "lowest", "highest"),
    [
        ("int8", -128, 127),
        ("uint8", 0, 255),
        ("int16", -32768, 32767),
        ("uint16", 0, 65535),
        ("int32", -2147483648, 2147483647),
        ("uint32", 0, 4294967295),
    ],
)
def test_whole_numbers_end_where_their_datatype_does(tmp_path: Path, datatype: str, lowest: int, highest: int) -> None:
    """Below its own lowest integer the data bus says "not available", so it is kept above that here."""
    reader = table(tmp_path, f"  Vehicle.Count: {{type: {datatype}, value: auxiliary.DistancePulses - 1000}}")
    for end, beyond in ((lowest, lowest - 1), (highest, highest + 1)):
        assert read(reader, "Count", auxiliary_DistancePulses=end + 1000) == end
        assert read(reader, "Count", auxiliary_DistancePulses=beyond + 1000) is BEYOND


def test_the_longest_whole_number_is_not_rounded_up_beyond_its_datatype(tmp_path: Path) -> None:
    """2^64 is the float that is nearest to the largest uint64, and is none; 4e38 is beyond binary32."""
    reader = table(
        tmp_path,
        '  Vehicle.Long: {type: uint64, value: "auxiliary.DistancePulses * 4294967296"}',
        '  Vehicle.Far: {type: float, value: "auxiliary.DistancePulses * 1e38"}',
    )
    assert read(reader, "Long", auxiliary_DistancePulses=2**32) is BEYOND
    assert read(reader, "Long", auxiliary_DistancePulses=2**32 - 1) == (2**32 - 1) * 2**32
    assert read(reader, "Far", auxiliary_DistancePulses=4) is BEYOND
    assert read(reader, "Far", auxiliary_DistancePulses=3) == 3e38


def test_a_whole_number_stands_for_a_state_of_an_expression(tmp_path: Path) -> None:
    reader = table(
        tmp_path, '  Vehicle.Lamp: {type: string, value: "input.Brake > 0", states: {"0": INACTIVE, "1": ACTIVE}}'
    )
    assert read(reader, "Lamp", input_Brake=0.5) == "ACTIVE"
    assert read(reader, "Lamp", input_Brake=0.0) == "INACTIVE"


def test_a_table_says_all_that_no_bench_has_with_the_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidFileError) as error:
        table(
            tmp_path,
            "  Vehicle.A: {type: float, value: vehicle.Sped}",
            "  Vehicle.B: {type: float, unit: kPa, value: vehicle.Speed}",
            '  Vehicle.C: {type: boolean, value: "1 < 2"}',
            "  Vehicle.D: {type: string, value: body.Wiper, states: {quick: FAST}}",
            "  Vehicle.E: {type: float, unit: furlong, value: vehicle.Speed}",
        )
    lines = [(one.line, one.reason) for one in error.value.problems]
    assert [line for line, _ in lines] == [4, 5, 6, 7, 8]
    words = ("vehicle.Speed", "unit of speed", "no entry", "it has off, interval, slow, fast", "unknown unit")
    for (_, reason), word in zip(lines, words, strict=True):
        assert word in reason


def test_entries_without_a_path_are_those_that_no_signal_reads(tmp_path: Path) -> None:
    reader = table(tmp_path, "  Vehicle.Gas: {type: boolean, value: input.Throttle > input.Brake}")
    missing = entries_without_path(reader.signals)
    assert len(missing) == len(STANDARD.all()) - 2
    assert not {"input.Throttle", "input.Brake"} & {*missing}
