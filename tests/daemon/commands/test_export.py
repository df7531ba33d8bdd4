"""The file of `hilbridge export` is found before and behind --values."""

import argparse
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.commands import export


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    export.add_arguments(parser)
    return parser.parse_args(words)


def refused(*words: str) -> str:
    with pytest.raises(ConfigurationError) as refusal:
        export.run(parsed(*words))
    return refusal.value.message


def test_a_file_behind_the_entries_is_no_entry(tmp_path: Path) -> None:
    """So the folder is what is wrong here."""
    assert str(tmp_path) in refused(str(tmp_path), "--values", "vehicle.Speed", str(tmp_path / "run.csv"))


@pytest.mark.parametrize("words", [(), ("--values",), ("--values", "vehicle.Speed")])
def test_a_missing_file_is_told_with_the_order(words: tuple[str, ...], tmp_path: Path) -> None:
    assert "hilbridge export DIR FILE --values" in refused(str(tmp_path), *words)
