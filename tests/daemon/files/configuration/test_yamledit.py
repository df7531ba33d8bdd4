"""Changes of keys in the text of a file: every other byte stays."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.files.configuration.yamledit import change

BENCH = """\
# my desk
inputs:
  - source: serial   # the box
    signals:
      Throttle: {field: gas}   # A0
      Brake:
        field: brake  # A1

        # the spring is new
      Clutch: {field: clutch, minimum: 60, maximum: 960}
      Steer:
      Key: {}
  - source: demo-driver
"""


def place(control: str) -> tuple[str | int, ...]:
    return ("inputs", 0, "signals", control)


@pytest.mark.parametrize(
    ("control", "keys", "old", "new"),
    [
        ("Throttle", {"minimum": 60}, "{field: gas}", "{field: gas, minimum: 60}"),
        ("Brake", {"minimum": 60}, "field: brake  # A1\n", "field: brake  # A1\n        minimum: 60\n"),
        ("Clutch", {"maximum": 900}, "maximum: 960", "maximum: 900"),
        ("Clutch", {"minimum": 1.5, "time": 1}, "minimum: 60, maximum: 960", "minimum: 1.5, maximum: 960, time: 1"),
        ("Steer", {"field": "x"}, "Steer:\n", "Steer: {field: x}\n"),
        ("Key", {"field": "key"}, "Key: {}", "Key: {field: key}"),
        ("Clutch", {"curve": [[0, 0], [1, 1]]}, "maximum: 960", "maximum: 960, curve: [[0, 0], [1, 1]]"),
    ],
)  # fmt: skip
def test_a_key_changes_and_everything_else_stays(control: str, keys: dict[str, object], old: str, new: str) -> None:
    assert change(BENCH, place(control), keys) == BENCH.replace(old, new)


def test_a_list_by_indentation_is_replaced_whole() -> None:
    text = "a:\n  tracks:\n    - {field: x}\n    - field: y\n  # end\nb: 1\n"
    changed = change(text, ("a",), {"tracks": [{"field": "z"}]})
    assert changed == "a:\n  tracks:\n    [{field: z}]\n  # end\nb: 1\n"


def test_the_last_line_needs_no_end() -> None:
    assert change("a:\n  b: 1", ("a",), {"c": 2}) == "a:\n  b: 1\n  c: 2"


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("a: {}", ("b",), "b does not stand in this file"),
        ("a: 1", ("a",), "has no keys"),
        ("x: &p {field: 1}\na: *p\n", ("a",), "shared"),
        ("x: &p {field: 1}\na: *p\n", ("x",), "shared"),
        ("", ("a",), "does not stand"),
    ],
)
def test_what_cannot_be_changed_here_is_said(text: str, where: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        change(text, where, {"field": 2})


@given(
    st.dictionaries(st.sampled_from("abcd"), st.dictionaries(st.sampled_from("wxyz"), st.integers(0, 9)), min_size=1),
    st.sampled_from("wxyz"),
    st.booleans(),
)
def test_the_changed_text_means_the_same_but_for_the_key(
    data: dict[str, dict[str, int]], key: str, braces: bool
) -> None:
    """In both styles, wherever the key is."""
    name = next(iter(data))
    text = yaml.safe_dump(data, default_flow_style=braces)
    changed = yaml.safe_load(change(text, (name,), {key: 77}))
    assert changed == {**data, name: {**data[name], key: 77}}
