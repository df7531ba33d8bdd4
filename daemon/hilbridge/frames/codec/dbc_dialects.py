"""Dialects of DBC that other readers accept: each is rewritten as the format has it, and named with its line.

    .25 for 0.25                           numbers without a digit before the point
    [0|inf], [0|1.#INF], [|]               an invalid range: [0|0]
    BO_ 1 4a7M: 8 X, SG_ 2ND, FILTER       names that begin with a digit, have other characters or are keywords
    BO_ 1 M: 8, SG_ … "rpm"                no sender, no receiver: Vector__XXX
    SG_ … "rpm" A B,                       receivers apart by blanks; a comma at the end
    VAL_ 1 S Table ;                       the values of VAL_TABLE_ Table
    VAL_ 1 S 0x10 "On" ;                   hexadecimal numbers
    VAL_ …, BA_ …, CM_ …                   no semicolon at the end
    BA_ "GenMsgCycleTime" BO_ 1 20;        an attribute without a definition, by its values
    CM_ "a "word" of it"; CM_ "a word;     quotes within a comment; a comment that no quote ends goes

Two things are changed so that the parser takes them as they are meant. Names get a place holder, which goes when the
file is read. Ranges of SG_MUL_VAL_ become a number that stands for them: of a range the parser makes a list.

Line numbers stay. Sources: canmatrix (formats/dbc.py), SavvyCAN (dbc/dbchandler.cpp) and files of opendbc.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from hilbridge.frames.codec.dbc_statements import KEYWORDS, DbcFinding, Statement, joined, split

_WITH_END: Final = ("CM_", "BA_", "BA_DEF_", "BA_DEF_DEF_", "VAL_", "VAL_TABLE_", "SIG_VALTYPE_", "BO_TX_BU_")
_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_POINT: Final = re.compile(r"(?<![\w.)])([-+]?)\.(\d+)")
_RANGE: Final = re.compile(r"\[([^\]|\n]*)\|([^\]|\n]*)\]")
_HEAD: Final = re.compile(r"BO_\s+\d+\s+([^\s:]+)\s*:\s*\d+(?:[ \t]+([^\s;,]+))?[ \t]*")
_SIGNAL: Final = re.compile(r"(?<!\S)SG_[ \t]+([^\s:]+)")
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_LIST: Final = re.compile(r"(?:[A-Za-z_]\w*[\s,]*)+", re.ASCII)
_APART: Final = re.compile(r"[^\s,][ \t]+[^\s,]")
_TABLE: Final = re.compile(r"VAL_TABLE_\s+(\S+)\s+([^;]*)")
_TABLE_USED: Final = re.compile(r"\s*VAL_\s+\d+\s+\S+\s+([A-Za-z_]\w*)\s*;?\s*$")
_HEXADECIMAL: Final = re.compile(r"(?<=\s)0[xX]([0-9A-Fa-f]+)(?=\s)")
_DEFINED: Final = re.compile(r'\s*BA_DEF_(?:REL_)?\s*(?:\w+_\s*)?"([^"]*)"')
_ATTRIBUTE: Final = re.compile(r'\s*BA_\s*"([^"]*)"\s*(BO_|SG_|BU_|EV_)?[^";]*?("(?:\\"|[^"])*"|[-+.\w]+)\s*;')
_PAGES: Final = re.compile(r"\s*SG_MUL_VAL_\s+\d+\s+\S+\s+\S+\s+([\d\s,+-]+?)\s*;")
_SPAN: Final = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")

_STANDARD_DEFINITIONS: Final = {
    "VFrameFormat": 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG","reserved",'
    '"reserved","reserved","reserved","reserved","reserved","reserved","reserved","reserved","reserved",'
    '"StandardCAN_FD","ExtendedCAN_FD"; BA_DEF_DEF_ "VFrameFormat" "StandardCAN";',
    "GenMsgSendType": "",
}
"""Attributes whose numbers stand for names; those of the send type differ from maker to maker."""

MOST_SIGNALS: Final = 3000
"""Signals of a message: what the parser does with them grows with their square."""

PAGES: Final = 1 << 62
"""The number that stands for the first ranges of a file (SG_MUL_VAL_); the next one stands for the second."""

_PLACE_HOLDER: Final = "HB{}_PLACE_HOLDER"


class Normalised(NamedTuple):
    """A text in the format's own words; findings; the names of place holders; the ranges that numbers stand for."""

    text: str
    findings: list[DbcFinding]
    names: Mapping[str, str]
    pages: Sequence[tuple[range, ...]]


