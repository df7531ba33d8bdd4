"""Settings of a UDS server (ISO 14229): data identifiers, memory, security access."""

from typing import Annotated, ClassVar

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.files.settings.common import Milliseconds, Settings, UserFunction, unit
from hilbridge.files.settings.data_records import ContentSettings, FieldSettings, Text
from hilbridge.files.settings.uds_authentication import AuthenticationSettings
from hilbridge.files.settings.uds_keys import IdentifierKey, Level
from hilbridge.files.settings.uds_memory import MemorySettings, ProgrammingSettings
from hilbridge.files.settings.uds_periodic import EventSettings, PeriodicSettings
from hilbridge.files.settings.uds_reset import ResetSettings
from hilbridge.files.settings.uds_routines import RoutineSettings
from hilbridge.files.settings.uds_sessions import OfSessions, ServiceKey, SessionSettings, SessionTable, sessions_of

ACTIVE_SESSION = 0xF186
MIRRORED = range(0xF400, 0xF500)
"""The PIDs of OBD-II service 01."""


class IdentifierSettings(ContentSettings):
    """A data identifier (DID): a number, a text, bytes, several fields, or what a function of yours returns.

    raw = (value in the unit - offset) / scale, rounded, held inside the field; a float is not rounded.

    The function is called in the tick, when a tester asks, and must not wait: `def identifier(value) -> bytes`, where
    `value("vehicle.EngineRpm")` is an entry of the data bus in its unit, NaN while it is not available. What fails, or
    returns no bytes, is refused: conditions not correct.
    """

    origins: ClassVar[dict[str, str]] = {**ContentSettings.origins, "fields": "", "hook": ""}

    fields: Annotated[
        dict[str, FieldSettings], Field(description="by a name of your choice, in their order; 'length' is that of all")
    ] = {}
    hook: Annotated[
        UserFunction | None, Field(description="FILE.py:FUNCTION beside the bench file, or MODULE:FUNCTION")
    ] = None
    stored: Annotated[
        bool,
        Field(
            description="of what is constant: service 2E may write it; kept over restarts, see 'nv_storage' of the unit"
        ),
    ] = False
    control: Annotated[bool, Field(description="of an entry: service 2F may hold it until the session ends")] = False
    default: Annotated[
        float | None, Field(description="of a controlled entry: its value after 'reset to default', in the unit")
    ] = None
    security: Annotated[Level, Field(description="level of security access for services 2E and 2F; 0 for none")] = 0
    read_security: Annotated[Level, Field(description="level of security access for reading it; 0 for none")] = 0
    scaling: Annotated[
        str | None,
        Field(
            pattern=r"^([0-9A-Fa-f]{2} ?)+$",
            max_length=1024,
            description="scaling bytes of service 24, in hexadecimal; default: as the other keys say",
        ),
    ] = None
    sessions: OfSessions = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "IdentifierSettings":
        """Refuse a key that nothing would read."""
        kind = self.given[0]
        if kind in ("fields", "hook"):
            self.require_no_number(kind)
        if kind == "hook" and self.length is not None:
            raise ConfigurationError("does not go with 'hook'", ("length",))
        changing = [
            one for one in (self, *self.fields.values()) if one.source is not None or one.expression is not None
        ]
        if self.stored and (changing or kind == "hook"):
            raise ConfigurationError("what is computed is not stored", ("stored",))
        if self.control and (kind != "from" or self.table):
            raise ConfigurationError("needs 'from' without a table: an entry of the data bus", ("control",))
        if self.default is not None and not self.control:
            raise ConfigurationError("needs 'control'", ("default",))
        if self.security and not (self.stored or self.control):
            raise ConfigurationError("needs 'stored' or 'control'; of reading: 'read_security'", ("security",))
        return self


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

    software: Annotated[Text, Field(description="identifier F195: version of the software")] = "HILBRIDGE-1"
    identifiers: Annotated[
        dict[IdentifierKey, IdentifierSettings], Field(description="by four hexadecimal digits, e.g. F18C")
    ] = {}
    memory: Annotated[
        list[MemorySettings], Field(description="what service 23 reads and 3D writes; none: services not supported")
    ] = []
    routines: Annotated[
        dict[IdentifierKey, RoutineSettings],
        Field(description="what service 31 starts, by four hexadecimal digits; none: service not supported"),
    ] = {}
    programming: Annotated[
        ProgrammingSettings | None, Field(description="flash programming; without it there is no programming session")
    ] = None
    security: Annotated[
        SecuritySettings | None, Field(description="service 27; without it the service is not supported")
    ] = None
    sessions: Annotated[
        SessionTable,
        Field(
            description="by two hexadecimal digits; 01 and 03 are there without being named, 02 is with 'programming'; "
            "null drops one"
        ),
    ] = {}

    node: Annotated[
        int | None,
        Field(ge=1, le=0xFFFF, description="its number as a node (28 04 and 05); default: these are not supported"),
    ] = None
    scaling: Annotated[bool, Field(description="service 24: it tells what the bytes of its identifiers mean")] = False
    dynamic: Annotated[bool, Field(description="service 2C: testers define identifiers F200 to F3FF")] = False
    periodic: Annotated[
        PeriodicSettings | None, Field(description="service 2A; without it the service is not supported")
    ] = None
    events: Annotated[
        EventSettings | None, Field(description="service 86; without it the service is not supported")
    ] = None
    authentication: Annotated[
        AuthenticationSettings | None, Field(description="service 29; without it the service is not supported")
    ] = None
    reset: Annotated[ResetSettings, Field(description="service 11")] = ResetSettings()

    @property
    def session_table(self) -> dict[int, SessionSettings]:
        """The sessions by number. ConfigurationError: see `sessions_of`."""
        return sessions_of(self.sessions, programming=self.programming is not None)

    @model_validator(mode="after")
    def _reachable(self) -> "UdsSettings":
        for key in self.identifiers:
            if (number := int(key, 16)) == ACTIVE_SESSION or number in MIRRORED:
                raise ConfigurationError("is given by the server", ("identifiers", key))
        for key, one in self.identifiers.items():
            if one.scaling is not None and not self.scaling:
                raise ConfigurationError("needs 'scaling' of 'uds', for service 24", ("identifiers", key, "scaling"))
        self._require_sessions()
        self._require_level([(("identifiers", key), one.security) for key, one in self.identifiers.items()])
        self._require_level(
            [(("identifiers", key), one.read_security) for key, one in self.identifiers.items()], "read_security"
        )
        self._require_level([(("routines", key), one.security) for key, one in self.routines.items()])
        memory = list(enumerate(self.memory))
        self._require_level([(("memory", index), one.security) for index, one in memory])
        self._require_level([(("memory", index), one.writing_level) for index, one in memory], "write_security")
        flash = [index for index, one in memory if one.flash]
        if flash and self.programming is None:
            raise ConfigurationError("needs 'programming' beside 'memory'", ("memory", flash[0], "flash"))
        if self.programming is not None and not flash:
            raise ConfigurationError("needs a region of 'memory' with 'flash'", ("programming",))
        given = () if self.programming is None else self.programming.routines
        if taken := [key for key in self.routines if key in given]:
            raise ConfigurationError("is a routine of 'programming'", ("routines", taken[0]))
        return self

    def _require_sessions(self) -> None:
        table = self.session_table
        rows = [("identifiers", key, one.sessions) for key, one in self.identifiers.items()]
        rows += [("routines", key, one.sessions) for key, one in self.routines.items()]
        for section, key, sessions in rows:
            for index, session in enumerate(sessions or ()):
                if int(session, 16) not in table:
                    raise ConfigurationError(f"there is no session {session}", (section, key, "sessions", index))

    def _require_level(self, secured: list[tuple[KeyPath, int]], key: str = "security") -> None:
        levels = {0, *(self.security.levels if self.security is not None else ())}
        for place, level in secured:
            if level not in levels:
                reason = "nobody can reach this level: it is none of security.levels"
                raise ConfigurationError(reason, (*place, key))
