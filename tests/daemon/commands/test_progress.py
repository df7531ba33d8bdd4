"""The bar of a long command."""

import pytest

from hilbridge.commands.progress import progress_bar


def test_a_terminal_sees_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """From the beginning on, then with what is done in its unit; markup in a name is none."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("the [bold] trip", 1000.0, unit="s") as show:
        assert "the [bold] trip" in capsys.readouterr().err
        show(500.0)
        assert "500 s" in capsys.readouterr().err
        show(501.0)
        assert capsys.readouterr().err == ""


def test_without_a_unit_it_is_told_in_percent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar("comparing", 4.0) as show:
        show(1)
    assert "25%" in capsys.readouterr().err


def test_elsewhere_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("trip", 10.0) as show:
        show(5.0)
    assert capsys.readouterr().err == ""
