"""Repair of DBC files that do not load: keeps what can be used.

    statement = the lines from one that begins with a keyword of the format up to the next such line

1. Identifiers of more than 11 bits get the mark of a 29-bit identifier where it was forgotten: they can be no other.
2. Each statement is parsed alone; of a message that fails, only the signals go whose line is at fault, if that helps.
3. Named values and types of signals that are not there go: the parser refuses the whole file for them.
4. Attributes go that are not defined, or whose value the definition does not allow.
5. If what is left still does not load, only nodes and messages stay.

What goes is blanked out, so that the lines that stay keep their numbers. Every change is a finding.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import cantools.database
from cantools.database.errors import Error

from hilbridge.base.common.errors import quoted
from hilbridge.frames.codec.frame import EXTENDED_MASK, STANDARD_MASK

_START: Final = re.compile(
    r"^[ \t]*(VERSION|NS_|BS_|BU_|BO_|BO_TX_BU_|SG_MUL_VAL_|SIG_GROUP_|SIG_VALTYPE_|SIG_TYPE_REF_|SIGTYPE_VALTYPE_"
    r"|SGTYPE_|SGTYPE_VAL_|VAL_|VAL_TABLE_|CM_|BA_|BA_DEF_|BA_DEF_DEF_|BA_REL_|BA_DEF_REL_|BA_DEF_DEF_REL_"
    r"|BA_SGTYPE_|BA_DEF_SGTYPE_|CAT_|CAT_DEF_|EV_|EV_DATA_|ENVVAR_DATA_|FILTER)(?=[\s:])",
    re.MULTILINE,
)
_SIGNAL: Final = re.compile(r"^[ \t]*SG_\s+([^\s:]+)", re.MULTILINE)
_MESSAGE: Final = re.compile(r"\s*BO_\s+(\d+)\s+([^\s:]+)")
_IDENTIFIER: Final = re.compile(
    r"((?:\bBO_|\bSG_|^VAL_|^SIG_VALTYPE_|^BO_TX_BU_|^SG_MUL_VAL_|^SIG_GROUP_)\s+)(\d+)\b", re.MULTILINE
)
_OF_SIGNAL: Final = re.compile(r"\s*(?:VAL_|SIG_VALTYPE_)\s+(\d+)\s+(\w+)")
_SYNTAX: Final = re.compile(r"Invalid syntax at line \d+, column (\d+): \".*>>!<<(.*)\"", re.DOTALL)
_EXTENDED: Final = 1 << 31
"""The mark of a 29-bit identifier in a DBC file."""

_REFERRING: Final = ("VAL_", "SIG_VALTYPE_", "BA_", "BA_REL_")
"""Statements that are refused alone for what they refer to."""

_BATCH: Final = 64
"""Statements that are tried together first: most files are sound nearly everywhere."""


class RepairFinding(NamedTuple):
    """A change and its reason; `message` is the name of a message that is lost, `reason` why."""

    line: int
    text: str
    message: str | None = None
    reason: str = ""


@dataclass(slots=True)
class _Statement:
    keyword: str
    line: int
    text: str

    @property
    def name(self) -> str:
        """The name of the message that the statement describes."""
        found = _MESSAGE.match(self.text)
        return found[2] if found else "without a name"

    def parts(self) -> tuple[str, list[tuple[str, int, str]]]:
        """Return a message's own line, and the name, line and text of each of its signals."""
        marks = list(_SIGNAL.finditer(self.text))
        ends = [mark.start() for mark in marks] + [len(self.text)]
        signals = [
            (mark[1], self.line + self.text.count("\n", 0, mark.start()), self.text[mark.start() : end])
            for mark, end in zip(marks, ends[1:], strict=True)
        ]
        return self.text[: ends[0]], signals


def repair(text: str) -> tuple[str, list[RepairFinding]]:
    """Return the text of a DBC file without what cannot be used, and the findings by line."""
    head, statements = _split(text)
    findings = list(_mark_extended(statements))
    before = _signals(statements)
    findings += [
        *_cut_unreadable(statements),
        *_cut_orphans(statements, before),
        *_cut_attributes(statements),
        *_cut_all_but_messages(statements),
    ]
    return head + _joined(statements), sorted(findings)


def _split(text: str) -> tuple[str, list[_Statement]]:
    """Return the blanked text before the first keyword, and the statements; that of the symbols (NS_) is blank too."""
    marks = list(_START.finditer(text))
    ends = [mark.start() for mark in marks] + [len(text)]
    statements: list[_Statement] = []
    for mark, end in zip(marks, ends[1:], strict=True):
        piece = text[mark.start() : end]
        if statements and statements[-1].keyword == "NS_" and piece.partition("\n")[0].strip() == mark[1]:
            statements[-1].text += _blank(piece)  # a keyword alone on its line: the list of symbols continues
        else:
            piece = _blank(piece) if mark[1] == "NS_" else piece
            statements.append(_Statement(mark[1], 1 + text.count("\n", 0, mark.start()), piece))
    return _blank(text[: ends[0]]), statements


