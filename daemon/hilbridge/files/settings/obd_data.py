"""Settings of the data of OBD-II services 01 and 09: PIDs and InfoTypes by their numbers, made of fields."""

from typing import Annotated

from pydantic import AfterValidator, Field

from hilbridge.base.common.errors import ConfigurationError, quoted
from hilbridge.files.settings.data_records import FieldSettings

_DIGITS = frozenset("0123456789ABCDEF")


def _byte(text: str) -> str:
    if len(text) != 2 or not _DIGITS.issuperset(text):
        raise ConfigurationError(f"{quoted(text)} is no number of two hexadecimal digits such as 0C")
    if int(text, 16) % 0x20 == 0:
        raise ConfigurationError("is the mask of what is supported, and made by itself")
    return text


ByteKey = Annotated[str, AfterValidator(_byte)]
"""A PID or an InfoType by two hexadecimal digits."""

RecordFields = Annotated[dict[str, FieldSettings], Field(min_length=1)]

DataTable = dict[ByteKey, RecordFields | None]
"""Fields by number; null drops what is there otherwise."""
