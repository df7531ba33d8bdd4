"""The status line of a terminal: refreshed in place, never wider than the terminal, out of the way of log lines."""

from typing import Final, NamedTuple

from hilbridge.common.units import MILLISECOND
from hilbridge.observe.output import Output
from hilbridge.observe.status import Status

_TO_END: Final = "\x1b[K"
_CLEAR: Final = "\r" + _TO_END
_DIM: Final = "\x1b[2m"
_BOLD: Final = "\x1b[1m"
_ALARM: Final = "\x1b[1;33m"
_PLAIN: Final = "\x1b[0m"
_GAP: Final = "  "


class _Part(NamedTuple):
    """A value with its unit or name; when the terminal is narrow, the highest `rank` goes first."""

    rank: int
    before: str
    value: str
    after: str
    alarm: bool = False

    @property
    def width(self) -> int:
        return len(self.before) + len(self.value) + len(self.after)

    def text(self, *, colours: bool) -> str:
        if not colours:
            return f"{self.before}{self.value}{self.after}"
        value = _styled(_ALARM if self.alarm else _BOLD, self.value)
        return _styled(_DIM, self.before) + value + _styled(_DIM, self.after)


def _styled(style: str, text: str) -> str:
    return f"{style}{text}{_PLAIN}" if text else ""


def render(status: Status, width: int, *, virtual: bool, colours: bool) -> str:
    """The line, at most `width` columns wide: parts that do not fit are left out whole, the least important first."""
    parts = _parts(status, virtual=virtual)
    while parts and sum(part.width for part in parts) + len(_GAP) * (len(parts) - 1) > width:
        parts.remove(max(parts))
    return _GAP.join(part.text(colours=colours) for part in parts)


def _parts(status: Status, *, virtual: bool) -> list[_Part]:
    parts = [
        _Part(5, "", _clock(status.t), ""),
        _Part(0, "", _number(status.rpm, 5, 0), " rpm"),
        _Part(1, "gear ", f"{status.gear:<2}", ""),
        _Part(2, "", _number(status.speed, 5, 1), " km/h"),
        _Part(3, "", _number(status.torque, 4, 0), " Nm"),
        _Part(4, "", _number(status.fuel_rate, 4, 2), " g/s"),
        _Part(6, "in ", f"{status.received:3.0f}", "/s"),
        _Part(7, "out ", f"{status.transmitted:4.0f}", "/s"),
    ]
    if virtual:
        return [*parts, _Part(8, "", f"{status.pace:4.0f}", " x real time")]
    alarm = status.missed > 0
    return [
        *parts,
        _Part(8, "late p99 ", f"{_duration(status.late_p99):>6}", ""),
        _Part(9, "max ", f"{_duration(status.late_max):>6}", ""),
        _Part(4 if alarm else 10, "missed ", str(status.missed), "", alarm=alarm),
    ]


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{digits}f}"


def _clock(t: int) -> str:
    minutes, seconds = divmod(t // 1_000_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _duration(ns: int) -> str:
    return f"{ns / 1000:.0f} µs" if ns < MILLISECOND else f"{ns / MILLISECOND:.1f} ms"


class StatusLine:
    """Keeps the last line of the terminal; `print` puts text above it."""

    def __init__(self, output: Output, *, virtual: bool, colours: bool) -> None:
        self._output = output
        self._virtual = virtual
        self._colours = colours
        self._shown = ""

    def show(self, status: Status) -> None:
        """Replaces the line, unless the terminal is still busy with older text."""
        # One column stays free: a terminal wraps when the last one is written.
        width = self._output.width - 1
        line = render(status, width, virtual=self._virtual, colours=self._colours)
        if self._output.flush():
            self._output.write(f"\r{line}{_TO_END}")
            self._shown = line

    def print(self, text: str) -> None:
        """Prints whole lines above the status line."""
        self._output.write(_CLEAR + text + self._shown if self._shown else text)

    def clear(self) -> None:
        """Takes the line away."""
        if self._shown:
            self._output.write(_CLEAR)
        self._shown = ""
