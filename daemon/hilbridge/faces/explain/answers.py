"""Answers of a control unit to a tester as text: trouble codes (service 19 02) and identification (service 22).

59 02 mask, then 4 bytes a code     two bytes as in SAE J2012, the failure type, the status (ISO 14229-1, D.2)
62 identifier data                  text where all of it can be printed, else hexadecimal
7F service code                     refused
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

READ_CODES: Final = bytes((0x19, 0x02, 0x8D))
"""Trouble codes that are failing, pending or confirmed, or light the warning lamp (reportDTCByStatusMask)."""

_CODE_LENGTH: Final = 4
_HEAD: Final = 3
_NEGATIVE: Final = 0x7F
_SYSTEMS: Final = "PCBU"

_STATUS: Final = (
    "failing", "failed this cycle", "pending", "confirmed",
    "not tested since cleared", "failed since cleared", "not tested this cycle", "warning lamp",
)  # fmt: skip
"""Bits of the status, from bit 0 on."""

_TELLING: Final = ("failing", "pending", "confirmed", "warning lamp")

IDENTIFIERS: Final = {
    0xF187: "spare part number",
    0xF188: "software number",
    0xF189: "software version",
    0xF18A: "supplier",
    0xF18B: "date of manufacture",
    0xF18C: "serial number",
    0xF190: "vehicle identification number",
    0xF191: "hardware number",
    0xF192: "supplier's hardware number",
    0xF193: "supplier's hardware version",
    0xF194: "supplier's software number",
    0xF195: "supplier's software version",
    0xF197: "name of the system",
}
"""Data identifiers (ISO 14229-1, Annex C.1)."""

_REFUSALS: Final = {
    0x10: "general reject",
    0x11: "service not supported",
    0x12: "function not supported",
    0x13: "incorrect length",
    0x21: "busy",
    0x22: "conditions not correct",
    0x31: "request out of range",
    0x33: "access denied",
    0x7E: "function not supported in this session",
    0x7F: "service not supported in this session",
}
"""Negative response codes (ISO 14229-1, Annex A.1)."""


class ReadCode(NamedTuple):
    """A trouble code of a control unit, with its bytes, the telling bits of its status, and its text where known."""

    code: str
    raw: str
    states: tuple[str, ...]
    text: str


class RefusedError(Exception):
    """An answer that is negative, or not one to the question."""


def read_codes(answer: bytes, texts: Mapping[str, str]) -> list[ReadCode]:
    """Return the trouble codes of an answer to READ_CODES; `texts` by the form of SAE J2012. RefusedError: none."""
    _require(answer, READ_CODES[:2])
    records = answer[_HEAD:]
    if len(records) % _CODE_LENGTH:
        raise RefusedError(f"{len(records)} bytes of codes are no whole number of them")
    return [_code(records[i : i + _CODE_LENGTH], texts) for i in range(0, len(records), _CODE_LENGTH)]


def read_identifier(answer: bytes, identifier: int) -> str:
    """Return what a control unit says of itself under an identifier. RefusedError: nothing."""
    number = identifier.to_bytes(2, "big")
    _require(answer, b"\x22" + number)
    data = answer[_HEAD:]
    text = data.rstrip(b"\x00 \xff")
    return text.decode("ascii") if text and all(0x20 <= byte < 0x7F for byte in text) else data.hex(" ").upper()


def _code(record: bytes, texts: Mapping[str, str]) -> ReadCode:
    number = int.from_bytes(record[:2], "big")
    j2012 = f"{_SYSTEMS[number >> 14]}{number & 0x3FFF:04X}"
    states = [name for bit, name in enumerate(_STATUS) if record[3] >> bit & 1]
    telling = tuple(state for state in states if state in _TELLING)
    return ReadCode(f"{j2012}-{record[2]:02X}", record[:3].hex().upper(), telling, texts.get(j2012, ""))


def _require(answer: bytes, question: bytes) -> None:
    if len(answer) == _HEAD and answer[0] == _NEGATIVE:
        raise RefusedError(f"refused: {_REFUSALS.get(answer[2], 'code')} ({answer[2]:02X})")
    expected = bytes((question[0] | 0x40, *question[1:]))
    if len(answer) < _HEAD or not answer.startswith(expected):
        raise RefusedError(f"{answer.hex(' ').upper() or 'nothing'} is no answer to {question.hex(' ').upper()}")
