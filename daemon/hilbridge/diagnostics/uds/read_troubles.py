"""Service 19, read DTC information.

| sub-function | request | answer |
|---|---|---|
| 01 | mask | available bits, format of the codes, number of codes with a status bit of the mask (two bytes) |
| 02 | mask | available bits, then code and status of each of them |
| 03 | | code and record number of each freeze frame |
| 04 | code, record | code, status, the record: its number, number of identifiers, each with its data |
| 06 | code, record | code, status, the records: number and data |
| 0A | | available bits, then code and status of all codes |

A code has three bytes and a status of eight bits (annex D.2). It has one snapshot, record 01: the freeze frame of
OBD-II, with PIDs as identifiers F400 to F4FF. Extended data: record 01 occurrences, 02 warm-ups towards erasure.
Record FF requests all records. A supported record without data is left out.

    another length                          13
    no such code, or record of any code     31
"""

from collections.abc import Callable
from typing import Final

from hilbridge.diagnostics.dtc.trouble import Trouble
from hilbridge.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.diagnostics.uds.service import DiagnosticSession, TroubleMemory, UdsService
from hilbridge.settings.uds import MIRRORED

AVAILABLE: Final = 0xFF
"""Status bits that the store supports."""

FORMAT: Final = 0x01
"""ISO_14229-1_DTCFormat."""

SNAPSHOT: Final = 0x01
OCCURRENCES: Final = 0x01
WARM_UPS: Final = 0x02
ALL_RECORDS: Final = 0xFF


class ReadDtcInformation(UdsService):
    """Service 19; OBD-II and J1939 read the same store of trouble codes."""

    sid = 0x19

    def __init__(self, session: DiagnosticSession, memory: TroubleMemory) -> None:
        super().__init__(session)
        self._memory: Final = memory
        self._reports: Final[dict[int, tuple[int, Callable[[bytes], bytes]]]] = {
            0x01: (1, self._number),
            0x02: (1, self._by_status),
            0x03: (0, self._snapshots),
            0x04: (4, self._snapshot),
            0x06: (4, self._extended_data),
            0x0A: (0, self._supported),
        }
        self.subfunctions = frozenset(self._reports)

    def answer(self, subfunction: int, data: bytes, t: int) -> bytes:
        length, report = self._reports[subfunction]
        self.require_length(data, length)
        return report(data)

    def _number(self, data: bytes) -> bytes:
        return bytes((AVAILABLE, FORMAT)) + len(self._matching(data[0])).to_bytes(2, "big")

    def _by_status(self, data: bytes) -> bytes:
        return bytes((AVAILABLE,)) + b"".join(map(_code_and_status, self._matching(data[0])))

    def _supported(self, data: bytes) -> bytes:
        return bytes((AVAILABLE,)) + b"".join(map(_code_and_status, self._memory.troubles.values()))

    def _snapshots(self, data: bytes) -> bytes:
        record = bytes((SNAPSHOT,))
        return b"".join(one.code.uds + record for one in self._memory.troubles.values() if one.frame is not None)

    def _snapshot(self, data: bytes) -> bytes:
        trouble = self._find(data[:3])
        if data[3] not in (SNAPSHOT, ALL_RECORDS):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        if trouble.frame is None or not trouble.frame.values:
            return _code_and_status(trouble)
        values = trouble.frame.values
        record = b"".join((MIRRORED.start + pid).to_bytes(2, "big") + content for pid, content in values.items())
        return _code_and_status(trouble) + bytes((SNAPSHOT, len(values))) + record

    def _extended_data(self, data: bytes) -> bytes:
        trouble = self._find(data[:3])
        records = {OCCURRENCES: trouble.occurrences, WARM_UPS: trouble.warm_ups}
        wanted = list(records) if data[3] == ALL_RECORDS else [data[3]]
        if not records.keys() >= set(wanted):
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return _code_and_status(trouble) + b"".join(bytes((number, records[number])) for number in wanted)

    def _matching(self, mask: int) -> list[Trouble]:
        return [one for one in self._memory.troubles.values() if one.status & mask]

    def _find(self, code: bytes) -> Trouble:
        for one in self._memory.troubles.values():
            if one.code.uds == code:
                return one
        raise Refusal(REQUEST_OUT_OF_RANGE)


def _code_and_status(trouble: Trouble) -> bytes:
    return trouble.code.uds + bytes((trouble.status,))
