"""The engine on the test stand at full throttle: torque, power and consumption over speed."""

from vehiclesim.block import RPM_TO_W
from vehiclesim.curves import clamp
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.parameters import EngineSettings


class FullLoad:
    """A torque curve under the torque cap, with its fuel."""

    def __init__(self, curve: TorqueCurve, settings: EngineSettings) -> None:
        self.curve: TorqueCurve = curve
        self.capped: bool = settings.torque_cap
        self._cap: float = settings.torque_cap_limit
        self._max_fuel_per_rev: float = settings.max_fuel_per_rev

    def available(self, raw: float, friction: float) -> float:
        """min(raw, cap + Tf): the highest combustion torque [N m] that the engine management allows."""
        if self.capped and raw > self._cap + friction:
            return self._cap + friction
        return raw

    def fuel_rate(self, rpm: float, share: float) -> float:
        """[g/s] at a speed [1/min]: max_fuel_per_rev · n/60 · share, share = combustion torque / raw torque."""
        return self._max_fuel_per_rev * (rpm / 60.0) * share

    def torque(self, rpm: float, throttle: float = 1.0) -> float:
        """Torque [N m] at the flywheel: throttle·min(raw, cap + Tf) - Tf."""
        friction = self.curve.friction(rpm * RPM_TO_W)
        net = self.curve.raw_torque(rpm) - friction
        if self.capped and net > self._cap:
            net = self._cap
        return net - (1.0 - clamp(throttle, 0.0, 1.0)) * (net + friction)

    def power_in_kw(self, rpm: float) -> float:
        """w·T / 1000."""
        return rpm * RPM_TO_W * self.torque(rpm) * 1e-3

    def specific_fuel_consumption(self, rpm: float) -> float:
        """Fuel per work [g/kWh] = rate/(w·T)·3.6e6; not-a-number where the engine delivers no work."""
        power = self.power_in_kw(rpm)
        if power <= 0.0:
            return float("nan")
        raw = self.curve.raw_torque(rpm)
        share = self.available(raw, self.curve.friction(rpm * RPM_TO_W)) / raw
        return self.fuel_rate(rpm, share) / power * 3600.0
