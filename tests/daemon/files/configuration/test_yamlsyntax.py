"""Syntax errors of YAML name the line and what to change."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.yamlfile import YamlFile


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("name: demo\nbuses:\n\tone: 1\n", 3, "spaces only"),
        ("\tname: demo\n", 1, "spaces only"),
        ("name: demo\n  rate: 100\n", 2, "unexpected ':'"),
        ("text: a: b\n", 1, "Text with ': ' needs quotes"),
        ("name\nrate: 2\n", 2, "missing on the line above"),
        ("a: 1\nname\nb: 2\n", 3, "a ':' is missing after the key (it belongs to what begins on line 2)"),
        ("a: 1\nname\n", 3, "a ':' is missing after the key"),
        ("a:\n  b: 1\n c: 2\n", 3, "does not line up"),
        ("a: 1\n- b\n", 2, "a list item '-' where a key is expected"),
        ('a: "x" y\n', 1, "something follows a complete value"),
        ("a: [1, 2\nb: 3\n", 2, "a ',' or ']' is missing in the list (it belongs to what begins on line 1)"),
        ("a: {x: 1\nb: 3\n", 2, "a ',' or '}' is missing"),
        ("a: 'x\nb: 2\n", 3, "the quote is never closed (it belongs to what begins on line 1)"),
        ('a: "C:\\dev"\n', 1, "'\\' begins an escape"),
        ("a: 1\nport: @tty\n", 2, "a value cannot begin with @"),
        ("a: `x`\n", 1, "put it in quotes"),
        ("a: !e!x 1\n", 1, "tags such as"),
        ("%YAML 9.0\n---\na: 1\n", 1, "version 1"),
        ('a: "\\UFFFFFFFF"\n', 1, "not YAML"),
    ],
)
def test_a_syntax_error_has_its_line_and_says_what_to_change(tmp_path: Path, text: str, line: int, words: str) -> None:
    """In words for whoever wrote the file, not for whoever wrote the parser."""
    file = tmp_path / "file.yaml"
    file.write_text(text)
    with pytest.raises(InvalidFileError) as caught:
        YamlFile.load(file)
    (problem,) = caught.value.problems
    assert (problem.line, words in problem.reason) == (line, True), problem
