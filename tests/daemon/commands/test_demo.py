"""`hilbridge demo`: the words with which it runs the demo bench."""

import argparse

import pytest

from hilbridge.commands import run as run_command
from hilbridge.commands.cli import main


@pytest.mark.parametrize(
    ("words", "screen", "opens", "duration"),
    [([], True, True, None), ([], False, False, None), (["--no-open", "--duration", "3"], True, False, 3.0)],
)
def test_it_opens_the_page_where_a_browser_can_be_seen(
    monkeypatch: pytest.MonkeyPatch, words: list[str], screen: bool, opens: bool, duration: float | None
) -> None:
    given: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        given.append(options)
        return 5

    monkeypatch.setattr(run_command, "run", run)
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if screen:
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert main(["demo", *words]) == 5
    assert (given[0].bench, given[0].open, given[0].duration) == ("demo", opens, duration)
