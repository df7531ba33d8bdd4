"""What becomes of one frame of an answer, by the bytes of ISO 15765-2."""

from typing import Any

import pytest

from hilbridge.bench.faults.answer_frames import CHANGES, Place
from hilbridge.files.settings.diagnostic_faults import DiagnosticsFault
from hilbridge.frames.codec.frame import FD, Frame

SINGLE = Frame(0x708, bytes.fromhex("03 7E 00 01 CC CC CC CC"))
FIRST = Frame(0x708, bytes.fromhex("10 14 62 F1 90 00 01 02"))
SECOND = Frame(0x708, bytes.fromhex("21 03 04 05 06 07 08 09"))
LAST = Frame(0x708, bytes.fromhex("22 0A 0B CC CC CC CC CC"))
PLACES = {SINGLE: Place(0, 0, 4, True), FIRST: Place(0, 0, 8, False), SECOND: Place(1, 0, 8, False)}
PLACES[LAST] = Place(2, 0, 3, True)


def changed(original: Frame, effect: str, place: Place | None = None, **keys: Any) -> list[str]:
    settings = DiagnosticsFault.model_validate({"kind": "diagnostics", "unit": "a", "effect": effect, **keys})
    frames = CHANGES[settings.effect](original, place or PLACES[original], settings)
    assert all((one.can_id, one.flags) == (original.can_id, original.flags) for one in frames)
    return [one.data.hex(" ") for one in frames]


def test_a_frame_is_lost_or_doubled_by_its_number() -> None:
    """1 is the first consecutive frame, 0 what comes before it; others pass."""
    first, second = FIRST.data.hex(" "), SECOND.data.hex(" ")
    assert changed(SECOND, "lost-frame") == []
    assert changed(FIRST, "lost-frame") == [first]
    assert changed(FIRST, "lost-frame", frame=0) == []
    assert changed(SECOND, "doubled-frame") == [second, second]
    assert changed(LAST, "doubled-frame") == [LAST.data.hex(" ")]


def test_a_sequence_number_is_that_of_the_next_frame() -> None:
    """After 15 comes 0."""
    assert changed(SECOND, "wrong-sequence") == ["22 03 04 05 06 07 08 09"]
    fifteenth = Frame(0x708, bytes.fromhex("2F 01"))
    assert changed(fifteenth, "wrong-sequence", Place(15, 0, 2, True), frame=15) == ["20 01"]
    assert changed(LAST, "wrong-sequence") == [LAST.data.hex(" ")]


def test_a_second_unit_differs_in_the_last_byte_of_the_answer() -> None:
    """Not in the padding behind it; its frame comes first."""
    assert changed(SINGLE, "second-unit") == ["03 7e 00 fe cc cc cc cc", SINGLE.data.hex(" ")]
    assert changed(LAST, "second-unit") == ["22 0a f4 cc cc cc cc cc", LAST.data.hex(" ")]


def test_only_unused_bytes_are_padded_otherwise() -> None:
    assert changed(SINGLE, "wrong-padding", value=0x55) == ["03 7e 00 01 55 55 55 55"]
    assert changed(FIRST, "wrong-padding", value=0x55) == [FIRST.data.hex(" ")]
    assert changed(LAST, "wrong-padding", value=0) == ["22 0a 0b 00 00 00 00 00"]


@pytest.mark.parametrize(
    ("length", "data"), [(3, "03 7e 00"), (0, ""), (8, SINGLE.data.hex(" ")), (12, "03 7e 00 01 cc cc cc cc")]
)
def test_a_classic_frame_has_another_length_up_to_eight(length: int, data: str) -> None:
    assert changed(SINGLE, "wrong-dlc", length=length) == [data]


def test_an_fd_frame_may_be_longer() -> None:
    assert changed(SINGLE._replace(flags=FD), "wrong-dlc", PLACES[SINGLE], length=12) == ["03 7e 00 01" + " cc" * 8]


@pytest.mark.parametrize(
    ("data", "amount", "announced"),
    [
        ("03 7E 00 01", 2, "05 7e 00 01"),
        ("03 7E 00 01", -3, "00 7e 00 01"),
        ("00 09 62 01", 1, "00 0a 62 01"),  # a long single frame of CAN FD
        ("10 14 62 F1 90 00 01 02", -7, "10 0d 62 f1 90 00 01 02"),
        ("10 14 62 F1 90 00 01 02", -20, "10 08 62 f1 90 00 01 02"),  # 0 would be the escape to 32 bits
        ("1F FF 62 F1 90 00 01 02", 20, "10 13 62 f1 90 00 01 02"),  # twelve bits
        ("10 00 00 00 10 00 62 F1", 256, "10 00 00 00 11 00 62 f1"),  # the escape to 32 bits
        ("10", 1, "10"),
    ],
)
def test_the_announced_length_is_another_one(data: str, amount: int, announced: str) -> None:
    frame = Frame(0x708, bytes.fromhex(data))
    assert changed(frame, "wrong-length", Place(0, 0, len(frame.data), False), amount=amount) == [announced]
    assert changed(SECOND, "wrong-length", amount=1) == [SECOND.data.hex(" ")]


def test_what_precedes_every_frame_is_no_part_of_it() -> None:
    """With extended addressing the byte of the address comes first."""
    frame, place = Frame(0x612, bytes.fromhex("F1 21 01 02 CC CC CC CC")), Place(1, 1, 4, True)
    assert changed(frame, "wrong-sequence", place) == ["f1 22 01 02 cc cc cc cc"]
    assert changed(frame, "wrong-padding", place, value=0) == ["f1 21 01 02 00 00 00 00"]
