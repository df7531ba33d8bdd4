"""Logs that python-can's own writers wrote, read for a rest bus."""

from pathlib import Path

import can
import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.logs.traffic import read_log
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, LOGGED

START = 1_700_000_000.0
PLACE = ("buses", "a", "rest_bus", "file")


def messages(*, fd: bool, second: int = 0) -> list[can.Message]:
    """Four frames, the second one of another channel if wanted."""
    some = [
        can.Message(timestamp=START, arbitration_id=0x100, is_extended_id=False, data=b"\x01\x02", channel=0),
        can.Message(
            timestamp=START + 0.01, arbitration_id=0x18FEF100, is_extended_id=True, data=bytes(8), channel=second
        ),
        can.Message(timestamp=START + 0.02, arbitration_id=0x200, is_extended_id=False, data=b"", channel=0),
    ]
    if fd:
        some.append(
            can.Message(
                timestamp=START + 0.03, arbitration_id=0x300, is_extended_id=False, data=bytes(12), channel=0,
                is_fd=True, bitrate_switch=True,
            )
        )  # fmt: skip
    return some


def rows(log: bytes) -> list[tuple[int, int, int, bytes]]:
    """The frames as (time [us], identifier, flags, data)."""
    found, offset = [], 0
    while offset < len(log):
        time, can_id, flags, length = LOGGED.unpack_from(log, offset)
        offset += LOGGED.size + length
        found.append((round(time / 1000), can_id, flags, log[offset - length : offset]))
    return found


@pytest.mark.parametrize("name", ["a.log", "a.asc", "a.blf", "a.trc", "a.csv", "A.LOG", "a.log.gz"])
def test_a_log_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    """With times from its first frame; CAN FD where the format has it."""
    fd = name[-3:].lower() in ("log", "asc", "blf", ".gz")
    path = tmp_path / name
    with can.Logger(path) as logger:
        for message in messages(fd=fd):
            logger.on_message_received(message)
    expected = [
        (0, 0x100, 0, b"\x01\x02"),
        (10_000, 0x18FEF100 | EXTENDED, 0, bytes(8)),
        (20_000, 0x200, 0, b""),
        (30_000, 0x300, FD | BRS, bytes(12)),
    ]
    assert rows(read_log(path, None).frames) == expected[: 4 if fd else 3]


@pytest.mark.parametrize(("name", "channel"), [("a.asc", 2), ("a.blf", "2"), ("a.log", "can1")])
def test_a_channel_is_chosen_as_the_file_calls_it(tmp_path: Path, name: str, channel: str | int) -> None:
    """Vector's formats count from 1, candump has names."""
    path = tmp_path / name
    with can.Logger(path) as logger:
        for message in messages(fd=False, second=1):
            if name == "a.log":
                message.channel = f"can{message.channel}"
            logger.on_message_received(message)
    assert [can_id for _, can_id, *_ in rows(read_log(path, channel).frames)] == [0x18FEF100 | EXTENDED]


def test_several_channels_are_asked_about_and_not_merged(tmp_path: Path) -> None:
    """The error lists them, each with its frames; so does a name that is none of them."""
    path = tmp_path / "a.log"
    path.write_text("(1.0) can0 100#01\n(1.1) can1 100#02\n(1.2) can1 101#\n")
    listed = r"can0 \(1 frame\), can1 \(2 frames\)"
    with pytest.raises(ConfigurationError, match=f"2 buses in one log: choose one with --channel, .*: {listed}"):
        read_log(path, None)
    with pytest.raises(ConfigurationError, match=f"there is no channel 'can2' in it; there are {listed}"):
        read_log(path, "can2")


def test_error_and_remote_frames_are_no_traffic_to_play(tmp_path: Path) -> None:
    """And a clock that goes back stands still instead."""
    path = tmp_path / "a.log"
    path.write_text(
        "(5.0) can0 100#01\n\n(5.1) can0 20000080#0000\n(5.1) can0 101#R\n(4.0) can0 102#\n(5.2) can0 103#\n"
    )
    log = read_log(path, None)
    assert LOGGED.unpack_from(log.frames)[0] == 0
    assert rows(log.frames) == [(0, 0x100, 0, b"\x01"), (0, 0x102, 0, b""), (200_000, 0x103, 0, b"")]
    back = "1 frame with a time before the frame before: at the time of that one"
    assert log.left_out == f"1 error frame left out; 1 remote frame left out; {back}"
    assert log.summary == f"candump: 3 frames; {log.left_out}"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.log", b"(1.0) can0 100#01\n(1.1) can0 100#0x\n", r"a\.log:2: this is no line of candump: '\(1.1\) can0"),
        ("a.log", b"(1.0) can0 100#01\n(1.1) can0\n", r"a\.log:2: this is no line of candump"),
        ("a.log", b"\xff\xfe\x00", r"a\.log: this is none of the logs that are text: BUSMASTER"),
        ("a.asc", b"date x\nbase hex timestamps absolute\n0.1 1 zz Rx d 1 zz\n", r"a\.asc:3: this is no line of ASC"),
        ("a.csv", b"time,speed\n1,2\n", r"a\.csv: this is none of the logs"),
        ("a.blf", b"LOGG, but not a blf", r"a\.blf: this is no BLF file"),
        ("a.mf4", b"MDF     4.10    junk", r"a\.mf4: it is damaged, or cut off before the description"),
        ("a.log", b"(nan) can0 100#01\n", r"a\.log: this is none of the logs"),
        (
            "a.csv",
            b"timestamp,arbitration_id,extended,remote,error,dlc,data\n1.0,0x100\n",
            r"a\.csv:2: this is no line",
        ),
        ("a.trc", b";$FILEVERSION=9.1\n", r"a\.trc: its head cannot be read: version 9\.1"),
        ("a.log", b" can0  123   [1]  00\n", r"a\.log:1: the frames have no times: record with `candump -L`"),
        ("a.log", b"(1.0) can0 100#01\n" + 70_000 * b"x", r"a\.log: it has a line of more than 65536 characters"),
        ("a.log.zst", b"\x28\xb5\x2f\xfd", r"it is packed by zstd: unpack it first"),
        ("a.zip", b"PK\x03\x04", r"it is a zip archive: unpack it first"),
        ("a.txt", b"", r"a\.txt: it is empty"),
    ],
)
def test_a_log_that_cannot_be_read_is_refused_with_the_line(
    tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    """Where the format has lines; without a traceback."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=complaint) as raised:
        read_log(tmp_path / name, None, PLACE)
    assert raised.value.place == PLACE
    assert "\n" not in raised.value.message


def test_a_missing_log_is_named(tmp_path: Path) -> None:
    """Before anything is started."""
    with pytest.raises(ConfigurationError, match=r"there is no log .*nowhere\.log"):
        read_log(tmp_path / "nowhere.log", None, PLACE)
