"""Settings of a UDS server (ISO 14229): data identifiers, memory, security access."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from hilbridge.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.settings.common import Milliseconds, Settings, UserFunction, completes, unit
from hilbridge.settings.uds_reset import ResetSettings
from hilbridge.settings.uds_sessions import ServiceKey, SessionSettings, SessionTable, sessions_of

_DIGITS = frozenset("0123456789ABCDEF")


def _four_digits(text: str) -> str:
    if len(text) != 4 or not _DIGITS.issuperset(text):
        raise ConfigurationError(f"{quoted(text)} is no identifier of four hexadecimal digits such as F18C")
    return text


IdentifierKey = Annotated[str, AfterValidator(_four_digits)]
"""A data identifier as testers write it."""

Level = Annotated[int, Field(ge=0, le=0x41, description="level of security access that it needs; 0 for none")]
_Text = Annotated[str, Field(pattern=r"^[ -~]+$", max_length=256)]
_KINDS = ("entry", "text", "data", "identifier")
_OF_ENTRIES = ("length", "signed", "scale", "offset", "unit", "control", "default")

ACTIVE_SESSION = 0xF186
MIRRORED = range(0xF400, 0xF500)
"""The PIDs of OBD-II service 01."""


def _kind(settings: Settings, kinds: tuple[str, ...]) -> str:
    """Return which one of the keys is given; ConfigurationError: none or two."""
    given = [kind for kind in kinds if getattr(settings, kind) is not None]
    if len(given) != 1:
        raise ConfigurationError(f"needs one of {', '.join(map(repr, kinds))}", tuple(given[1:2]))
    return given[0]


def _bytes(text: str | None, data: str | None) -> bytes:
    if text is not None:
        return text.encode("ascii")
    try:
        content = bytes.fromhex(data or "")
    except ValueError:
        reason = f"{quoted(data or '')} is not in hexadecimal, two digits for each byte"
        raise ConfigurationError(reason, ("data",)) from None
    if not content:
        raise ConfigurationError("holds no byte", ("data",))
    return content


class IdentifierSettings(Settings):
    """A data identifier (DID): a value of the data bus, or bytes that stay or are stored.

    raw = (value in the unit - offset) / scale, rounded, held inside the length, most significant byte first
    """

    entry: Annotated[
        str | None, Field(description="data bus entry, e.g. vehicle.EngineRpm", json_schema_extra=completes("entry"))
    ] = None
    text: Annotated[_Text | None, Field(description="a constant in ASCII")] = None
    data: Annotated[str | None, Field(description='a constant in hexadecimal, in quotes: "01 0A FF"')] = None
    stored: Annotated[bool, Field(description="of text and data: service 2E may write it; kept over restarts")] = False
    length: Annotated[int, Field(ge=1, le=8, description="of an entry: its length", json_schema_extra=unit("byte"))] = 2
    signed: Annotated[bool, Field(description="of an entry: two's complement")] = False
    scale: Annotated[float, Field(gt=0, description="of an entry: value of one bit, in the unit")] = 1.0
    offset: Annotated[float, Field(description="of an entry: value of raw 0, in the unit")] = 0.0
    unit: Annotated[
        str | None,
        Field(
            description="of an entry: unit of the raw value; default: the entry's", json_schema_extra=completes("unit")
        ),
    ] = None
    control: Annotated[bool, Field(description="of an entry: service 2F may hold it until the session ends")] = False
    default: Annotated[
        float | None, Field(description="of a controlled entry: its value after 'reset to default', in the unit")
    ] = None
    security: Annotated[Level, Field(description="level of security access for services 2E and 2F; 0 for none")] = 0

    @model_validator(mode="after")
    def _of_one_kind(self) -> "IdentifierSettings":
        """Return a key that would not be read is an error."""
        kind = _kind(self, _KINDS[:3])
        if kind != "entry" and (others := [key for key in _OF_ENTRIES if key in self.model_fields_set]):
            raise ConfigurationError(f"does not go with '{kind}'", (others[0],))
        if kind == "entry" and self.stored:
            raise ConfigurationError("an entry of the data bus is not stored", ("stored",))
        if self.default is not None and not self.control:
            raise ConfigurationError("needs 'control'", ("default",))
        if self.security and not (self.stored or self.control):
            raise ConfigurationError("reading needs none; needs 'stored' or 'control'", ("security",))
        if kind != "entry":
            _ = self.content
        return self

    @property
    def content(self) -> bytes:
        """The bytes of text or data."""
        return _bytes(self.text, self.data)


class MemorySettings(Settings):
    """A piece of the memory that service 23 reads."""

    address: Annotated[int, Field(ge=0, le=0xFF_FFFF_FFFF, description="of its first byte")]
    text: Annotated[_Text | None, Field(description="content in ASCII")] = None
    data: Annotated[str | None, Field(description='content in hexadecimal, in quotes: "01 0A FF"')] = None
    identifier: Annotated[
        IdentifierKey | None,
        Field(description="content: the bytes of a data identifier with 'text' or 'data'; in quotes"),
    ] = None
    security: Level = 0

    @model_validator(mode="after")
    def _of_one_kind(self) -> "MemorySettings":
        if _kind(self, _KINDS[1:]) != "identifier":
            _ = self.content
        return self

    @property
    def content(self) -> bytes:
        """The bytes of text or data."""
        return _bytes(self.text, self.data)


class SecuritySettings(Settings):
    """Security access. The secret is a function of the user: `def key(level: int, seed: bytes) -> bytes`."""

    provider: Annotated[
        UserFunction,
        Field(
            description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION, called with (level, seed)",
        ),
    ]
    levels: Annotated[
        list[Annotated[int, Field(ge=1, le=0x41)]],
        Field(min_length=1, description="odd: the sub-function that asks for the seed; the next one sends the key"),
    ] = [1]
    seed_length: Annotated[int, Field(ge=2, le=64, description="of a seed", json_schema_extra=unit("byte"))] = 4
    attempts: Annotated[int, Field(ge=1, le=10, description="wrong keys until the delay")] = 3
    delay: Annotated[Milliseconds, Field(description="without seeds after too many", json_schema_extra=unit("ms"))] = (
        10_000.0
    )

    services: Annotated[
        dict[ServiceKey, Annotated[int, Field(ge=1, le=0x41)]],
        Field(description='what needs a level, by service, "2E", or service and sub-function, "11 01"'),
    ] = {}

    @model_validator(mode="after")
    def _reachable(self) -> "SecuritySettings":
        for key, level in self.services.items():
            if key == "27":
                raise ConfigurationError("nobody could unlock any level", ("services", key))
            if level not in self.levels:
                raise ConfigurationError("nobody can reach this level: it is none of 'levels'", ("services", key))
        return self

    @model_validator(mode="after")
    def _odd(self) -> "SecuritySettings":
        for index, level in enumerate(self.levels):
            if level % 2 == 0:
                raise ConfigurationError(f"{level} is even: that sub-function sends a key", ("levels", index))
        return self


class UdsSettings(Settings):
    """A UDS server. F186 (session), F190 (the VIN) and F400 to F4FF (the PIDs of OBD-II) need no settings."""

    software: Annotated[_Text, Field(description="identifier F195: version of the software")] = "HILBRIDGE-1"
    identifiers: Annotated[
        dict[IdentifierKey, IdentifierSettings], Field(description="by four hexadecimal digits, e.g. F18C")
    ] = {}
    memory: Annotated[
        list[MemorySettings], Field(description="what service 23 reads; none: service not supported")
    ] = []
    security: Annotated[
        SecuritySettings | None, Field(description="service 27; without it the service is not supported")
    ] = None
    sessions: Annotated[
        SessionTable,
        Field(description="by two hexadecimal digits; 01 and 03 are there without being named, null drops one"),
    ] = {}

    reset: Annotated[ResetSettings, Field(description="service 11")] = ResetSettings()

    @property
    def session_table(self) -> dict[int, SessionSettings]:
        """The sessions by number. ConfigurationError: see `sessions_of`."""
        return sessions_of(self.sessions)

    @model_validator(mode="after")
    def _reachable(self) -> "UdsSettings":
        for key in self.identifiers:
            if (number := int(key, 16)) == ACTIVE_SESSION or number in MIRRORED:
                raise ConfigurationError("is given by the server", ("identifiers", key))
        _ = self.session_table
        self._require_level([(("identifiers", key), one.security) for key, one in self.identifiers.items()])
        self._require_level([(("memory", index), one.security) for index, one in enumerate(self.memory)])
        return self

    def _require_level(self, secured: list[tuple[KeyPath, int]]) -> None:
        levels = {0, *(self.security.levels if self.security is not None else ())}
        for place, level in secured:
            if level not in levels:
                reason = "nobody can reach this level: it is none of security.levels"
                raise ConfigurationError(reason, (*place, "security"))
