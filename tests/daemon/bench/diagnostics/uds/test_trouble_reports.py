"""Every report of service 19 of a store with some life, as py-uds and udsoncan understand it.

py-uds has the formats of ISO 14229-1:2020 as tables and refuses an answer with a byte too many or too few.
"""

import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uds.translator.data_record import RawDataRecord  # type: ignore[import-untyped]
from uds.translator.data_record_definitions.formula import DID_DATA_MAPPING_2020  # type: ignore[import-untyped]
from uds.translator.service_definitions import READ_DTC_INFORMATION  # type: ignore[import-untyped]

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.dtc.codes import codes_of
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.files.settings.dtc import TroubleCodesSettings
from vehiclesim.channels import InputData, VehicleData
from vehiclesim.databus import DataBus

from .tester import PIDS, Tester, answers

MISFIRE, LEAN, CATALYST, WORKSHOP = 0x030107, 0x017100, 0x042000, 0xD23400

FILE: dict[str, Any] = {
    "codes": {
        "P0301": {
            "text": "misfire", "failure_type": 7, "severity": "immediately", "wwh_class": 1, "functional_unit": 0x10,
        },
        "P0171": {"text": "lean", "extended_data": {"03": ["fault-detection"]}},
        "P0420": {"text": "catalyst", "trips": 1, "severity": "next-halt", "snapshots": {}},
        "U1234": {"text": "of the workshop", "emission": False, "memory": 0x18, "trips": 1},
    },
    "snapshots": {
        "00": {},
        "01": {"identifiers": ["0100", "F40D"]},
        "02": {"identifiers": ["0100", "0199"], "keep": "latest"},
    },
    "extended_data": {
        "01": ["occurrences"], "02": ["aging", "aging-left"], "90": ["failed-cycles", "max-fault-detection"],
    },
    "readiness_groups": {"misfire": 0x11},
}  # fmt: skip
"""Snapshot 2 asks for an identifier, 0199, that the control unit does not have."""


class Car(Tester):
    """A control unit with these codes; `rpm` is identifier 0100, raw 0.25 per bit."""

    def __init__(self) -> None:
        settings = TroubleCodesSettings.model_validate(FILE)
        data = DataBus()
        self.store = TroubleStore(
            codes_of(settings.codes, {}, snapshots=settings.snapshots, extended_data=settings.extended_data),
            data,
            readiness_groups={str(k): v for k, v in settings.readiness_groups.items()},
        )
        self.store.snapshot = lambda: PIDS
        super().__init__(self.store)
        self.keyed = data
        self.extended()

    def rpm(self, value: int) -> None:
        self.bus.vehicle[VehicleData.ENGINE_RPM] = value * 1000

    def cycle(self, *results: tuple[str, bool]) -> None:
        """A driving cycle in which tests have results."""
        for second in range(13):
            self.keyed.input[InputData.KEY] = 0 if second < 12 else -1
            self.keyed.vehicle[VehicleData.ENGINE_WORKING] = second < 12
            self.t += SECOND
            self.store.advance(self.t)
            if second == 5:
                for code, failed in results:
                    self.store.report(code, failed, self.t)
        self.extended()

    def read(self, request: str) -> dict[str, Any]:
        """The records of an answer by their names, as py-uds decodes it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # py-uds has no names for our numbers
            records = READ_DTC_INFORMATION.decode_positive_response(list(bytes.fromhex(self.ask(request))))
        return {record["name"]: record["raw_value"] for record in records}


@pytest.fixture(scope="module", autouse=True)
def _lengths() -> None:
    """py-uds cannot know how long the identifiers of a maker are."""
    for identifier, length in ((0x0100, 2), (0xF40C, 2), (0xF40D, 1)):
        DID_DATA_MAPPING_2020[identifier] = [RawDataRecord(name="content", length=8 * length)]


@pytest.fixture
def car() -> Car:
    """Two cycles: misfire at 1000 and again at 2000 rpm, lean in the second; the workshop's code in the first."""
    car = Car()
    car.rpm(1000)
    car.cycle(("P0301", True), ("U1234", True), ("P0420", False))
    car.rpm(2000)
    car.cycle(("P0171", True), ("P0301", True))
    return car


def test_a_snapshot_shows_the_moment_of_the_first_or_latest_failure(car: Car) -> None:
    """0 the freeze frame of OBD-II, 1 at the first failure, 2 at the latest one; what is not there is left out."""
    client = car.client(data_identifiers={0x0100: ">H", 0xF40C: ">H", 0xF40D: ">B"})
    (known, lean) = answers(client.get_dtc_snapshot_identification).dtcs
    assert (known.id, known.snapshots) == (MISFIRE, [0, 1, 2])
    assert (lean.id, lean.snapshots) == (LEAN, [0, 1, 2])
    (trouble,) = answers(client.get_dtc_snapshot_by_dtc_number, MISFIRE, 0xFF).dtcs
    assert [(one.record_number, one.did, one.data[0]) for one in trouble.snapshots] == [
        (0, 0xF40C, 0x1AF8),
        (0, 0xF40D, 0x32),
        (1, 0x0100, 4000),
        (1, 0xF40D, 0x32),
        (2, 0x0100, 8000),
    ]
    decoded = car.read("19 04 03 01 07 02")
    assert (decoded["DTCSnapshotRecordNumber#1"], decoded["DIDCount#1"], decoded["DID#1_1"]) == (2, 1, 0x0100)


