"""The records of trouble codes in service 19: snapshots, and extended data.

    snapshot         its number, number of identifiers, each identifier with its data
    extended data    its number, a byte for each counter

Which records a code has, and what they hold, is in the file of codes. Record FF asks for all of them, FE for the
extended data of OBD, 90 to 9F.
"""

from collections.abc import Callable, Mapping
from typing import Final

from hilbridge.bench.diagnostics.dtc.trouble import AGING_WARM_UPS, Trouble
from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.files.settings.dtc import Quantity
from hilbridge.files.settings.uds import MIRRORED

ALL_RECORDS: Final = 0xFF
OBD_RECORDS: Final = 0xFE
_OF_OBD: Final = range(0x90, 0xA0)

_QUANTITIES: Final[Mapping[Quantity, Callable[[Trouble], int]]] = {
    "occurrences": lambda one: one.occurrences,
    "aging": lambda one: one.warm_ups,
    "aging-left": lambda one: AGING_WARM_UPS - one.warm_ups,
    "healing": lambda one: one.passed_cycles,
    "failed-cycles": lambda one: one.failed_cycles,
    "cycles-since-first-failed": lambda one: one.cycles_since_first_failed,
    "cycles-since-last-failed": lambda one: one.cycles_since_last_failed,
    "fault-detection": lambda one: one.detection,
    "max-fault-detection": lambda one: one.max_detection,
    "max-fault-detection-this-cycle": lambda one: one.max_detection_this_cycle,
}


def snapshot_numbers(trouble: Trouble) -> list[int]:
    """Return the numbers of the snapshots that are stored for a code."""
    return [number for number in trouble.code.snapshots if _snapshot_values(trouble, number)]


def snapshot(trouble: Trouble, number: int) -> bytes:
    """Return number of identifiers, and identifiers with data, of a stored snapshot."""
    values = _snapshot_values(trouble, number)
    return bytes((len(values),)) + b"".join(key.to_bytes(2, "big") + data for key, data in values.items())


def wanted_snapshots(trouble: Trouble, number: int) -> list[int]:
    """Return the stored ones of the snapshots that a request asks for. Refusal: the code has no such record."""
    if number != ALL_RECORDS and number not in trouble.code.snapshots:
        raise Refusal(REQUEST_OUT_OF_RANGE)
    return [one for one in snapshot_numbers(trouble) if number in (one, ALL_RECORDS)]


def extended_data(trouble: Trouble, number: int) -> bytes:
    """Return the bytes of an extended data record."""
    return bytes(_QUANTITIES[quantity](trouble) & 0xFF for quantity in trouble.code.extended_data[number])


def wanted_extended_data(trouble: Trouble, number: int) -> list[int]:
    """Return the numbers of the records that a request asks for. Refusal: the code has no such record."""
    found = [one for one in trouble.code.extended_data if _asks_for(number, one)]
    if not found and number != ALL_RECORDS:
        raise Refusal(REQUEST_OUT_OF_RANGE)
    return found


def _asks_for(number: int, record: int) -> bool:
    return number in (record, ALL_RECORDS) or (number == OBD_RECORDS and record in _OF_OBD)


def _snapshot_values(trouble: Trouble, number: int) -> Mapping[int, bytes]:
    """Return the data by identifier of a snapshot; empty if none is stored."""
    if trouble.code.snapshots[number].identifiers is not None:
        return trouble.snapshots.get(number, {})
    frame = {} if trouble.frame is None else trouble.frame.values
    return {MIRRORED.start + pid: data for pid, data in frame.items()}
