"""Reads KCD, ARXML and SYM files message by message where they do not load whole: one that is wrong costs itself only.

    part = <Message> of KCD, <CAN-FRAME-TRIGGERING> of ARXML, all sections [Name] of a name of SYM

Parts that do not load are found by halving, and left out. SYM 5.0 is read as 6.0, which has the same variables: there
`DLC=` is `Len=`, and `enum Name(...)` is `Enum=Name(...)` (PCAN Symbol Editor; canmatrix reads both). A number
whose first digit is a letter gets a 0 before it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeVar
from xml.etree.ElementTree import Element, ParseError, fromstring, tostring

import cantools.database
from cantools.database.can import Database as CanDatabase
from cantools.database.errors import UnsupportedDatabaseFormatError

_Part = TypeVar("_Part")

_XML_PARTS: Final = {"kcd": "Message", "arxml": "CAN-FRAME-TRIGGERING"}
_SECTION: Final = re.compile(r"^\s*\[([^\]\n]+)\]", re.MULTILINE)
_NEXT_SECTION: Final = re.compile(r"^\s*[\[{]", re.MULTILINE)
_VERSION_5: Final = re.compile(r"^(\s*FormatVersion\s*=\s*)5\.\d", re.MULTILINE)
_LETTER_FIRST: Final = re.compile(
    r"^([ \t]*(?:I[Dd][ \t]*=[ \t]*|Mux[ \t]*=[ \t]*\S+[ \t]+\d+,\d+[ \t]+))(?=[A-Fa-f][0-9A-Fa-f]*h\b)", re.MULTILINE
)
_PYTHON: Final = (TypeError, AttributeError, LookupError, AssertionError)
_MISSING: Final = "a part that the format wants is missing, or of a kind that is not known: export DBC instead"


class Loss(NamedTuple):
    """A message that is left out, and why."""

    message: str
    reason: str


def read_in_part(text: str, kind: str) -> tuple[CanDatabase, list[Loss], list[str]]:
    """Return the database of a text, what of it is left out, and what else is to be told.

    UnsupportedDatabaseFormatError: nothing of it can be used.
    """
    notes = []
    if kind == "sym" and _VERSION_5.search(text):
        text, notes = _as_version_6(text), ["SYM 5.0 is read as 6.0"]
    if kind == "sym" and _LETTER_FIRST.search(text):
        text = _LETTER_FIRST.sub(r"\g<1>0", text)
        notes.append("numbers such as FFh are read as 0FFh")
    try:
        return _load(text, kind), [], notes
    except UnsupportedDatabaseFormatError:
        sound, lost = _sound_sections(text) if kind == "sym" else _sound_elements(text, kind)
        if not lost:
            raise
        content = _load(sound, kind)
        if not content.messages:
            raise
        return content, lost, notes


def reason_of(error: UnsupportedDatabaseFormatError) -> str:
    """Return what is wrong, from the parser's own exception; its accidents as messages for users."""
    cause = error.__cause__ or error
    return _MISSING if isinstance(cause, _PYTHON) else " ".join(str(cause).split())


def _load(text: str, kind: str) -> CanDatabase:
    content = cantools.database.load_string(text, kind, strict=False)
    if not isinstance(content, CanDatabase):
        raise TypeError(f"{kind} is not a kind of CAN database")
    return content


def _failure(text: str, kind: str) -> str | None:
    try:
        _load(text, kind)
    except UnsupportedDatabaseFormatError as error:
        return reason_of(error)
    return None


def _as_version_6(text: str) -> str:
    text = _VERSION_5.sub(r"\g<1>6.0", text)
    text = re.sub(r"^([ \t]*)DLC([ \t]*=)", r"\1Len\2", text, flags=re.MULTILINE)
    return re.sub(r"^([ \t]*)enum[ \t]+", r"\1Enum=", text, flags=re.MULTILINE)


def _faulty(parts: Sequence[_Part], failure: Callable[[Sequence[_Part]], str | None]) -> Iterator[tuple[_Part, str]]:
    """Yield the parts that do not load, each with the reason; `failure` is that of a file with some parts alone."""
    reason = failure(parts)
    if reason is None:
        return
    if len(parts) == 1:
        yield parts[0], reason
        return
    half = len(parts) // 2
    yield from _faulty(parts[:half], failure)
    yield from _faulty(parts[half:], failure)


def _sound_elements(text: str, kind: str) -> tuple[str, list[Loss]]:
    """Return the text of an XML file without the messages that do not load; with a document type it stays whole."""
    if "<!DOCTYPE" in text:
        return text, []
    try:
        root = fromstring(text)  # noqa: S314 (without a document type there are no entities)
    except ParseError:
        return text, []
    namespace = re.match(r"\{[^}]*\}", root.tag)
    tag = f"{namespace[0] if namespace is not None else ''}{_XML_PARTS[kind]}"
    parents = {child: parent for parent in root.iter() for child in parent if child.tag == tag}
    places = [(parent, list(parent)) for parent in dict.fromkeys(parents.values())]

    def written(kept: Sequence[Element]) -> str:
        chosen = set(kept)
        for parent, children in places:
            parent[:] = [child for child in children if child.tag != tag or child in chosen]
        return tostring(root, encoding="unicode")

    if not parents or _failure(written([]), kind) is not None:
        return text, []
    lost = dict(_faulty(list(parents), lambda kept: _failure(written(kept), kind)))
    losses = [Loss(_name(part), reason) for part, reason in lost.items()]
    return written([part for part in parents if part not in lost]), losses


def _name(part: Element) -> str:
    """Return the name of a message: an attribute in KCD, the end of a reference in ARXML."""
    frame = next((child.text for child in part if child.tag.endswith("FRAME-REF")), None)
    return part.get("name") or (frame or "").rpartition("/")[2] or "without a name"


def _sound_sections(text: str) -> tuple[str, list[Loss]]:
    """Return the text of a SYM file without the messages that do not load."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for found in _SECTION.finditer(text):
        after = _NEXT_SECTION.search(text, found.end())
        spans.setdefault(found[1], []).append((found.start(), len(text) if after is None else after.start()))

    def written(kept: Sequence[str]) -> str:
        gone = sorted(span for name in spans.keys() - set(kept) for span in spans[name])
        pieces, done = [], 0
        for start, end in gone:
            pieces += [text[done:start], "\n" * text.count("\n", start, end)]
            done = end
        return "".join([*pieces, text[done:]])

    if not spans or _failure(written([]), "sym") is not None:
        return text, []
    lost = dict(_faulty(list(spans), lambda kept: _failure(written(kept), "sym")))
    return written([name for name in spans if name not in lost]), [Loss(*one) for one in lost.items()]
