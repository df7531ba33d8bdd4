"""config/STATUS.md: what a running bench shows of itself."""

import re
from pathlib import Path

import pytest

from hilbridge.bench.views import VIEWS
from hilbridge.commands.cli import main
from hilbridge.testing import VirtualBench

PAGE = Path(__file__).parents[3] / "config/STATUS.md"


def chapters() -> dict[str, str]:
    _, *rest = re.split(r"^## (\w+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(rest[::2], rest[1::2], strict=True))


def test_the_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """After a change of rows: `hilbridge ctl status --reference >config/STATUS.md`. It needs no bench."""
    assert main(["ctl", "status", "--reference"]) == 0
    assert capsys.readouterr().out == PAGE.read_text(encoding="utf-8")


def test_the_page_has_each_key_that_a_bench_answers_with() -> None:
    """Of a bench with faults, several control units and a gateway; of lists, the keys of each row."""
    with VirtualBench("car-network") as bench:
        bench.fault("link comfort down")
        bench.advance(0.1)
        answer = bench.command("status", parts=[*VIEWS])
    for key, chapter in chapters().items():
        rows = answer[key] if isinstance(answer[key], list) else answer[key].values()
        known = set(re.findall(r"^\| `(\w+)` \|", chapter, re.MULTILINE))
        further = {"source", "raw"} if key == "sources" else set()  # an answer has the readings of a source too
        assert all(set(row) == known | further for row in rows), key
    assert chapters().keys() == VIEWS.keys()