def _blank(text: str) -> str:
    return "\n" * text.count("\n")


def _joined(statements: Sequence[_Statement]) -> str:
    return "".join(statement.text for statement in statements)


def _failure(text: str, *, alone: bool = False) -> str | None:
    """Return why a text does not load, or None. `alone`: what it refers to is not in the text, and is no reason."""
    try:
        cantools.database.load_string(text, "dbc", strict=False)
    except Error as error:
        cause = error.__cause__ or error
        if alone and not hasattr(cause, "line"):  # of the parser
            return None
        return _in_words(str(cause))
    return None


def _in_words(reason: str) -> str:
    """Return the parser's reason, with the place of a mistake in the text's own words."""
    syntax = _SYNTAX.fullmatch(reason)
    if syntax is None:
        return " ".join(reason.split()).rstrip(".")
    column, after = syntax.groups()
    return f"column {column}, {quoted(after)} is not expected there" if after.strip() else "it has no end"


def _mark_extended(statements: Sequence[_Statement]) -> Iterator[RepairFinding]:
    unmarked = {
        message[1]
        for statement in statements
        if statement.keyword == "BO_" and (message := _MESSAGE.match(statement.text))
        if STANDARD_MASK < int(message[1]) <= EXTENDED_MASK
    }
    if not unmarked:
        return
    for statement in statements:
        marked = _IDENTIFIER.sub(
            lambda found: f"{found[1]}{int(found[2]) | _EXTENDED}" if found[2] in unmarked else found[0], statement.text
        )
        if marked != statement.text and statement.keyword == "BO_":
            identifier = int(_IDENTIFIER.findall(statement.text)[0][1])
            text = f"message {statement.name}: 0x{identifier:X} is not marked as a 29-bit identifier, but taken as one"
            yield RepairFinding(statement.line, text)
        statement.text = marked


def _cut_unreadable(statements: Sequence[_Statement]) -> Iterator[RepairFinding]:
    for start in range(0, len(statements), _BATCH):
        batch = statements[start : start + _BATCH]
        for alone in (False, True):
            group = [one for one in batch if (one.keyword in _REFERRING) == alone]
            if _failure(_joined(group), alone=alone) is not None:
                for statement in group:
                    yield from _cut_if_unreadable(statement, alone=alone)


def _cut_if_unreadable(statement: _Statement, *, alone: bool) -> Iterator[RepairFinding]:
    reason = _failure(statement.text, alone=alone) if statement.text.strip() else None
    if reason is None:
        return
    if statement.keyword == "BO_":
        header, signals = statement.parts()
        checked = [(*signal, _failure(header + signal[2], alone=True)) for signal in signals]
        sound = header + "".join(text if problem is None else _blank(text) for *_, text, problem in checked)
        if sound != statement.text and _failure(sound) is None:
            statement.text = sound
            message = statement.name
            for name, line, _, why in checked:
                if why is not None:
                    yield RepairFinding(line, f"signal {name} of {message} is left out: {why}")
            return
    yield _cut(statement, reason)


def _cut(statement: _Statement, reason: str) -> RepairFinding:
    message = statement.name if statement.keyword == "BO_" else None
    what = f"{statement.keyword} statement" if message is None else f"message {message}"
    finding = RepairFinding(statement.line, f"{what} is left out: {reason}", message, reason)
    statement.text = _blank(statement.text)
    return finding


def _signals(statements: Sequence[_Statement]) -> set[tuple[str, str]]:
    """Return the identifier of the message and the name of every signal."""
    return {
        (message[1], name)
        for statement in statements
        if statement.keyword == "BO_" and (message := _MESSAGE.match(statement.text))
        for name in _SIGNAL.findall(statement.text)
    }


def _cut_orphans(statements: Sequence[_Statement], before: set[tuple[str, str]]) -> Iterator[RepairFinding]:
    """`before`: the signals there were. What belongs to one that was cut goes without further words."""
    there = _signals(statements)
    for statement in statements:
        owner = _OF_SIGNAL.match(statement.text)
        if owner is not None and owner.groups() not in there:
            finding = _cut(statement, f"message {owner[1]} has no signal {owner[2]}")
            if owner.groups() not in before:
                yield finding


def _cut_attributes(statements: Sequence[_Statement]) -> Iterator[RepairFinding]:
    definitions = _joined([one for one in statements if one.keyword.startswith("BA_DEF_")])
    attributes = [one for one in statements if one.keyword in ("BA_", "BA_REL_")]
    if _failure(definitions + _joined(attributes)) is not None:
        for statement in attributes:
            if (reason := _failure(definitions + statement.text)) is not None:
                yield _cut(statement, f"its value does not fit a definition: {reason}")


def _cut_all_but_messages(statements: Sequence[_Statement]) -> Iterator[RepairFinding]:
    reason = _failure(_joined(statements))
    if reason is not None:
        for statement in statements:
            if statement.keyword not in ("BU_", "BO_"):
                statement.text = _blank(statement.text)
        yield RepairFinding(1, f"everything but nodes and messages is left out: {reason}")
