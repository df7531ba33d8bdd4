"""Pages of the calibration segment, command by command: bytes as ASAM MCD-1 XCP lays them out, written by hand."""

import struct
import zlib
from typing import Any

import pytest

from .rig import CONNECT, DISCONNECT, OK, Rig

ENGINE = {"idle_rpm": 800.5, "max_rpm": 6000.0, "rpm_limiter": False}
FILE = struct.pack("<ffi", 800.5, 6000.0, 0)
IDLE = 0x1000000
LIMITER = 0x1000008
WORKING, REFERENCE = 0, 1
ECU, XCP, BOTH = 1, 2, 3

PAGE_NOT_VALID = bytes.fromhex("FE26")
WRITE_PROTECTED = bytes.fromhex("FE23")
OUT_OF_RANGE = bytes.fromhex("FE22")


def written(rig: Rig, address: int, data: bytes) -> bytes:
    return rig.ask(0xED, f"BBBI{len(data)}s", len(data), 0, 0, address, data)


def read(rig: Rig, address: int = IDLE, length: int = 12) -> bytes:
    answer = rig.ask(0xF4, "BBBI", length, 0, 0, address)
    assert answer[:1] == OK
    return answer[1:]


def chosen(rig: Rig, mode: int, page: int) -> bytes:
    return rig.ask(0xEB, "BBB", mode, 0, page)


def page(rig: Rig, mode: int) -> int:
    answer = rig.ask(0xEA, "BB", mode, 0)
    assert answer[:3] == OK + b"\0\0"
    return answer[3]


def tuned(rig: Rig) -> list[dict[str, Any]]:
    """The values of each change of the engine."""
    return [one["values"] for one in rig.bench.commands if one["command"] == "tune-engine"]


@pytest.fixture
def rig() -> Rig:
    return Rig(write=True, engine=ENGINE)


def test_there_is_one_segment_with_two_pages(rig: Rig) -> None:
    assert rig.ask(0xE9) == OK + bytes((1, 0))
    assert rig.ask(0xE8, "BBBB", 0, 0, 0, 0) == OK + bytes(3) + struct.pack("<I", IDLE)
    assert rig.ask(0xE8, "BBBB", 0, 0, 1, 0) == OK + bytes(3) + struct.pack("<I", 12)
    assert rig.ask(0xE8, "BBBB", 1, 0, 0, 0) == OK + bytes((2, 0, 0, 0, 0))
    assert rig.ask(0xE8, "BBBB", 2, 0, 0, 0) == OUT_OF_RANGE
    assert rig.ask(0xE8, "BBBB", 0, 1, 0, 0) == bytes.fromhex("FE28")
    assert rig.ask(0xE7, "BBB", 0, 0, WORKING) == OK + bytes((0x3F, 0))
    assert rig.ask(0xE7, "BBB", 0, 0, REFERENCE) == OK + bytes((0x0F, 0))
    assert rig.ask(0xE7, "BBB", 0, 0, 2) == PAGE_NOT_VALID


def test_a_writing_to_the_page_of_the_engine_changes_it_at_once(rig: Rig) -> None:
    assert read(rig) == FILE
    assert written(rig, IDLE, struct.pack("<f", 950.1)) == OK
    assert tuned(rig) == [{"idle_rpm": 950.1}]
    assert written(rig, LIMITER, struct.pack("<i", 1)) == OK
    assert tuned(rig)[1:] == [{"idle_rpm": 950.1, "rpm_limiter": True}]
    assert read(rig) == struct.pack("<ffi", 950.1, 6000.0, 1)
    assert rig.counters["written"] == 2
    assert rig.samples.waited == 2


