"""Settings of the routines of service 31."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.settings.common import Settings, UserFunction, unit
from hilbridge.files.settings.conditions import ConditionSettings
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.files.settings.uds_keys import Level
from hilbridge.files.settings.uds_sessions import OfSessions


class RoutineSettings(Settings):
    """A routine: a built-in `kind`, or answers made of fields, or what a function of yours returns.

    The built-in self-test counts the codes whose last test failed, in 2 s and at rest; the consumption measures fuel
    and distance between start and stop.

    The function is called in the tick as that of a data identifier: `def routine(value, function, option) -> bytes`,
    with 1 for start, 2 for stop and 3 for results, and the bytes that followed in the request.
    """

    kind: Annotated[
        Literal["self-test", "consumption"] | None,
        Field(description="a built-in routine; of other keys it has 'security' and 'sessions'"),
    ] = None
    start: Annotated[dict[str, FieldSettings], Field(description="fields of the answer to 01, start")] = {}
    stop: Annotated[
        dict[str, FieldSettings] | None, Field(description="fields of the answer to 02, stop; default: not supported")
    ] = None
    results: Annotated[
        dict[str, FieldSettings] | None,
        Field(description="fields of the answer to 03, request results; default: not supported"),
    ] = None
    asynchronous: Annotated[
        bool,
        Field(
            description="a start is answered at once, and the routine runs for 'duration'; 02 stops it; until it has "
            "run to its end, 03 answers 'running'"
        ),
    ] = False
    running: Annotated[
        dict[str, FieldSettings] | None,
        Field(description="of 'asynchronous': fields of the answer to 03 while it runs; default: refused, 24"),
    ] = None
    hook: Annotated[
        UserFunction | None, Field(description="FILE.py:FUNCTION that returns the bytes in place of the fields")
    ] = None
    duration: Annotated[
        float,
        Field(
            ge=0,
            le=600_000,
            description="of a start; 78 is answered while it runs, unless 'asynchronous'",
            json_schema_extra=unit("ms"),
        ),
    ] = 0.0
    option: Annotated[
        int, Field(ge=0, le=4092, description="that follow in a start", json_schema_extra=unit("bytes"))
    ] = 0
    conditions: Annotated[
        list[ConditionSettings], Field(description="must hold at the start, and while it runs; the first one refuses")
    ] = []
    security: Level = 0
    sessions: OfSessions = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "RoutineSettings":
        """Refuse a key that nothing would read."""
        if self.kind is not None:
            others = [
                key
                for key in type(self).model_fields
                if key in self.model_fields_set - {"kind", "security", "sessions"}
            ]
            if others:
                raise ConfigurationError("does not go with 'kind'", (others[0],))
        if self.running is not None and not self.asynchronous:
            raise ConfigurationError("needs 'asynchronous': no request comes while it runs", ("running",))
        if self.running is not None and self.results is None:
            raise ConfigurationError("needs 'results': 03 is not supported without", ("running",))
        if self.asynchronous and not self.duration:
            raise ConfigurationError("needs 'duration': what it takes", ("asynchronous",))
        if self.asynchronous and self.hook is not None:
            raise ConfigurationError("the function is called at the start and knows no end", ("asynchronous",))
        for key in ("start", "stop", "results", "running"):
            if self.hook is not None and getattr(self, key):
                raise ConfigurationError("the function makes its bytes: it has no fields", (key,))
        return self
