"""What a maker's database of opendbc asks for that breaks rules: each as a user meets it, by a bench file alone."""

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from opendbc import get_generated_dbcs  # type: ignore[import-untyped]

from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings import BusSettings
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.plan.report import report
from hilbridge.frames.plan.selection import Outgoing, Selection, select
from vehiclesim.databus import DataBus


def selected(folder: Path, database: str, **keys: Any) -> Selection:
    """What a bus with this database of opendbc sends."""
    path = Path(str(files("opendbc"))) / "dbc" / f"{database}.dbc"
    if not path.exists():
        path = folder / f"{database}.dbc"
        path.write_text(get_generated_dbcs()[database])
    settings = BusSettings.model_validate({"interface": "embedded", "database": "-", **keys})
    return select("car", settings, load_database(path), MILLISECOND)


def only(selection: Selection) -> Outgoing:
    (frame,) = selection.outgoing
    return frame


def protected(frame: Outgoing) -> bytes:
    """The first frame as it goes."""
    data = bytearray(frame.encode(DataBus().channels))
    if frame.protector is not None:
        frame.protector.protect(data)
    return bytes(data)


@pytest.mark.parametrize(
    ("database", "message", "signal", "value", "held", "sent"),
    [
        ("toyota_nodsu_pt_generated", "STEERING_LKA", "STEER_TORQUE_CMD", -100, 0, -100),
        ("chrysler_pacifica_2017_hybrid_generated", "LKAS_COMMAND", "STEERING_TORQUE", 300, 1, 300),
    ],
)
def test_a_constant_beyond_a_range_that_nobody_meant(
    tmp_path: Path, database: str, message: str, signal: str, value: float, held: float, sent: float
) -> None:
    """Held with a warning that names the remedy; sent with it."""
    for rule, expected in (("database", held), ("raw", sent)):
        keys = {"period": 10, "range": rule, "signals": {signal: {"constant": value}}}
        frame = only(selected(tmp_path, database, messages={message: keys}))
        assert frame.codec is not None
        assert frame.codec.decode(frame.encode(DataBus().channels))[signal] == expected
        warnings = [row.warning.message for row in frame.assignments if row.warning is not None]
        assert warnings == [] if rule == "raw" else "'range: raw' lifts" in warnings[0]


def test_a_message_of_ford_goes_on_a_classic_bus(tmp_path: Path) -> None:
    """The database marks all as CAN FD."""
    found = selected(tmp_path, "ford_lincoln_base_pt", messages={"BrakeSysFeatures": {"period": 20}})
    assert only(found).flags == 0
    assert "as classic frames" in found.warnings[0].message


@pytest.mark.parametrize(
    ("database", "message"),
    [
        ("hyundai_canfd_generated", "SCC_CONTROL"),
        ("psa_aee2010_r3", "HS2_DYN_ABR_38D"),
        ("vw_mqb", "PLA_01"),
        ("mazda_2017", "CRZ_CTRL"),
    ],
)
def test_messages_with_overlapping_signals_are_sent(tmp_path: Path, database: str, message: str) -> None:
    """And `check` names what is left out for others; every signal is told of."""
    found = selected(tmp_path, database, messages={message: {"period": 20}}, fd=True)
    frame = only(found)
    assert frame.codec is not None
    (row,) = report("car", found, [0], MILLISECOND).frames
    assert {one.signal for one in row.signals} == {*frame.codec.signals, *frame.codec.left_out}
    left_out = {one.signal for one in row.signals if one.origin == "left out"}
    assert left_out <= {*frame.codec.overlaps, *frame.codec.left_out}
    assert bool(left_out) == bool(frame.codec.overlaps or frame.codec.left_out)


def test_a_message_with_a_checksum_and_no_counter_takes_the_preset_of_the_bus(tmp_path: Path) -> None:
    """WHEEL_SPEEDS of Honda: the place that the preset has for its counter is a wheel's speed there."""
    keys = {"WHEEL_SPEEDS": {"period": 20, "signals": {"WHEEL_SPEED_FL": {"constant": 100}}}}
    database = "honda_civic_touring_2016_can_generated"
    frame = only(selected(tmp_path, database, messages=keys, protection="honda"))
    assert dict(frame.protected) == {"CHECKSUM": "checksum"}
    first, second = protected(frame), protected(frame)
    assert first == second
