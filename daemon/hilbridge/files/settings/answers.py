"""Settings of answers as data: requests of any service, and what a control unit says to them."""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from hilbridge.base.common.errors import ConfigurationError, describe_value
from hilbridge.files.settings.common import Settings, unit
from hilbridge.files.settings.conditions import ConditionSettings
from hilbridge.files.settings.data_records import FieldSettings
from hilbridge.files.settings.negative_responses import RefusalCode
from hilbridge.files.settings.request_patterns import LONGEST, Pattern, parse_pattern, parse_template

MOST_PATTERNS: Final = 10_000
"""The most of one control unit."""


def _key(value: Any) -> Any:
    if not isinstance(value, str):
        raise ConfigurationError(f"needs a request in quotes, such as '21 01', found {describe_value(value)}")
    return value


def _hexadecimal(value: Any) -> Any:
    if isinstance(value, int):
        raise ConfigurationError(f"needs bytes in quotes, such as '61 01', found {describe_value(value)}")
    return value


PatternKey = Annotated[str, BeforeValidator(_key)]
"""A pattern of requests; `parse_pattern` reads it."""

_Session = Annotated[str, Field(pattern=r"^(0[1-9A-F]|[1-9A-F][0-9A-F])$")]
_Level = Annotated[int, Field(ge=1, le=0x7F)]


class ReplySettings(Settings):
    """An answer: bytes and fields, a refusal, or silence; and when it comes. Short form: the bytes alone."""

    data: Annotated[
        str | None,
        Field(
            description="bytes in hexadecimal, with {name} for what the pattern captures, in quotes: '61 {id} 00'; "
            "with 'fields' they come first, and by default are the request with 40 added to its service"
        ),
        BeforeValidator(_hexadecimal),
    ] = None
    fields: Annotated[
        dict[str, FieldSettings],
        Field(description="by a name of your choice, as those of an identifier; byte 0 is the one behind 'data'"),
    ] = {}
    length: Annotated[
        int | None,
        Field(ge=1, le=LONGEST - 1, description="of all fields; default: as they need", json_schema_extra=unit("byte")),
    ] = None
    refuse: Annotated[
        RefusalCode | None, Field(description="a negative answer: its code, or its name: conditions not correct")
    ] = None
    silent: Annotated[bool, Field(description="no answer")] = False
    delay: Annotated[
        float,
        Field(ge=0, le=600_000, description="from the request to the answer", json_schema_extra=unit("ms")),
    ] = 0.0
    pending: Annotated[
        int,
        Field(ge=0, le=1000, description="so many times 78 first: at once, and evenly in the delay"),
    ] = 0

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"data": value}
        if not isinstance(value, dict | ReplySettings):
            raise ConfigurationError(f"needs bytes in quotes, such as '61 01', found {describe_value(value)}")
        return value

    @property
    def kinds(self) -> list[str]:
        """The kind of answer: one of bytes (data, fields), refuse, silent."""
        given = {"data": self.data is not None or self.fields, "refuse": self.refuse is not None, "silent": self.silent}
        return [key for key, value in given.items() if value]

    def require_one_kind(self) -> None:
        """Refuse what says nothing, or two things."""
        kinds = self.kinds
        if len(kinds) != 1:
            found = f"has {' and '.join(kinds)}" if kinds else "has none"
            raise ConfigurationError(f"needs one of 'data' and 'fields', 'refuse' or 'silent', {found}")
        if self.length is not None and not self.fields:
            raise ConfigurationError("belongs to 'fields'", ("length",))
        if self.silent and (self.delay or self.pending):
            raise ConfigurationError("does not go with 'silent'", ("delay" if self.delay else "pending",))

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Accept the bytes alone."""
        return {"anyOf": [{"type": "string"}, handler.resolve_ref_schema(handler(core_schema))]}


class TurnSettings(ReplySettings):
    """One of several answers in turn."""

    @model_validator(mode="after")
    def _of_one_kind(self) -> "TurnSettings":
        self.require_one_kind()
        return self


class AnswerSettings(ReplySettings):
    """An answer with the conditions under which it is given, and what it does to the session."""

    sessions: Annotated[
        list[_Session] | None,
        Field(min_length=1, description='in which it is given, by two digits: ["01", "C0"]; default: all'),
    ] = None
    security: Annotated[int, Field(ge=0, le=0x7F, description="level that must be unlocked; 0: none")] = 0
    conditions: Annotated[list[ConditionSettings], Field(max_length=16, description="all must hold")] = []
    turns: Annotated[
        list[TurnSettings],
        Field(max_length=10_000, description="several answers in turn, in place of one; a loss of power begins anew"),
    ] = []
    cycle: Annotated[bool, Field(description="of 'turns': the first one follows the last; default: the last stays")] = (
        False
    )
    enters: Annotated[_Session | None, Field(description="session that begins with this answer, by two digits")] = None
    unlocks: Annotated[_Level | None, Field(description="level of security access that this answer unlocks")] = None

    @model_validator(mode="after")
    def _of_one_kind(self) -> "AnswerSettings":
        if self.turns:
            for key in ReplySettings.model_fields:
                if key in self.model_fields_set:
                    raise ConfigurationError("belongs to each of 'turns'", (key,))
        else:
            self.require_one_kind()
            if self.cycle:
                raise ConfigurationError("needs 'turns'", ("cycle",))
        if self.refuse is not None and (self.enters or self.unlocks):
            raise ConfigurationError("what is refused does nothing", ("enters" if self.enters else "unlocks",))
        return self

    @property
    def replies(self) -> list[ReplySettings]:
        """The answers, in turn."""
        return [*self.turns] or [self]


def _cases(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class _CasesSchema:
    """The form of cases for editors: one of them, or a list."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        cases = handler(core_schema)
        return {"anyOf": [handler.resolve_ref_schema(cases)["items"], cases]}


Cases = Annotated[list[AnswerSettings], Field(min_length=1, max_length=100), BeforeValidator(_cases), _CasesSchema]
"""Answers to one pattern: the first one whose session, security and conditions are there is given."""

AnswerTable = dict[PatternKey, Cases]


def patterns_of(answers: AnswerTable) -> dict[str, Pattern]:
    """Return the patterns by their keys. ConfigurationError: a pattern or an answer is wrong, or one is there twice."""
    if len(answers) > MOST_PATTERNS:
        raise ConfigurationError(f"has {len(answers)} patterns: a control unit has {MOST_PATTERNS} at most")
    patterns: dict[str, Pattern] = {}
    known: dict[tuple[int, int, int, bool], str] = {}
    for key, cases in answers.items():
        try:
            pattern = parse_pattern(key)
        except ConfigurationError as error:
            raise ConfigurationError(error.message, (key,)) from None
        same = (pattern.value, pattern.mask, pattern.length, pattern.open)
        if same in known:
            raise ConfigurationError(f"means the same requests as {known[same]!r}", (key,))
        known[same] = key
        patterns[key] = pattern
        for index, case in enumerate(cases):
            _check_replies(case, pattern, (key, index))
    return patterns


def _check_replies(case: AnswerSettings, pattern: Pattern, place: tuple[str | int, ...]) -> None:
    for turn, reply in enumerate(case.replies):
        if reply.data is None:
            continue
        try:
            parse_template(reply.data, pattern)
        except ConfigurationError as error:
            where = (*place, "turns", turn) if case.turns else place
            raise ConfigurationError(error.message, (*where, "data")) from None
