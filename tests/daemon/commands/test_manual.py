"""`hilbridge manual` and `hilbridge completion`: what the commands say of themselves, in other forms."""

import sys
from pathlib import Path

import pytest

from hilbridge.commands import COMMANDS, every_parser, whole_parser
from hilbridge.commands.cli import main
from hilbridge.commands.completion import SHELLS
from hilbridge.commands.manual import PLACES


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


def test_an_installation_gets_the_page_and_each_script_in_one_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `hilbridge manual` and `hilbridge completion` print, in the places of Debian's share folders."""
    assert main(["manual", "--share", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    for place, words in {"man/man1/hilbridge.1": ["manual"], **{PLACES[s]: ["completion", s] for s in SHELLS}}.items():
        assert main(words) == 0
        assert (tmp_path / place).read_text(encoding="utf-8").strip() == capsys.readouterr().out.strip()


def test_completion_names_the_extra_that_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2."""
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "-m pip install 'shtab" in capsys.readouterr().err
