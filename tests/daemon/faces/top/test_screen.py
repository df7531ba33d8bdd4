"""What stands on the screen."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from hilbridge.faces.top.screen import render, sparkline
from hilbridge.faces.top.top_view import TopView

from .statuses import status

FRAME = {
    "bus": "powertrain", "id": "0x100", "message": "EngineData1", "sent": 7, "held_back": 0, "skipped": 0,
    "withheld": 0,
    "cycle_ms": 10.0, "awake": True, "armed": True, "disturbed": False,
    "period_ms": {"shortest": 9.0, "mean": 10.0, "longest": 11.0},
}  # fmt: skip


def screen(shown: dict[str, Any], size: tuple[int, int] = (120, 36), chosen: str = "1", offset: int = 0) -> list[str]:
    """Its lines, without colours."""
    watch = TopView()
    watch.take(shown)
    return lines(watch, size, chosen, offset)


def lines(watch: TopView, size: tuple[int, int], chosen: str = "1", offset: int = 0) -> list[str]:
    columns, rows = size
    file = StringIO()
    console = Console(file=file, width=columns, height=rows, force_terminal=False)
    console.print(render(watch, chosen, offset, size), end="")
    return file.getvalue().splitlines()


def test_values_are_shown_in_units_that_drivers_know() -> None:
    """20 m/s are 72 km/h."""
    shown = status(rpm=2500.0)
    shown["values"]["Speed"]["value"] = 20.0
    shown["values"]["GearboxGear"]["value"] = 3.0
    text = "\n".join(screen(shown))
    assert "2500 rpm" in text
    assert "72.0 km/h" in text
    assert "gear 3" in text


def test_a_value_that_is_not_available_is_a_dash() -> None:
    shown = status()
    shown["values"]["EngineFuelRate"]["value"] = None
    line = next(line for line in screen(shown) if "fuel" in line)
    assert "– g/s" in line


def test_the_frames_are_listed_with_wanted_and_measured_period() -> None:
    row = next(line for line in screen(status(frames=[FRAME])) if "EngineData1" in line)
    assert row.strip("│ ").split() == ["powertrain", "0x100", "EngineData1", "7", "10", "10.00", "9…11", "0", "0"]


def test_frames_of_a_bus_that_is_not_armed_are_not_sent() -> None:
    """The bus has the remedy, and its frames are held back: those before it was armed do not count as sent."""
    watch = TopView()
    for ticks in (1000, 2000):
        frames = [FRAME | {"sent": ticks, "held_back": ticks - 4, "armed": False}]
        shown = status(ticks=ticks, transmitted=4, frames=frames)
        shown["buses"]["powertrain"] |= {"armed": False, "transmitted": ticks, "gate": {"passed": 4, "unarmed": ticks}}
        watch.take(shown)
    text = lines(watch, (120, 36))
    assert any("out 0/s" in line and "listens only" in line for line in text)
    for size in ((120, 36), (80, 24)):
        assert "1,000/s held back: hilbridge ctl arm powertrain" in lines(watch, size)[0]
    row = next(line for line in text if "EngineData1" in line)
    assert row.strip("│ ").split()[3] == "4"
    assert row.strip("│ ").endswith("held back")


def test_a_long_list_is_scrolled_and_says_where_one_is() -> None:
    frames = [FRAME | {"id": f"0x{number:X}"} for number in range(0x100, 0x164)]
    shown = screen(status(frames=frames), offset=50)
    assert any("frames 51–" in line and "of 100" in line for line in shown)
    assert any("0x132" in line for line in shown)
    assert not any("0x131 " in line for line in shown)


@pytest.mark.parametrize(("chosen", "text"), [("2", "Throttle"), ("3", "P0300"), ("3", "misfire")])
def test_a_digit_chooses_the_list(chosen: str, text: str) -> None:
    code = {"code": "P0300", "text": "Random misfire", "states": ["confirmed"]}
    fault = {"fault": 1, "what": "physics misfire", "state": "active"}
    held = {"control": "Throttle", "source": "demo driver", "value": 0.5}
    shown = status(inputs=[held], faults=[fault], troubles={"engine": {"indicator": True, "stored": [code]}})
    assert any(text in line for line in screen(shown, chosen=chosen))
    assert not any(text in line for line in screen(shown))


def test_an_overload_is_named_in_the_first_line() -> None:
    watch = TopView()
    watch.take(status(overload={"percent": 40, "times": 1, "seconds": 2.0, "left_out_ms": 0.0}))
    assert "overloaded: 40 % of the ticks missed" in lines(watch, (80, 24))[0]


def test_how_the_run_before_failed_is_in_the_first_line() -> None:
    """After a watchdog or a crash, in whose place this run has come."""
    watch = TopView()
    failed = "ended by the watchdog: its ticks stood still, or less than half of them were done"
    watch.take(status(service={"process": 7, "last_end": failed, "failed_end": failed}))
    assert "the run before ended by the watchdog" in lines(watch, (120, 30))[0]
    watch.take(status(service={"process": 7, "last_end": "ended in good order", "failed_end": ""}))
    assert "the run before" not in lines(watch, (120, 30))[0]


def test_what_is_wrong_with_the_run_is_behind_all_else_in_the_first_line() -> None:
    watch = TopView()
    service = {"process": 7, "last_end": "", "failed_end": "", "troubles": {"stored state": "the state is NOT STORED"}}
    watch.take(status(service=service))
    assert "the state is NOT STORED" in lines(watch, (160, 30))[0]


def test_a_daemon_that_is_gone_is_named_in_the_first_line() -> None:
    watch = TopView()
    watch.take(status())
    watch.lose("no daemon can be reached")
    assert "no daemon can be reached" in lines(watch, (80, 24))[0]


@given(columns=st.integers(20, 300), rows=st.integers(10, 100))
def test_the_screen_fits_every_terminal(columns: int, rows: int) -> None:
    shown = screen(status(frames=[FRAME] * 50), (columns, rows))
    assert len(shown) <= rows
    assert max(map(len, shown)) <= columns


@given(st.lists(st.floats(-1e6, 1e6), max_size=30), st.floats(0.1, 1e6))
def test_a_course_has_a_column_for_each_value(values: list[float], end: float) -> None:
    """Empty at and below 0, full at and above the end of the scale."""
    drawn = sparkline(values, end)
    assert len(drawn) == len(values)
    for value, bar in zip(values, drawn, strict=True):
        if value <= 0.0:
            assert bar == " "
        if value >= end:
            assert bar == "█"


def test_a_trouble_code_is_whole_on_a_narrow_terminal() -> None:
    code = {"code": "P2138", "text": "Pedal position", "states": ["pending", "confirmed", "permanent"]}
    shown = status(troubles={"engine": {"indicator": True, "stored": [code]}})
    assert any("engine" in line and "P2138" in line for line in screen(shown, (80, 24), chosen="3"))


LONG = FRAME | {"bus": "powertrain-high-speed", "message": "EngineTorqueAndSpeedOfTheBoard", "sent": 1234567}


@pytest.mark.parametrize("columns", [60, 80, 100, 120])
def test_no_identifier_is_cut(columns: int) -> None:
    """Columns are left out first: spread, withheld, late, then the others; what a frame is, and its state, stay."""
    asleep = LONG | {"id": "0x18FEF100", "awake": False, "disturbed": True}
    text = screen(status(frames=[LONG, asleep]), (columns, 24))
    row, other = (line.strip("│ ").split() for line in text if "EngineTorqueAndSpeedOfTheBoard" in line)
    assert "0x100" in row
    assert {"0x18FEF100", "disturbed"} <= set(other)
    assert not any("…" in line for line in text if "spread" not in line and "0x" in line and "9…11" not in line)


def test_a_small_terminal_has_more_rows_for_the_list_than_for_the_vehicle() -> None:
    """At 80x24, the usual one: the values of the vehicle take a quarter of it, and their units are whole."""
    text = screen(status(rpm=2500.0, frames=[FRAME] * 30), (80, 24))
    assert sum("EngineData1" in line for line in text) >= 12
    assert any("2500 rpm" in line and "power" in line and "kW" in line for line in text)
    assert all(len(line) <= 80 for line in text)


def test_a_part_of_a_package_has_a_list_that_its_rows_describe() -> None:
    """No digit is written for it anywhere; what of it cannot be read is in its place."""
    layout = {"title": "lane", "fields": {"speed": ["gauge", "speed", None, "1", ["no", "yes"]]}}
    shown = status(layouts={"lanes": layout}, lanes={"left": {"speed": 12.5}, "right": {}})
    table = screen(shown, chosen="4")
    assert any("4" in line and "lanes" in line for line in table[-1:])
    assert any(line.strip("│ ").split() == ["left", "12.5"] for line in table)
    assert any("unreadable: lanes.right" in line for line in table)


def test_how_parts_are_shown_is_requested_once_for_a_run() -> None:
    watch = TopView()
    assert "layouts" in watch.parts
    watch.take(status(ticks=1000, layouts={"lanes": {"title": "lane", "fields": {}}}))
    assert "layouts" not in watch.parts
    watch.take(status(ticks=2000))
    assert "lanes" in watch.status["layouts"]
    watch.take(status(ticks=10))
    assert "layouts" in watch.parts
