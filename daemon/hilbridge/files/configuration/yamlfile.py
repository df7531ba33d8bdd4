"""A YAML file as plain data that remembers the line of every key.

YAML 1.1, read so that nothing surprises: keys are always text; only `true` and `false` are truth values (`on`, `yes`
stay text); numbers are decimal or 0x; dates, base-60 numbers and leading zeros stay text; a key that occurs twice is
an error. Anchors, aliases and the merge key `<<` work; tags (`!name`) are refused. What is read is bounded in size,
depth and, after aliases are expanded, in number of values.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml
from yaml.reader import Reader

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, KeyPath, Problem, quoted
from hilbridge.base.common.kept_texts import KeptTexts
from hilbridge.files.configuration.yamlsyntax import explain

MAXIMUM_BYTES: Final = 1 << 20
MAXIMUM_DEPTH: Final = 40
MAXIMUM_VALUES: Final = 100_000
MAXIMUM_DIGITS: Final = 100

_LONGEST_KEPT: Final = 1 << 17
"""[character] A longer text is parsed each time."""

Scalar = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **{sign + word: float(sign + "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
}
_FAST: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DISPUTED: Final = re.compile(r"[\t?]")
"""Characters that libyaml and the parser in Python read differently: tabs, and `?` within brackets."""
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9_]*)")
_HEXADECIMAL: Final = re.compile(r"0x[0-9a-fA-F_]*[0-9a-fA-F]")
_DECIMAL: Final = re.compile(r"[-+]?(0|[1-9][0-9_]*)?(\.[0-9_]*)?([eE][-+]?[0-9]{1,9})?")


def scalar(text: str) -> Scalar:
    """Return the value of a plain (unquoted) word of YAML."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) <= MAXIMUM_DIGITS:
        if _INTEGER.fullmatch(text):
            return int(text.replace("_", ""))
        if _HEXADECIMAL.fullmatch(text):
            return int(text.replace("_", ""), 16)
        if _DECIMAL.fullmatch(text) and any(digit in text.lower().partition("e")[0] for digit in "0123456789"):
            return float(text.replace("_", ""))
    return text


@dataclass(slots=True)
class YamlNode:
    """A value of the file and the line where it begins (from 1).

    `size`: how many values it contains, itself included; `height`: how many levels they form.
    """

    line: int
    value: "Scalar | list[YamlNode] | dict[str, YamlEntry]"
    size: int = 1
    height: int = 1

    def child(self, key: str) -> "YamlNode | None":
        """Return the value of a key, None where there is no such key."""
        entry = self.value.get(key) if isinstance(self.value, dict) else None
        return None if entry is None else entry.node

    def plain(self) -> Any:
        """Return the value as Python's own types."""
        if isinstance(self.value, dict):
            return {key: entry.node.plain() for key, entry in self.value.items()}
        if isinstance(self.value, list):
            return [item.plain() for item in self.value]
        return self.value


@dataclass(slots=True)
class YamlEntry:
    """A key of a mapping: its line, and its value. `file`: where both stand, if not where the mapping does."""

    line: int
    node: YamlNode
    file: Path | None = None


class YamlFile:
    """The contents of one file, and the line of each key path in it."""

    def __init__(self, path: Path, root: YamlNode) -> None:
        self.path = path
        self.root = root
        self.data: dict[str, Any] = root.plain()

    @classmethod
    def load(cls, path: Path) -> "YamlFile":
        """Read a file; an InvalidFileError reports all that is wrong with its form."""
        return cls.of(path, read_text(path))

    @classmethod
    def of(cls, path: Path, text: str) -> "YamlFile":
        """Return a file that has been read; an InvalidFileError reports all that is wrong with its form."""
        return cls(path, _parsed_texts.made(str(path), text, partial(_parsed, str(path), text)))

    def lines(self) -> list[str]:
        """Return the lines of the file as it is now, comments too. ConfigurationError: it cannot be read any more."""
        return read_text(self.path).splitlines()

    def line(self, place: KeyPath) -> int:
        """Return the line of a key path, or of the longest part of it that the file contains."""
        return self._locate(place)[1]

    def problem(self, place: KeyPath, reason: str) -> Problem:
        """Return a problem of this file, or of the file from which it has the key."""
        path, line = self._locate(place)
        return Problem(str(path), line, place, reason)

    def _locate(self, place: KeyPath) -> tuple[Path, int]:
        path, node, line = self.path, self.root, self.root.line
        for key in place:
            if isinstance(node.value, dict) and key in node.value:
                entry = node.value[str(key)]
                path, node, line = entry.file or path, entry.node, entry.line
            elif isinstance(node.value, list) and isinstance(key, int) and key < len(node.value):
                node = node.value[key]
                line = node.line
            else:
                break
        return path, line


_parsed_texts: Final[KeptTexts[YamlNode]] = KeptTexts(2 << 20, _LONGEST_KEPT)
"""Files that are kept parsed: a process that builds a bench again finds them so, if their text is the same."""


def _parsed(path: str, text: str) -> YamlNode:
    """Return the values of a file with that text; they are never changed, and shared by those that read it again."""
    return _Builder(path, text).document()


def read_text(path: Path) -> str:
    """Return the text of a file; a ConfigurationError when there is none to be had."""
    try:
        with path.open("rb") as file:
            data = file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ConfigurationError(f"{path}: cannot be read: {reason}") from None
    if len(data) > MAXIMUM_BYTES:
        raise ConfigurationError(f"{path}: is larger than {MAXIMUM_BYTES // 1024} KiB; is this a configuration file?")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"not UTF-8 text (byte 0x{data[error.start]:02X}); save the file as UTF-8"
        raise InvalidFileError([Problem(str(path), line, (), reason)]) from None
    if strange := Reader.NON_PRINTABLE.search(text):
        line = text.count("\n", 0, strange.start()) + 1
        reason = f"control character 0x{ord(strange[0]):02X}; is this a text file?"
        raise InvalidFileError([Problem(str(path), line, (), reason)])
    return text


