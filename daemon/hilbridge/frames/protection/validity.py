"""Reads from labels of numbers what they say about quality: that a value is valid, or that it is not.

Receivers refuse a frame whose quality says "faulty", whatever else is in it, and 0 is often just that.
"""

import re
from typing import Final

from hilbridge.frames.protection.names import words_of

_INVALID: Final = re.compile(
    "(?<!_no)(?<!_not)(?<!_kein)(?<!_nicht)"
    "_(?:invalid|not_valid|faulty|faulted|failure|fault|fehler|error|undefined\\w*|undetermined|unknown|sna|init[a-z]*|"
    "(?:not|nicht)_(?:avail|verf)\\w*|unavailable|no_data\\w*|not_within_spec\\w*)_"
    "(?!finish|complete|done|idle|none)"
)
_VALID: Final = re.compile(
    "_(?:ok|okay|valid|good|normal|gueltig|accurate|in_range|within_spec\\w*|available|verfuegbar)_"
)
_NO_FAULT: Final = re.compile("_(?:no|not|kein|keine|nicht)_")


def says_invalid(label: str) -> bool:
    """Return whether a label says that there is no valid value: `Faulty`, `not available`, `SNA`, `Init`."""
    return _INVALID.search(words_of(label)) is not None


def says_valid(label: str) -> bool:
    """Return whether a label says that a value is valid: `OK`, `Valid`, `InRange`."""
    words = words_of(label)
    return _VALID.search(words) is not None and _NO_FAULT.search(words) is None and not says_invalid(label)
