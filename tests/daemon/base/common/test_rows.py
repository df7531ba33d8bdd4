"""Rows that show themselves: the table, the metrics and the counters that follow from what their fields say."""

import json
from typing import Annotated, NamedTuple

import pytest

from hilbridge.base.common.rows import (
    HEXADECIMAL,
    Counts,
    Family,
    Layout,
    PlainRow,
    Value,
    armed_fact,
    counter,
    fact,
    gauge,
    layout_of,
    trouble_fact,
)

FRAMES = Family("lane_frames_total", "Frames", ("lane", "fate"))


class LaneRow(NamedTuple):
    """A row with a field of each kind."""

    goes: Annotated[str, fact("goes")]
    trouble: Annotated[str, trouble_fact("state", Family("lane_up", "Whether it works", ("lane",)))]
    armed: Annotated[bool, armed_fact("state", Family("lane_armed", "Whether it may send", ("lane",)))]
    passed: Annotated[int, counter("passed", FRAMES)]
    late: Annotated[int, counter("left out", FRAMES)]
    gate: Annotated[Counts, counter({"passed": "", "*": "left out"}, FRAMES)]
    limited: Annotated[Counts, counter("", Family("limited_total", "At a limit", ("lane", "message", "signal")))]
    waiting: Annotated[int, gauge("waiting")]
    session: Annotated[int | None, fact("session", unit=HEXADECIMAL)]
    ways: Annotated[list[str], fact("ways")]
    awake: Annotated[bool, fact("", texts=("asleep", "awake"))]


def row(**changed: Value) -> PlainRow:
    given = LaneRow(
        "a to b", "", True, 3, 1, {"passed": 9, "budget": 2}, {"Gear": {"Ratio": 4}}, 5, 0x1F, ["x", "y"], False
    )
    return json.loads(json.dumps(given._asdict() | changed))  # type: ignore[no-any-return]  # as another process reads it


@pytest.fixture
def layout() -> Layout:
    """The layout as another process reads it."""
    plain = json.loads(json.dumps(layout_of(LaneRow, "lane").plain()))
    return Layout.of_plain(plain)


def test_a_layout_is_the_same_on_the_other_side(layout: Layout) -> None:
    assert layout == layout_of(LaneRow, "lane")


def test_fields_of_one_label_share_a_column(layout: Layout) -> None:
    """Numbers are added; a trouble comes before what else a column says."""
    assert layout.columns == ("lane", "goes", "state", "passed", "left out", "waiting", "session", "ways")
    assert layout.cells("one", row()) == ("one", "a to b", "armed", "3", "3", "5", "1F", "x, y")
    broken = layout.cells("one", row(trouble="no cable", armed=False, session=None))
    assert (broken[2], broken[6]) == ("no cable", "")


def test_what_is_not_armed_is_shown_with_its_remedy(layout: Layout) -> None:
    assert layout.cells("one", row(armed=False))[2] == "not armed: hilbridge ctl arm one"


def test_a_sample_has_the_name_of_its_row_and_the_reason(layout: Layout) -> None:
    """What works is 1 while there is no trouble; a reason that is left out has no sample."""
    samples = {(family.name, *labels): number for family, labels, number in layout.samples({"one": row()})}
    assert samples == {
        ("lane_up", "one"): 1,
        ("lane_armed", "one"): 1,
        ("lane_frames_total", "one", "passed"): 3,
        ("lane_frames_total", "one", "late"): 1,
        ("lane_frames_total", "one", "budget"): 2,
        ("limited_total", "one", "Gear", "Ratio"): 4,
    }
    down = layout.samples({"one": row(trouble="no cable")})
    assert next(number for family, _, number in down if family.name == "lane_up") == 0
    assert len(list(layout.families())) == 4


def test_counters_are_those_that_are_not_0(layout: Layout) -> None:
    assert layout.counted(row(late=0)) == {"passed": 3, "budget": 2, "Gear Ratio": 4}


def test_a_field_without_a_kind_is_refused() -> None:
    """The author of a row learns it at the start, not a viewer in front of an empty column."""

    class Bare(NamedTuple):
        number: int

    with pytest.raises(TypeError, match=r"Bare\.number"):
        layout_of(Bare, "bare")
