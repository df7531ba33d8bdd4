"""What a stranger says in the place of a bench's summary: a row with the reason, never the end of the list."""

import json

import pytest

from hilbridge.commands.lab import _list
from hilbridge.faces.fabric.summaries import LONGEST, read_summary

from ....strange_answers import HOSTILE, OBJECTS, WORDLESS, awkward, hostile

GOOD = {
    "bench": "x",
    "vehicle": "compact",
    "host": "lab",
    "time": 5.0,
    "ticks": 5000,
    "missed_ticks": 0,
    "overload": 0,
    "listens_only": ["can"],
}


def shown(*contents: bytes, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert _list([read_summary("x", content) for content in contents], as_json=False) == 0
    return capsys.readouterr().out.splitlines()


def test_a_summary_that_fits_is_shown_with_names_of_newer_versions(capsys: pytest.CaptureFixture[str]) -> None:
    content = json.dumps(GOOD | {"newer": [1]}).encode()
    assert read_summary("x", content) == GOOD | {"newer": [1]}
    _, line = shown(content, capsys=capsys)
    assert line.split() == ["x", "compact", "lab", "5", "s", "none", "missed", "can", "listens", "only"]


STRANGE = WORDLESS | OBJECTS | {"too long": b'{"bench": "x", "vehicle": "' + b" " * LONGEST + b'"}'}


@pytest.mark.parametrize("content", STRANGE.values(), ids=STRANGE)
def test_what_is_none_costs_its_own_line(content: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    _, bad, good = shown(content, json.dumps(GOOD).encode(), capsys=capsys)
    assert bad.startswith("x ")
    assert "unreadable: " in bad
    assert "compact" in good


@pytest.mark.parametrize("content", awkward(GOOD), ids=repr)
def test_whatever_stands_in_the_place_of_a_value_is_survived(
    content: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(shown(json.dumps(content).encode(), capsys=capsys)) == 2


@pytest.mark.parametrize("as_json", [False, True])
def test_hostile_text_is_shown_and_not_done(as_json: bool, capsys: pytest.CaptureFixture[str]) -> None:
    content = hostile(GOOD) | {"unknown": HOSTILE, HOSTILE: 1}
    _list([read_summary("x" + HOSTILE, json.dumps(content).encode())], as_json=as_json)
    printed = capsys.readouterr().out
    assert "owned" in printed
    assert not set(printed) & set("\x1b\x07\x9b\u202e")
    if as_json:
        assert json.loads(printed) == [content]
    else:
        assert len(printed.splitlines()) == 2
