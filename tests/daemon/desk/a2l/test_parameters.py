"""The calibration segment in the A2L file: blocks by name, as ASAM MCD-2 MC has them. pya2ldb reads it in tests/xcp."""

import re
from typing import Any

from hilbridge.bench.xcp.parameter_map import ParameterMap
from hilbridge.desk.a2l.file import a2l_of
from hilbridge.desk.a2l.interface import XcpPlace
from vehiclesim.entries import STANDARD

ENGINE: dict[str, Any] = {
    "idle_rpm": 800.0,
    "rpm_limiter": True,
    "cylinders": 4,
    "table_rpm": [700.0, 3000.0, 7000.0],
    "table_torque": [50.0, 180.0, 0.0],
    "table_resistive_torque": [-10.0, -20.0, -40.0],
}


def words(parameters: ParameterMap | None) -> str:
    """The file on one line."""
    place = XcpPlace("tcp", "127.0.0.1", 5555)
    return " ".join(a2l_of("b", STANDARD, 1000, place, write=True, parameters=parameters).split())


TEXT = words(ParameterMap(ENGINE))


def test_every_block_ends() -> None:
    open_blocks: list[str] = []
    for kind, name in re.findall(r"/(begin|end) (\w+)", TEXT):
        if kind == "begin":
            open_blocks.append(name)
        else:
            assert open_blocks.pop() == name
    assert not open_blocks


def test_a_number_has_its_limits_and_unit() -> None:
    """1 to 100,000 rpm, as the reference of vehicle files says; a single of IEEE 754."""
    found = re.search(
        r"CHARACTERISTIC tune\.engine\.idle_rpm \"[^\"]+\" VALUE 0x1000000 RL_FLOAT 0 (\S+) 1 100000 /", TEXT
    )
    assert found is not None
    assert f'COMPU_METHOD {found[1]} "" IDENTICAL "%.7" "rpm"' in TEXT


def test_a_state_has_its_words() -> None:
    assert re.search(r"tune\.engine\.rpm_limiter \"[^\"]+\" VALUE 0x1000004 RL_SLONG 0 (\S+) 0 1 /", TEXT)
    assert 'VT_tune.engine.rpm_limiter "" TAB_VERB 2 0 "off" 1 "on" /end' in TEXT


def test_curves_share_the_axis_of_their_speeds() -> None:
    """Three points from 1000000h + 12 on, then three values of each."""
    assert re.search(
        r"AXIS_PTS tune\.engine\.table_rpm \"[^\"]+\" 0x100000c vehicle\.EngineRpm RL_AXIS 0 \S+ 3 0 100000 /", TEXT
    )
    for name, address in (("table_torque", "0x1000018"), ("table_resistive_torque", "0x1000024")):
        assert re.search(
            rf"tune\.engine\.{name} \"[^\"]+\" CURVE {address} RL_FLOAT 0 \S+ -1000000 \S+ "
            r"/begin AXIS_DESCR COM_AXIS vehicle\.EngineRpm \S+ 3 0 100000 AXIS_PTS_REF tune\.engine\.table_rpm /end",
            TEXT,
        )


def test_the_segment_has_two_pages_of_which_one_is_written() -> None:
    assert "DATA RAM INTERN 0x1000000 0x30 -1 -1 -1 -1 -1" in TEXT
    assert re.findall(r"/begin PAGE (\S+) \S+ \S+ XCP_WRITE_ACCESS_(\S+)", TEXT) == [
        ("0x00", "DONT_CARE"),
        ("0x01", "NOT_ALLOWED"),
    ]
    assert "/begin PAG 0x01 /end PAG" in TEXT
    assert "OPTIONAL_CMD COPY_CAL_PAGE" in TEXT


def test_a_bench_without_parameters_has_no_segment() -> None:
    text = words(None)
    assert "MEMORY_SEGMENT" not in text
    assert "OPTIONAL_CMD SET_CAL_PAGE" not in text
    assert "tune." not in text