def test_stored_data_by_record_number(car: Car) -> None:
    """Of every code, each with its status; a number without data is said alone."""
    client = car.client(data_identifiers={0x0100: ">H", 0xF40D: ">B"})
    found = answers(client.get_dtc_snapshot_by_record_number, 2).dtcs
    assert [(one.id, one.snapshots[0].data) for one in found] == [(MISFIRE, (8000,)), (LEAN, (8000,))]
    decoded = car.read("19 05 02")
    assert decoded["DTC and DTCStatus#2"] >> 8 == LEAN
    assert Car().ask("19 05 02") == "59 05 02"


def test_extended_data_are_counters_of_the_code(car: Car) -> None:
    """Failed in two cycles without a pass between them: one occurrence; 40 warm-ups to go; the counter was full."""
    client = car.client()
    sizes = {1: 1, 2: 2, 0x90: 2}
    for record, content in ((1, "01"), (2, "00 28"), (0x90, "02 7F")):
        (trouble,) = answers(client.get_dtc_extended_data_by_dtc_number, MISFIRE, record, data_size=sizes[record]).dtcs
        assert [bytes(one.raw_data) for one in trouble.extended_data] == [bytes.fromhex(content)]
    assert car.ask("19 06 03 01 07 FE").endswith("90 02 7F")  # those of OBD alone
    assert car.ask("19 06 03 01 07 FF").endswith("01 01 02 00 28 90 02 7F")


def test_extended_data_by_record_number_are_those_of_codes_that_failed(car: Car) -> None:
    found = answers(car.client().get_dtc_extended_data_by_record_number, 1, data_size=1).dtcs
    assert [(one.id, bytes(one.extended_data[0].raw_data)) for one in found] == [(MISFIRE, b"\x01")]
    assert car.read("19 16 03")["DTC and DTCStatus#1"] >> 8 == LEAN


def test_severity_and_functional_unit(car: Car) -> None:
    """By any bit of both masks; ISO 14229-1, annex D.3: 80 at once, 40 at the next halt, 20 maintenance, 02 class A."""
    client = car.client()
    found = answers(client.get_dtc_by_status_severity_mask, 0xFF, 0xE0).dtcs
    assert [(one.id, one.severity.get_byte_as_int(), one.functional_unit) for one in found] == [
        (MISFIRE, 0x80, 0x10),  # udsoncan keeps the severity without its class
        (LEAN, 0x20, 0),
        (CATALYST, 0x40, 0),
    ]
    assert answers(client.get_number_of_dtc_by_status_severity_mask, 0x08, 0xE0).dtc_count == 1
    (one,) = answers(client.get_dtc_severity, CATALYST).dtcs
    assert one.severity.get_byte_as_int() == 0x40
    assert car.ask("19 08 02 FF") == car.ask("19 09 03 01 07").replace("59 09", "59 08")


def test_the_first_and_the_latest_code(car: Car) -> None:
    """The misfire failed first, and in the second cycle after the mixture; each report has one code at most."""
    assert codes(car) == [[MISFIRE]] * 4
    car.cycle(("P0171", True))
    assert codes(car) == [[MISFIRE], [MISFIRE], [LEAN], [LEAN]]
    car.ask("14 FF FF FF")
    assert codes(car) == [[]] * 4


def codes(car: Car) -> list[list[int]]:
    """The first failed, first confirmed, last failed and last confirmed code."""
    client = car.client()
    reports = (
        client.get_first_test_failed_dtc,
        client.get_first_confirmed_dtc,
        client.get_most_recent_test_failed_dtc,
        client.get_most_recent_confirmed_dtc,
    )
    return [[one.id for one in answers(report).dtcs] for report in reports]


def test_a_test_that_is_about_to_fail_has_a_counter(car: Car) -> None:
    """1 to 126; neither those that have failed nor those that have passed."""
    car.store.trouble("P0420").detect(63)
    car.store.trouble("P0171").detect(127)
    car.store.trouble("P0301").detect(-5)
    (one,) = answers(car.client().get_dtc_fault_counter).dtcs
    assert (one.id, one.fault_counter) == (CATALYST, 63)


