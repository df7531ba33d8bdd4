"""`hilbridge page`; the address itself, and the browser: tests/scenarios/test_next_run.py."""

from typing import Any, ClassVar, Self

import pytest

from hilbridge.client.talks import UnreachableError
from hilbridge.commands import page
from hilbridge.commands.cli import main


class Bench:
    """A connection whose answers are those of `pages`, one after the other; None: the bench has no page."""

    pages: ClassVar[list[Any]] = []

    def __init__(self, name: str | None) -> None:
        self.name = name

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def status(self, _part: str) -> dict[str, Any]:
        answer = self.pages.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return {"page": answer}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setattr(page, "Client", Bench)
    monkeypatch.setattr(page, "_AGAIN", 0.0)
    monkeypatch.setattr(Bench, "pages", [])
    return Bench.pages


def test_a_bench_without_a_page_says_so(answers: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    answers.append(None)
    assert main(["page"]) == 1
    assert "the bench has no page" in capsys.readouterr().err


def test_it_waits_for_a_bench_that_starts(answers: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    answers += [UnreachableError("no answer"), None, "http://127.0.0.1:8090/?token=x"]
    assert main(["page", "demo", "--wait", "60"]) == 0
    assert capsys.readouterr().out == "http://127.0.0.1:8090/?token=x\n"


def test_where_no_browser_is_the_address_is_printed(
    answers: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _address: False)
    answers.append("http://127.0.0.1:8090/")
    assert main(["page", "--open"]) != 0
    said = capsys.readouterr()
    assert (said.out, "there is no browser" in said.err) == ("http://127.0.0.1:8090/\n", True)