def normalise(text: str) -> Normalised:
    """Return the text of a DBC file with every dialect rewritten."""
    head, statements = split(text if text.endswith("\n") else f"{text}\n")
    names = _odd_names(statements)
    pages: list[tuple[range, ...]] = []
    findings: list[DbcFinding] = []
    tables = {found[1]: found[2] for one in statements if one.keyword == "VAL_TABLE_" if (found := _table(one))}
    for statement in statements:
        match statement.keyword:
            case "BO_" if len(_SIGNAL.findall(statement.mask)) > MOST_SIGNALS:
                findings.append(_without_message(statement))
            case "BO_":
                findings += [*_without_senders(statement), *_odd_ranges(statement), *_receivers(statement)]
            case "VAL_":
                findings += [*_named_tables(statement, tables), *_hexadecimal(statement)]
            case "VAL_TABLE_":
                findings += _hexadecimal(statement)
            case "CM_":
                findings += [*_inner_quotes(statement), *_without_quote(statement)]
            case "SG_MUL_VAL_":
                _stand_for_pages(statement, pages)
        findings += [*_points(statement), *_without_end(statement)]
    findings += _rename(statements, names)
    added, undefined = _definitions(statements)
    return Normalised(
        head + joined(statements) + added,
        findings + undefined,
        {holder: name for name, holder in names.items()},
        pages,
    )


def _table(statement: Statement) -> re.Match[str] | None:
    """Return the name and the values of a value table, as text."""
    found = _TABLE.match(statement.mask.strip())
    return None if found is None else _TABLE.match(statement.text.strip())


def _points(statement: Statement) -> Iterator[DbcFinding]:
    found = list(_POINT.finditer(statement.mask))
    for one in found:
        yield DbcFinding(statement.line_at(one.start()), f"{one[0]} is read as {one[1]}0.{one[2]}")
    statement.replace([(one.start(), one.end(), f"{one[1]}0.{one[2]}") for one in found])


def _odd_ranges(statement: Statement) -> Iterator[DbcFinding]:
    odd = [
        one
        for one in _RANGE.finditer(statement.mask)
        if not all(_NUMBER.fullmatch(number.strip()) for number in one.groups())
    ]
    for one in odd:
        yield DbcFinding(statement.line_at(one.start()), f"{one[0]} is no range, and none is taken")
    statement.replace([(one.start(), one.end(), "[0|0]") for one in odd])


def _without_senders(statement: Statement) -> Iterator[DbcFinding]:
    head = _HEAD.match(statement.mask.lstrip(" \t"))
    if head is not None and head[2] is None and statement.mask.lstrip(" \t")[head.end() :][:1] in ("", "\n", "\r"):
        end = head.end() + len(statement.mask) - len(statement.mask.lstrip(" \t"))
        statement.replace([(end, end, " Vector__XXX")])
        yield DbcFinding(statement.line, f"message {head[1]} names no sender")


def _without_message(statement: Statement) -> DbcFinding:
    head = _HEAD.match(statement.mask.lstrip())
    name = "" if head is None else head[1]
    reason = f"it has {len(_SIGNAL.findall(statement.mask))} signals, more than {MOST_SIGNALS}"
    statement.blank()
    return DbcFinding(statement.line, f"message {name} is left out: {reason}", name, reason)


def _tails(statement: Statement) -> Iterator[tuple[str, int, int]]:
    """Yield the name of each signal of a message, and where the line ends that its unit ends in, from the unit on."""
    marks = list(_SIGNAL.finditer(statement.mask))
    ends = [*(mark.start() for mark in marks), len(statement.mask)]
    for mark, end in zip(marks, ends[1:], strict=True):
        start = statement.mask.rfind('"', mark.end(), end) + 1
        if start:
            yield mark[1], start, end


def _receivers(statement: Statement) -> Iterator[DbcFinding]:
    changes = []
    for name, start, end in _tails(statement):
        tail = statement.mask[start:end]
        words = tail.strip()
        if not words:
            changes.append((start, start, " Vector__XXX"))
            yield DbcFinding(statement.line_at(start), f"signal {name} names no receiver")
        elif "\n" not in words and _LIST.fullmatch(words) and (words.endswith(",") or _APART.search(words)):
            first = start + tail.index(words)
            changes.append((first, first + len(words), ",".join(re.split(r"[\s,]+", words.strip(", ")))))
            yield DbcFinding(statement.line_at(start), f"receivers of {name}: {words!r} is read as a list")
    statement.replace(changes)


def _named_tables(statement: Statement, tables: Mapping[str, str]) -> Iterator[DbcFinding]:
    used = _TABLE_USED.match(statement.mask)
    if used is not None and used[1] in tables:
        statement.replace([(*used.span(1), " ".join(tables[used[1]].splitlines()))])
        yield DbcFinding(statement.line, f"the values of table {used[1]} are taken")


def _hexadecimal(statement: Statement) -> Iterator[DbcFinding]:
    found = list(_HEXADECIMAL.finditer(statement.mask))
    for one in found:
        yield DbcFinding(statement.line_at(one.start()), f"{one[0]} is read as {int(one[1], 16)}")
    statement.replace([(one.start(), one.end(), str(int(one[1], 16))) for one in found])


def _inner_quotes(statement: Statement) -> Iterator[DbcFinding]:
    first, last = statement.mask.find('"'), statement.mask.rfind('"')
    inner = [found.start() for found in re.finditer(r'(?<!\\)"', statement.text[first + 1 : last])]
    if not inner:
        return
    statement.replace([(first + 1 + place, first + 2 + place, "'") for place in inner])
    lines = statement.text.count("\n", first, last)
    more = f" of {lines + 1} lines" if lines else ""
    yield DbcFinding(statement.line, f"quotes within a comment{more} are taken as part of it")


