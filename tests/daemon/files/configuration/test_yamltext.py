"""What is written as YAML is read back as it was, by hilbridge and by PyYAML."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.files.configuration.yamltext import comment_lines, comment_text, commented, file_text, flow, quoted_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
SCALARS = TEXTS | st.booleans() | st.none() | st.integers(-(10**12), 10**12) | st.floats(allow_nan=False)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
AWKWARD = ["", "1e5", "0x1F", "on", "No", "null", "~", "1_000", "12:30", "# no", "a: b", "-", "é\u2028", "\U0001f600\n"]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("yaml") / "file.yaml"


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
@example({"id": [16, -16], "polynomial": 0x1D, "a": [{"b": [[1, 2], []]}, [{"c": {}}], 1e22, -0.0]})
@example({text: text for text in AWKWARD})
def test_a_file_is_read_back_as_it_was(file: Path, data: dict[str, Any]) -> None:
    text = file_text(data) or "{}\n"
    assert yaml.safe_load(text) == data
    file.write_text(text, encoding="utf-8")
    assert YamlFile.load(file).data == data


@given(VALUES)
@example(float("inf"))
def test_a_value_has_one_line(value: Any) -> None:
    assert "\n" not in flow(value)
    assert yaml.safe_load(f"key: {flow(value)}") == {"key": value}


@pytest.mark.parametrize("text", AWKWARD)
def test_text_that_could_be_anything_else_is_in_quotes(text: str) -> None:
    assert quoted_text(text).startswith('"')


@pytest.mark.parametrize("text", ["demo", "vehicle.EngineRpm", "dbc/car-2.dbc", "/dev/ttyACM0", "Größe"])
def test_usual_text_is_not(text: str) -> None:
    assert quoted_text(text) == text


def test_a_long_comment_is_above_its_line() -> None:
    assert commented("  key: 1", "why") == [f"{'  key: 1':<42}  # why"]
    above = commented("  key: 1", "word " * 30)
    assert above[-1] == "  key: 1"
    assert all(line.startswith("  # word") and len(line) <= 118 for line in above[:-1])
    assert comment_lines("", "see " + "x" * 200) == ["# see", f"# {'x' * 200}"]


@pytest.mark.parametrize(
    "strange", ["\n", "\r", "\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\0", "\x1b", "\x7f", "\ud800"]
)
def test_a_comment_ends_where_its_line_does(strange: str) -> None:
    """YAML 1.1, 4.2: what ends a line; 4.1.1: what no file has. Of what a stranger wrote nothing becomes a key."""
    text = f"a unit{strange}evil: 1"
    lines = [*comment_lines("  ", text), *commented("key: 1", text), f"other: 2  # {comment_text(text)}", "last: 3", ""]
    whole = "\n".join(lines)
    whole.encode()
    assert yaml.safe_load(whole) == {"key": 1, "other": 2, "last": 3}
