"""CAN databases: loading a file, and finding nodes, messages and signals in it by name.

A file that breaks the rules is still loaded as far as it can be: signals that do not fit into their message are left
out, and so is what a DBC file says in no known way. `warnings` names all of it.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import cantools.database
from cantools.database.can import Database as CanDatabase
from cantools.database.can import Message, Signal
from cantools.database.errors import UnsupportedDatabaseFormatError

from hilbridge.base.common.errors import ConfigurationError, KeyPath, Sought
from hilbridge.base.common.kept_texts import KeptTexts
from hilbridge.frames.codec.container import contained, unchecked
from hilbridge.frames.codec.dbc_file import read_dbc
from hilbridge.frames.codec.layout import require_fit
from hilbridge.frames.codec.page_names import with_keys
from hilbridge.frames.codec.partial import read_in_part, reason_of

NOBODY: Final = "Vector__XXX"
"""The sender that databases write where a message has none."""

_INSTEAD: Final = {
    ".ldf": "it describes a LIN bus, and a bench has CAN buses",
    ".cdd": "it describes diagnostics: 'hilbridge clone' drafts control units from a log, 'control_units' names them",
    ".dbf": "save it as DBC in BUSMASTER, or convert it with canmatrix: canconvert FILE x.dbc",
    **dict.fromkeys((".xls", ".xlsx", ".json", ".yaml", ".xml"), "convert it with canmatrix: canconvert FILE x.dbc"),
    **dict.fromkeys((".odx", ".pdx"), "it describes diagnostics: 'control_units' of the bench has them"),
}
"""Advice for files of other kinds."""

FORMATS: Final = {".dbc": "dbc", ".kcd": "kcd", ".arxml": "arxml", ".sym": "sym"}

cantools.database.can.database.LOGGER.setLevel("ERROR")  # of messages with one identifier `_doubles` tells

LARGEST: Final = 64 << 20
"""[byte] A larger file is refused: reading it would take minutes, and gigabytes of memory."""

_LONGEST_KEPT: Final = 1 << 20
"""[character] A longer text is parsed each time."""

MOST_MESSAGES: Final = 10_000
"""Messages of a file; the largest of the public collection opendbc has 367."""

MOST_SIGNALS: Final = 50_000
"""Signals of a file; each takes a third of a millisecond, and 5 KiB."""

_LINE_END: Final = "\n"

MOST_WARNINGS: Final = 200
"""Warnings about a file; no one reads more of them."""

_COUNTED: Final = {
    "dbc": (r"^\s*BO_\s", r"^\s*SG_\s"),
    "kcd": (r"<(?:\w+:)?Message\b", r"<(?:\w+:)?Signal\b"),
    "arxml": (r"<(?:\w+:)?CAN-FRAME\b", r"<(?:\w+:)?I-SIGNAL\b"),
    "sym": (r"^\s*(?:ID|Id)\s*=", r"^\s*(?:Sig|Var|Signal)\s*="),
}
"""The beginning of a message and of a signal in the text of each format."""


def unknown(kind: str, name: str, known: Iterable[str], place: KeyPath) -> ConfigurationError:
    """Return the error for a name that does not exist, with what may have been meant."""
    return ConfigurationError(f"unknown {kind} {name!r}", place, Sought(name, tuple(known)))


@dataclass
class Database:
    """The content of one or several files.

    `warnings` has what is wrong with them, `defects` the reason why a message could not be read, by its name;
    `unread_signals` counts signals that could not be read; `contained` has the messages in containers.
    """

    name: str
    messages: list[Message]
    nodes: list[str]
    bitrate: int | None = None
    warnings: list[str] = field(default_factory=list)
    defects: dict[str, str] = field(default_factory=dict)
    unread_signals: int = 0
    contained: list[Message] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._messages = {message.name: message for message in reversed([*self.messages, *self.contained])}
        frames = {(one.name, one.frame_id, one.is_extended_frame) for one in self.messages}
        self._shared = {name for name, count in Counter(name for name, *_ in frames).items() if count > 1}
        self._signals: dict[str, dict[str, Signal]] = {}  # of messages that were asked for, by name

    def sent_by(self, node: str, place: KeyPath = ()) -> list[Message]:
        """Return the messages of a node, by identifier; of `NOBODY` those that name no sender."""
        if node not in self.nodes and node != NOBODY:
            raise unknown(f"node of {self.name}", node, self.nodes, place)
        messages = [one for one in self.messages if node in one.senders or (node == NOBODY and not one.senders)]
        return sorted(messages, key=lambda message: (message.frame_id, message.name))

    def message(self, name: str, place: KeyPath = ()) -> Message:
        """Return a message that can be used."""
        if name not in self._messages:
            if name in self.defects:
                raise ConfigurationError(f"message {name} of {self.name} is unusable: {self.defects[name]}", place)
            raise unknown(f"message of {self.name}", name, self._messages, place)
        if name in self._shared:
            identifiers = ", ".join(f"0x{one.frame_id:X}" for one in self.messages if one.name == name)
            reason = f"{self.name} has several messages {name}, {identifiers}: rename all but one of them there"
            raise ConfigurationError(reason, place)
        return self._messages[name]

    def signal(self, message: str, name: str, place: KeyPath = ()) -> Signal:
        """Return a signal of a message that can be used."""
        signals = self._signals.get(message)
        if signals is None:
            signals = self._signals[message] = {}
            for signal in self.message(message, place).signals:
                signals.setdefault(signal.name, signal)
        if name not in signals:
            raise unknown(f"signal of {message}", name, signals, place)
        return signals[name]


_parsed_texts: Final[KeptTexts[Database]] = KeptTexts(2 << 20, _LONGEST_KEPT)
"""Databases that are kept parsed: a process that builds a bench again finds them so, if their text is the same."""


def load_database(path: Path, place: KeyPath = ()) -> Database:
    """Return the database of a DBC, KCD, ARXML or SYM file, by its extension.

    ConfigurationError: missing, unreadable, of another kind, or nothing of it can be used (with the line, where it is
    known).
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        instead = _INSTEAD.get(path.suffix.lower())
        reason = f"{path.name} is no database: {', '.join(FORMATS)} are"
        raise ConfigurationError(f"{reason}; {instead}" if instead else reason, place)
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigurationError(f"{path.name} is larger than {LARGEST >> 20} MiB", place)
        text, warnings = _decoded(path.read_bytes(), path.name)
    except FileNotFoundError:
        raise ConfigurationError(f"there is no database {path}", place) from None
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}", place) from None
    return _parsed_texts.made(str(path), text, partial(_parsed, path, place, kind, text, warnings), tuple(warnings))


