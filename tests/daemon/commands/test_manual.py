"""`hilbridge manual` and `hilbridge completion`: what the commands say of themselves, in other forms."""

import sys

import pytest

from hilbridge.cli import main
from hilbridge.commands import COMMANDS, every_parser, whole_parser
from hilbridge.commands.completion import SHELLS


def test_one_parser_has_all_commands_and_their_actions() -> None:
    """With the names that their own help has."""
    names = [parser.prog for parser in every_parser(whole_parser())]
    assert names[0] == "hilbridge"
    assert {f"hilbridge {name}" for name in COMMANDS} <= set(names)
    assert "hilbridge ctl fault add" in names


def test_the_manual_has_the_help_of_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Hyphens as themselves (groff_man_style(7)), and no line of text that begins like a request."""
    assert main(["manual"]) == 0
    page = capsys.readouterr().out
    for name, text in COMMANDS.items():
        assert f".B {name}\n{text.replace('-', chr(92) + '-')}\n" in page
        assert f"usage: hilbridge {name} " in page
    requests = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert requests == {".TH", ".SH", ".SS", ".TP", ".B", ".I", ".nf", ".fi"}


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_options_entries_and_benches(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """tests/clients/test_shells.py tries them in the shells."""
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in (*COMMANDS, "duration", "vehicle.EngineRpm", "pedal-box"):
        assert word in script


def test_completion_names_the_extra_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "-m pip install 'shtab" in capsys.readouterr().err
