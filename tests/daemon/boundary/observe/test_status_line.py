"""The refreshed line of a terminal."""

import contextlib
import fcntl
import os
import pty
import re
import struct
import termios
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import SECOND
from hilbridge.boundary.observe.events import Snapshot
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.rings import Durations
from hilbridge.boundary.observe.status_line import Meter, RunFigures, StatusLine, gear_name, render
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.entries import ENTRIES

STATUS = RunFigures(
    t=83_000_000_000,
    rpm=2350.4,
    gear="3",
    speed=54.23,
    torque=132.4,
    fuel_rate=1.842,
    received=50.0,
    transmitted=312.0,
    held_back=0.0,
    unarmed="",
    late_p99=84_000,
    late_max=2_310_000,
    step_p99=180_000,
    answer_p99=0,
    missed=0,
    overload=0,
    pace=85.0,
)

numbers = st.none() | st.floats(-1e7, 1e7)
statuses = st.builds(
    RunFigures,
    t=st.integers(0, 10**17),
    rpm=numbers,
    gear=st.sampled_from(["N", "3", "R2", "D3/2"]),
    speed=numbers,
    torque=numbers,
    fuel_rate=numbers,
    received=st.floats(0, 1e6),
    transmitted=st.floats(0, 1e6),
    held_back=st.floats(0, 1e6),
    unarmed=st.sampled_from(["", "can0"]),
    late_p99=st.integers(0, 10**11),
    late_max=st.integers(0, 10**11),
    step_p99=st.integers(0, 10**10),
    answer_p99=st.integers(0, 10**10),
    missed=st.integers(0, 10**9),
    overload=st.integers(0, 100),
    pace=st.floats(0, 1e4),
)


def visible(text: str) -> str:
    """What is left when a terminal has carried out the escape sequences for colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@given(statuses, st.integers(0, 250), st.booleans(), st.booleans())
def test_never_wider_than_the_terminal(status: RunFigures, width: int, virtual: bool, colours: bool) -> None:
    """At most `width` columns, for any values; colours add no column."""
    line = render(status, width, virtual=virtual, colours=colours)
    assert len(visible(line)) <= width
    assert visible(line) == render(status, width, virtual=virtual, colours=False)
    assert "\n" not in line


def test_wide_terminal_shows_everything() -> None:
    """On 120 columns: time, rpm, gear, speed, torque, fuel rate, frames in and out, lateness, missed ticks."""
    line = render(STATUS, 119, virtual=False, colours=False)
    assert line.split("  ")[0] == "0:01:23"
    for shown in ("2350 rpm", "gear 3", "54.2 km/h", "132 Nm", "1.84 g/s", "50/s", "312/s", "84 µs", "2.3 ms"):
        assert shown in line
    assert line.endswith("missed 0")


def test_narrow_terminal_shows_what_matters_most() -> None:
    """Whole parts go, the engine's speed last; missed ticks stay longer than the fuel rate, an overload longer."""
    narrow = render(STATUS, 20, virtual=False, colours=False)
    assert narrow.split() == ["2350", "rpm", "gear", "3"]
    alarming = render(STATUS._replace(missed=7), 79, virtual=False, colours=False)
    assert "missed 7" in alarming
    overloaded = render(STATUS._replace(overload=40), 60, virtual=False, colours=False)
    assert "overloaded: 40 % missed" in overloaded
    assert render(STATUS, 5, virtual=False, colours=False) == ""


def test_virtual_run_shows_its_pace() -> None:
    """On the virtual clock nothing is late; the line says how fast the run goes."""
    line = render(STATUS, 119, virtual=True, colours=False)
    assert line.endswith("85 x real time")
    assert "late" not in line


def test_not_available_is_a_dash() -> None:
    """A value that is not there takes the room of one that is."""
    line = render(STATUS._replace(rpm=None), 119, virtual=False, colours=False)
    assert "    - rpm" in line
    assert len(line) == len(render(STATUS, 119, virtual=False, colours=False))


@pytest.fixture
def screen() -> Iterator["Screen"]:
    made = Screen(60)
    yield made
    made.close()


class Screen:
    """The lines that a terminal shows: text, carriage return, line feed and "erase to the end of the line"."""

    def __init__(self, columns: int) -> None:
        self._columns = columns
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
        self.output = Output(self.slave)

    def close(self) -> None:
        for descriptor in (self.master, self.slave):
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _everything(self) -> str:
        """Closes the program's side, so that the end of what it wrote can be found."""
        self.output.close(0.0)
        os.close(self.slave)
        parts = []
        with contextlib.suppress(OSError):
            while part := os.read(self.master, 1 << 16):
                parts.append(part)
        return b"".join(parts).decode()

    def lines(self) -> list[str]:
        text = self._everything()
        shown, line, column = [], "", 0
        for token in re.findall(r"\x1b\[K|\x1b\[[0-9;]*m|\r|\n|[^\x1b\r\n]", text):
            if token == "\x1b[K":
                line = line[:column]
            elif token == "\r":
                column = 0
            elif token == "\n":
                shown.append(line)
                line = line[:column]
            elif not token.startswith("\x1b"):
                line = line[:column] + token + line[column + 1 :]
                column += 1
                assert column < self._columns
        return [*shown, line]


def test_log_lines_scroll_above_the_status_line(screen: Screen) -> None:
    """The status is always the last line, log lines are whole, and nothing of an older status stays."""
    line = StatusLine(screen.output, virtual=False, colours=True)
    line.print("first\n")
    line.draw(STATUS)
    line.print("second\n")
    line.draw(STATUS._replace(rpm=999.0))
    shown = screen.lines()
    assert shown[:2] == ["first", "second"]
    assert shown[2].startswith("0:01:23    999 rpm")
    assert len(shown) == 3


