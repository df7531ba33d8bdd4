"""CAN databases: loading a file, and finding nodes, messages and signals in it by name.

A file that breaks the rules in some messages (signals that overlap or do not fit) is still loaded: the warnings say
so, and only those messages are unusable.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import cantools.database
from cantools.database.can import Database as CanDatabase
from cantools.database.can import Message, Signal
from cantools.database.errors import Error, UnsupportedDatabaseFormatError

from hilbridge.errors import ConfigurationError, KeyPath

FORMATS: Final = {".dbc": "dbc", ".kcd": "kcd", ".arxml": "arxml", ".sym": "sym"}


def unknown(kind: str, name: str, known: Iterable[str], place: KeyPath) -> ConfigurationError:
    """The error for a name that does not exist, with what may have been meant."""
    names = list(known)
    folded = {one.casefold(): one for one in names}
    close = get_close_matches(name.casefold(), folded, n=1)
    if close:
        hint = f": did you mean {folded[close[0]]}?"
    elif 0 < len(names) <= 8:
        hint = f" (there are {', '.join(names)})"
    else:
        hint = ""
    return ConfigurationError(f"unknown {kind} {name!r}{hint}", place)


class Database:
    """The content of one file. `defects` has the reason why a message is unusable, by its name."""

    def __init__(self, name: str, content: CanDatabase, warnings: list[str], defects: dict[str, str]) -> None:
        self.name = name
        self.warnings = warnings
        self.defects = defects
        self.messages: list[Message] = content.messages
        self.bitrate: int | None = next((bus.baudrate for bus in content.buses if bus.baudrate), None)
        self._nodes = [node.name for node in content.nodes]
        self._messages = {message.name: message for message in content.messages}

    def sent_by(self, node: str, place: KeyPath = ()) -> list[Message]:
        """The messages of a node, by identifier."""
        if node not in self._nodes:
            raise unknown(f"node of {self.name}", node, self._nodes, place)
        messages = [message for message in self.messages if node in message.senders]
        return sorted(messages, key=lambda message: (message.frame_id, message.name))

    def message(self, name: str, place: KeyPath = ()) -> Message:
        """A message that can be used."""
        if name not in self._messages:
            raise unknown(f"message of {self.name}", name, self._messages, place)
        if name in self.defects:
            raise ConfigurationError(f"message {name} of {self.name} is unusable: {self.defects[name]}", place)
        return self._messages[name]

    def signal(self, message: str, name: str, place: KeyPath = ()) -> Signal:
        """A signal of a message that can be used."""
        signals = {signal.name: signal for signal in self.message(message, place).signals}
        if name not in signals:
            raise unknown(f"signal of {message}", name, signals, place)
        return signals[name]


def load_database(path: Path, place: KeyPath = ()) -> Database:
    """The database of a DBC, KCD, ARXML or SYM file, told by its extension.

    ConfigurationError: missing, unreadable, of another kind, or not to be parsed (with the line, where it is known).
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise ConfigurationError(f"{path.name} is no database: {', '.join(FORMATS)} are", place)
    try:
        text = _decoded(path.read_bytes())
    except FileNotFoundError:
        raise ConfigurationError(f"there is no database {path}", place) from None
    except OSError as error:
        raise ConfigurationError(f"cannot read {path}: {error.strerror}", place) from None

    warnings: list[str] = []
    defects: dict[str, str] = {}
    try:
        content = _parsed(text, kind, strict=True)
    except UnsupportedDatabaseFormatError:
        try:
            content = _parsed(text, kind, strict=False)
        except UnsupportedDatabaseFormatError as final:
            raise ConfigurationError(_reason(path, final), place) from None
        defects = _defects(content)
        warnings = [f"{path.name} is used in part: message {name} is unusable: {why}" for name, why in defects.items()]
    return Database(path.name, content, warnings, defects)


def _decoded(content: bytes) -> str:
    """Newer tools write UTF-8, the older ones Windows-1252."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _parsed(text: str, kind: str, *, strict: bool) -> CanDatabase:
    content = cantools.database.load_string(text, kind, strict=strict)
    if not isinstance(content, CanDatabase):
        raise TypeError(f"{kind} is not a kind of CAN database")
    return content


def _reason(path: Path, error: UnsupportedDatabaseFormatError) -> str:
    """`file:line: what is wrong`, from the parser's own exception."""
    cause = error.__cause__ or error
    line = getattr(cause, "line", None)
    reason = " ".join(str(cause).split())
    return f"{path}:{line}: {reason}" if isinstance(line, int) else f"{path}: {reason}"


def _defects(content: CanDatabase) -> dict[str, str]:
    """The messages that a strict reading refuses, each with the reason."""
    defects: dict[str, str] = {}
    for message in content.messages:
        try:
            message.refresh(strict=True)
        except Error as error:
            defects[message.name] = str(error).rstrip(".")
            message.refresh(strict=False)
    return defects
