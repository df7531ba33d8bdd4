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

from hilbridge.observe.output import Output
from hilbridge.observe.status import Status
from hilbridge.observe.status_line import StatusLine, render

STATUS = Status(
    t=83_000_000_000,
    rpm=2350.4,
    gear="3",
    speed=54.23,
    torque=132.4,
    fuel_rate=1.842,
    received=50.0,
    transmitted=312.0,
    late_p99=84_000,
    late_max=2_310_000,
    step_p99=180_000,
    answer_p99=0,
    missed=0,
    pace=85.0,
)

numbers = st.none() | st.floats(-1e7, 1e7)
statuses = st.builds(
    Status,
    t=st.integers(0, 10**17),
    rpm=numbers,
    gear=st.sampled_from(["N", "3", "R2", "D3/2"]),
    speed=numbers,
    torque=numbers,
    fuel_rate=numbers,
    received=st.floats(0, 1e6),
    transmitted=st.floats(0, 1e6),
    late_p99=st.integers(0, 10**11),
    late_max=st.integers(0, 10**11),
    step_p99=st.integers(0, 10**10),
    answer_p99=st.integers(0, 10**10),
    missed=st.integers(0, 10**9),
    pace=st.floats(0, 1e4),
)


def visible(text: str) -> str:
    """What is left when a terminal has carried out the escape sequences for colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@given(statuses, st.integers(0, 250), st.booleans(), st.booleans())
def test_never_wider_than_the_terminal(status: Status, width: int, virtual: bool, colours: bool) -> None:
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
    """Parts go whole, the engine's speed last; missed ticks are worth more than the fuel rate."""
    narrow = render(STATUS, 20, virtual=False, colours=False)
    assert narrow.split() == ["2350", "rpm", "gear", "3"]
    alarming = render(STATUS._replace(missed=7), 79, virtual=False, colours=False)
    assert "missed 7" in alarming
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
    line.show(STATUS)
    line.print("second\n")
    line.show(STATUS._replace(rpm=999.0))
    shown = screen.lines()
    assert shown[:2] == ["first", "second"]
    assert shown[2].startswith("0:01:23    999 rpm")
    assert len(shown) == 3


def test_cleared_line_leaves_an_empty_one(screen: Screen) -> None:
    """At the end the shell's prompt begins on a clean line."""
    line = StatusLine(screen.output, virtual=False, colours=True)
    line.show(STATUS)
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
        line.show(STATUS)
    assert output.dropped == dropped
