"""Reading speed traces: units, columns, and every mistake with its line."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.bench.drive.trace import Trace, load_trace


def read(folder: Path, text: str) -> Trace:
    file = folder / "way.csv"
    file.write_text(text, encoding="utf-8")
    return load_trace(file)


@pytest.mark.parametrize(
    ("header", "speed"),
    [
        ("time s, speed km/h", 10.0),
        ("Time [s],Speed [km/h]", 10.0),
        ("time,speed_kmh", 10.0),
        ("time (s), speed (m/s)", 36.0),
        ("time, speed mps", 36.0),
        ("time, speed mph", 36.0 * 1609.344 / 3600.0),
    ],
)
def test_units_are_named_in_the_header(tmp_path: Path, header: str, speed: float) -> None:
    """36 km/h = 10 m/s; the international mile has 1609.344 m."""
    trace = read(tmp_path, f"{header}\n0,0\n10,36\n")
    assert trace.speed(10.0) == pytest.approx(speed)
    assert trace.name == "way"


def test_speed_is_straight_between_the_rows_and_constant_outside(tmp_path: Path) -> None:
    """And the distance is the area below: 10 s at 5 m/s on average, then 10 s at 10 m/s."""
    trace = read(tmp_path, "time s,speed m/s\n5,0\n15,10\n25,10\n")
    assert [trace.speed(t) for t in (-1.0, 0.0, 2.5, 10.0, 15.0, 99.0)] == [0.0, 0.0, 2.5, 10.0, 10.0, 10.0]
    assert (trace.duration, trace.distance) == (20.0, 150.0)


def test_gear_and_clutch_hold_until_the_next_row(tmp_path: Path) -> None:
    trace = read(tmp_path, "time s,gear,clutch,speed m/s\n\n0,0,0,0\n\n1,1,1,0\n2,1,0,3\n")
    assert [trace.gear(t) for t in (0.0, 0.99, 1.0, 5.0)] == [0, 0, 1, 1]
    assert [trace.clutch_down(t) for t in (0.0, 1.0, 1.99, 2.0)] == [False, True, True, False]


def test_without_columns_gear_and_clutch_are_the_drivers_choice(tmp_path: Path) -> None:
    trace = read(tmp_path, "time s,speed m/s\n0,0\n1,1\n")
    assert trace.gear(0.5) is None
    assert not trace.clutch_down(0.5)


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "the file is empty"),
        ("time s\n0\n1\n", 1, "there is no column 'speed'"),
        ("time s,speed\n0,0\n1,1\n", 1, "speed: no unit, but km/h or"),
        ("time s,speed furlongs\n0,0\n1,1\n", 1, "speed: the unit 'furlongs'"),
        ("time s,speed m/s,grade\n0,0,0\n1,1,0\n", 1, "unknown column 'grade'; known: time, speed, gear, clutch"),
        ("time s,speed m/s,speed km/h\n0,0,0\n1,1,0\n", 1, "speed: this column is there twice"),
        ("time s,speed m/s\n0,0\n", 2, "a trace has at least two lines"),
        ("time s,speed m/s\n0,0\n1\n", 3, "1 value for 2 columns"),
        ("time s,speed m/s\n0,0\n1,fast\n", 3, "speed: 'fast' is not a number"),
        ("time s,speed m/s\n0,0\n1,nan\n", 3, "speed: nan is out of range"),
        ("time s,speed m/s\n0,0\n1,-3\n", 3, "speed: -3 is out of range"),
        ("time s,speed m/s\n0,0\n\n1,201\n", 4, "speed: 201 is out of range"),
        ("time s,speed m/s\n0,0\n2,1\n2,1\n", 4, "time: 2 s after 2 s; times ascend"),
        ("time s,speed m/s,gear\n0,0,0\n1,1,1.5\n", 3, "gear: 1.5 is not a whole number"),
        ("time s,speed m/s,clutch\n0,0,0\n1,1,2\n", 3, "clutch: 2 is out of range"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidFileError) as refused:
        read(tmp_path, text)
    messages = str(refused.value).splitlines()
    assert [message for message in messages if message.startswith(f"{tmp_path / 'way.csv'}:{line}: {reason}")]


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidFileError) as refused:
        read(tmp_path, "time s,speed m/s\n0,x\ny,0\n1,1,1\n")
    assert [problem.line for problem in refused.value.problems] == [2, 3, 4]


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b'time s,speed m/s\n0,"0\n'])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    """Bytes that are no UTF-8, a quotation mark that never ends: an error, no traceback."""
    file = tmp_path / "way.csv"
    file.write_bytes(content)
    with pytest.raises(ConfigurationError):
        load_trace(file)


def test_a_mark_of_the_byte_order_is_skipped(tmp_path: Path) -> None:
    """Spreadsheets put one at the start."""
    assert read(tmp_path, "\ufefftime s,speed m/s\n0,0\n1,1\n").duration == 1.0


@given(st.lists(st.floats(0.0, 50.0), min_size=2, max_size=10), st.floats(-2.0, 12.0), st.floats(0.0, 3.0))
def test_bounds_hold_every_speed_between_two_times(speeds: list[float], start: float, length: float) -> None:
    """And one of the speeds touches each of them."""
    trace = Trace("t", tuple(float(i) for i in range(len(speeds))), tuple(speeds))
    lowest, highest = trace.bounds(start, start + length)
    seen = [trace.speed(start + length * i / 300) for i in range(301)]
    assert lowest - 1e-9 <= min(seen)
    assert max(seen) <= highest + 1e-9
    corners = [*seen, *(v for t, v in zip(trace.times, speeds, strict=True) if start <= t <= start + length)]
    assert any(math.isclose(lowest, v, abs_tol=1e-9) for v in corners)
    assert any(math.isclose(highest, v, abs_tol=1e-9) for v in corners)
