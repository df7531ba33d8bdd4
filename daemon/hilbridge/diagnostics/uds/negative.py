"""Negative responses, `7F sid code`, and the order in which a request is checked (ISO 14229-1, 8.7 and annex A.1).

    1  another request is being worked on       21   (3E 80 is heard all the same)
    2  the service is not known                 11
    3  nor in this session                      7F
    4  it has a sub-function: none in it        13
    5  the sub-function is not known            12
    6  the service's own checks                 length 13, identifier or value 31, security 33, sequence 24,
                                                conditions 22, answer too long 14, in the order of its docstring

No sub-function here depends on the session, so 7E does not occur.
"""

from typing import Final

SERVICE_NOT_SUPPORTED: Final = 0x11
SUBFUNCTION_NOT_SUPPORTED: Final = 0x12
INCORRECT_LENGTH: Final = 0x13
RESPONSE_TOO_LONG: Final = 0x14
BUSY: Final = 0x21
CONDITIONS_NOT_CORRECT: Final = 0x22
REQUEST_SEQUENCE_ERROR: Final = 0x24
REQUEST_OUT_OF_RANGE: Final = 0x31
SECURITY_ACCESS_DENIED: Final = 0x33
INVALID_KEY: Final = 0x35
EXCEEDED_ATTEMPTS: Final = 0x36
DELAY_NOT_EXPIRED: Final = 0x37
RESPONSE_PENDING: Final = 0x78
SUBFUNCTION_NOT_SUPPORTED_IN_SESSION: Final = 0x7E
SERVICE_NOT_SUPPORTED_IN_SESSION: Final = 0x7F
VEHICLE_SPEED_TOO_HIGH: Final = 0x88

SILENT: Final = frozenset(
    (
        SERVICE_NOT_SUPPORTED,
        SUBFUNCTION_NOT_SUPPORTED,
        REQUEST_OUT_OF_RANGE,
        SUBFUNCTION_NOT_SUPPORTED_IN_SESSION,
        SERVICE_NOT_SUPPORTED_IN_SESSION,
    )
)
"""Not said to functional requests: whoever does not support something lets the others answer."""


class Refusal(Exception):  # noqa: N818 - a word of the protocol, and no error of the program
    """A negative response with its code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code: Final = code


def negative(service: int, code: int) -> bytes:
    return bytes((0x7F, service, code))
