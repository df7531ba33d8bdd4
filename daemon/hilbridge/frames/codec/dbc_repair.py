"""Repair of DBC files that do not load: keeps what can be used.

1. Identifiers of more than 11 bits get the mark of a 29-bit identifier where it was forgotten: they can be no other.
2. Each statement is parsed alone; of a message that fails, only the signals go that are at fault, if that
   helps; behind a statement, lines that belong to none go alone.
3. Named values and types of signals that are not there go: the parser refuses the whole file for them.
4. Attributes go that are not defined, or whose value the definition does not allow.
5. If what is left still does not load, all statements of a kind go, or all attributes of a name, if that helps; else
   only nodes and messages stay.

What goes is blanked out, so that the lines that stay keep their numbers. Every change is a finding.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import cantools.database
from cantools.database.errors import Error

from hilbridge.base.common.errors import quoted
from hilbridge.frames.codec.dbc_statements import DbcFinding, Statement, blank, joined, split
from hilbridge.frames.codec.frame import EXTENDED_MASK, STANDARD_MASK

_SIGNAL: Final = re.compile(r"(?<!\S)SG_\s+([^\s:]+)")
_MESSAGE: Final = re.compile(r"\s*BO_\s+(\d+)\s+([^\s:]+)")
_IDENTIFIER: Final = re.compile(
    r"(?:\bBO_|\bSG_|^\s*VAL_|^\s*SIG_VALTYPE_|^\s*BO_TX_BU_|^\s*SG_MUL_VAL_|^\s*SIG_GROUP_)\s+(\d+)\b"
)
_OF_SIGNAL: Final = re.compile(r"\s*(?:VAL_|SIG_VALTYPE_)\s+(\d+)\s+(\w+)")
_ATTRIBUTE: Final = re.compile(r'\s*BA_\s*"([^"]*)"')
_SYNTAX: Final = re.compile(r"Invalid syntax at line \d+, column (\d+): \".*>>!<<(.*)\"", re.DOTALL)
_EXTENDED: Final = 1 << 31
"""The mark of a 29-bit identifier in a DBC file."""

_REFERRING: Final = ("VAL_", "SIG_VALTYPE_", "BA_", "BA_REL_")
"""Statements that are refused alone for what they refer to."""

_BATCH: Final = 64
"""Statements that are tried together first: most files are sound nearly everywhere."""


def _name(statement: Statement) -> str:
    """Return the name of the message that a statement describes."""
    found = _MESSAGE.match(statement.mask)
    return found[2] if found else "without a name"


def _parts(statement: Statement) -> tuple[str, list[tuple[str, int, str]]]:
    """Return a message's own line, and the name, line and text of each of its signals."""
    marks = list(_SIGNAL.finditer(statement.mask))
    ends = [mark.start() for mark in marks] + [len(statement.text)]
    signals = [
        (mark[1], statement.line_at(mark.start()), statement.text[mark.start() : end])
        for mark, end in zip(marks, ends[1:], strict=True)
    ]
    return statement.text[: ends[0]], signals


def repair(text: str) -> tuple[str, list[DbcFinding]]:
    """Return the text of a DBC file without what cannot be used, and the findings by line."""
    head, statements = split(text)
    findings = list(_mark_extended(statements))
    before = _signals(statements)
    findings += [
        *_cut_unreadable(statements),
        *_cut_orphans(statements, before),
        *_cut_attributes(statements),
        *_cut_groups(statements),
    ]
    return head + joined(statements), sorted(findings)


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


def _mark_extended(statements: Sequence[Statement]) -> Iterator[DbcFinding]:
    unmarked = {
        message[1]
        for statement in statements
        if statement.keyword == "BO_" and (message := _MESSAGE.match(statement.mask))
        if STANDARD_MASK < int(message[1]) <= EXTENDED_MASK
    }
    if not unmarked:
        return
    for statement in statements:
        found = [one for one in _IDENTIFIER.finditer(statement.mask) if one[1] in unmarked]
        if found and statement.keyword == "BO_":
            identifier = f"0x{int(found[0][1]):X}"
            text = f"message {_name(statement)}: {identifier} is not marked as a 29-bit identifier, but taken as one"
            yield DbcFinding(statement.line, text)
        statement.replace([(*one.span(1), str(int(one[1]) | _EXTENDED)) for one in found])


def _cut_unreadable(statements: Sequence[Statement]) -> Iterator[DbcFinding]:
    for start in range(0, len(statements), _BATCH):
        batch = statements[start : start + _BATCH]
        for alone in (False, True):
            group = [one for one in batch if (one.keyword in _REFERRING) == alone]
            if _failure(joined(group), alone=alone) is not None:
                for statement in group:
                    yield from _cut_if_unreadable(statement, alone=alone)


