"""The torque that the machines on the engine's belt take from it."""

from typing import ClassVar

from vehiclesim.parameters.operation import AccessorySettings
from vehiclesim.state import Stateful


class Accessories(Stateful):
    """The machines on the belt. P = U·I/efficiency + compressor + steering pump + fan·(n/n_max)³ [W]."""

    state_vars: ClassVar[tuple[str, ...]] = ("power",)

    def __init__(self, settings: AccessorySettings, max_rpm: float) -> None:
        self.air_conditioning: bool = False  # input: it is switched on
        self.power: float = 0.0  # [W]

        self._alternator: float = settings.alternator_efficiency
        self._compressor: float = settings.air_conditioning
        self._steering: float = settings.power_steering
        self._fan: float = settings.fan
        self._max_rpm: float = max_rpm

    def step(self, electric: float, fan: bool, rpm: float) -> None:
        """Update the power, with that [W] which the alternator gives and the speed [1/min] of the engine."""
        total = self._steering
        if self._alternator > 0.0:
            total += electric / self._alternator
        if self.air_conditioning:
            total += self._compressor
        if fan:
            speed = rpm / self._max_rpm
            total += self._fan * speed * speed * speed
        self.power = total
