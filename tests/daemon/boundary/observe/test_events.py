"""The layouts of events and snapshots."""

import pytest

from hilbridge.boundary.observe.events import (
    SNAPSHOT_LAYOUT,
    About,
    LogLevel,
    LogRecord,
    Snapshot,
    decode_state,
    decode_statistics,
    encode_state,
    encode_statistics,
)
from hilbridge.boundary.record.segments import SegmentLimits
from vehiclesim.databus import DataBus
from vehiclesim.entries import SIZES


@pytest.mark.parametrize(
    "about",
    [
        About("demo", "1.0", 1000, None),
        About("Prüfstand", "1.0", 10, 1_700_000_000_000_000_000, ("powertrain", "body"), "/data/run 1"),
        About("demo", "1.0", 10, None, limits=SegmentLimits(1_000_000, None, 5_000_000), state="/data/state.json"),
    ],
)
def test_about_comes_back(about: About) -> None:
    """What the run is survives its encoding."""
    assert About.decode(about.encode()) == about


def test_log_record_comes_back() -> None:
    """Level, event and fields survive; a value that JSON does not know becomes its text."""
    record = LogRecord(LogLevel.WARNING, "bus off", {"bus": "powertrain", "count": 3, "share": 0.5, "list": [1, None]})
    assert LogRecord.decode(record.encode()) == record
    odd = LogRecord(LogLevel.INFO, "odd", {"level": LogLevel.ERROR, "error": ValueError("x")})
    assert LogRecord.decode(odd.encode()).fields == {"level": 40, "error": "x"}


def test_end_comes_back() -> None:
    """The statistics survive their encoding."""
    assert decode_statistics(encode_statistics({"ticks": 1000, "why": "duration"})) == {
        "ticks": 1000,
        "why": "duration",
    }


def test_state_comes_back() -> None:
    """What is kept from run to run is anything JSON knows; a number that it does not know is refused."""
    state = {"odometer_m": 12_345_678, "dtcs": [{"code": "P0123", "confirmed": True}]}
    assert decode_state(encode_state(state)) == state
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode_state({"fuel": float("nan")})


def test_snapshot_holds_every_value_of_the_data_bus() -> None:
    """Nine numbers, then the Input, Vehicle and Settings channels in the order of their ids."""
    numbers = list(range(9 + sum(SIZES)))
    snapshot = Snapshot.decode(SNAPSHOT_LAYOUT.pack(*numbers))
    assert snapshot[:9] == (0, 1, 2, 3, 4, 5, 6, 7, 8)
    assert [len(channel) for channel in snapshot.channels] == [len(channel) for channel in DataBus().channels]
    assert [number for channel in snapshot.channels for number in channel] == numbers[9:]
