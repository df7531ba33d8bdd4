"""Services 03, 07 and 0A: confirmed, pending and permanent trouble codes.

    03 / 07 / 0A      43 / 47 / 4A  count  code (two bytes each)

An ECU without codes says so: count 0 (SAE J1979 for CAN).
"""

from collections.abc import Callable, Sequence
from typing import Final

from hilbridge.diagnostics.dtc.codes import Code
from hilbridge.diagnostics.refusal import Refusal


class TroubleCodes:
    """One of the services, by where its codes come from."""

    def __init__(self, codes: Callable[[], Sequence[Code]]) -> None:
        self._codes: Final = codes

    def answer(self, request: bytes) -> bytes:
        if request:
            raise Refusal
        codes = self._codes()[:0xFF]
        return bytes((len(codes),)) + b"".join(code.number.to_bytes(2, "big") for code in codes)
