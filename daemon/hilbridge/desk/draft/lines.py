"""The lines of a drafted bench file: values as YAML takes them, with their comments."""

import json
import re
from textwrap import wrap
from typing import Any, Final

_WIDTH: Final = 118
_COLUMN: Final = 42
"""Characters of a line, and of what stands before its comment."""

_HEXADECIMAL: Final = frozenset({"id", "polynomial", "initial", "xor_out", "data_ids"})
"""Keys whose numbers people read in hexadecimal."""


def commented(line: str, comment: str) -> list[str]:
    """Return a line with a comment behind it, or above it where both together are too long."""
    comment = " ".join(comment.split())
    if max(len(line), _COLUMN) + len(comment) + 4 > _WIDTH:
        indent = line[: len(line) - len(line.lstrip())]
        return [*comment_lines(indent, comment), line]
    return [f"{line:<{_COLUMN}}  # {comment}"]


def comment_lines(indent: str, text: str) -> list[str]:
    """Return a text as lines of comment."""
    start = f"{indent}# "
    return wrap(" ".join(text.split()), _WIDTH, initial_indent=start, subsequent_indent=start, break_on_hyphens=False)


def flow(value: Any, key: str = "") -> str:
    """Write a value on one line of YAML; numbers below some keys in hexadecimal."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{quoted_text(each)}: {flow(inner, each)}' for each, inner in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(flow(each, key) for each in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and key in _HEXADECIMAL:
        return f"0x{value:02X}"
    return quoted_text(value) if isinstance(value, str) else f"{value!r}"


def quoted_text(text: str) -> str:
    """Write text as YAML takes it for text: in quotes where it could be anything else."""
    plain = re.fullmatch(r"[A-Za-z_][\w./%-]*", text) and text.casefold() not in ("true", "false", "null")
    return text if plain else json.dumps(text, ensure_ascii=False)
