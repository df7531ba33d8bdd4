"""The text of YAML files that hilbridge writes: values, lines with comments, whole files.

What is written is read back as it was, by yamlfile.py and by readers of YAML 1.1 and 1.2 alike: a text that any of them
takes for something else is in quotes.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from math import isfinite, isnan
from textwrap import wrap
from typing import Any, Final

_WIDTH: Final = 118
_COLUMN: Final = 42
"""Characters of a line, and of what is before its comment."""

VEHICLE_COLUMN: Final = 38
"""Characters before a comment in a vehicle file, as in those that are shipped."""

_HEXADECIMAL: Final = frozenset({"id", "polynomial", "initial", "xor_out", "data_ids"})
"""Keys whose numbers people read in hexadecimal."""

_PLAIN: Final = re.compile(r"[A-Za-z_/][\w./%-]*")
_WORDS: Final = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
"""Words that are no text in YAML 1.1."""

_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def commented(line: str, comment: str, column: int = _COLUMN) -> list[str]:
    """Return a line with a comment behind it, or above it where both together are too long."""
    comment = comment_text(comment)
    if max(len(line), column) + len(comment) + 4 > _WIDTH:
        indent = line[: len(line) - len(line.lstrip())]
        return [*comment_lines(indent, comment), line]
    return [f"{line:<{column}}  # {comment}"]


def comment_lines(indent: str, text: str) -> list[str]:
    """Return a text as lines of comment."""
    start = f"{indent}# "
    return wrap(
        comment_text(text),
        _WIDTH,
        initial_indent=start,
        subsequent_indent=start,
        break_long_words=False,
        break_on_hyphens=False,
    )


def comment_text(text: str) -> str:
    """Return a text of anybody for a comment on one line: what would end the line, or does not print, is escaped.

    YAML 1.1 ends a line at NEL and at the separators of Unicode too, and has no control characters in a file.
    """
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in " ".join(text.split()))


def flow(value: Any, key: str = "") -> str:
    """Write a value on one line of YAML; numbers below some keys in hexadecimal."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{quoted_text(each)}: {flow(inner, each)}' for each, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(flow(each, key) for each in value)}]"
    if isinstance(value, str):
        return quoted_text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return _number(value)
    return f"0x{value:02X}" if key in _HEXADECIMAL and value >= 0 else f"{value}"


def quoted_text(text: str) -> str:
    """Write text as YAML takes it for text: in quotes where it could be anything else, or has more than one line."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    return f'"{"".join(map(_escaped, text))}"'


def file_text(data: Mapping[str, Any]) -> str:
    """Write a whole file, without comments: lists of numbers on one line, everything else by indentation."""
    return "".join(f"{line}\n" for line in _block(data, ""))


def _block(data: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, value in data.items():
        yield from _entry(f"{indent}{quoted_text(key)}:", value, indent, key)


def _entry(start: str, value: Any, indent: str, key: str) -> Iterator[str]:
    """Yield the lines of a value behind its key or its dash."""
    items = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    line = f"{start} {flow(value, key)}"
    if not items or (len(line) <= _WIDTH and not any(isinstance(item, Mapping | list | tuple) for item in items)):
        yield line
        return
    yield start
    if isinstance(value, Mapping):
        yield from _block(value, f"{indent}  ")
        return
    for item in value:
        yield from _entry(f"{indent}  -", item, f"{indent}  ", key)


def _number(value: float) -> str:
    """Write a float with a point, without which an exponent is text in YAML 1.1."""
    if not isfinite(value):
        return ".nan" if isnan(value) else ".inf" if value > 0 else "-.inf"
    mantissa, mark, exponent = repr(float(value)).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{mark}{exponent}"


def _escaped(letter: str) -> str:
    if letter.isprintable() and letter not in _ESCAPES:
        return letter
    code = ord(letter)
    escape = f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
    return _ESCAPES.get(letter, escape)
