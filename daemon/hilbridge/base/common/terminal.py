"""Text of others for terminals and lines of a log: what would act on the reader is shown, not done.

Escaped are the control characters of ASCII and of ISO 8859-1 (C0 with ESC and newline, DEL, C1), the line and paragraph
separators, the marks and overrides of direction of Unicode (UAX #9), tags and other invisible formats that can hide
text, and halves of surrogate pairs, which no terminal can be sent.
"""

import json
import re
from collections.abc import Callable
from typing import Any, Final

_ACTING: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_SHORT: Final = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def printable(text: str) -> str:
    r"""Return a text on one line, each character that acts on a terminal as its escape: `\x1b`, `\u202e`, `\n`."""
    return _ACTING.sub(_escape, text)


def printable_lines(text: str) -> str:
    """Return a text of several lines, such as the problems of a file, with its line ends as they are."""
    return "\n".join(map(printable, text.split("\n")))


def printable_tree(content: Any) -> Any:
    """Return objects, lists and texts with each text, also those that name a value, as `printable` returns it."""
    if isinstance(content, str):
        return printable(content)
    if isinstance(content, dict):
        return {printable(str(name)): printable_tree(one) for name, one in content.items()}
    return [printable_tree(one) for one in content] if isinstance(content, list | tuple) else content


def printable_json(content: Any, indent: int | None = None, default: Callable[[Any], Any] | None = None) -> str:
    """Return JSON in the characters of its texts, with those that act on a terminal as JSON's own escapes."""
    text = json.dumps(content, indent=indent, ensure_ascii=False, default=default)
    return "\n".join(_ACTING.sub(_escape_json, line) for line in text.split("\n"))


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    short = rf"\x{code:02x}" if code < 0x100 else rf"\u{code:04x}" if code < 0x10000 else rf"\U{code:08x}"
    return _SHORT.get(character, short)


def _escape_json(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]
