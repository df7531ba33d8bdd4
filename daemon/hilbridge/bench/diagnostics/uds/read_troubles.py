"""Service 19, read DTC information (ISO 14229-1:2020, 12.3).

| sub-function | request | answer |
|---|---|---|
| 01, 12 | status mask | available bits, format of the codes, number of codes with a bit of the mask (two bytes) |
| 02, 13 | status mask | available bits, code and status of each of them |
| 03 | | code and record number of each snapshot |
| 04 | code, record | code, status, its snapshots (trouble_records.py) |
| 05 | record | number, code, status and content of each snapshot of this number |
| 06 | code, record | code, status, its extended data |
| 07 | severity mask, status mask | as 01 |
| 08 | severity mask, status mask | available bits, severity, functional unit, code and status of each code |
| 09 | code | the same of one code |
| 0A | | available bits, code and status of all codes |
| 0B, 0C | | available bits, code and status of the code that failed, or was confirmed, first |
| 0D, 0E | | the same of the code that failed, or was confirmed, last |
| 14 | | code and fault detection counter of each test that is about to fail |
| 15 | | available bits, code and status of the permanent codes |
| 16 | record | record, code, status and extended data of each code that has failed |
| 17 | status mask, memory | memory, available bits, code and status |
| 18, 19 | code, record, memory | memory, then as 04 and 06 |
| 1A | record | available bits, record, code and status of the codes that have this extended data |
| 42 | group, status mask, severity mask | group, available bits, severities, format, severity, code and status |
| 55 | group | group, available bits, format, permanent codes with status |
| 56 | group, readiness group | group, available bits, format, readiness group, codes with status |

12 and 13 (emission-related codes) are those of the edition of 2013. A code has three bytes, a status of eight bits and
a severity with its class (annexes D.2 and D.3). Each code is in the primary memory or in a user-defined one; only 17 to
19 read the latter. The functional group is 33, emissions, or FF, all. What is not stored is left out.

    another length                                           13
    no such code, memory or group, or record of any code     31
"""

from collections.abc import Callable, Iterable
from typing import Final

from hilbridge.bench.diagnostics.dtc.trouble import FAILED, Trouble
from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession, TroubleMemory, UdsService
from hilbridge.bench.diagnostics.uds.trouble_records import (
    ALL_RECORDS,
    extended_data,
    snapshot,
    snapshot_numbers,
    wanted_extended_data,
    wanted_snapshots,
)

AVAILABLE: Final = 0xFF
"""Status bits that the store supports; severities and classes too."""

FORMAT: Final = 0x01
"""ISO_14229-1_DTCFormat."""

WWH_FORMAT: Final = 0x04
"""SAE_J2012-DA_DTCFormat_04."""

EMISSIONS: Final = 0x33
ALL_GROUPS: Final = 0xFF


