"""Types that several settings of UDS share: keys of identifiers, and levels of security access."""

from typing import Annotated, Final

from pydantic import AfterValidator, Field

from hilbridge.base.common.errors import ConfigurationError, quoted

_DIGITS: Final = frozenset("0123456789ABCDEF")


def _four_digits(text: str) -> str:
    if len(text) != 4 or not _DIGITS.issuperset(text):
        raise ConfigurationError(f"{quoted(text)} is no identifier of four hexadecimal digits such as F18C")
    return text


IdentifierKey = Annotated[str, AfterValidator(_four_digits)]
"""A data identifier as testers write it."""

Level = Annotated[int, Field(ge=0, le=0x41, description="level of security access that it needs; 0 for none")]
