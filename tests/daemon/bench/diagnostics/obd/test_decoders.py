"""The answers, decoded by python-OBD, and by cantools with the database."""

from typing import Any

import cantools
import obd  # type: ignore[import-untyped]
import pytest
from cantools.database.can import Database
from hypothesis import given, settings
from hypothesis import strategies as st
from obd import decoders
from obd.commands import __mode1__  # type: ignore[import-untyped]
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from ..control_units import CHECKOUT, Bench

BENCH = Bench()


def decoded(name: str, pid: int) -> Any:
    """What python-OBD makes of the answer."""
    command = obd.commands[name]
    message = Message([])
    message.data = bytearray(bytes((0x41, pid)) + BENCH.data_of(pid))
    value = command.decode([message])
    return getattr(value, "magnitude", value)


#  command of python-OBD, PID, entry, range of integers, value, resolution
LINES = [
    ("COOLANT_TEMP", 0x05, "auxiliary_CoolantTemperature", (-40_000, 215_000), 1e-3, 1.0),
    ("SHORT_FUEL_TRIM_1", 0x06, "auxiliary_ShortFuelTrim", (-9900, 9900), 1e-2, 0.79),
    ("LONG_FUEL_TRIM_1", 0x07, "auxiliary_LongFuelTrim", (-9900, 9900), 1e-2, 0.79),
    ("INTAKE_PRESSURE", 0x0B, "auxiliary_IntakePressure", (0, 255_000), 1e-3, 1.0),
    ("RPM", 0x0C, "vehicle_EngineRpm", (0, 16_383_000), 1e-3, 0.25),
    ("SPEED", 0x0D, "vehicle_Speed", (0, 70_000), 3.6e-3, 1.0),
    ("TIMING_ADVANCE", 0x0E, "auxiliary_IgnitionAdvance", (-64_000, 63_000), 1e-3, 0.5),
    ("INTAKE_TEMP", 0x0F, "auxiliary_IntakeTemperature", (-40_000, 215_000), 1e-3, 1.0),
    ("MAF", 0x10, "auxiliary_AirMassFlow", (0, 655_000), 1e-3, 0.01),
    ("THROTTLE_POS", 0x11, "auxiliary_ThrottlePosition", (0, 10_000), 0.72e-2, 0.4),
    ("RUN_TIME", 0x1F, "auxiliary_RunTime", (0, 65_000_000), 1e-3, 1.0),
    ("FUEL_LEVEL", 0x2F, "auxiliary_FuelShare", (0, 10_000), 1e-2, 0.4),
    ("BAROMETRIC_PRESSURE", 0x33, "road_AirPressure", (50_000, 110_000), 1e-3, 1.0),
    ("CATALYST_TEMP_B1S1", 0x3C, "auxiliary_CatalystTemperature", (-40_000, 1_200_000), 1e-3, 0.1),
    ("CONTROL_MODULE_VOLTAGE", 0x42, "auxiliary_BatteryVoltage", (0, 32_000), 1e-3, 0.001),
    ("ABSOLUTE_LOAD", 0x43, "auxiliary_AbsoluteLoad", (0, 30_000), 1e-2, 0.4),
    (
        "COMMANDED_EQUIV_RATIO",
        0x44,
        "auxiliary_CommandedLambda",
        (0, 19_000),
        1e-4,
        0.0012,
    ),  # it takes 2/65536 as 0.0000305
    ("RELATIVE_THROTTLE_POS", 0x45, "auxiliary_ThrottlePosition", (0, 10_000), 0.72e-2, 0.4),
    ("AMBIANT_AIR_TEMP", 0x46, "road_AmbientTemperature", (-40_000, 60_000), 1e-3, 1.0),
    ("THROTTLE_POS_B", 0x47, "auxiliary_ThrottlePosition", (0, 10_000), 0.5e-2, 0.4),
    ("ACCELERATOR_POS_D", 0x49, "input_Throttle", (0, 10_000), 0.65e-2, 0.4),
    ("ACCELERATOR_POS_E", 0x4A, "input_Throttle", (0, 10_000), 0.325e-2, 0.4),
    ("THROTTLE_ACTUATOR", 0x4C, "auxiliary_ThrottleCommand", (0, 10_000), 1e-2, 0.4),
    ("RELATIVE_ACCEL_POS", 0x5A, "input_Throttle", (0, 10_000), 0.65e-2, 0.4),
    ("OIL_TEMP", 0x5C, "auxiliary_OilTemperature", (-40_000, 200_000), 1e-3, 1.0),
    ("FUEL_RATE", 0x5E, "auxiliary_FuelFlow", (0, 3_000_000), 1e-3, 0.05),
]


