"""Settings of diagnostic sessions: their times, and which services are supported in which session."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field

from hilbridge.base.common.errors import ConfigurationError, describe_value, quoted
from hilbridge.files.settings.common import Settings, unit
from hilbridge.files.settings.conditions import ConditionSettings

DEFAULT: Final = 0x01
PROGRAMMING: Final = 0x02
EXTENDED: Final = 0x03

_LAST: Final = 0x7E
_DIGITS: Final = frozenset("0123456789ABCDEF")


def _session(text: Any) -> str:
    if not isinstance(text, str) or len(text) != 2 or not _DIGITS.issuperset(text) or not 0 < int(text, 16) <= _LAST:
        found = quoted(text) if isinstance(text, str) else describe_value(text)
        raise ConfigurationError(f"{found} is no session: two hexadecimal digits in quotes, from '01' to '7E'")
    return text


def _service(text: Any) -> str:
    digits = text.split(" ") if isinstance(text, str) else [""]
    if not 1 <= len(digits) <= 2 or any(len(one) != 2 or not _DIGITS.issuperset(one) for one in digits):
        found = quoted(text) if isinstance(text, str) else describe_value(text)
        raise ConfigurationError(f"{found} is no service in quotes, such as '22', or '19 02' with its sub-function")
    return " ".join(digits)


SessionKey = Annotated[str, BeforeValidator(_session)]
"""A session by two hexadecimal digits, as testers write it."""

ServiceKey = Annotated[str, BeforeValidator(_service)]
"""A service by two hexadecimal digits, or a service and its sub-function."""

OfSessions = Annotated[
    list[SessionKey] | None, Field(min_length=1, description="sessions in which it is there, else 31; default: all")
]


def parse_service(key: str) -> tuple[int, int | None]:
    """Return the number of a service, and its sub-function if there is one."""
    service, _, subfunction = key.partition(" ")
    return int(service, 16), int(subfunction, 16) if subfunction else None


def _in_tens(milliseconds: int) -> int:
    if milliseconds % 10:
        raise ConfigurationError(f"{milliseconds} ms is no multiple of 10 ms, in which service 10 announces it")
    return milliseconds


class SessionSettings(Settings):
    """A diagnostic session. What it does not support is refused as ISO 14229-1 says: 7F a service, 7E a sub-function.

    A service or sub-function that no session supports does not exist: 11, 12.
    """

    services: Annotated[
        list[ServiceKey] | None,
        Field(
            min_length=1,
            description='exactly what it supports: services, "22", or single sub-functions of them, "19 02"; default: '
            "what ISO 14229-1 allows in the default session, and in others all that is not for programming alone",
        ),
    ] = None
    entered_from: Annotated[
        list[SessionKey] | None,
        Field(alias="from", min_length=1, description="sessions in which it can be asked for; default: all"),
    ] = None
    conditions: Annotated[
        list[ConditionSettings], Field(description="must hold when it is asked for; the first one refuses")
    ] = []
    p2: Annotated[
        int, Field(ge=1, le=0xFFFF, description="time for an answer, or 78", json_schema_extra=unit("ms"))
    ] = 50
    p2_star: Annotated[
        int,
        Field(ge=10, le=655_350, description="time for an answer after 78", json_schema_extra=unit("ms")),
        AfterValidator(_in_tens),
    ] = 5000
    s3: Annotated[
        int,
        Field(ge=10, le=3_600_000, description="it ends so long after the last request", json_schema_extra=unit("ms")),
    ] = 5000


SessionTable = dict[SessionKey, SessionSettings | None]
"""Sessions by number; null drops one."""


def sessions_of(table: SessionTable, *, programming: bool = False) -> dict[int, SessionSettings]:
    """Return the sessions by number: 01 and 03, 02 for `programming`, and those of the table.

    ConfigurationError: the default session is dropped, or has what it cannot have; a session is entered from an
    unknown one.
    """
    given = (DEFAULT, PROGRAMMING, EXTENDED) if programming else (DEFAULT, EXTENDED)
    sessions = {number: SessionSettings() for number in given}
    for key, settings in table.items():
        number = int(key, 16)
        if settings is None:
            if number == DEFAULT:
                raise ConfigurationError("the default session is always there", ("sessions", key))
            sessions.pop(number, None)
        else:
            sessions[number] = settings
    for extra in ("s3", "entered_from"):
        if extra in sessions[DEFAULT].model_fields_set:
            reason = "the default session never ends" if extra == "s3" else "every session can be left"
            raise ConfigurationError(reason, ("sessions", f"{DEFAULT:02X}", "s3" if extra == "s3" else "from"))
    for number, settings in sessions.items():
        for index, origin in enumerate(settings.entered_from or ()):
            if int(origin, 16) not in sessions:
                raise ConfigurationError(f"there is no session {origin}", ("sessions", f"{number:02X}", "from", index))
    return sessions
