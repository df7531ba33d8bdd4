"""The status line of a terminal, and the figures in it, which elsewhere are a record of the log each second.

Rates are frames per second of the run. Percentiles and rates are of about the last second, so that they show the
present; the largest lateness is of the whole run. On the virtual clock nothing is late; the line shows how many times
faster than real time the run goes.

The line is refreshed in place, never wider than the terminal, and out of the way of the lines of the log.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from hilbridge.base.common.remedies import arm_remedy
from hilbridge.base.common.statistics import Histogram
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.boundary.observe.events import Fields, Snapshot
from hilbridge.boundary.observe.output import Output
from hilbridge.boundary.observe.rings import Durations
from vehiclesim.channels import NAN, VEHICLE, VehicleData
from vehiclesim.entries import ENTRIES

_WINDOW: Final = SECOND
_MODES: Final = ("", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5")
_PARK: Final = 1


class RunFigures(NamedTuple):
    """The figures that the line shows. None: not available."""

    t: int
    """[ns]"""
    rpm: float | None
    gear: str
    speed: float | None
    """[km/h]"""
    torque: float | None
    """[Nm]"""
    fuel_rate: float | None
    """[g/s]"""
    received: float
    """[frames/s]"""
    transmitted: float
    """[frames/s] that passed the gates"""
    held_back: float
    """[frames/s] that were held back because their bus is not armed"""
    unarmed: str
    """Name of the first bus that is not armed, or an empty string."""
    late_p99: int
    """[ns]"""
    late_max: int
    """[ns]"""
    step_p99: int
    """[ns]"""
    answer_p99: int
    """[ns]"""
    missed: int
    """Number of missed ticks since the start."""
    overload: int
    """[%] of the ticks of the last second that were missed, while the run is overloaded."""
    pace: float
    """Seconds of the run for each second of the observer's clock."""

    def fields(self) -> Fields:
        """Return the figures as fields of a log record."""
        return {
            "rpm": _rounded(self.rpm, 0),
            "gear": self.gear,
            "speed_kmh": _rounded(self.speed, 1),
            "torque_nm": _rounded(self.torque, 1),
            "fuel_g_s": _rounded(self.fuel_rate, 3),
            "frames_in_s": round(self.received),
            "frames_out_s": round(self.transmitted),
            "frames_held_back_s": round(self.held_back),
            "late_p99_us": round(self.late_p99 / 1000, 1),
            "late_max_us": round(self.late_max / 1000, 1),
            "tick_p99_us": round(self.step_p99 / 1000, 1),
            "answer_p99_us": round(self.answer_p99 / 1000, 1),
            "missed_ticks": self.missed,
            "overload_percent": self.overload,
        }


class _Moment(NamedTuple):
    now: int
    t: int
    received: int
    transmitted: int
    held_back: int
    durations: Durations


class Meter:
    """A source of RunFigures between two moments: now, and about a second ago (or the beginning of the run)."""

    def __init__(self, now: int, buses: Sequence[str] = ()) -> None:
        """`buses`: the names of the buses by their index."""
        self._buses = buses
        self._moments = deque([_Moment(now, 0, 0, 0, 0, Durations(Histogram(), Histogram(), Histogram()))])

    def read(self, now: int, snapshot: Snapshot, durations: Durations) -> RunFigures:
        """Return the figures at `now` [ns, observer's clock]."""
        moments = self._moments
        kept = Durations(*(histogram.copy() for histogram in durations))
        frames = snapshot.received, snapshot.transmitted, snapshot.held_back
        moments.append(_Moment(now, snapshot.t, *frames, kept))
        while now - moments[1].now >= _WINDOW:
            moments.popleft()
        before = moments[0]
        late, step, answer = (
            histogram.since(earlier).percentile(99) for histogram, earlier in zip(kept, before.durations, strict=True)
        )
        seconds = (snapshot.t - before.t) / SECOND
        return RunFigures(
            t=snapshot.t,
            rpm=_value(snapshot, VehicleData.ENGINE_RPM),
            gear=gear_name(snapshot.vehicle[VehicleData.GEARBOX_GEAR], snapshot.vehicle[VehicleData.GEARBOX_MODE]),
            speed=_scaled(_value(snapshot, VehicleData.SPEED), 3.6),
            torque=_value(snapshot, VehicleData.ENGINE_TORQUE),
            fuel_rate=_value(snapshot, VehicleData.ENGINE_FUEL_RATE),
            received=(snapshot.received - before.received) / seconds if seconds else 0.0,
            transmitted=(snapshot.transmitted - before.transmitted) / seconds if seconds else 0.0,
            held_back=(snapshot.held_back - before.held_back) / seconds if seconds else 0.0,
            unarmed=next((name for n, name in enumerate(self._buses) if snapshot.unarmed >> n & 1), ""),
            late_p99=late,
            late_max=kept.lateness.maximum,
            step_p99=step,
            answer_p99=answer,
            missed=snapshot.missed,
            overload=snapshot.overload,
            pace=(snapshot.t - before.t) / (now - before.now) if now > before.now else 0.0,
        )


