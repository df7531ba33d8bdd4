"""CSV files as columns of numbers; how traces and charts use them is tested with these."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.files.configuration.csvfile import Column, CsvFile

COLUMNS = {"way": Column({"m": 1.0, "km": 1000.0}, 1e5), "count": Column({"": 1.0}, 9.0, whole=True)}


def read(folder: Path, text: str) -> CsvFile:
    file = folder / "table.csv"
    file.write_text(text, encoding="utf-8")
    return CsvFile(file, "table", COLUMNS, needed=("way",))


def test_values_are_in_the_base_unit_and_know_their_lines(tmp_path: Path) -> None:
    """Blank lines count, and columns come in any order."""
    file = read(tmp_path, "Count,Way [km]\n\n1,2.5\n\n3,4\n")
    file.verdict()
    assert file.values == {"count": [1.0, 3.0], "way": [2500.0, 4000.0]}
    assert file.lines == [3, 5]


def test_all_problems_come_together(tmp_path: Path) -> None:
    """Those that the reader finds itself too; what cannot be checked any more is not."""
    file = read(tmp_path, "way m,count\n1,1\nx,2\n1,2.5\n")
    file.check_ascending("way", "m")
    file.refuse(1, "count", "is not wanted today")
    with pytest.raises(InvalidFileError) as refused:
        file.verdict()
    assert [problem.line for problem in refused.value.problems] == [1, 3, 4]


def test_ascending_is_told_of_every_pair(tmp_path: Path) -> None:
    file = read(tmp_path, "way m\n3\n3\n4\n2\n")
    file.check_ascending("way", "m")
    assert [problem.line for problem in file.problems] == [3, 5]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"the table .*none\.csv cannot be read"):
        CsvFile(tmp_path / "none.csv", "table", COLUMNS, needed=())
