"""`hilbridge presets` lists the makers' counters and checksums."""

import json
from pathlib import Path
from typing import get_args

import pytest

from hilbridge.commands.cli import main
from hilbridge.files.settings.protection import Preset

CHECKOUT = Path(__file__).parents[3]


def test_a_line_for_each_preset(capsys: pytest.CaptureFixture[str]) -> None:
    """With the cars that use it."""
    assert main(["presets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(get_args(Preset))
    assert "MQB" in next(line for line in lines if line.startswith("vw-mqb"))


def test_all_about_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Its constants too, and as JSON."""
    assert main(["presets", "bmw-f"]) == 0
    out = capsys.readouterr().out
    assert "polynomial 0x1D" in out
    assert "  0x0F3   0x7A" in out
    assert main(["presets", "bmw-f", "--json"]) == 0
    assert [row["preset"] for row in json.loads(capsys.readouterr().out)] == ["bmw-f"]


def test_an_unknown_name_is_answered_with_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 2, as for any name that does not exist."""
    assert main(["presets", "vw-mbq"]) == 2
    assert "unknown preset 'vw-mbq': did you mean 'vw-mqb'?" in capsys.readouterr().err


def test_the_page_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    """After a change of the presets: `hilbridge presets --reference >config/PRESETS.md`."""
    assert main(["presets", "--reference"]) == 0
    assert capsys.readouterr().out == (CHECKOUT / "config/PRESETS.md").read_text()


@pytest.mark.parametrize("page", ["README.md", "config/README.md"])
def test_the_page_is_linked(page: str) -> None:
    """From where a maker reads first."""
    assert "PRESETS.md)" in (CHECKOUT / page).read_text()
