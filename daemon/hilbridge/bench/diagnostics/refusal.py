"""Negative responses, `7F service code`, of OBD-II and UDS alike (ISO 14229-1, 8.7 and annex A.1; SAE J1979)."""

from typing import Final

NEGATIVE: Final = 0x7F

SERVICE_NOT_SUPPORTED: Final = 0x11
SUBFUNCTION_NOT_SUPPORTED: Final = 0x12
INCORRECT_LENGTH: Final = 0x13
RESPONSE_TOO_LONG: Final = 0x14
BUSY: Final = 0x21
CONDITIONS_NOT_CORRECT: Final = 0x22
REQUEST_SEQUENCE_ERROR: Final = 0x24
REQUEST_OUT_OF_RANGE: Final = 0x31
SECURITY_ACCESS_DENIED: Final = 0x33
AUTHENTICATION_REQUIRED: Final = 0x34
INVALID_KEY: Final = 0x35
EXCEEDED_ATTEMPTS: Final = 0x36
DELAY_NOT_EXPIRED: Final = 0x37
CERTIFICATE_NOT_VALID: Final = 0x57
OWNERSHIP_NOT_VERIFIED: Final = 0x58
CHALLENGE_FAILED: Final = 0x59
UPLOAD_DOWNLOAD_NOT_ACCEPTED: Final = 0x70
TRANSFER_DATA_SUSPENDED: Final = 0x71
GENERAL_PROGRAMMING_FAILURE: Final = 0x72
WRONG_BLOCK_SEQUENCE_COUNTER: Final = 0x73
RESPONSE_PENDING: Final = 0x78
SUBFUNCTION_NOT_SUPPORTED_IN_SESSION: Final = 0x7E
SERVICE_NOT_SUPPORTED_IN_SESSION: Final = 0x7F
VEHICLE_SPEED_TOO_HIGH: Final = 0x88
VOLTAGE_TOO_LOW: Final = 0x93

SILENT: Final = frozenset(
    (
        SERVICE_NOT_SUPPORTED,
        SUBFUNCTION_NOT_SUPPORTED,
        REQUEST_OUT_OF_RANGE,
        SUBFUNCTION_NOT_SUPPORTED_IN_SESSION,
        SERVICE_NOT_SUPPORTED_IN_SESSION,
    )
)
"""Codes that are not sent in answer to functional requests, so that other control units can answer."""


class Refusal(Exception):  # noqa: N818 - a term of the protocol, not an error of the program
    """A negative response with its code. Without a code, the requested item is not supported."""

    def __init__(self, code: int = SUBFUNCTION_NOT_SUPPORTED) -> None:
        super().__init__(code)
        self.code: Final = code


def negative(service: int, code: int) -> bytes:
    """Return the bytes of a negative response."""
    return bytes((NEGATIVE, service, code))
