"""Bytes, lines and marks: the table of the module, and frames that a car would not send."""

from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.elm327.format import answer_lines, monitor_lines
from hilbridge.bench.diagnostics.elm327.protocols import CAN
from hilbridge.bench.diagnostics.elm327.session import Setup
from hilbridge.frames.codec.frame import EXTENDED, Frame


def lines(data: str, setup: Setup) -> list[str]:
    return [line.rstrip(" ") for line in answer_lines(Frame(0x7E8, bytes.fromhex(data)), setup, CAN["6"])]


def test_the_table_of_the_data_sheet() -> None:
    bare, headers = Setup(), Setup(headers=True)
    for data, without, with_header in (
        ("064100BE3FA81300", ["41 00 BE 3F A8 13"], ["7E8 06 41 00 BE 3F A8 13 00"]),
        ("1014490201314434", ["014", "0: 49 02 01 31 44 34"], ["7E8 10 14 49 02 01 31 44 34"]),
        ("2147503030523535", ["1: 47 50 30 30 52 35 35"], ["7E8 21 47 50 30 30 52 35 35"]),
        ("300000", ["FC: 30 00 00"], ["7E8 30 00 00"]),
    ):
        assert lines(data, bare) == without
        assert lines(data, headers) == with_header


def test_no_spaces_where_they_are_off() -> None:
    setup = Setup(spaces=False)
    assert lines("1014490201314434", setup) == ["014", "0:490201314434"]
    assert lines("064100BE3FA81300", Setup(spaces=False, headers=True)) == ["7E8064100BE3FA81300"]


@given(st.binary(max_size=8), st.booleans(), st.booleans())
def test_monitoring_shows_every_frame_with_all_its_bytes_when_formatting_is_off(
    data: bytes, headers: bool, spaces: bool
) -> None:
    setup = Setup(headers=headers, spaces=spaces, formatting=False)
    (line,) = monitor_lines(Frame(0x123, data), setup, CAN["6"])
    shown = line.replace(" ", "").removeprefix("123" if headers else "")
    assert bytes.fromhex(shown) == data


@given(st.binary(max_size=8), st.booleans())
def test_formatting_never_leaves_a_monitored_frame_out(data: bytes, headers: bool) -> None:
    assert monitor_lines(Frame(0x123, data), Setup(headers=headers), CAN["6"])


def test_a_space_follows_the_last_byte_as_the_chip_sends_it() -> None:
    frame = Frame(0x7E8, bytes.fromhex("0341057B00000000"))
    assert answer_lines(frame, Setup(), CAN["6"]) == ["41 05 7B "]
    assert answer_lines(frame, Setup(headers=True), CAN["6"]) == ["7E8 03 41 05 7B 00 00 00 00 "]
    assert answer_lines(frame, Setup(spaces=False), CAN["6"]) == ["41057B"]


def test_j1939_as_in_the_data_sheet() -> None:
    """Priority, group and source apart; with AT JHF0 or CAF0 four bytes. Announcement and packets of a long message."""
    dm1 = Frame(0x18FECA00 | EXTENDED, bytes.fromhex("0000FF00000000FF"))
    bam = Frame(0x1CECFF00 | EXTENDED, bytes.fromhex("20120003FFECFE00"))
    packet = Frame(0x1CEBFF00 | EXTENDED, bytes.fromhex("036D050303FFFFFF"))
    for setup, frame, line in (
        (Setup(headers=True), dm1, "6 0FECA 00 00 00 FF 00 00 00 00 FF "),
        (Setup(headers=True, data_length=True), dm1, "6 0FECA 00 8 00 00 FF 00 00 00 00 FF "),
        (Setup(headers=True, spaces=False), dm1, "60FECA000000FF00000000FF"),
        (Setup(headers=True, group_headers=False), dm1, "18 FE CA 00 00 00 FF 00 00 00 00 FF "),
        (Setup(headers=True, formatting=False), bam, "1C EC FF 00 20 12 00 03 FF EC FE 00 "),
        (Setup(), dm1, "00 00 FF 00 00 00 00 FF "),
        (Setup(), bam, "012"),
        (Setup(headers=True), bam, "7 0ECFF 00 012"),
        (Setup(), packet, "03: 6D 05 03 03 FF FF FF "),
        (Setup(headers=True), packet, "7 0EBFF 00 03 6D 05 03 03 FF FF FF "),
    ):
        assert answer_lines(frame, setup, CAN["A"]) == [line]
