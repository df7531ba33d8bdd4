"""Files of memory, written by bincopy and by hand."""

from contextlib import suppress
from pathlib import Path

import pytest
from bincopy import BinFile  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.uds.memory_file import Segment, read_memory_file

CONTENT = [Segment(0x1000, b"calibration"), Segment(0x8_0000, bytes(range(256)))]


@pytest.mark.parametrize(("name", "form"), [("a.hex", "as_ihex"), ("a.s19", "as_srec"), ("a.mot", "as_srec")])
def test_hex_and_s_records_are_told_apart_by_what_they_hold(tmp_path: Path, name: str, form: str) -> None:
    file = BinFile()
    for address, data in CONTENT:
        file.add_binary(data, address)
    (tmp_path / name).write_text(getattr(file, form)())
    assert read_memory_file(tmp_path / name, ()) == CONTENT


def test_a_record_written_by_hand(tmp_path: Path) -> None:
    """Intel HEX: length, address, type 00, data, and a sum of 0 (Intel, 1988)."""
    (tmp_path / "a.hex").write_text(":020010004142" + f"{-(2 + 0x10 + 0x41 + 0x42) & 0xFF:02X}\n:00000001FF\n")
    assert read_memory_file(tmp_path / "a.hex", ()) == [Segment(0x10, b"AB")]


def test_plain_bytes_have_no_address(tmp_path: Path) -> None:
    (tmp_path / "a.BIN").write_bytes(b":00000001FF")
    assert read_memory_file(tmp_path / "a.BIN", ()) == [Segment(None, b":00000001FF")]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.hex", b"garbage", "no Intel HEX and no S-record"),
        ("a.hex", b"\xff\xfe", "no Intel HEX and no S-record"),
        ("a.hex", b":0200100041420B\n", "no Intel HEX and no S-record"),  # its sum is wrong
        ("a.hex", b":00000001FF\n", "holds no byte"),
        ("a.bin", b"", "holds no byte"),
        ("none.hex", None, "No such file"),
    ],
)
def test_other_files_are_refused_with_their_place(
    tmp_path: Path, name: str, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigurationError, match=reason) as raised:
        read_memory_file(tmp_path / name, ("memory", 0, "image"))
    assert raised.value.place == ("memory", 0, "image")


LINES = st.text("S0123456789ABCDEF:@q \n", max_size=60).map(str.encode)
HEADS = st.sampled_from([b"", b":", b":0200001", b"S1", b"S113"])


def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path: Path) -> None:
    @settings(deadline=None)
    @given(HEADS, st.one_of(st.binary(max_size=80), LINES))
    def try_out(head: bytes, content: bytes) -> None:
        path = tmp_path / "a.hex"
        path.write_bytes(head + content)
        with suppress(ConfigurationError):
            assert all(segment.data for segment in read_memory_file(path, ()))

    try_out()