def _parsed(path: Path, place: KeyPath, kind: str, text: str, remarks: Sequence[str]) -> Database:
    """Return the database of a text; it is never changed, and shared by those that read the file again.

    `remarks`: the warnings about the text so far.
    """
    _require_few(path, text, kind, place)
    warnings = list(remarks)
    defects: dict[str, str] = {}
    unread = 0
    try:
        if kind == "dbc":
            content, findings = read_dbc(text)
            defects = {finding.message: finding.reason for finding in findings if finding.message is not None}
            unread = sum(finding.is_signal for finding in findings)
            warnings += [f"{path.name}:{finding.line}: {finding.text}" for finding in findings]
        else:
            content, lost, notes = read_in_part(text, kind)
            defects = {one.message: one.reason for one in lost}
            warnings += [f"{path.name}: {note}" for note in notes]
            warnings += [f"{path.name}: message {one.message} is left out: {one.reason}" for one in lost]
    except UnsupportedDatabaseFormatError as error:
        raise ConfigurationError(_reason(path, text, error), place) from None
    warnings += [f"{path.name}: {loss}" for loss in _losses(content)]
    nodes = [node.name for node in content.nodes]
    bitrate = next((bus.baudrate for bus in content.buses if bus.baudrate), None)
    warnings += _doubles([(path.name, message) for message in content.messages])
    warnings += [f"{path.name}: {double}" for message in content.messages for double in _double_signals(message)]
    warnings += _clear_odd_cycle_times(path.name, content.messages)
    inside = list(contained(content.messages))
    warnings += [f"{path.name}: {remark}" for remark in unchecked([*content.messages, *inside])]
    if not content.messages:
        warnings.append(f"{path.name}: it has no message")
    if (more := len(warnings) - MOST_WARNINGS) > 0:
        warnings[MOST_WARNINGS:] = [f"{path.name}: and {more} more"]
    return Database(path.name, content.messages, nodes, bitrate, warnings, defects, unread, inside)


def _require_few(path: Path, text: str, kind: str, place: KeyPath) -> None:
    """Raise ConfigurationError for a text with so many messages or signals that it would take minutes to read."""
    bounds = ("messages", MOST_MESSAGES), ("signals", MOST_SIGNALS)
    for (what, most), pattern in zip(bounds, _COUNTED[kind], strict=True):
        if (count := sum(1 for _ in re.finditer(pattern, text, re.MULTILINE))) > most:
            reason = f"{path.name} has {count} {what}, more than {most}: leave out what the bench does not need"
            raise ConfigurationError(reason, place)


