"""The groups and the examples of the commands."""

import argparse
import importlib
import shlex

import pytest

from hilbridge.commands import COMMANDS, GROUPS, ctl, whole_parser
from hilbridge.commands.cli import main
from hilbridge.commands.examples import EXAMPLES


def test_each_command_has_an_example_and_one_group() -> None:
    assert EXAMPLES.keys() == COMMANDS.keys()
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)


@pytest.mark.parametrize("words", [words for some in EXAMPLES.values() for words in some])
def test_an_example_is_of_the_language_of_its_command(words: str) -> None:
    """Options and numbers of words are right; a name that it stands for need not exist."""
    name, *rest = shlex.split(words.removesuffix(" >hilbridge.h"))
    command = importlib.import_module(f"hilbridge.commands.{name}")
    if hasattr(command, "rewritten"):
        own = argparse.ArgumentParser()
        command.add_arguments(own)
        rest = command.rewritten(rest, own)
    whole_parser().parse_args([name, *rest])


@pytest.mark.parametrize(
    ("words", "given"),
    [
        ("status", "status"),
        ("demo status", "--bench demo status"),
        ("demo --json status", "--bench demo --json status"),
        ("--json demo status", "--bench demo --json status"),
        ("--bench status status", "--bench status status"),  # a bench that is called as an action
        ("get vehicle.Speed", "get vehicle.Speed"),
        ("demo stauts", "stauts"),  # the action is wrong, and the error names it
        ("demo", "demo"),
    ],
)
def test_the_bench_is_the_word_before_the_action(words: str, given: str) -> None:
    parser = argparse.ArgumentParser()
    ctl.add_arguments(parser)
    assert ctl.rewritten(words.split(), parser) == given.split()


def test_help_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["plot", "--help"])
    assert f"examples:\n  hilbridge {EXAMPLES['plot'][0]}" in capsys.readouterr().out


def test_without_a_word_the_beginning_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """A newcomer reads less than a screen, and each command in it exists."""
    assert main([]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) < 15
    named = [line.split()[1] for line in shown if line.startswith("  hilbridge ")]
    assert named[0] == "demo"
    assert set(named) - {"--help"} <= COMMANDS.keys()
