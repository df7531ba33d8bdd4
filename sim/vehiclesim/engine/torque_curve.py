"""Torque curves of engines: raw combustion torque and friction over speed, by parameters or by tables.

raw(n) is the torque of a full charge before losses, Tf the torque that turns the engine without fuel; the torque at
the flywheel at full throttle is raw - Tf. An engine evaluates a `TorqueCurve` and does not depend on its formulas.
"""

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.curves import power
from vehiclesim.parameters import EngineSettings
from vehiclesim.tables import Table


@mypyc_attr(allow_interpreted_subclasses=True)
class TorqueCurve:
    """Friction and raw torque of an engine, and the speeds where they begin and end.

    A subclass gives the landmarks and both functions. `firing_rpm` and `limit_rpm` bound the range in which there is
    combustion at all; `malformed` is set if no speed exists where the raw torque ends as the settings define it.
    """

    def __init__(self, idle_rpm: float, peak_rpm: float, max_rpm: float) -> None:
        self.idle_rpm: float = idle_rpm
        self.peak_rpm: float = peak_rpm  # highest raw torque
        self.max_rpm: float = max_rpm  # where the net torque should reach zero
        self.firing_rpm: float = 0.0
        self.limit_rpm: float = max_rpm
        self.malformed: bool = False

    def friction(self, w: float) -> float:
        """Return the friction torque [N m] at w [rad/s]; never negative."""
        raise NotImplementedError

    def raw_torque(self, rpm: float) -> float:
        """Return the raw combustion torque [N m] of a full charge at a speed [1/min]; never negative."""
        raise NotImplementedError

    def stall_rpm(self) -> float:
        """Return the speed [1/min] below idle where raw = Tf: at lower speeds the engine cannot keep itself turning."""
        low, high = self.firing_rpm, self.idle_rpm
        for _ in range(100):
            middle = 0.5 * (low + high)
            if self.raw_torque(middle) > self.friction(middle * RPM_TO_W):
                high = middle
            else:
                low = middle
        return high


class BelowIdle:
    """The raw torque below idle: raw = raw_idle·((n-r0)/(idle-r0))^k, nothing below r0 = ½·stall_bias·idle.

    k = 1.60 - 0.66·stall_bias + 1.86·stall_bias²: a fit to the stall speeds of the engines that Vehicle Physics Pro
    publishes.
    """

    def __init__(self, settings: EngineSettings, raw_idle: float) -> None:
        self.firing_rpm: float = 0.5 * settings.stall_bias * settings.idle_rpm  # r0
        self._idle_rpm: float = settings.idle_rpm
        self._raw_idle: float = raw_idle
        self._exponent: float = 1.60 - settings.stall_bias * (0.66 - 1.86 * settings.stall_bias)

    def raw_torque(self, n: float) -> float:
        """Return the raw torque [N m] at r0 <= n <= idle [1/min]."""
        r0 = self.firing_rpm
        return self._raw_idle * power((n - r0) / (self._idle_rpm - r0), self._exponent)


class ParametricCurve(TorqueCurve):
    """The curve through idle, peak and maximum speed of Vehicle Physics Pro's engine block.

    Friction: Tf = friction_torque + w·rotational_friction + (w·viscous_friction)². The text of the original repeats
    one coefficient; its published figures obey this form. Raw torque: see the parts below, which meet the published
    figures to the printed digit, and `BelowIdle`.
    """

    def __init__(self, settings: EngineSettings) -> None:
        super().__init__(settings.idle_rpm, settings.peak_rpm, settings.max_rpm)
        self._friction_torque: float = settings.friction_torque
        self._rotational_friction: float = settings.rotational_friction
        self._viscous_friction: float = settings.viscous_friction
        self._idle_bias: float = settings.idle_rpm_curve_bias
        self._peak_bias: float = settings.peak_rpm_curve_bias
        self._raw_idle: float = settings.idle_rpm_torque + self.friction(self.idle_rpm * RPM_TO_W)
        self._raw_peak: float = settings.peak_rpm_torque + self.friction(self.peak_rpm * RPM_TO_W)
        self._below_idle: BelowIdle = BelowIdle(settings, self._raw_idle)
        self.firing_rpm = self._below_idle.firing_rpm
        self._place_limit()

    def friction(self, w: float) -> float:
        speed = w if w >= 0.0 else -w
        viscous = speed * self._viscous_friction
        return self._friction_torque + speed * self._rotational_friction + viscous * viscous

    def raw_torque(self, rpm: float) -> float:
        n = rpm if rpm >= 0.0 else -rpm
        if n >= self.limit_rpm or n <= self.firing_rpm:
            return 0.0
        if n < self.idle_rpm:
            return self._below_idle.raw_torque(n)
        if n <= self.peak_rpm:
            return self._idle_to_peak(n)
        return self._above_peak(n)

    def _idle_to_peak(self, n: float) -> float:
        """Evaluate a cubic in t = 0..1 whose end slopes are 3·bias times its rise h, held at zero.

        raw_idle + h·[3t² - 2t³ + 3·idle_bias·(t³ - 2t² + t) - 3·peak_bias·(t³ - t²)]
        """
        t = (n - self.idle_rpm) / (self.peak_rpm - self.idle_rpm)
        tt = t * t
        ttt = tt * t
        rise = 3.0 * tt - 2.0 * ttt + 3.0 * self._idle_bias * (ttt - 2.0 * tt + t) - 3.0 * self._peak_bias * (ttt - tt)
        raw = self._raw_idle + (self._raw_peak - self._raw_idle) * rise
        return raw if raw > 0.0 else 0.0

    def _above_peak(self, n: float) -> float:
        """raw_peak·(1 - t³), t = (n-peak)/(limit-peak)."""
        t = (n - self.peak_rpm) / (self.limit_rpm - self.peak_rpm)
        return self._raw_peak * (1.0 - t * t * t)

    def _place_limit(self) -> None:
        """limit = peak + (max-peak) / (1 - Tf(max)/raw_peak)^⅓, which makes the net torque zero at max_rpm.

        Without such a speed (max below peak, or more friction at max than raw torque at the peak) the curve is
        malformed and ends at max_rpm.
        """
        lost = self.friction(self.max_rpm * RPM_TO_W) / self._raw_peak
        if self.max_rpm <= self.peak_rpm or lost >= 1.0:
            self.malformed = True
        else:
            self.limit_rpm = self.peak_rpm + (self.max_rpm - self.peak_rpm) / power(1.0 - lost, 1.0 / 3.0)


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
    """Make the curve that the settings describe: by tables if they are given, else by parameters."""
    return TableCurve(settings) if settings.table_rpm else ParametricCurve(settings)