def _cut_if_unreadable(statement: Statement, *, alone: bool) -> Iterator[DbcFinding]:
    reason = _failure(statement.text, alone=alone) if statement.text.strip() else None
    if reason is None:
        return
    if statement.keyword == "BO_":
        sound, findings = _sound_part(statement)
        if sound != statement.text and _failure(sound) is None:
            statement.put(sound)
            yield from findings
            return
    elif (first := statement.text.find("\n")) >= 0 and statement.text[first:].strip():
        kept = statement.text[:first] + blank(statement.text[first:])
        if _failure(kept, alone=alone) is None:
            line = statement.line + 1
            yield DbcFinding(line, f"left out: {quoted(statement.text[first:].strip())} belongs to no statement")
            statement.put(kept)
            return
    yield _cut(statement, reason)


def _sound_part(statement: Statement) -> tuple[str, list[DbcFinding]]:
    """Return the text of a message without the signals, and the lines behind one, that are at fault."""
    header, signals = _parts(statement)
    message = _name(statement)
    findings: list[DbcFinding] = []
    if _failure(header) is not None:
        header, findings = _first_line(header, statement.line)
    sound = header
    for name, line, text in signals:
        problem, kept = _failure(header + text, alone=True), text
        odd: list[DbcFinding] = []
        if problem is not None:
            kept, odd = _first_line(text, line)
            if not odd or _failure(header + kept, alone=True) is not None:
                kept = blank(text)
                odd = [DbcFinding(line, f"signal {name} of {message} is left out: {problem}", is_signal=True)]
        sound += kept
        findings += odd
    return sound, findings


def _first_line(text: str, line: int) -> tuple[str, list[DbcFinding]]:
    """Return the first line of a text, and a finding about the rest if it is more than blanks."""
    first, _, rest = text.partition("\n")
    if not rest.strip():
        return text, []
    finding = DbcFinding(line + 1, f"left out: {quoted(rest.strip())} belongs to no statement")
    return f"{first}\n{blank(rest)}", [finding]


def _cut(statement: Statement, reason: str) -> DbcFinding:
    message = _name(statement) if statement.keyword == "BO_" else None
    if message is not None:
        text = f"message {message} is left out: {reason}"
    elif statement.keyword:
        text = f"{statement.keyword} statement is left out: {reason}"
    else:
        text = f"left out: {quoted(statement.text.strip())} belongs to no statement"
    finding = DbcFinding(statement.line, text, message, reason)
    statement.blank()
    return finding


def _signals(statements: Sequence[Statement]) -> set[tuple[str, str]]:
    """Return the identifier of the message and the name of every signal."""
    return {
        (message[1], name)
        for statement in statements
        if statement.keyword == "BO_" and (message := _MESSAGE.match(statement.mask))
        for name in _SIGNAL.findall(statement.mask)
    }


def _cut_orphans(statements: Sequence[Statement], before: set[tuple[str, str]]) -> Iterator[DbcFinding]:
    """`before`: the signals there were. What belongs to one that was cut goes without further words."""
    there = _signals(statements)
    for statement in statements:
        owner = _OF_SIGNAL.match(statement.mask)
        if owner is not None and owner.groups() not in there:
            finding = _cut(statement, f"message {owner[1]} has no signal {owner[2]}")
            if owner.groups() not in before:
                yield finding


def _cut_attributes(statements: Sequence[Statement]) -> Iterator[DbcFinding]:
    definitions = joined([one for one in statements if one.keyword.startswith("BA_DEF_")])
    attributes = [one for one in statements if one.keyword in ("BA_", "BA_REL_")]
    if _failure(definitions + joined(attributes)) is not None:
        for statement in attributes:
            if (reason := _failure(definitions + statement.text)) is not None:
                yield _cut(statement, f"its value does not fit a definition: {reason}")


def _cut_groups(statements: Sequence[Statement]) -> Iterator[DbcFinding]:
    """Leave out all of one kind, if what is left loads then; else everything but nodes and messages."""
    reason = _failure(joined(statements))
    if reason is None:
        return
    groups: dict[str, list[Statement]] = {}
    for statement in statements:
        found = _ATTRIBUTE.match(statement.text)
        if statement.keyword not in ("BU_", "BO_") and statement.text.strip():
            groups.setdefault(statement.keyword if found is None else f"BA_ {found[1]}", []).append(statement)
    for name, group in groups.items():
        kept = "".join(blank(one.text) if one in group else one.text for one in statements)
        if _failure(kept) is None:
            yield DbcFinding(group[0].line, f"{name} is left out: {reason}")
            for statement in group:
                statement.blank()
            return
    for statement in statements:
        if statement.keyword not in ("BU_", "BO_"):
            statement.blank()
    yield DbcFinding(1, f"everything but nodes and messages is left out: {reason}")