def events(text: str) -> Iterator[yaml.Event]:
    """Yield what PyYAML finds in a text, by libyaml, which is ten times as fast, as far as that comes.

    What it stumbles over is for the parser in Python, whose errors say more; so is _DISPUTED.
    """
    given = 0
    try:
        for event in yaml.parse(text, yaml.SafeLoader if _DISPUTED.search(text) else _FAST):
            yield event
            given += 1
    except yaml.YAMLError:
        yield from islice(yaml.parse(text, yaml.SafeLoader), given, None)


class _Builder:
    """A builder of nodes from the parser's events; it keeps what can be said about several places until the end."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._events = events(text)
        self._line = 1
        self._anchors: dict[str, YamlNode | None] = {}  # None: still being read
        self._problems: list[Problem] = []

    def document(self) -> YamlNode:
        """Return the one mapping that the file must consist of."""
        self._next()  # start of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            self._refuse(1, "the file is empty")
        root = self._node(self._next(), 1)
        self._next()  # end of the document
        after = self._next()
        if not isinstance(after, yaml.StreamEndEvent):
            self._refuse(_line(after), "a second document begins here; a file holds one")
        if root.value is None:
            self._refuse(1, "the file is empty")
        if not isinstance(root.value, dict):
            what = "a list" if isinstance(root.value, list) else "a single value"
            self._refuse(root.line, f"the file holds {what}, not keys with values such as 'name: demo'")
        if self._problems:
            raise InvalidFileError(self._problems)
        return root

    def _next(self) -> Any:
        """Return the next of the parser's events."""
        try:
            event = next(self._events)
        except yaml.MarkedYAMLError as error:
            self._refuse(*explain(error))
        except (ValueError, OverflowError) as error:
            # PyYAML lets chr() and int() fail on escapes and version numbers that are out of their range.
            self._refuse(self._line, f"not YAML: {error}")
        self._line = _line(event)
        return event

    def _refuse(self, line: int, reason: str) -> NoReturn:
        raise InvalidFileError([*self._problems, Problem(self._file, line, (), reason)])

    def _note(self, line: int, reason: str) -> None:
        self._problems.append(Problem(self._file, line, (), reason))

    def _node(self, event: Any, depth: int) -> YamlNode:
        """Return the value that begins with `event`, on level `depth`."""
        line = _line(event)
        if isinstance(event, yaml.AliasEvent):
            node = self._alias(str(event.anchor), line)
            self._check(line, depth + node.height - 1, node.size)
            return node
        self._check(line, depth, 1)
        if event.tag is not None:
            self._note(line, f"tags such as {quoted(event.tag)} are not used here; write the value without it")
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if isinstance(event, yaml.ScalarEvent):
            node = YamlNode(line, self._scalar(event, line))
        elif isinstance(event, yaml.SequenceStartEvent):
            node = self._sequence(line, depth)
        else:
            node = self._mapping(line, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _check(self, line: int, depth: int, size: int) -> None:
        if depth > MAXIMUM_DEPTH:
            self._refuse(line, f"nested deeper than {MAXIMUM_DEPTH} levels")
        if size > MAXIMUM_VALUES:
            self._refuse(line, f"more than {MAXIMUM_VALUES} values after aliases are expanded")

    def _alias(self, anchor: str, line: int) -> YamlNode:
        node = self._anchors.get(anchor)
        if node is None:
            reason = "contains itself" if anchor in self._anchors else "is not defined above"
            self._refuse(line, f"the alias '*{anchor}' {reason}")
        return node

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> Scalar:
        text: str = event.value
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            self._refuse(line, "half of a surrogate pair is no character")
        return text if event.style else scalar(text)

    def _sequence(self, line: int, depth: int) -> YamlNode:
        items: list[YamlNode] = []
        node = YamlNode(line, items)
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1))
            self._grow(node, items[-1])
        return node

    def _mapping(self, line: int, depth: int) -> YamlNode:
        entries: dict[str, YamlEntry] = {}
        merged: list[YamlNode] = []
        node = YamlNode(line, entries)
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key_line = _line(event)
            self._node(event, depth + 1)
            value = self._node(self._next(), depth + 1)
            self._grow(node, value)
            if not isinstance(event, yaml.ScalarEvent):
                self._note(key_line, "a key must be a single word")
            elif event.value == "<<":
                merged += self._mergeable(value, key_line)
            elif event.value in entries:
                first = entries[event.value].line
                self._note(key_line, f"the key {quoted(event.value)} is already on line {first}")
            else:
                entries[event.value] = YamlEntry(key_line, value)
        for source in merged:
            for key, entry in source.value.items() if isinstance(source.value, dict) else ():
                entries.setdefault(key, entry)
        return node

    def _mergeable(self, value: YamlNode, line: int) -> list[YamlNode]:
        """Return the mappings that `<<` names: their keys are taken where the mapping itself has none."""
        nodes = value.value if isinstance(value.value, list) else [value]
        if not all(isinstance(node.value, dict) for node in nodes):
            self._note(line, "'<<' needs an alias of keys with values, or a list of such aliases")
        return nodes

    def _grow(self, node: YamlNode, part: YamlNode) -> None:
        node.size += part.size
        node.height = max(node.height, 1 + part.height)
        self._check(part.line, 1, node.size)


def _line(event: yaml.Event) -> int:
    """Return the line of an event, from 1."""
    return event.start_mark.line + 1 if event.start_mark else 1