def _clear_odd_cycle_times(file: str, messages: Sequence[Message]) -> Iterator[str]:
    """Take away cycle times that are negative or text, as where the attribute is defined as text; yield a warning each.

    Empty text means none, and costs no warning.
    """
    for message in messages:
        time: object = message.cycle_time
        if time is None or (isinstance(time, int | float) and time >= 0):
            continue
        if time != "":
            yield f"{file}: message {message.name}: no cycle time is {time!r} ms"
        message.cycle_time = None


def merged(databases: Sequence[Database]) -> Database:
    """Several databases as one. Of two messages of the same name the first file's is used; a warning names them."""
    if len(databases) == 1:
        return databases[0]
    files: dict[str, str] = {}
    messages: list[tuple[str, Message]] = []
    warnings = [warning for one in databases for warning in one.warnings]
    for one in databases:
        for message in one.messages:
            first = files.setdefault(message.name, one.name)
            if first == one.name:
                messages.append((one.name, message))
            else:
                warnings.append(f"message {message.name} is in {first} and in {one.name}: that of {first} is used")
    return Database(
        ", ".join(one.name for one in databases),
        [message for _, message in messages],
        list(dict.fromkeys(node for one in databases for node in one.nodes)),
        next((one.bitrate for one in databases if one.bitrate is not None), None),
        [*dict.fromkeys(warnings + _doubles(messages))],
        {name: why for one in reversed(databases) for name, why in one.defects.items()},
        sum(one.unread_signals for one in databases),
        [message for one in databases for message in one.contained],
    )


def _doubles(messages: Sequence[tuple[str, Message]]) -> list[str]:
    """Return a warning for every message whose identifier another one of another name has before it."""
    first: dict[tuple[int, bool], tuple[str, Message]] = {}
    names: dict[str, Message] = {}
    warnings = []
    for file, message in messages:
        named = names.setdefault(message.name, message)
        if (named.frame_id, named.is_extended_frame) != (message.frame_id, message.is_extended_frame):
            identifiers = f"0x{named.frame_id:X} and 0x{message.frame_id:X}"
            warnings.append(f"{file}: two messages are called {message.name}, {identifiers}: only a node sends them")
        here, other = first.setdefault((message.frame_id, message.is_extended_frame), (file, message))
        if other is not message:
            warnings.append(
                f"{file}: {message.name} has the same identifier, 0x{message.frame_id:X}, as {other.name} of {here}"
            )
    return warnings


def _decoded(content: bytes, file: str) -> tuple[str, list[str]]:
    """Return the text, and warnings: newer tools write UTF-8, older ones Windows-1252, some UTF-16, DOS an end mark."""
    warnings = []
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16", errors="replace")
        warnings.append(f"{file}: is read as UTF-16")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", errors="replace")
    if found := re.search(r"[\0\x1a]", text):
        body = text.rstrip("\0\x1a \t\r\n")
        where = "at its end" if found.start() >= len(body) else f"in line {1 + text.count(_LINE_END, 0, found.start())}"
        warnings.append(f"{file}: marks of the end of a file (NUL, 1A) {where} are passed over")
        text = re.sub(r"[\0\x1a]", " ", body) + _LINE_END
    return text, warnings


def _reason(path: Path, text: str, error: UnsupportedDatabaseFormatError) -> str:
    """`file:line: what is wrong`, from the parser's own exception."""
    if not text.strip():
        return f"{path}:1: the file is empty"
    if path.suffix.lower() == ".dbc" and "BO_" not in text:
        return f"{path}:1: it has no message (BO_): it is no DBC file"
    line = getattr(error.__cause__, "line", None)
    return f"{path}:{line}: {reason_of(error)}" if isinstance(line, int) else f"{path}: {reason_of(error)}"


def _double_signals(message: Message) -> Iterator[str]:
    """Yield the signals that can travel with another one of their name."""
    for name, other in with_keys(message.signals).doubles:
        what = "has the same bits, and is left out" if other is None else f"is called '{other}'"
        yield f"message {message.name} has two signals {name} on one page: the second one {what}"


def _losses(content: CanDatabase) -> Iterator[str]:
    """Yield the signals that do not fit into their message."""
    for message in content.messages:
        for signal in message.signals:
            try:
                require_fit(signal, message.length)
            except ConfigurationError as error:
                yield f"signal {signal.name} of {message.name} is left out: {error.message}"
