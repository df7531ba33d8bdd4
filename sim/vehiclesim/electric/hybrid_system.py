"""The limits of a hybrid as one system, engine, motor and battery together, and its band of charge."""

from vehiclesim.block import RPM_TO_W
from vehiclesim.electric.charge_band import ChargeBand
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.electric import HybridSettings


class HybridSystem:
    """T <= min(max_torque, max_power/w); the band of charge, and the speed at which the engine idles."""

    def __init__(self, hybrid: HybridSettings, engine: EngineSettings) -> None:
        self.band: ChargeBand = ChargeBand(hybrid)
        self.idle_w: float = engine.idle_rpm * RPM_TO_W  # [rad/s]
        self.max_torque: float = hybrid.max_torque
        self._max_power: float = hybrid.max_power * 1e3

    def limit(self, torque: float, w: float) -> float:
        """Return what the system allows of a torque [N m] of engine and motor, at a speed [rad/s] of at least 0."""
        torque = torque if torque < self.max_torque else self.max_torque
        return self._max_power / w if torque * w > self._max_power else torque