def test_the_reference_page_brings_back_the_file_and_the_working_page_its_values(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    assert chosen(rig, ECU, REFERENCE) == OK
    assert tuned(rig)[-1] == {}
    assert (page(rig, ECU), page(rig, XCP)) == (REFERENCE, WORKING)
    assert chosen(rig, 0x80 | BOTH, WORKING) == OK
    assert tuned(rig)[-1] == {"idle_rpm": 950.0}


def test_a_page_that_the_engine_has_not_is_prepared(rig: Rig) -> None:
    """Nothing changes until it has the page: then all of it does, at once."""
    assert chosen(rig, ECU, REFERENCE) == OK
    before = len(tuned(rig))
    assert written(rig, IDLE, struct.pack("<f", 900.0)) == OK
    assert written(rig, LIMITER, struct.pack("<i", 1)) == OK
    assert len(tuned(rig)) == before
    assert chosen(rig, ECU, WORKING) == OK
    assert tuned(rig)[before:] == [{"idle_rpm": 900.0, "rpm_limiter": True}]


def test_no_one_writes_the_reference_page(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    assert chosen(rig, XCP, REFERENCE) == OK
    assert read(rig) == FILE
    assert written(rig, IDLE, struct.pack("<f", 1.0)) == WRITE_PROTECTED
    assert rig.ask(0xE4, "BBBB", 0, WORKING, 0, REFERENCE) == WRITE_PROTECTED
    assert tuned(rig) == [{"idle_rpm": 950.0}]


def test_the_reference_page_is_copied_to_the_working_page(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    assert rig.ask(0xE4, "BBBB", 0, REFERENCE, 0, WORKING) == OK
    assert read(rig) == FILE
    assert tuned(rig) == [{"idle_rpm": 950.0}, {}]
    assert rig.ask(0xE4, "BBBB", 0, 2, 0, WORKING) == PAGE_NOT_VALID


@pytest.mark.parametrize(
    ("address", "data", "answer"),
    [
        (IDLE, struct.pack("<f", 0.0), OUT_OF_RANGE),
        (LIMITER, struct.pack("<i", 2), OUT_OF_RANGE),
        (IDLE + 2, bytes(4), bytes.fromhex("FE24")),
        (IDLE, bytes(3), bytes.fromhex("FE24")),
        (LIMITER, bytes(8), bytes.fromhex("FE24")),
        (IDLE - 4, bytes(4), bytes.fromhex("FE24")),
    ],
)
def test_what_may_not_be_is_refused_and_not_written(rig: Rig, address: int, data: bytes, answer: bytes) -> None:
    assert written(rig, address, data) == answer
    assert not tuned(rig)
    assert read(rig) == FILE


def test_an_engine_that_cannot_be_is_refused_with_the_reason_in_the_log(rig: Rig) -> None:
    """Where it was only prepared, its page is not taken."""
    rig.bench.impossible = "max_rpm"
    assert written(rig, IDLE + 4, struct.pack("<f", 700.0)) == OUT_OF_RANGE
    assert rig.said == ["no engine can be so: 'no'"]
    assert read(rig) == FILE
    chosen(rig, ECU, REFERENCE)
    assert written(rig, IDLE + 4, struct.pack("<f", 700.0)) == OK
    assert chosen(rig, ECU, WORKING) == PAGE_NOT_VALID
    assert page(rig, ECU) == REFERENCE


@pytest.mark.parametrize(
    ("mode", "segment", "number", "answer"),
    [(0, 0, 0, "FE27"), (0x04, 0, 0, "FE27"), (0x80, 0, 0, "FE27"), (3, 1, 0, "FE28"), (3, 0, 2, "FE26")],
)
def test_a_choice_of_what_is_not_there_is_refused(rig: Rig, mode: int, segment: int, number: int, answer: str) -> None:
    assert rig.ask(0xEB, "BBB", mode, segment, number) == bytes.fromhex(answer)
    assert rig.ask(0xEA, "BB", 0, 0) == bytes.fromhex("FE27")
    assert rig.ask(0xEA, "BB", 1, 1) == bytes.fromhex("FE28")


def test_the_checksum_is_of_the_page_that_the_master_has(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    for number, content in ((WORKING, read(rig)), (REFERENCE, FILE)):
        chosen(rig, XCP, number)
        rig.ask(0xF6, "HBI", 0, 0, IDLE)
        assert rig.ask(0xF3, "HBI", 0, 0, 12) == OK + b"\x09\0\0" + struct.pack("<I", zlib.crc32(content))


def test_the_engine_stays_when_the_master_leaves_and_the_next_one_finds_it(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    chosen(rig, XCP, REFERENCE)
    rig.slave.answer(DISCONNECT)
    rig.slave.connect("another")
    assert tuned(rig) == [{"idle_rpm": 950.0}]
    assert (page(rig, ECU), page(rig, XCP)) == (WORKING, WORKING)
    assert read(rig) == struct.pack("<ffi", 950.0, 6000.0, 0)


def test_a_slave_that_starts_anew_finds_the_engine_as_it_is() -> None:
    rig = Rig(write=True, engine=ENGINE)
    rig.bench.changes = {"max_rpm": 5000.0}
    assert read(rig) == struct.pack("<ffi", 800.5, 5000.0, 0)


def test_what_others_make_of_the_engine_is_seen(rig: Rig) -> None:
    """The workshop's change is on the working page; its return to the file is the reference page, mine stays mine."""
    written(rig, IDLE, struct.pack("<f", 950.0))
    rig.bench.changes = {"max_rpm": 5000.0, "firing_order": [1, 3, 4, 2]}
    rig.slave.renew()
    rig.slave.renew()
    assert rig.said == ["no characteristic shows firing_order of the engine that runs"]
    assert read(rig) == struct.pack("<ffi", 800.5, 5000.0, 0)
    rig.bench.changes = {}
    rig.slave.renew()
    assert page(rig, ECU) == REFERENCE
    assert page(rig, XCP) == WORKING


def test_a_bench_without_an_answer_leaves_the_pages_as_they_are(rig: Rig) -> None:
    written(rig, IDLE, struct.pack("<f", 950.0))
    rig.bench.is_silent = True
    rig.slave.renew()
    assert written(rig, IDLE, struct.pack("<f", 900.0)) == bytes.fromhex("FE33")
    rig.bench.is_silent = False
    assert read(rig) == struct.pack("<ffi", 950.0, 6000.0, 0)


def test_a_connection_asks_the_bench_nothing(rig: Rig) -> None:
    """CONNECT is answered in time, also by a bench whose control process has just begun."""
    rig.bench.is_silent = True
    assert rig.slave.connect("another")[0] == CONNECT[0]


def test_pages_need_the_key_of_writing() -> None:
    rig = Rig(write=True, engine=ENGINE, key=lambda _resource, seed: seed)
    assert chosen(rig, ECU, REFERENCE) == bytes.fromhex("FE25")
    assert rig.ask(0xE4, "BBBB", 0, REFERENCE, 0, WORKING) == bytes.fromhex("FE25")
    assert written(rig, IDLE, bytes(4)) == bytes.fromhex("FE25")
    assert page(rig, ECU) == WORKING
    assert read(rig) == FILE


def test_where_nothing_is_calibrated_there_is_no_segment() -> None:
    rig = Rig(write=True)
    for code in (0xEB, 0xEA, 0xE9, 0xE8, 0xE7, 0xE4):
        assert rig.ask(code, "BBBB", 3, 0, 0, 0) == bytes.fromhex("FE20")
    assert rig.ask(0xF4, "BBBI", 4, 0, 0, IDLE) == bytes.fromhex("FE24")


def test_the_mark_of_the_layout_is_read(rig: Rig) -> None:
    """EPK of the A2L file, ADDR_EPK F00000."""
    assert read(rig, 0xF00000, 18)[:10] == b"hilbridge-"
    assert rig.ask(0xF4, "BBBI", 19, 0, 0, 0xF00000) == bytes.fromhex("FE24")
