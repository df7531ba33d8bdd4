"""BLF files made by python-can, and changed by hand."""

import struct
import zlib
from pathlib import Path

import can
import pytest

from hilbridge.boundary.logs.account import LogError

from .written import read, read_text

HEAD = struct.pack("<4sL", b"LOGG", 144) + bytes(136)


def message(number: int, *, version: int = 1, kind: int = 1, size: int = 48) -> bytes:
    """An object of a message with one byte; `time` is `number` milliseconds."""
    head = struct.pack("<4sHHLL", b"LOBJ", 32, version, size, kind) + struct.pack("<LHHQ", 2, 0, 0, number * 10**6)
    return head + struct.pack("<HBBL8s", 1, 0, 1, 0x100 + number, bytes([number]))


def blf(*objects: bytes, method: int = 2) -> bytes:
    content = b"".join(objects)
    packed = zlib.compress(content) if method == 2 else content
    body = struct.pack("<H6xL4x", method, len(content)) + packed
    return HEAD + struct.pack("<4sHHLL", b"LOBJ", 16, 1, 16 + len(body), 10) + body


@pytest.mark.parametrize("method", [0, 2])
def test_messages_are_read_packed_and_unpacked(tmp_path: Path, method: int) -> None:
    frames, account = read_text(tmp_path, blf(message(1), message(2), method=method))
    assert frames == ["0.001 1 101#01", "0.002 1 102#02"]
    assert (account.words(), account.format) == ([], "BLF")


@pytest.mark.parametrize(
    ("object_", "reason"),
    [
        (message(2, version=3), "object with a head of version 3"),
        (message(2, kind=139), "CAN XL frame"),
        (message(2, kind=11), "event of another kind"),
        (message(2, kind=73), "error frame"),
        (message(2, size=44)[:35] + struct.pack("<BL4s", 8, 0x102, b""), "object that cannot be read"),
        (message(2)[:34] + b"\x80" + message(2)[35:], "remote frame"),
    ],
)
def test_every_object_that_is_no_data_frame_is_counted(tmp_path: Path, object_: bytes, reason: str) -> None:
    frames, account = read_text(tmp_path, blf(message(1), object_, message(3)))
    assert frames == ["0.001 1 101#01", "0.003 1 103#03"]
    assert dict(account.left_out) == {reason: 1}
    assert account.words() == [f"1 {reason} left out"]


@pytest.mark.parametrize("kind", [1, 86, 100, 101])
def test_identifiers_of_29_bits_without_their_flag_are_taken_as_such_with_a_word(tmp_path: Path, kind: int) -> None:
    """As in the test files of python-can. The bytes behind are enough for all kinds."""

    def one(identifier: int) -> bytes:
        data = message(2, kind=kind)[:36] + struct.pack("<L", identifier) + bytes(60)
        return data[:8] + struct.pack("<L", len(data)) + data[12:]

    frames, account = read_text(tmp_path, blf(one(0x18FF0201), one(1 << 31 | 0x18FF0201), one(0x7FF)))
    assert [frame.split()[2].partition("#")[0] for frame in frames] == ["18FF0201", "18FF0201", "7FF"]
    assert account.words() == ["1 frame with 29-bit identifiers without their flag: taken as such"]


def test_reasons_have_a_plural(tmp_path: Path) -> None:
    _, account = read_text(
        tmp_path, blf(message(1), *[message(2, version=3), message(2, kind=11), message(2, kind=73)] * 2)
    )
    assert account.words() == [
        "2 objects with a head of version 3 left out",
        "2 events of another kind left out",
        "2 error frames left out",
    ]


@pytest.mark.parametrize("size", [0, 1, 15, 31])
def test_an_object_that_does_not_move_on_ends_the_log(tmp_path: Path, size: int) -> None:
    """What was before is kept, and nothing hangs."""
    frames, account = read_text(tmp_path, blf(message(1), message(2, size=size), message(3)))
    assert frames == ["0.001 1 101#01"]
    assert account.cut.startswith("damaged before byte ")


def test_a_container_that_does_not_move_on_ends_the_log(tmp_path: Path) -> None:
    _, account = read_text(tmp_path, HEAD + struct.pack("<4sHHLL", b"LOBJ", 16, 1, 0, 10))
    assert account.cut == "damaged at byte 144; the rest is not read"


def test_damage_within_a_container_is_told(tmp_path: Path) -> None:
    whole = bytearray(blf(message(1), message(2)))
    whole[-20] ^= 0xFF
    frames, account = read_text(tmp_path, bytes(whole))
    assert frames == []
    assert account.cut == "damaged at byte 144; the rest is not read"
    with pytest.raises(LogError, match="this is no BLF file"):
        read_text(tmp_path, b"LOGG")


def test_objects_may_go_on_in_the_next_container(tmp_path: Path) -> None:
    path = tmp_path / "a.blf"
    with can.BLFWriter(path, max_container_size=100) as writer:
        for number in range(50):
            writer.on_message_received(
                can.Message(
                    timestamp=number / 1000, arbitration_id=number, is_extended_id=False, data=bytes(8), channel=0
                )
            )
    frames, account = read(path)
    assert len(frames) == 50
    assert account.words() == []
