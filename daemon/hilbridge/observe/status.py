"""How the run is, at a glance: one line on a terminal, one record otherwise.

Rates are frames per second of the run. Both p99 and the rates are of about the last second, so that they show the
present; the largest lateness is of the whole run. On the virtual clock nothing is late; the line shows how many times
faster than real time the run goes.
"""

from collections import deque
from typing import Final, NamedTuple

from hilbridge.common.statistics import Histogram
from hilbridge.common.units import SECOND
from hilbridge.observe.events import Fields, Snapshot
from hilbridge.observe.rings import Durations
from vehiclesim.channels import ENTRIES, NAN, VEHICLE, VehicleData

_WINDOW: Final = SECOND
_MODES: Final = ("", "P", "R", "N", "D", "D1", "D2", "D3", "D4", "D5")
_PARK: Final = 1


class Status(NamedTuple):
    """What is worth showing. None: not available."""

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
    """[frames/s]"""
    late_p99: int
    """[ns]"""
    late_max: int
    """[ns]"""
    step_p99: int
    """[ns]"""
    answer_p99: int
    """[ns]"""
    missed: int
    """Ticks, since the start."""
    pace: float
    """Seconds of the run for each second of the observer's clock."""

    def fields(self) -> Fields:
        """As fields of a log record."""
        return {
            "rpm": _rounded(self.rpm, 0),
            "gear": self.gear,
            "speed_kmh": _rounded(self.speed, 1),
            "torque_nm": _rounded(self.torque, 1),
            "fuel_g_s": _rounded(self.fuel_rate, 3),
            "frames_in_s": round(self.received),
            "frames_out_s": round(self.transmitted),
            "late_p99_us": round(self.late_p99 / 1000, 1),
            "late_max_us": round(self.late_max / 1000, 1),
            "tick_p99_us": round(self.step_p99 / 1000, 1),
            "answer_p99_us": round(self.answer_p99 / 1000, 1),
            "missed_ticks": self.missed,
        }


class _Moment(NamedTuple):
    now: int
    t: int
    received: int
    transmitted: int
    durations: Durations


class Meter:
    """Makes a Status of two moments: now, and about a second ago (or when the run began)."""

    def __init__(self, now: int) -> None:
        self._moments = deque([_Moment(now, 0, 0, 0, Durations(Histogram(), Histogram(), Histogram()))])

    def read(self, now: int, snapshot: Snapshot, durations: Durations) -> Status:
        """`now` is the observer's clock [ns]."""
        moments = self._moments
        kept = Durations(*(histogram.copy() for histogram in durations))
        moments.append(_Moment(now, snapshot.t, snapshot.received, snapshot.transmitted, kept))
        while now - moments[1].now >= _WINDOW:
            moments.popleft()
        before = moments[0]
        late, step, answer = (
            histogram.since(earlier).percentile(99) for histogram, earlier in zip(kept, before.durations, strict=True)
        )
        seconds = (snapshot.t - before.t) / SECOND
        return Status(
            t=snapshot.t,
            rpm=_value(snapshot, VehicleData.ENGINE_RPM),
            gear=gear_name(snapshot.vehicle[VehicleData.GEARBOX_GEAR], snapshot.vehicle[VehicleData.GEARBOX_MODE]),
            speed=_scaled(_value(snapshot, VehicleData.SPEED), 3.6),
            torque=_value(snapshot, VehicleData.ENGINE_TORQUE),
            fuel_rate=_value(snapshot, VehicleData.ENGINE_FUEL_RATE),
            received=(snapshot.received - before.received) / seconds if seconds else 0.0,
            transmitted=(snapshot.transmitted - before.transmitted) / seconds if seconds else 0.0,
            late_p99=late,
            late_max=kept.lateness.maximum,
            step_p99=step,
            answer_p99=answer,
            missed=snapshot.missed,
            pace=(snapshot.t - before.t) / (now - before.now) if now > before.now else 0.0,
        )


def gear_name(gear: int, mode: int) -> str:
    """R, N, P, the number of a forward gear; with an automatic transmission its mode first: D3, D4/3.

    `gear` and `mode` as the data bus has them: GearboxGear and GearboxMode.
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
