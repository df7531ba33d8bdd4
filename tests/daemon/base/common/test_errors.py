"""Errors are one line each, `file:line: key.path: reason`, in the order of the file."""

from typing import Any

import pytest

from hilbridge.base.common.errors import (
    CollectedError,
    ConfigurationError,
    ErrorCollector,
    InvalidFileError,
    KeyPath,
    Problem,
    describe_value,
    dotted,
    nearest,
    quoted,
)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((), ""),
        (("rate",), "rate"),
        (("buses", "power-train_2", "transmit", 0), "buses.power-train_2.transmit[0]"),
        (("inputs", 1, "signals", "settings.AbsOverride"), "inputs[1].signals.'settings.AbsOverride'"),
        (("", "two\nlines"), "''.'two\\nlines'"),
    ],
)
def test_a_key_path_is_written_with_dots_and_brackets(place: KeyPath, text: str) -> None:
    """A key that is no plain word is quoted, so that a path has one meaning and one line."""
    assert dotted(place) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        (3.5, "the number 3.5"),
        ("on", "the text 'on'"),
        (["on"], "a list"),
        ({"on": 1}, "keys with values"),
    ],
)
def test_what_was_found_is_named_as_in_the_file(value: Any, text: str) -> None:
    """YAML's words, not Python's: true, nothing, a list."""
    assert describe_value(value) == text


def test_quotes_of_the_users_text_are_short_and_on_one_line() -> None:
    """A file pasted into a value must not flood the message."""
    assert len(quoted("x" * 10_000)) < 100
    assert "\n" not in quoted("a\nb")


def test_problems_are_told_by_file_and_line() -> None:
    """Each problem is one line; they come in the order in which an editor shows the files."""
    error = InvalidFileError(
        [
            Problem("b.yaml", 1, (), "third"),
            Problem("a.yaml", 12, ("rate",), "second"),
            Problem("a.yaml", 3, ("name",), "first"),
        ]
    )
    assert str(error).splitlines() == ["a.yaml:3: name: first", "a.yaml:12: rate: second", "b.yaml:1: third"]


def test_one_except_clause_catches_every_error_of_the_configuration() -> None:
    """An InvalidFileError is a ConfigurationError, and both are ValueErrors."""
    assert issubclass(InvalidFileError, ConfigurationError)
    assert issubclass(ConfigurationError, ValueError)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("stauts", "status"), ("STATUS", "status"), ("brake", "Brake"), ("throttle", None), ("", None)],
)
def test_the_name_that_may_have_been_meant(name: str, meant: str | None) -> None:
    """The nearest one, in whatever case it was written, as it is known; none where none is near."""
    assert nearest(name, ["status", "stop", "Brake"]) == meant


def test_collected_errors_keep_their_places() -> None:
    """One alone is raised as it is; several as one, those of a collector inside too; none raises nothing."""
    errors = ErrorCollector()
    errors.verdict()
    with errors.attempt():
        raise ConfigurationError("first", ("a",))
    with pytest.raises(ConfigurationError, match=r"^first$"):
        errors.verdict()
    inner = ErrorCollector()
    for name in ("b", "c"):
        with inner.attempt():
            raise ConfigurationError(name, (name,))
    with errors.attempt():
        inner.verdict()
    with pytest.raises(CollectedError) as raised:
        errors.verdict()
    assert [error.place for error in raised.value.errors] == [("a",), ("b",), ("c",)]