def test_permanent_and_emission_related_codes(car: Car) -> None:
    car.ask("14 FF FF FF")
    assert [one.id for one in answers(car.client().get_dtc_with_permanent_status).dtcs] == [MISFIRE]
    assert answers(car.client().get_number_of_emission_dtc_by_status_mask, 0xFF).dtc_count == 3
    assert car.read("19 55 33")["DTCFormatIdentifier"] == 4


def test_a_memory_of_its_own_is_read_and_cleared_alone(car: Car) -> None:
    """The code of the workshop is in memory 18: no other report, no clearing of all codes reaches it."""
    client = car.client(data_identifiers={0x0100: ">H", 0xF40C: ">H", 0xF40D: ">B"})
    assert WORKSHOP not in [one.id for one in answers(client.get_supported_dtc).dtcs]
    car.ask("14 FF FF FF")
    (one,) = answers(client.get_user_defined_memory_dtc_by_status_mask, 0x08, 0x18).dtcs
    assert one.id == WORKSHOP
    (one,) = answers(client.get_user_defined_dtc_snapshot_by_dtc_number, WORKSHOP, 0x18, 1).dtcs
    assert [(each.did, each.data[0]) for each in one.snapshots] == [(0x0100, 4000), (0xF40D, 0x32)]
    assert car.ask("19 19 D2 34 00 01 18").endswith("01 01")
    assert car.ask("14 03 01 07 18") == "7F 14 31"
    assert car.ask("14 FF FF FF 18") == "54"
    assert answers(client.get_user_defined_memory_dtc_by_status_mask, 0x08, 0x18).dtcs == []


def test_the_reports_of_wwh_obd_and_j1979_2(car: Car) -> None:
    """42 and 56 of the emissions group, and 1A; 42 by udsoncan, the others by py-uds."""
    found = answers(car.client().get_wwh_obd_dtc_by_status_mask, 0x33, 0x08, 0xE0, 0x00).dtcs
    assert [(one.id, one.severity.get_byte_as_int() == 0x80) for one in found] == [(MISFIRE, True)]
    group = car.read("19 56 33 11")
    assert (group["DTCReadinessGroupIdentifier"], [one >> 8 for one in group["DTC and DTCStatus"]]) == (0x11, [MISFIRE])
    records = car.read("19 1A 90")
    assert (records["DTCExtDataRecordNumber"], [one >> 8 for one in records["DTC and DTCStatus"]]) == (
        0x90,
        [MISFIRE, CATALYST],
    )


REPORTS = [
    "01 FF", "02 FF", "03", "04 03 01 07 01", "05 01", "06 03 01 07 FF", "07 E0 FF", "08 E0 FF", "09 03 01 07", "0A",
    "0B", "0C", "0D", "0E", "14", "15", "16 01", "17 FF 18", "18 D2 34 00 01 18", "19 D2 34 00 01 18", "1A 01",
    "42 33 FF FF", "55 33", "56 33 11",
]  # fmt: skip


def test_py_uds_reads_every_report_to_its_last_byte(car: Car) -> None:
    """And there is none of the edition of 2020 that is missing."""
    assert {int(one[:2], 16) for one in REPORTS} == {*range(0x01, 0x0F), *range(0x14, 0x1B), 0x42, 0x55, 0x56}
    for report in REPORTS:
        assert car.read(f"19 {report}")["SubFunction"] == int(report[:2], 16)


CAR = Car()
CAR.cycle(("P0301", True), ("P0171", True))


@given(st.sampled_from([b"\x19", b"\x14"]), st.binary(max_size=7))
def test_any_request_has_an_answer_or_a_reason(service: bytes, rest: bytes) -> None:
    """Nothing raises; a refusal is 11 to 31 of this service; a positive answer begins as the standard says."""
    answer = CAR.server.request(service + rest, False, CAR.t)
    if answer is None:
        assert rest[:1] >= b"\x80"  # its positive answer is suppressed
    elif answer[0] == 0x7F:
        assert (answer[1], answer[2] in (0x12, 0x13, 0x14, 0x31)) == (service[0], True)
    else:
        assert answer[0] == service[0] | 0x40
        assert service == b"\x14" or answer[1] == rest[0]


@given(
    st.sampled_from([0x04, 0x05, 0x06, 0x16, 0x18, 0x19, 0x1A]),
    st.integers(0, 255),
    st.sampled_from(["P0301", "P0171"]),
)
def test_any_record_of_a_known_code(report: int, record: int, code: str) -> None:
    """Is answered, or out of range."""
    uds = CAR.store.trouble(code).code.uds
    data = (
        {0x05: b"", 0x16: b"", 0x1A: b""}.get(report, uds)
        + bytes((record,))
        + (b"\x18" if report in (0x18, 0x19) else b"")
    )
    answer = CAR.server.request(bytes((0x19, report)) + data, False, CAR.t)
    assert answer is not None
    assert answer[0] == 0x59 or answer == b"\x7f\x19\x31"
