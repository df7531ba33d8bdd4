"""Lines of columns."""

import pytest

from hilbridge.common.errors import ConfigurationError
from hilbridge.inputs.formats.columns import Columns
from hilbridge.inputs.formats.format import INCOMPLETE, Refused

COLUMNS = Columns(["gear", "throttle"], ["t", "Throttle", "Gear"])


@pytest.mark.parametrize("line", [b"17,512,D", b"17; 512 ; D", b"17\t512\tD"])
def test_fields_are_taken_by_the_place_of_their_column(line: bytes) -> None:
    assert COLUMNS.decode(line) == ["D", 512.0]


@pytest.mark.parametrize("line", [b"1,2", b"1,2,3,4", b"x"])
def test_a_line_with_another_number_of_columns_is_refused(line: bytes) -> None:
    with pytest.raises(Refused, match=INCOMPLETE):
        COLUMNS.decode(line)


def test_a_field_has_exactly_one_column() -> None:
    with pytest.raises(ConfigurationError, match="'brake' is not in"):
        Columns(["brake"], ["gear"])
    with pytest.raises(ConfigurationError, match="more than once"):
        Columns(["gear"], ["gear", "GEAR"])
