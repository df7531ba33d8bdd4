"""Text of somebody else: nothing in it acts on a terminal, and all of it can be read."""

import json
import unicodedata

import pytest

from hilbridge.base.common.terminal import printable, printable_json, printable_lines, printable_tree

ACTING = {"Cc", "Cs", "Zl", "Zp"}
"""Categories of Unicode that never are text on one line: controls, halves of pairs, separators of lines."""

BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Bidirectional classes of the characters that turn the direction of what follows (UAX #9)."""


def test_no_character_of_unicode_acts_on_a_terminal() -> None:
    for code in range(0x110000):
        character = chr(code)
        shown = printable(character)
        acts = unicodedata.category(character) in ACTING or unicodedata.bidirectional(character) in BIDIRECTIONAL
        assert not acts or shown.isascii(), hex(code)
        assert shown == character or shown.startswith("\\"), hex(code)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;owned\x07", r"\x1b]0;owned\x07"),
        ("\x9b2J", r"\x9b2J"),
        ("a\nb\r\tc", r"a\nb\r\tc"),
        ("\u202eexe.yaml", r"\u202eexe.yaml"),
        ("Größe 25 °C – 10 Ω, 日本", "Größe 25 °C – 10 Ω, 日本"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_what_acts_is_shown_as_its_escape(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_lines_of_problems_stay_lines() -> None:
    assert printable_lines("a.yaml:1: \x1b[2J\na.yaml:2: b") == "a.yaml:1: \\x1b[2J\na.yaml:2: b"


@pytest.mark.parametrize("indent", [None, 2])
def test_json_is_escaped_and_says_the_same(indent: int | None) -> None:
    content = {"\x9bname": ["\x1b[31m", "\u202e", "\U000e0041", "\ud800", 'é "\n', 1.5]}
    text = printable_json(content, indent)
    assert json.loads(text) == content
    assert "é" in text
    assert not any(unicodedata.category(one) in {"Cc", "Cf", "Cs"} for one in text.replace("\n", ""))


def test_a_tree_is_escaped_in_its_names_too() -> None:
    assert printable_tree({"\x1b": [{"a": "\x07"}, 1, None]}) == {r"\x1b": [{"a": r"\x07"}, 1, None]}
