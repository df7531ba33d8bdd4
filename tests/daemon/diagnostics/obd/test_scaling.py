"""Scaling from the data bus to the data bytes of a PID."""

import pytest

from hilbridge.codec.database import load_database
from hilbridge.common.errors import ConfigurationError
from hilbridge.diagnostics.obd.scaling import Origins, PidScaling, build_pids
from vehiclesim.databus import DataBus

from ..control_units import CHECKOUT, SCALING


def test_an_entry_is_converted_to_the_unit_of_the_pid() -> None:
    """The odometer is in millimetres on the bus, and in 100 m in PID A6; speed is in mm/s and in km/h."""
    data = DataBus()
    pids = build_pids(
        {0x0D: {"VehicleSpeed": "vehicle.Speed"}, 0xA6: {"Odometer": "auxiliary.Odometer"}}, SCALING, data
    )
    data.vehicle[0] = 10_000
    data.auxiliary[11] = 1_234_500_000
    assert pids[0x0D].read() == bytes((36,))
    assert pids[0xA6].read() == (12_345).to_bytes(4, "big")


def test_a_pid_has_the_length_that_the_standard_gives_it() -> None:
    values: dict[int, Origins] = {
        0x0C: {"EngineRPM": float},
        0x34: {"OxygenSensor1Lambda": float, "OxygenSensor1Current": float},
    }
    pids = build_pids(values, SCALING, DataBus())
    assert {number: len(pid.read() or b"") for number, pid in pids.items()} == {0x0C: 2, 0x34: 4}


def test_one_value_that_is_not_available_is_enough() -> None:
    nan = float("nan")
    values = {0x34: {"OxygenSensor1Lambda": lambda: 1.0, "OxygenSensor1Current": lambda: nan}}
    (pid,) = build_pids(values, SCALING, DataBus()).values()
    assert not pid.is_available()
    assert pid.read() is None


def test_a_database_without_the_pids_is_refused() -> None:
    powertrain = load_database(CHECKOUT / "dbc" / "powertrain.dbc")
    with pytest.raises(ConfigurationError, match="ObdResponse"):
        PidScaling(powertrain)
    with pytest.raises(ConfigurationError, match="S01PID0C_Speed"):
        build_pids({0x0C: {"Speed": float}}, SCALING, DataBus())