def test_cleared_line_leaves_an_empty_one(screen: Screen) -> None:
    """At the end the shell's prompt begins on a clean line."""
    line = StatusLine(screen.output, virtual=False, colours=True)
    line.draw(STATUS)
    line.clear()
    line.print("last\n")
    assert screen.lines() == ["last", ""]


def test_stopped_terminal_is_not_fed(screen: Screen) -> None:
    """While a terminal takes nothing, status lines do not pile up behind it."""
    output = screen.output
    line = StatusLine(output, virtual=False, colours=False)
    while output.flush():
        line.print("x" * 50 + "\n")
    dropped = output.dropped
    for _ in range(10_000):
        line.draw(STATUS)
    assert output.dropped == dropped


def snapshot(
    t: int = 0,
    *,
    missed: int = 0,
    received: int = 0,
    transmitted: int = 0,
    held_back: int = 0,
    unarmed: int = 0,
    **vehicle: int,
) -> Snapshot:
    channels = [[0] * len(entries) for entries in ENTRIES]
    for name, raw in vehicle.items():
        channels[VEHICLE][getattr(VehicleData, name)] = raw
    return Snapshot(t, 0, missed, received, transmitted, 0, held_back, unarmed, 0, tuple(map(tuple, channels)))


def durations(lateness: Histogram | None = None) -> Durations:
    return Durations(lateness or Histogram(), Histogram(), Histogram())


def test_values_have_the_units_of_a_driver() -> None:
    """rpm, km/h = 3.6 m/s, Nm, g/s from the integers of the data bus."""
    raw = snapshot(ENGINE_RPM=2_350_500, SPEED=10_000, ENGINE_TORQUE=132_250, ENGINE_FUEL_RATE=1_842, missed=3)
    status = Meter(0).read(SECOND, raw, durations())
    assert (status.rpm, status.torque, status.fuel_rate, status.missed) == (2350.5, 132.25, 1.842, 3)
    assert status.speed == pytest.approx(36.0)
    fields = status.fields()
    assert (fields["speed_kmh"], fields["torque_nm"], fields["fuel_g_s"]) == (36.0, 132.2, 1.842)


def test_not_available_is_none() -> None:
    """NaN of the data bus is no number."""
    status = Meter(0).read(1, snapshot(ENGINE_TORQUE=NAN, SPEED=NAN), durations())
    assert (status.torque, status.speed) == (None, None)
    assert status.fields()["torque_nm"] is None


def test_rates_are_of_the_last_second() -> None:
    """Frames per second of the run, over about the last second; before that since the start."""
    meter = Meter(0)
    first = meter.read(SECOND // 2, snapshot(t=SECOND // 2, transmitted=50), durations())
    assert (first.received, first.transmitted) == (0.0, 100.0)
    for tenths in range(6, 31):
        t = tenths * SECOND // 10
        meter.read(t, snapshot(t=t, received=20 * tenths, transmitted=50), durations())
    status = meter.read(t := 31 * SECOND // 10, snapshot(t=t, received=620, transmitted=50), durations())
    assert status.received == pytest.approx(200.0)
    assert status.transmitted == 0.0
    assert status.pace == pytest.approx(1.0)


def test_frames_held_back_are_not_sent() -> None:
    """The line has their rate and the remedy, for the first bus that is not armed; an 80-column terminal has room."""
    meter = Meter(0, ("body", "can0"))
    status = meter.read(SECOND, snapshot(t=SECOND, held_back=311, unarmed=0b10), durations())
    assert (status.transmitted, status.held_back, status.unarmed) == (0.0, 311.0, "can0")
    assert (status.fields()["frames_out_s"], status.fields()["frames_held_back_s"]) == (0, 311)
    for width in (79, 200):
        line = render(status, width, virtual=False, colours=False)
        assert "out 0/s (311 held back: hilbridge ctl arm can0)" in line
    armed = meter.read(3 * SECOND, snapshot(t=3 * SECOND, held_back=311, transmitted=622), durations())
    assert "out  311/s" in render(armed, 200, virtual=False, colours=False)


def test_pace_of_a_virtual_run() -> None:
    """Seconds of the run for each second of the observer's clock."""
    meter = Meter(5 * SECOND)
    assert meter.read(6 * SECOND, snapshot(t=80 * SECOND), durations()).pace == pytest.approx(80.0)


def test_lateness_is_of_the_present_its_maximum_of_the_run() -> None:
    """p99 forgets what was a while ago; the maximum does not."""
    meter, lateness = Meter(0), Histogram()
    lateness.record(5_000_000)
    assert meter.read(1, snapshot(), durations(lateness)).late_p99 == 5_000_000
    for tenths in range(1, 31):
        lateness.record(60)
        meter.read(tenths * SECOND // 10, snapshot(), durations(lateness))
    status = meter.read(31 * SECOND // 10, snapshot(), durations(lateness))
    assert (status.late_p99, status.late_max) == (60, 5_000_000)


@pytest.mark.parametrize(
    ("gear", "mode", "name"),
    [(0, 0, "N"), (3, 0, "3"), (-1, 0, "R"), (-2, 2, "R2"), (0, 1, "P"), (0, 3, "N"), (4, 4, "D4"), (2, 7, "D3/2")],
)
def test_gear_names(gear: int, mode: int, name: str) -> None:
    """Negative is reverse, 0 neutral or park; modes 0..9 are M, P, R, N, D, D1..D5 (D3: up to the third gear)."""
    assert gear_name(gear, mode) == name
