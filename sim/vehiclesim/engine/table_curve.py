"""An engine's torque by measurement: torque and resistive torque over speed."""

from vehiclesim.block import W_TO_RPM
from vehiclesim.engine.torque_curve import BelowIdle, ParametricCurve, TorqueCurve
from vehiclesim.parameters import EngineSettings
from vehiclesim.tables import Table


class TableCurve(TorqueCurve):
    """T = T_res + throttle·(T_max - T_res), so raw = T_max - T_res and Tf = -T_res, straight from row to row.

    Where the table ends below max_rpm, the torque goes in a straight line to zero at max_rpm and beyond, with the
    resistive torque of the last row. Below idle the raw torque is that of every engine, see `BelowIdle`; below the
    first row the resistive torque stays the same.
    """

    def __init__(self, settings: EngineSettings) -> None:
        speeds = list(settings.table_rpm)
        friction = [-torque for torque in settings.table_resistive_torque]
        raw = [torque + lost for torque, lost in zip(settings.table_torque, friction, strict=True)]
        if speeds[-1] < settings.max_rpm:
            speeds.append(settings.max_rpm)
            friction.append(friction[-1])
            raw.append(friction[-1])
        idle_raw = Table(speeds, raw).at(settings.idle_rpm)
        peak_rpm, highest = settings.idle_rpm, idle_raw
        for speed, torque in zip(speeds, raw, strict=True):
            if speed > settings.idle_rpm and torque > highest:
                peak_rpm, highest = speed, torque
        super().__init__(settings.idle_rpm, peak_rpm, settings.max_rpm)
        self._friction: Table = Table(speeds, friction)
        fall = (raw[-2] - raw[-1]) / (speeds[-1] - speeds[-2])
        if raw[-1] > 0.0 and fall > 0.0:
            self.limit_rpm = speeds[-1] + raw[-1] / fall
            speeds.append(self.limit_rpm)
            raw.append(0.0)
        self.malformed = fall <= 0.0
        self._raw: Table = Table(speeds, raw)
        self._below_idle: BelowIdle = BelowIdle(settings, idle_raw)
        self.firing_rpm = self._below_idle.firing_rpm

    def friction(self, w: float) -> float:
        return self._friction.at((w if w >= 0.0 else -w) * W_TO_RPM)

    def raw_torque(self, rpm: float) -> float:
        n = rpm if rpm >= 0.0 else -rpm
        if n >= self.limit_rpm or n <= self.firing_rpm:
            return 0.0
        return self._raw.at(n) if n >= self.idle_rpm else self._below_idle.raw_torque(n)


def make_curve(settings: EngineSettings) -> TorqueCurve:
    """The curve that the settings describe: by tables where there are any, else by parameters."""
    return TableCurve(settings) if settings.table_rpm else ParametricCurve(settings)