def _without_quote(statement: Statement) -> Iterator[DbcFinding]:
    """Leave out a comment that no quote ends: the parser would take what follows for a part of it."""
    if statement.mask.count('"') % 2:
        yield DbcFinding(statement.line, "a comment without its second quote is left out")
        statement.blank()


def _without_end(statement: Statement) -> Iterator[DbcFinding]:
    """Add the semicolon, unless a quotation has no end."""
    body = statement.mask.rstrip()
    if body and statement.keyword in _WITH_END and not body.endswith(";") and body.count('"') % 2 == 0:
        statement.replace([(len(body), len(body), " ;")])
        yield DbcFinding(statement.line, f"{statement.keyword} statement without its semicolon")


def _odd_names(statements: Sequence[Statement]) -> dict[str, str]:
    """Return a place holder for every name that the parser does not take as one."""
    names: dict[str, None] = {}
    for statement in statements:
        if statement.keyword == "BU_":
            names |= dict.fromkeys(statement.mask.partition(":")[2].split())
        elif statement.keyword == "BO_":
            head = _HEAD.match(statement.mask.lstrip())
            names |= {} if head is None else dict.fromkeys(name for name in head.groups() if name)
            names |= dict.fromkeys(_SIGNAL.findall(statement.mask))
            for _, start, end in _tails(statement):
                names |= dict.fromkeys(re.split(r"[\s,]+", statement.mask[start:end].strip()))
    odd = [
        name
        for name in names
        if (not _NAME.fullmatch(name) or name in KEYWORDS)
        and re.search(r"\w", name)
        and not _NUMBER.fullmatch(name)
        and not re.search(r"[\"\[\](){}|@]", name)
    ]
    return {name: _PLACE_HOLDER.format(number) for number, name in enumerate(odd)}


def _rename(statements: Sequence[Statement], names: Mapping[str, str]) -> Iterator[DbcFinding]:
    if not names:
        return
    choices = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    used = re.compile(rf"(?<![^\s,:;])(?:{choices})(?![^\s,:;])")
    told: set[str] = set()
    for statement in statements:
        found = [one for one in used.finditer(statement.mask) if one.start() or one[0] != statement.keyword]
        for one in found:
            if statement.keyword in ("BO_", "BU_") and one[0] not in told:
                told.add(one[0])
                yield DbcFinding(statement.line_at(one.start()), f"{one[0]} is taken as a name")
        statement.replace([(*one.span(), names[one[0]]) for one in found])


def _definitions(statements: Sequence[Statement]) -> tuple[str, list[DbcFinding]]:
    """Return definitions of attributes that the file uses without one, as text, and a finding for each."""
    definitions = [one for one in statements if one.keyword in ("BA_DEF_", "BA_DEF_REL_")]
    defined = {found[1] for one in definitions if (found := _DEFINED.match(one.text))}
    used: dict[str, tuple[int, str, list[str]]] = {}
    for statement in statements:
        found = _ATTRIBUTE.match(statement.text) if statement.keyword == "BA_" else None
        if found is not None and found[1] not in defined:
            used.setdefault(found[1], (statement.line, found[2] or "", []))[2].append(found[3])
    text, findings = "", []
    for name, (line, kind, values) in used.items():
        definition = _STANDARD_DEFINITIONS.get(name)
        if definition is None:
            definition = f'BA_DEF_ {kind} "{name}" {_type_of(values)};'
        if definition:
            text += f"{definition}\n"
            findings.append(DbcFinding(line, f"attribute {name} is not defined, and taken by its values"))
    return text, findings


def _type_of(values: Sequence[str]) -> str:
    if not all(_NUMBER.fullmatch(value) for value in values):
        return "STRING"
    return "INT 0 0" if all(re.fullmatch(r"[-+]?\d+", value) for value in values) else "FLOAT 0 0"


def _stand_for_pages(statement: Statement, pages: list[tuple[range, ...]]) -> None:
    found = _PAGES.match(statement.mask)
    spans = [_SPAN.fullmatch(part) for part in found[1].split(",")] if found is not None else [None]
    if found is None or any(span is None for span in spans):
        return
    ordered = sorted((int(span[1]), int(span[2])) for span in spans if span is not None)
    if all(low <= high for low, high in ordered):
        number = PAGES + len(pages)
        pages.append(merged(ordered))
        statement.replace([(*found.span(1), f"{number}-{number}")])


def merged(ordered: Sequence[tuple[int, int]]) -> tuple[range, ...]:
    """Return ordered (first, last) numbers as ranges that do not touch each other."""
    spans: list[list[int]] = []
    for low, high in ordered:
        if spans and low <= spans[-1][1] + 1:
            spans[-1][1] = max(spans[-1][1], high)
        else:
            spans.append([low, high])
    return tuple(range(low, high + 1) for low, high in spans)
