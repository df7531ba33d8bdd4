"""A recording without a given name is named by its beginning, and anew once the clock is right."""

import os
from pathlib import Path

import pytest

from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.recording_names import dated_name, name_anew

EIGHT = 1_800_000_000 * SECOND
"""2027-01-15T08:00:00Z by `date -u -d @1800000000`."""


def test_the_name_has_the_time_in_utc() -> None:
    assert dated_name("golf-7", EIGHT) == "golf-7-20270115-080000"


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("golf-7-19700101-000012", "golf-7-20270115-080000"),
        ("golf-7-20990101-000012", "golf-7-20270115-080000"),  # of a battery that is nearly empty
        ("golf-7-20270115-075930", "golf-7-20270115-075930"),  # the clock was adjusted by half a minute
        ("golf-7-19700101", "golf-7-19700101"),
        ("golf-7-19700101-000012-b", "golf-7-19700101-000012-b"),
        ("golf-7-1970101-000012", "golf-7-1970101-000012"),
        ("passat-19700101-000012", "passat-19700101-000012"),
        ("19700101-000012", "19700101-000012"),
        ("golf-7-19700231-000012", "golf-7-19700231-000012"),
    ],
)
def test_only_a_name_of_ours_with_a_wrong_time_is_changed(tmp_path: Path, name: str, right: str) -> None:
    (tmp_path / name).mkdir()
    assert name_anew(tmp_path / name, "golf-7", EIGHT) == tmp_path / right
    assert (tmp_path / right).is_dir()
    assert not (tmp_path / right).is_symlink()


def test_a_name_that_is_taken_stays_with_its_owner(tmp_path: Path) -> None:
    early = tmp_path / "golf-7-19700101-000012"
    early.mkdir()
    (tmp_path / "golf-7-20270115-080000").mkdir()
    assert name_anew(early, "golf-7", EIGHT) == early
    assert not early.is_symlink()


def test_a_file_system_without_links_has_the_right_name_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "symlink", refuse)
    (tmp_path / "golf-7-19700101-000012").mkdir()
    assert name_anew(tmp_path / "golf-7-19700101-000012", "golf-7", EIGHT).is_dir()
    assert [one.name for one in tmp_path.iterdir()] == ["golf-7-20270115-080000"]
