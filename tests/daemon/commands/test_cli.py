"""The command line."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge import __version__
from hilbridge.commands import COMMANDS, cli, run


def test_the_version_is_the_package_s(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"hilbridge {__version__}\n"


@pytest.mark.parametrize(
    "words", [["fly"], ["run", "--speed", "9"], ["run", "--duration", "-1"], ["run", "--pace", "nan"]]
)
def test_wrong_usage_exits_with_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what is wrong; nothing is started."""
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert end.value.code == 2
    assert "hilbridge" in capsys.readouterr().err


def test_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Each with what it does."""
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    assert all(any(line.split()[:1] == [name] and text in line for line in lines) for name, text in COMMANDS.items())


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([command, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: hilbridge {command}")


def test_a_bench_that_does_not_exist_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2; the text says what there is instead."""
    assert cli.main(["check", "dmo"]) == 2
    message = capsys.readouterr().err
    assert "dmo" in message
    assert "demo" in message


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of a service manager, in place of systemd's."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(tmp_path / "notify"))
        heard.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield heard


def test_a_wrong_option_of_a_service_is_its_last_status(
    manager: socket.socket, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a drop-in; the journal has it as an error."""
    monkeypatch.setattr(cli, "is_journal", lambda _: True)
    with pytest.raises(SystemExit) as ended:
        cli.main(["run", "--pace", "never"])
    assert ended.value.code == 2
    assert manager.recv(4096).decode().startswith("STATUS=not started: argument --pace")
    assert capsys.readouterr().err.startswith("<3>hilbridge run: error: argument --pace")


def test_a_fault_of_the_program_is_its_last_status(manager: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise RuntimeError("the observer stood still\nfor a minute")

    monkeypatch.setattr(run, "_run", fail)
    with pytest.raises(RuntimeError):
        cli.main(["run", "demo"])
    expected = "STATUS=ended by a fault of the program: RuntimeError; the observer stood still; for a minute;"
    assert manager.recv(4096).decode().startswith(expected)
