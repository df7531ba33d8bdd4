"""Service 19, as udsoncan understands it."""

import pytest
from udsoncan import DidCodec

from .tester import PIDS, Tester, answers

MISFIRE, CATALYST, NETWORK = 0x030107, 0x042000, 0xC10000


class Raw(DidCodec):
    """The bytes of a PID."""

    def __init__(self, length: int) -> None:
        self._length = length

    def encode(self, *values: bytes) -> bytes:
        return values[0]

    def decode(self, string_bin: bytes) -> bytes:
        return string_bin

    def __len__(self) -> int:
        return self._length


def test_the_status_tells_the_life_of_a_code() -> None:
    """ISO 14229-1, annex D.2: failed, in this cycle, pending, since cleared; never tested; passed."""
    troubles = answers(Tester().client().get_supported_dtc).dtcs
    status = {each.id: each.status for each in troubles}
    assert list(status) == [MISFIRE, CATALYST, NETWORK]
    failed = status[MISFIRE]
    assert failed.test_failed
    assert failed.test_failed_this_operation_cycle
    assert failed.pending
    assert failed.test_failed_since_last_clear
    assert not failed.confirmed
    assert not failed.warning_indicator_requested
    assert status[CATALYST].get_byte_as_int() == 0x50
    assert status[NETWORK].get_byte_as_int() == 0x00


@pytest.mark.parametrize(
    ("mask", "codes"),
    [(0x01, [MISFIRE]), (0x10, [CATALYST]), (0x14, [MISFIRE, CATALYST]), (0x08, []), (0x00, [])],
)
def test_a_mask_chooses_by_any_of_its_bits(mask: int, codes: list[int]) -> None:
    """Sub-function 01 counts the codes that 02 returns."""
    client = Tester().client()
    assert [each.id for each in answers(client.get_dtc_by_status_mask, mask).dtcs] == codes
    number = answers(client.get_number_of_dtc_by_status_mask, mask)
    assert (number.dtc_count, number.dtc_format) == (len(codes), 1)
    assert number.status_availability.get_byte_as_int() == 0xFF


def test_the_freeze_frame_of_obd_is_the_snapshot() -> None:
    """Record 01, with the PIDs as identifiers F4xx."""
    codecs = {0xF400 + pid: Raw(len(data)) for pid, data in PIDS.items()}
    client = Tester().client(data_identifiers=codecs)
    (known,) = answers(client.get_dtc_snapshot_identification).dtcs
    assert (known.id, known.snapshots) == (MISFIRE, [1])
    for record in (0x01, 0xFF):
        (trouble,) = answers(client.get_dtc_snapshot_by_dtc_number, MISFIRE, record).dtcs
        assert {each.did: each.data for each in trouble.snapshots} == {0xF400 + pid: PIDS[pid] for pid in PIDS}
        assert {each.record_number for each in trouble.snapshots} == {1}
    (trouble,) = answers(client.get_dtc_snapshot_by_dtc_number, CATALYST, 0xFF).dtcs
    assert trouble.snapshots == []


def test_extended_data_count_occurrences_and_warm_ups() -> None:
    """Records 01 and 02; FF asks for both."""
    tester = Tester()
    tester.memory.troubles["P0301"].warm_ups = 17
    client = tester.client()
    for record, expected in ((1, b"\x01"), (2, b"\x11")):
        (trouble,) = answers(client.get_dtc_extended_data_by_dtc_number, MISFIRE, record, data_size=1).dtcs
        assert [(each.record_number, bytes(each.raw_data)) for each in trouble.extended_data] == [(record, expected)]
    (trouble,) = answers(client.get_dtc_extended_data_by_dtc_number, MISFIRE, 0xFF, data_size=1).dtcs
    assert [each.record_number for each in trouble.extended_data] == [1, 2]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("19 0F FF", "12"),  # mirror memory: left the standard in 2020
        ("19 05 02", "31"),
        ("19 01", "13"),
        ("19 14 00", "13"),
        ("19 17 FF", "13"),
        ("19 42 33 FF", "13"),
        ("19 17 FF 18", "31"),  # no such memory
        ("19 42 D0 FF FF", "31"),  # the safety systems
        ("19 56 33 01", "31"),
        ("19 02 FF 00", "13"),
        ("19 03 00", "13"),
        ("19 04 03 01 07", "13"),
        ("19 0A 00", "13"),
        ("19 04 12 34 56 FF", "31"),
        ("19 04 03 01 07 02", "31"),
        ("19 04 03 01 07 00", "31"),  # this control unit has one record
        ("19 06 03 01 07 03", "31"),
        ("19 06 03 01 07 FE", "31"),  # no record of OBD
    ],
)
def test_what_there_is_not_is_refused(request_: str, code: str) -> None:
    """Sub-function, length, code, record."""
    assert Tester().ask(request_) == f"7F 19 {code}"
