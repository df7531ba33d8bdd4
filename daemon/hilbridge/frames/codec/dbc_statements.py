r"""Cuts the text of a DBC file into statements.

    statement = the text from a keyword of the format up to the next one

A keyword counts at the beginning of a line, behind a semicolon, and where the head of a message cannot be anything else
(`BO_ 256 Name : 8`). It does not count within quotes, behind `//`, or where a statement needs it (`CM_ BO_ 256 "…";`).

A quotation ends at the next quote that no backslash precedes. A comment (CM_) ends where a semicolon follows, so that
quotes within it are text; one that was never closed ends with its line. It was never closed if the quote before the
next `";` is the second one of a pair of a later statement: on the line of a keyword, and an odd number of quotes away;
if that number is even, a quote at the end of the comment's first line closed it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

_WORDS: Final = """
    VERSION NS_ NS_DESC_ BS_ BU_ BO_ BO_TX_BU_ SG_ SG_MUL_VAL_ SIG_GROUP_ SIG_VALTYPE_ SIG_TYPE_REF_ SIGTYPE_VALTYPE_
    SGTYPE_ SGTYPE_VAL_ VAL_ VAL_TABLE_ CM_ BA_ BA_DEF_ BA_DEF_DEF_ BA_REL_ BA_DEF_REL_ BA_DEF_DEF_REL_ BA_SGTYPE_
    BA_DEF_SGTYPE_ BU_SG_REL_ BU_BO_REL_ BU_EV_REL_ CAT_ CAT_DEF_ EV_ EV_DATA_ ENVVAR_DATA_ FILTER
"""
KEYWORDS: Final = frozenset(_WORDS.split())
"""The words that the format keeps for itself."""

_WITHIN: Final = ("SG_", "NS_DESC_", "BU_SG_REL_", "BU_BO_REL_", "BU_EV_REL_")
"""Keywords that begin no statement."""

_WITHOUT_END: Final = ("VERSION", "NS_", "BS_", "BU_", "BO_", "")
"""Statements that no semicolon ends."""

_BEGINNING: Final = "|".join(sorted((word for word in KEYWORDS if word not in _WITHIN), key=len, reverse=True))
_LINE: Final = re.compile(rf"[ \t]*(?:SG_|{_BEGINNING})(?=[\s:\"])")
_NEXT: Final = re.compile(
    rf'(?P<quote>")|(?P<remark>//[^\n]*)|(?:^|(?<=;))[ \t]*(?P<word>{_BEGINNING})(?=[\s:"]|\Z)'
    r'|(?<![^\s;"])(?P<head>BO_)(?=[ \t]+\d+[ \t]+[^\s:"]+[ \t]*:[ \t]*\d)',
    re.MULTILINE,
)
_NEEDING: Final = re.compile(r'\s*(?:(?:CM_|BA_DEF_|BA_DEF_REL_)|(?:BA_|BA_REL_)\s*"(?:\\"|[^"])*")\s*')
"""A statement that goes on with the keyword of what it is about."""
_NEEDED: Final = ("BO_", "SG_", "BU_", "EV_")

_QUOTE: Final = re.compile(r'\\"|(")')
_END: Final = re.compile(r"\s*(?:;|\Z)")
_NOTHING: Final = re.compile(rf"[ \t]*(?:\r?\n|\Z|//|(?:{_BEGINNING})[\s:\"])")
_BEFORE_NEXT: Final = re.compile(rf'[ \t]*\r?\n\s*(?:{_BEGINNING})[\s:"]')
_VISIBLE: Final = re.compile(r"[^\n]")
_GOES_ON: Final = re.compile(r"\s*,|\s+[-+]?\d+\s")
_LINE_ENDS: Final = re.compile(r"[ \t]*(?:\r?\n|\Z)")
"""Text behind a quotation of several lines that is no comment."""

_MOST_QUOTES: Final = 20
"""Quotes within a comment that are looked at for its end."""


class DbcFinding(NamedTuple):
    """A change of a file and its reason; `message` is the name of a message that is lost, `reason` why.

    `is_signal`: a signal is lost.
    """

    line: int
    text: str
    message: str | None = None
    reason: str = ""
    is_signal: bool = False


@dataclass(slots=True)
class Statement:
    """A statement. `mask` has a blank for every character within quotes and remarks, and is else the same text."""

    keyword: str
    line: int
    text: str
    mask: str

    def line_at(self, position: int) -> int:
        """Return the number of the line of a position in the text."""
        return self.line + self.text.count("\n", 0, position)

    def replace(self, changes: Sequence[tuple[int, int, str]]) -> None:
        """Replace the text from a first position to another one; later changes first. Quotes are masked anew."""
        for start, end, text in sorted(changes, reverse=True):
            self.text = self.text[:start] + text + self.text[end:]
            self.mask = self.mask[:start] + _hidden(text) + self.mask[end:]

    def put(self, text: str) -> None:
        """Put another text in the place of this one, with whole quotations."""
        self.text, self.mask = text, _hidden(text)

    def blank(self) -> None:
        """Take the text away; its lines stay."""
        self.text = self.mask = blank(self.text)


def blank(text: str) -> str:
    """Return the ends of the lines of a text alone."""
    return "\n" * text.count("\n")


def joined(statements: Sequence[Statement]) -> str:
    """Return the text of statements."""
    return "".join(statement.text for statement in statements)


def split(text: str) -> tuple[str, list[Statement]]:
    """Return the blanked text before the first keyword, and the statements; that of the symbols (NS_) is blank too.

    Behind the semicolon of a statement there is nothing; text there becomes a statement without keyword.
    """
    mask, marks = _scanned(text)
    ends = [start for start, _ in marks] + [len(text)]
    statements: list[Statement] = []
    line, counted = 1, 0
    for (start, keyword), end in zip(marks, ends[1:], strict=True):
        line, counted = line + text.count("\n", counted, start), start
        piece, masked = text[start:end], mask[start:end]
        if keyword == "NS_" or (
            statements and statements[-1].keyword == "NS_" and piece.partition("\n")[0].strip() == keyword
        ):  # a keyword alone on its line: the list of symbols continues
            if keyword != "NS_":
                statements[-1].text += blank(piece)
                statements[-1].mask = statements[-1].text
                continue
            piece = masked = blank(piece)
        statements += _cut_behind_end(Statement(keyword, line, piece, masked))
    return blank(text[: ends[0]]), statements


def _cut_behind_end(statement: Statement) -> Iterator[Statement]:
    end = statement.mask.find(";") + 1
    if statement.keyword in _WITHOUT_END or not end or not statement.mask[end:].strip():
        yield statement
        return
    rest = Statement("", statement.line_at(end), statement.text[end:], statement.mask[end:])
    statement.text, statement.mask = statement.text[:end], statement.mask[:end]
    yield statement
    yield rest


def _hidden(text: str) -> str:
    """Return the mask of a text with whole quotations."""
    return re.sub(r'"((?:\\"|[^"])*)"', lambda found: '"' + _VISIBLE.sub(" ", found[1]) + '"', text)


def _scanned(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the mask, and where statements begin, with their keywords."""
    pieces: list[str] = []
    marks: list[tuple[int, str]] = []
    done = 0
    while (found := _NEXT.search(text, done)) is not None:
        pieces.append(text[done : found.start()])
        done = found.end()
        if found["quote"]:
            end, closed = _end_of_quotation(text, found.start(), marks[-1][1] if marks else "")
            pieces += ['"', _VISIBLE.sub(" ", text[done : end - closed]), '"' if closed else ""]
            done = end
        elif found["remark"]:
            pieces.append(" " * (done - found.start()))
        else:
            keyword = found["word"] or found["head"]
            if not (marks and keyword in _NEEDED and _NEEDING.fullmatch(text, marks[-1][0], found.start())):
                marks.append((found.start(), keyword))
            pieces.append(found[0])
    pieces.append(text[done:])
    return "".join(pieces), marks


