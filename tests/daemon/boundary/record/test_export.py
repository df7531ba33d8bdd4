"""The frames of a recording in the formats of other tools, read back by python-can."""

import random
import sys
from importlib.util import find_spec
from pathlib import Path

import can
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.record.boundary_records import COMMAND, FRAME, FrameRecord
from hilbridge.boundary.record.export import Exported, export, make_blf
from hilbridge.boundary.record.quick_writers import ESI
from hilbridge.boundary.record.recording import BoundaryRecord
from hilbridge.frames.codec.frame import BRS, ERROR, EXTENDED, FD, REMOTE, Frame

BUSES = ["powertrain", "body"]


def crossing(t: int, bus: int, received: bool, frame: Frame) -> BoundaryRecord:
    return BoundaryRecord(t, FRAME, FrameRecord(bus, received, frame).encode())


CLASSIC = [
    crossing(0, 0, False, Frame(0x100, b"\x01\x02")),
    BoundaryRecord(5, COMMAND, b"{}"),
    crossing(1_500_000_000, 1, True, Frame(EXTENDED | 0x18FEF100, bytes(8))),
    crossing(2_000_000_000, 0, False, Frame(0x200, b"")),
]
FLEXIBLE = [*CLASSIC, crossing(3 * SECOND, 0, True, Frame(0x300, bytes(12), FD | BRS))]


def read(path: Path) -> list[can.Message]:
    with can.LogReader(path) as reader:
        return list(reader)


@pytest.mark.parametrize("extension", ["blf", "asc", "log", "mf4"])
def test_frames_come_back(tmp_path: Path, extension: str) -> None:
    """Time to the microsecond, identifier, data, bus, direction, CAN FD; what is no frame is left out.

    MF4 needs a package more; without it the refusal says which.
    """
    path = tmp_path / f"frames.{extension}"
    if extension == "mf4" and find_spec("asammdf") is None:
        with pytest.raises(ConfigurationError, match="needs the package asammdf: "):
            export(FLEXIBLE, BUSES, path)
        return
    assert export(FLEXIBLE, BUSES, path) == Exported(4, 0)
    messages = read(path)
    assert [round(message.timestamp - messages[0].timestamp, 5) for message in messages] == [0, 1.5, 2, 3]
    assert [message.arbitration_id for message in messages] == [0x100, 0x18FEF100, 0x200, 0x300]
    assert [message.is_extended_id for message in messages] == [False, True, False, False]
    assert [bytes(message.data) for message in messages] == [b"\x01\x02", bytes(8), b"", bytes(12)]
    assert [message.is_rx for message in messages] == [False, True, False, True]
    assert [message.is_fd for message in messages] == [False, False, False, True]
    channels = ["powertrain", "body", "powertrain", "powertrain"] if extension == "log" else [0, 1, 0, 0]
    assert [message.channel for message in messages] == channels


def test_files_are_those_of_python_can(tmp_path: Path) -> None:
    """For frames of every kind, buses whose names are numbers, and times that go back: to the byte, but for dates."""
    chance = random.Random(1)
    buses = ["powertrain", "7"]
    records = []
    for number in range(5000):
        flags = chance.choice((0, 0, 0, 0, FD, FD | BRS, FD | ESI))
        kind = 0 if flags else chance.choice((0, 0, 0, REMOTE, ERROR))
        extended = chance.choice((0, EXTENDED))
        identifier = chance.randrange(1 << (29 if extended else 11))
        data = chance.randbytes(chance.choice((0, 1, 8, 64 if flags else 7)))
        t = number * 1_234_567 - chance.choice((0, 0, 5_000_000))
        frame = Frame(identifier | extended | kind, data, flags)
        records.append(crossing(max(0, t), chance.randrange(2), chance.random() < 0.5, frame))
    for kind_of, extension in ((can.CanutilsLogWriter, "log"), (can.ASCWriter, "asc"), (can.BLFWriter, "blf")):
        export(records, buses, tmp_path / f"ours.{extension}")
        with kind_of(tmp_path / f"theirs.{extension}") as writer:
            if isinstance(writer, can.BLFWriter):
                writer.start_timestamp = 0.0
            for t, _, payload in records:
                one = FrameRecord.decode(payload)
                message = can.Message(
                    timestamp=t / SECOND + (0.5 / SECOND if extension == "blf" else 0),
                    arbitration_id=one.frame.identifier,
                    is_extended_id=one.frame.is_extended,
                    is_remote_frame=bool(one.frame.can_id & REMOTE),
                    is_error_frame=bool(one.frame.can_id & ERROR),
                    is_fd=bool(one.frame.flags & FD),
                    bitrate_switch=bool(one.frame.flags & BRS),
                    error_state_indicator=bool(one.frame.flags & ESI),
                    is_rx=one.received,
                    channel=buses[one.bus] if extension == "log" else one.bus,
                    dlc=len(one.frame.data),
                    data=None if one.frame.can_id & REMOTE else one.frame.data,
                )
                writer.on_message_received(message)
        ours, theirs = (undated(tmp_path / f"{whose}.{extension}") for whose in ("ours", "theirs"))
        assert ours == theirs, extension


