"""Negative response codes by name (ISO 14229-1, annex A; 80 is of ISO 14230-3)."""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, WithJsonSchema

from hilbridge.base.common.errors import ConfigurationError, nearest, quoted

NAMES: Final[dict[str, int]] = {
    "general reject": 0x10,
    "service not supported": 0x11,
    "sub-function not supported": 0x12,
    "incorrect message length or invalid format": 0x13,
    "response too long": 0x14,
    "busy repeat request": 0x21,
    "conditions not correct": 0x22,
    "request sequence error": 0x24,
    "no response from subnet component": 0x25,
    "failure prevents execution of requested action": 0x26,
    "request out of range": 0x31,
    "security access denied": 0x33,
    "authentication required": 0x34,
    "invalid key": 0x35,
    "exceed number of attempts": 0x36,
    "required time delay not expired": 0x37,
    "upload download not accepted": 0x70,
    "transfer data suspended": 0x71,
    "general programming failure": 0x72,
    "wrong block sequence counter": 0x73,
    "request correctly received response pending": 0x78,
    "sub-function not supported in active session": 0x7E,
    "service not supported in active session": 0x7F,
    "service not supported in active diagnostic mode": 0x80,
    "rpm too high": 0x81,
    "rpm too low": 0x82,
    "engine is running": 0x83,
    "engine is not running": 0x84,
    "engine run time too low": 0x85,
    "temperature too high": 0x86,
    "temperature too low": 0x87,
    "vehicle speed too high": 0x88,
    "vehicle speed too low": 0x89,
    "throttle pedal too high": 0x8A,
    "throttle pedal too low": 0x8B,
    "transmission range not in neutral": 0x8C,
    "transmission range not in gear": 0x8D,
    "brake switch not closed": 0x8F,
    "shifter lever not in park": 0x90,
    "torque converter clutch locked": 0x91,
    "voltage too high": 0x92,
    "voltage too low": 0x93,
}


def _code(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if value not in NAMES:
        near = nearest(value, NAMES)
        hint = f"; nearest: {near}" if near else ""
        raise ConfigurationError(f"{quoted(value)} is no negative response{hint}")
    return NAMES[value]


RefusalCode = Annotated[
    int,
    Field(ge=0x10, le=0xFF),
    BeforeValidator(_code),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 0x10, "maximum": 0xFF}, {"type": "string", "enum": [*NAMES]}]}
    ),
]
"""The code of a negative response, as a number or by name."""