def _end_of_quotation(text: str, start: int, keyword: str) -> tuple[int, bool]:
    """Return the position behind a quotation that begins at `start`, and whether a quote closes it."""
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    quotes = islice((found.start() for found in _QUOTE.finditer(text, start + 1) if found[1]), _MOST_QUOTES)
    nearest = next(quotes, None)
    if nearest is None:
        return line_end, False

    def ends_line(following: re.Pattern[str]) -> bool:
        """Return whether the nearest quote ends its line; after `CM_ BO_ 256` it begins a text."""
        at_start = nearest > line_end and _begins_statement(text, nearest)
        return not at_start and following.match(text, nearest + 1) is not None

    if keyword != "CM_":
        is_whole = nearest < line_end or _ends(text, nearest, line_end) or _GOES_ON.match(text, nearest + 1)
        return (nearest + 1, True) if is_whole or ends_line(_LINE_ENDS) else (line_end, False)
    if _ends(text, nearest, line_end) or ends_line(_BEFORE_NEXT):
        return nearest + 1, True
    on_line = int(ends_line(_LINE_ENDS) and nearest < line_end)
    return _end_of_comment(text, nearest, line_end, quotes, on_line)


def _end_of_comment(text: str, last: int, line_end: int, quotes: Iterable[int], on_line: int) -> tuple[int, bool]:
    """Return the same of a comment that the quote at `last` does not end; `quotes` are the later ones.

    `on_line`: the number of quotes up to one that is the last character of the first line.
    """
    inner = 1
    for quote in quotes:
        if _ends(text, quote, line_end):
            if quote > line_end and last > line_end and _begins_statement(text, last):
                if inner % 2:
                    break
                if on_line % 2:
                    return text.rfind('"', 0, line_end) + 1, True
            return quote + 1, True
        inner, last = inner + 1, quote
        if quote < line_end and _LINE_ENDS.match(text, quote + 1):
            on_line = inner
    return line_end, False


def _begins_statement(text: str, position: int) -> bool:
    """Return whether the line of a position begins with a keyword."""
    return _LINE.match(text, text.rfind("\n", 0, position) + 1) is not None


def _ends(text: str, quote: int, line_end: int) -> bool:
    """Return whether a quote ends a comment that began on the line up to `line_end`.

    A semicolon follows; on a later line that begins as a statement nothing else does, or the quote begins a text there.
    """
    end = _END.match(text, quote + 1)
    if end is None or quote < line_end or not _begins_statement(text, quote):
        return end is not None
    return _NOTHING.match(text, end.end()) is not None