def undated(path: Path) -> list[bytes]:
    """The lines of a file, without that which tells when it was made."""
    return [line for line in path.read_bytes().split(b"\n") if not line.startswith(b"date ")]


def test_trc_says_what_it_cannot_hold(tmp_path: Path) -> None:
    """CAN FD, remote and error frames are left out and counted."""
    odd = [crossing(4, 0, True, Frame(REMOTE | 1, b"")), crossing(4, 0, True, Frame(ERROR | 1, bytes(8)))]
    assert export([*FLEXIBLE, *odd], BUSES, tmp_path / "frames.trc") == Exported(3, 3)
    messages = read(tmp_path / "frames.trc")
    assert [message.arbitration_id for message in messages] == [0x100, 0x18FEF100, 0x200]
    assert [message.channel for message in messages] == [1, 2, 1]


def test_a_format_of_values_is_refused_with_the_option_for_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"names the format: .*\.mf4; \.parquet is of values: add --values$"):
        export(CLASSIC, BUSES, tmp_path / "frames.parquet")


def test_csv(tmp_path: Path) -> None:
    export(CLASSIC, BUSES, tmp_path / "frames.csv")
    messages = read(tmp_path / "frames.csv")
    assert [(message.timestamp, message.arbitration_id) for message in messages] == [
        (0, 0x100),
        (1.5, 0x18FEF100),
        (2, 0x200),
    ]


def test_blf_to_the_nanosecond_and_the_byte(tmp_path: Path) -> None:
    """Times are exact, error-passive senders are kept, and the same run gives the same file: no dates in it."""
    times = [0, 1, 999_999_999, 86_400 * SECOND + 1]
    crossings = [crossing(t, 0, False, Frame(1, bytes(12), FD | ESI)) for t in times]
    for name in ("a.blf", "b.blf"):
        make_blf(crossings, tmp_path / name)
        make_blf(crossings, tmp_path / name)
    messages = read(tmp_path / "a.blf")
    assert [message.timestamp for message in messages] == [t / SECOND for t in times]
    assert all(message.error_state_indicator for message in messages)
    assert (tmp_path / "a.blf").read_bytes() == (tmp_path / "b.blf").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.blf", "b.blf"]


def test_what_cannot_be_done_is_said_and_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unknown format, a file that is there already, a format whose package is missing."""
    with pytest.raises(ConfigurationError, match=r"\.blf, \.asc, \.log, \.trc, \.csv, \.mf4"):
        export(CLASSIC, BUSES, tmp_path / "frames.xlsx")
    monkeypatch.setattr(sys.modules["can.io.mf4"], "asammdf", None)
    with pytest.raises(ConfigurationError, match="asammdf"):
        export(CLASSIC, BUSES, tmp_path / "frames.mf4")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "frames.blf").write_text("precious")
    with pytest.raises(ConfigurationError, match="is there already"):
        export(CLASSIC, BUSES, tmp_path / "frames.blf")
    assert (tmp_path / "frames.blf").read_text() == "precious"