def gear_name(gear: int, mode: int) -> str:
    """Return R, N, P or the number of a forward gear; with an automatic transmission its mode first: D3, D4/3.

    `gear` and `mode` in the values of the data bus: GearboxGear and GearboxMode.
    """
    if gear < 0:
        return "R" if gear == -1 else f"R{-gear}"
    if gear == 0:
        return "P" if mode == _PARK else "N"
    prefix = _MODES[mode] if 0 <= mode < len(_MODES) else ""
    return f"{prefix}/{gear}" if prefix[-1:].isdigit() else f"{prefix}{gear}"


def _value(snapshot: Snapshot, index: int) -> float | None:
    raw = snapshot.vehicle[index]
    return None if raw == NAN else raw / ENTRIES[VEHICLE][index].resolution


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


_TO_END: Final = "\x1b[K"
_CLEAR: Final = "\r" + _TO_END
_DIM: Final = "\x1b[2m"
_BOLD: Final = "\x1b[1m"
_ALARM: Final = "\x1b[1;33m"
_PLAIN: Final = "\x1b[0m"
_GAP: Final = "  "


class _Part(NamedTuple):
    """A value with its unit or name; on a narrow terminal the highest `rank` is left out first."""

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


def render(status: RunFigures, width: int, *, virtual: bool, colours: bool) -> str:
    """Return the line, at most `width` columns wide; parts that do not fit are left out, the highest rank first."""
    parts = _parts(status, virtual=virtual)
    while parts and sum(part.width for part in parts) + len(_GAP) * (len(parts) - 1) > width:
        parts.remove(max(parts))
    return _GAP.join(part.text(colours=colours) for part in parts)


def _parts(status: RunFigures, *, virtual: bool) -> list[_Part]:
    parts = [
        _Part(5, "", _clock(status.t), ""),
        _Part(0, "", _number(status.rpm, 5, 0), " rpm"),
        _Part(1, "gear ", f"{status.gear:<2}", ""),
        _Part(2, "", _number(status.speed, 5, 1), " km/h"),
        _Part(3, "", _number(status.torque, 4, 0), " Nm"),
        _Part(4, "", _number(status.fuel_rate, 4, 2), " g/s"),
        _Part(6, "in ", f"{status.received:3.0f}", "/s"),
        _outgoing(status),
    ]
    if virtual:
        return [*parts, _Part(8, "", f"{status.pace:4.0f}", " x real time")]
    alarm = status.missed > 0
    overload = [_Part(1, "", f"overloaded: {status.overload} % missed", "", alarm=True)] if status.overload else []
    return [
        *parts,
        *overload,
        _Part(8, "late p99 ", f"{_duration(status.late_p99):>6}", ""),
        _Part(9, "max ", f"{_duration(status.late_max):>6}", ""),
        _Part(4 if alarm else 10, "missed ", str(status.missed), "", alarm=alarm),
    ]


def _outgoing(status: RunFigures) -> _Part:
    """Return the rate of the frames that leave; on a bus that is not armed with the remedy, and not left out first."""
    if status.held_back and status.unarmed:
        held_back = f"({status.held_back:.0f} held back: {arm_remedy(status.unarmed)})"
        return _Part(1, "out ", f"{status.transmitted:.0f}/s {held_back}", "", alarm=True)
    return _Part(7, "out ", f"{status.transmitted:4.0f}", "/s")


def _number(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.{digits}f}"


def _clock(t: int) -> str:
    minutes, seconds = divmod(t // 1_000_000_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"


def _duration(ns: int) -> str:
    return f"{ns / 1000:.0f} µs" if ns < MILLISECOND else f"{ns / MILLISECOND:.1f} ms"


class StatusLine:
    """The last line of the terminal."""

    def __init__(self, output: Output, *, virtual: bool, colours: bool) -> None:
        self._output = output
        self._virtual = virtual
        self._colours = colours
        self._shown = ""

    def draw(self, status: RunFigures) -> None:
        """Replace the line, unless the terminal is still busy with older text."""
        # One column stays free: a terminal wraps when the last one is written.
        width = self._output.width - 1
        line = render(status, width, virtual=self._virtual, colours=self._colours)
        if self._output.flush():
            self._output.write(f"\r{line}{_TO_END}")
            self._shown = line

    def print(self, text: str) -> None:
        """Print whole lines above the status line."""
        self._output.write(_CLEAR + text + self._shown if self._shown else text)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            self._output.write(_CLEAR)
        self._shown = ""
