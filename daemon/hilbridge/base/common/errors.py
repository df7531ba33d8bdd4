"""The errors in what a user has written, and how they are reported: `file:line: key.path: reason`."""

import errno
import os
import resource
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

KeyPath = tuple[str | int, ...]
"""The keys and list indices that lead to a setting: ("buses", "powertrain", "transmit", 0)."""


_MOST_NEAR: Final = 5
_SHORT_LIST: Final = 8
"""Names that a hint lists when none of them is near."""


def quoted(text: str, longest: int = 60) -> str:
    """Return a text of the user for use in a message: in quotes, on one line, cut to about `longest` characters."""
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that may have been meant, regardless of case; None: there is none near."""
    folded = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold(), folded, 1)
    return folded[close[0]] if close else None


def near(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that may have been meant: the nearest one, or else those that contain the word.

    None where there are more than five: that is a search, and no mistake.
    """
    known = list(known)
    if (meant := nearest(name, known)) is not None:
        return [meant]
    word = name.casefold()
    found = [one for one in known if word and word in one.casefold()]
    return found if len(found) <= _MOST_NEAR else []


def question(names: Sequence[str]) -> str:
    """Return a question after names, of which there is one at least: `did you mean 'a', 'b' or 'c'?`."""
    *others, last = [f"'{name}'" for name in names]
    return f"did you mean {' or '.join([*([', '.join(others)] if others else []), last])}?"


def hint(name: str, known: Collection[str]) -> str:
    """Return a question after what may have been meant, or all names where they are few; empty: neither."""
    if meant := near(name, known):
        return question(meant)
    return f"known: {', '.join(known)}" if 0 < len(known) <= _SHORT_LIST else ""


def describe_value(value: Any) -> str:
    """Return words for a value that a file has in place of the one required."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text {quoted(value)}"
        case list() | tuple():
            return "a list"
        case _:
            return "keys with values"


def dotted(place: KeyPath) -> str:
    """Return a key path as text: `buses.powertrain.transmit[0]`; a key that is no plain word is quoted."""
    text = ""
    for key in place:
        if isinstance(key, int):
            text += f"[{key}]"
        else:
            plain = bool(key) and all(letter.isalnum() or letter in "_-" for letter in key)
            text += ("." if text else "") + (key if plain else quoted(key))
    return text


def reason_of(error: Exception) -> str:
    """Return the reason of an error without its number and its class."""
    return os.strerror(error.errno) if isinstance(error, OSError) and error.errno is not None else str(error)


def _is_bounded() -> bool:
    """Return whether the process may have less memory than the machine."""
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def is_lack_of_memory(error: BaseException) -> bool:
    """Return whether an error results from too little memory: at once, or while something else was made of it."""
    links: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in links:
        if isinstance(link, MemoryError) or getattr(link, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(link, ImportError) and ("failed to map segment" in str(link) or "allocate memory" in str(link)):
            return True
        if isinstance(link, RuntimeError) and "can't start new thread" in str(link):
            return True
        if isinstance(link, SystemError) and "without" in str(link) and _is_bounded():  # C that had none to say why
            return True
        links.append(link)
        link = link.__cause__ or link.__context__
    return False


class Problem(NamedTuple):
    """One reason why a file is refused, and the place in it."""

    file: str
    line: int
    place: KeyPath
    reason: str

    def __str__(self) -> str:
        key = f"{dotted(self.place)}: " if self.place else ""
        return f"{self.file}:{self.line}: {key}{self.reason}"


class Sought(NamedTuple):
    """A name that does not exist, and those that do."""

    name: str
    known: Sequence[str]

    @property
    def hint(self) -> str:
        """Return what may have been meant, as the end of a sentence. To find that takes up to a millisecond."""
        if meant := near(self.name, self.known):
            return f": {question(meant)}" if len(meant) > 1 else f": did you mean {meant[0]}?"
        return f" (there are {', '.join(self.known)})" if 0 < len(self.known) <= _SHORT_LIST else ""


class ConfigurationError(ValueError):
    """The configuration asks for something impossible; `place` is the key path inside the file.

    `message` ends with what may have been meant, if a name was `sought`; `reason` is without that. `may_pass`: the file
    is not to blame; the machine lacks something now, and the same start may succeed later.

    A ValueError, so that a check inside a settings class may raise it, with a place counted from that class.
    """

    def __init__(
        self, message: str, place: KeyPath = (), sought: Sought | None = None, *, may_pass: bool = False
    ) -> None:
        super().__init__(message)
        self.may_pass = may_pass
        self.reason = message
        self.place = place
        self.sought = sought

    @property
    def message(self) -> str:
        return self.reason if self.sought is None else self.reason + self.sought.hint

    def __str__(self) -> str:
        return self.message


class CollectedError(ConfigurationError):
    """The errors of several settings, each with a key path of its own."""

    def __init__(self, errors: Iterable[ConfigurationError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(error.message for error in self.errors), self.errors[0].place)


class ErrorCollector:
    """Collects the errors of settings that do not depend on each other, so that a user hears of all of them at once."""

    def __init__(self) -> None:
        self._errors: list[ConfigurationError] = []

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Keep a ConfigurationError that the block raises."""
        try:
            yield
        except CollectedError as error:
            self._errors += error.errors
        except ConfigurationError as error:
            self._errors.append(error)

    def verdict(self) -> None:
        """Raise what was collected: nothing, the error itself, or CollectedError."""
        if len(self._errors) == 1:
            raise self._errors[0]
        if self._errors:
            raise CollectedError(self._errors)


class Doubt(NamedTuple):
    """A doubt about what a bench runs with; `place` is the key path in the file, () for no single one."""

    message: str
    place: KeyPath = ()


class InvalidFileError(ConfigurationError):
    """Everything that is wrong with the files read, one line each, in the order of the files' lines."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda each: (each.file, each.line, dotted(each.place))))
        super().__init__("\n".join(map(str, self.problems)))


class LinkError(Exception):
    """A bus or port that is needed at start cannot be opened.

    `place` is the key that is to blame, counted from the settings of the bus or port; empty when it is no single one.
    """

    def __init__(self, message: str, place: KeyPath = ()) -> None:
        super().__init__(message)
        self.place = place


class NotNowError(LinkError):
    """A bus or port that is missing or taken at present: the file is not wrong, and another attempt may succeed."""
