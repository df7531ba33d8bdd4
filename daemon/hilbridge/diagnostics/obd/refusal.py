"""Why a request is not answered positively (ISO 14229-1, annex A.1; SAE J1979 uses these)."""

from typing import Final

SERVICE_NOT_SUPPORTED: Final = 0x11
SUBFUNCTION_NOT_SUPPORTED: Final = 0x12
CONDITIONS_NOT_CORRECT: Final = 0x22
OUT_OF_RANGE: Final = 0x31

SILENT: Final = frozenset((SERVICE_NOT_SUPPORTED, SUBFUNCTION_NOT_SUPPORTED, OUT_OF_RANGE))
"""Not said to functional requests: whoever does not support something lets the others answer."""


class Refusal(Exception):  # noqa: N818 - a word of the protocol, and no error of the program
    """A negative response with its code."""

    def __init__(self, code: int = SUBFUNCTION_NOT_SUPPORTED) -> None:
        super().__init__(code)
        self.code: Final = code