AT_REST = {"THROTTLE_POS": 14.0, "THROTTLE_POS_B": 44.0, "ACCELERATOR_POS_D": 15.0, "ACCELERATOR_POS_E": 7.5}
"""What the sensors of a closed throttle and a released pedal read [%]."""


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
@settings(max_examples=20)
@given(share=st.floats(0, 1))
def test_python_obd_reads_the_value_of_the_data_bus(
    line: tuple[str, int, str, tuple[int, int], float, float], share: float
) -> None:
    """Within the resolution of the PID, over its range."""
    name, pid, entry, (low, high), factor, resolution = line
    raw = round(low + share * (high - low))
    BENCH.set(**{entry: raw})
    assert decoded(name, pid) == pytest.approx(AT_REST.get(name, 0.0) + raw * factor, abs=resolution)


def test_python_obd_reads_the_states() -> None:
    """Status, fuel system, fuel type, standard, sensors."""
    bench_status = decoded("STATUS", 0x01)
    assert (bench_status.MIL, bench_status.DTC_count, bench_status.ignition_type) == (False, 0, "spark")
    assert bench_status.MISFIRE_MONITORING.available
    BENCH.set(auxiliary_FuelSystem=2)
    first, _ = decoded("FUEL_STATUS", 0x03)
    assert first.startswith("Closed loop")
    assert decoded("FUEL_TYPE", 0x51) == "Gasoline"
    assert str(decoded("OBD_COMPLIANCE", 0x1C)).startswith("EOBD")


def test_python_obd_finds_its_commands_in_the_masks() -> None:
    """Every command of its service 01 that is answered is in a mask, and no other."""
    for base in (0x00, 0x20, 0x40):
        bits = str(decoded(__mode1__[base].name, base))
        for offset, bit in enumerate(bits, 1):
            answered = BENCH.ask(f"01{base + offset:02x}") != "7f 01 12"
            assert (bit == "1") == answered, f"PID {base + offset:02X}"


def test_python_obd_reads_test_results_with_their_units() -> None:
    """Service 06: coolant of 83 °C, at least 70 °C wanted of the thermostat and at most 120 °C of all of it."""
    bench = Bench()
    bench.set(auxiliary_CoolantTemperature=83_000, vehicle_Speed=20_000)
    bench.start()
    bench.wait(15)
    data = bytes.fromhex(bench.ask("06 e1") or "")
    assert data[0] == 0x46
    thermostat, hot = (decoders.parse_monitor_test(bytearray(data[i : i + 9]), None) for i in (1, 10))
    for test in (thermostat, hot):
        assert test.value.magnitude == pytest.approx(83.0)
        assert test.value.units == obd.Unit.celsius
        assert test.passed
    assert thermostat.min.magnitude == pytest.approx(70.0)
    assert hot.max.magnitude == pytest.approx(120.0)


def test_cantools_decodes_the_single_frames() -> None:
    """Every PID of service 01 and 02, padded as on the bus."""
    database = cantools.database.load_file(CHECKOUT / "dbc" / "obd2.dbc")
    assert isinstance(database, Database)
    response = database.get_message_by_name("ObdResponse")
    bench = Bench()
    bench.set(vehicle_EngineRpm=1_726_000)
    bench.store.report("P0301", failed=True, t=0)
    decoded_pids = 0
    for service in ("01{:02x}", "02{:02x}00"):
        for pid in range(256):
            answer = bytes.fromhex(bench.ask(service.format(pid)) or "")
            if answer[0] != 0x7F and len(answer) <= 7:
                frame = (bytes((len(answer),)) + answer).ljust(8, b"\xcc")
                values = response.decode_simple(frame)
                decoded_pids += 1
                if pid == 0x0C:
                    assert 1726 in values.values()
    assert decoded_pids > 80