class ReadDtcInformation(UdsService):
    """Service 19; OBD-II and J1939 read the same store of trouble codes."""

    sid = 0x19

    def __init__(self, session: DiagnosticSession, memory: TroubleMemory) -> None:
        super().__init__(session)
        self._memory: Final = memory
        self._reports: Final[dict[int, tuple[int, Callable[[bytes], bytes]]]] = {
            0x01: (1, lambda data: _count(_with_status(self._primary(), data[0]))),
            0x02: (1, lambda data: _list(_with_status(self._primary(), data[0]))),
            0x03: (0, self._snapshot_numbers),
            0x04: (4, lambda data: _snapshots(self._find(data[:3]), data[3])),
            0x05: (1, self._stored_data),
            0x06: (4, lambda data: _extended_data(self._find(data[:3]), data[3])),
            0x07: (2, lambda data: _count(_with_severity(self._primary(), data[0], data[1]))),
            0x08: (2, lambda data: _severities(_with_severity(self._primary(), data[0], data[1]))),
            0x09: (3, lambda data: _severities([self._find(data)])),
            0x0A: (0, lambda _: _list(self._primary())),
            0x0B: (0, lambda _: _earliest(self._primary(), lambda one: one.first_failed)),
            0x0C: (0, lambda _: _earliest(self._primary(), lambda one: one.last_confirmed)),
            0x0D: (0, lambda _: _earliest(self._primary(), lambda one: -one.last_failed)),
            0x0E: (0, lambda _: _earliest(self._primary(), lambda one: -one.last_confirmed)),
            0x12: (1, lambda data: _count(_with_status(_of_emissions(self._primary()), data[0]))),
            0x13: (1, lambda data: _list(_with_status(_of_emissions(self._primary()), data[0]))),
            0x14: (0, self._about_to_fail),
            0x15: (0, lambda _: _list(one for one in self._primary() if one.permanent)),
            0x16: (1, self._extended_data_by_record),
            0x17: (2, lambda data: data[1:] + _list(_with_status(self._of_memory(data[1]), data[0]))),
            0x18: (5, lambda data: data[4:] + _snapshots(self._find(data[:3], data[4]), data[3])),
            0x19: (5, lambda data: data[4:] + _extended_data(self._find(data[:3], data[4]), data[3])),
            0x1A: (1, self._with_extended_data),
            0x42: (3, self._of_group),
            0x55: (1, self._permanent_of_group),
            0x56: (2, self._of_readiness_group),
        }
        self.subfunctions = frozenset(self._reports)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        length, report = self._reports[subfunction]
        self.require_length(data, length)
        return report(data)

    # -- which codes ----------------------------------------------------------------------------------------

    def _primary(self) -> list[Trouble]:
        return [one for one in self._memory.troubles.values() if one.code.memory is None]

    def _of_memory(self, memory: int) -> list[Trouble]:
        """Return the codes of a user-defined memory. Refusal: there is none of this number."""
        found = [one for one in self._memory.troubles.values() if one.code.memory == memory]
        if not found:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return found

    def _find(self, code: bytes, memory: int | None = None) -> Trouble:
        for one in self._memory.troubles.values():
            if one.code.uds == code and one.code.memory == memory:
                return one
        raise Refusal(REQUEST_OUT_OF_RANGE)

    def _group(self, group: int) -> list[Trouble]:
        """Return the codes of a functional group. Refusal: there is none of this number."""
        if group not in (EMISSIONS, ALL_GROUPS):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return _of_emissions(self._primary()) if group == EMISSIONS else self._primary()

    # -- reports --------------------------------------------------------------------------------------------

    def _snapshot_numbers(self, data: bytes) -> bytes:
        return b"".join(one.code.uds + bytes((number,)) for one in self._primary() for number in snapshot_numbers(one))

    def _stored_data(self, data: bytes) -> bytes:
        """Return the snapshots of a number; where none is stored, the number alone."""
        wanted = data[0]
        if wanted != ALL_RECORDS and not any(wanted in one.code.snapshots for one in self._primary()):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        found = b"".join(
            bytes((number,)) + _code_and_status(one) + snapshot(one, number)
            for one in self._primary()
            for number in snapshot_numbers(one)
            if wanted in (number, ALL_RECORDS)
        )
        return found or data

    def _about_to_fail(self, data: bytes) -> bytes:
        counters = [(one.code.uds, one.detection) for one in self._primary() if 0 < one.detection < FAILED]
        return b"".join(code + bytes((counter,)) for code, counter in counters)

    def _extended_data_by_record(self, data: bytes) -> bytes:
        stored = [one for one in self._having(data[0]) if one.first_failed]
        return data + b"".join(_code_and_status(one) + extended_data(one, data[0]) for one in stored)

    def _with_extended_data(self, data: bytes) -> bytes:
        return bytes((AVAILABLE,)) + data + b"".join(map(_code_and_status, self._having(data[0])))

    def _having(self, record: int) -> list[Trouble]:
        """Return the codes that have an extended data record. Refusal: there are none."""
        found = [one for one in self._primary() if record in one.code.extended_data]
        if not found:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return found

    def _of_group(self, data: bytes) -> bytes:
        group, status, severity = data
        found = _with_severity(self._group(group), severity, status)
        head = bytes((group, AVAILABLE, AVAILABLE, WWH_FORMAT))
        return head + b"".join(bytes((one.code.severity,)) + _code_and_status(one) for one in found)

    def _permanent_of_group(self, data: bytes) -> bytes:
        found = [one for one in self._group(data[0]) if one.permanent]
        return bytes((data[0], AVAILABLE, WWH_FORMAT)) + b"".join(map(_code_and_status, found))

    def _of_readiness_group(self, data: bytes) -> bytes:
        wanted, numbers = data[1], self._memory.readiness_groups
        if wanted not in numbers.values():
            raise Refusal(REQUEST_OUT_OF_RANGE)
        found = [one for one in self._group(data[0]) if numbers.get(one.code.group) == wanted]
        return bytes((data[0], AVAILABLE, WWH_FORMAT, wanted)) + b"".join(map(_code_and_status, found))


def _of_emissions(troubles: Iterable[Trouble]) -> list[Trouble]:
    return [one for one in troubles if one.code.emission]


def _with_status(troubles: Iterable[Trouble], mask: int) -> list[Trouble]:
    return [one for one in troubles if one.status & mask]


def _with_severity(troubles: Iterable[Trouble], severity: int, status: int) -> list[Trouble]:
    return [one for one in troubles if one.code.severity & severity and one.status & status]


def _count(troubles: list[Trouble]) -> bytes:
    return bytes((AVAILABLE, FORMAT)) + len(troubles).to_bytes(2, "big")


def _list(troubles: Iterable[Trouble]) -> bytes:
    return bytes((AVAILABLE,)) + b"".join(map(_code_and_status, troubles))


def _earliest(troubles: Iterable[Trouble], event: Callable[[Trouble], int]) -> bytes:
    """Return the report of the code with the lowest number of an event, of those that are not 0."""
    return _list(sorted((one for one in troubles if event(one)), key=event)[:1])


def _severities(troubles: Iterable[Trouble]) -> bytes:
    rows = (bytes((one.code.severity, one.code.functional_unit)) + _code_and_status(one) for one in troubles)
    return bytes((AVAILABLE,)) + b"".join(rows)


def _snapshots(trouble: Trouble, wanted: int) -> bytes:
    numbers = wanted_snapshots(trouble, wanted)
    return _code_and_status(trouble) + b"".join(bytes((number,)) + snapshot(trouble, number) for number in numbers)


def _extended_data(trouble: Trouble, wanted: int) -> bytes:
    numbers = wanted_extended_data(trouble, wanted)
    return _code_and_status(trouble) + b"".join(bytes((number,)) + extended_data(trouble, number) for number in numbers)


def _code_and_status(trouble: Trouble) -> bytes:
    return trouble.code.uds + bytes((trouble.status,))
