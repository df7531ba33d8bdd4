"""The picture of a drive."""

from pathlib import Path

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.drive.plot import plot
from hilbridge.drive.simulation import Drive, drive
from hilbridge.drive.trace import Trace
from vehiclesim import Vehicle

from .cars import MANUAL


@pytest.fixture(scope="module")
def driven() -> Drive:
    return drive(Vehicle(MANUAL), Trace("trip", (0.0, 2.0, 6.0, 9.0), (0.0, 0.0, 4.0, 0.0)), ledger=False)


def test_an_svg_says_what_it_shows_and_is_the_same_each_time(tmp_path: Path, driven: Drive) -> None:
    """No date and no random identifiers in it."""
    for name in ("one.svg", "two.svg"):
        plot(driven, "manual, trip", tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    for label in ("manual, trip", "speed, km/h", "engine, rpm", "gear", "pedals", "fuel, g", "time, s"):
        assert f"<!-- {label} -->" in text


def test_a_png_is_one(tmp_path: Path, driven: Drive) -> None:
    plot(driven, "title", tmp_path / "drive.PNG")
    assert (tmp_path / "drive.PNG").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_file_that_cannot_be_written_is_an_error_of_the_user(tmp_path: Path, driven: Drive) -> None:
    (tmp_path / "taken.svg").mkdir()
    with pytest.raises(ConfigurationError, match=r"taken\.svg cannot be written"):
        plot(driven, "title", tmp_path / "taken.svg")
