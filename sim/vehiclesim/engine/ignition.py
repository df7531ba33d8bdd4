"""Ignition key, starter motor and stalling: the states in which an engine runs or not."""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.curves import clamp
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.parameters import EngineSettings
from vehiclesim.state import Stateful

KEY_OFF: Final = -1
KEY_START: Final = 1

_RUNNING_MARGIN: Final = 1.02
"""An engine runs from this multiple of its stall speed on, so that it does not flicker around it."""

START_SHARE: Final = 0.7
"""Share of the full load that must be enough to run up from below idle: without one cylinder of four it still is."""

STARTER_RANGE: Final = 1.2
"""The starter motor's torque reaches zero at this multiple of the idle speed."""

_STARTER_GAIN: Final = 4.0
"""The starter's torque at rest per starter_motor_bias, in units of the friction at stall speed."""


class Ignition(Stateful):
    """Off, stalled or running.

    | from    | to      | when |
    |---------|---------|------|
    | any     | off     | key off |
    | off     | stalled | key on |
    | stalled | running | 1.02·stall_rpm with fuel and a surplus: by the starter, or by the wheels (bump start) |
    | running | stalled | below stall_rpm |

    The surplus is what a share of full load, below idle START_SHARE and then all of it, gives over friction and load:
    with it the engine runs up by itself, so the starter may be let go, and does not die of a cylinder that misfires. A
    converter or an alternator take more than the engine has just above its stall speed.

    An engine that cannot stall runs whenever the key is on and there is fuel.
    """

    state_vars: ClassVar[tuple[str, ...]] = ("running", "starting", "switched_off")

    def __init__(self, settings: EngineSettings, curve: TorqueCurve) -> None:
        self.can_stall: bool = settings.can_stall
        self.running: bool = False
        self.starting: bool = False  # the starter motor turns
        self.switched_off: bool = False
        self.stall_rpm: float = curve.stall_rpm()
        self.stalled_friction: float = settings.stalled_friction_torque
        self._idle_rpm: float = settings.idle_rpm
        self._starter_bias: float = settings.starter_motor_bias
        self._start_friction: float = curve.friction(self.stall_rpm * RPM_TO_W) + settings.stalled_friction_torque

    @property
    def stalled(self) -> bool:
        """True if the key is on but the engine does not run by itself."""
        return self.can_stall and not self.running and not self.switched_off

    def update(self, key: int, rpm: float, fuel: float, surplus: float) -> None:
        """Make one transition at a speed [1/min] with a share of fuel and a surplus of torque [N m].

        The starter runs up to idle speed.
        """
        self.switched_off = key <= KEY_OFF
        if self.switched_off:
            self.running = False
        elif not self.can_stall:
            self.running = fuel > 0.0
        elif self.running:
            self.running = rpm >= self.stall_rpm
        else:
            self.running = fuel > 0.0 and surplus > 0.0 and rpm >= _RUNNING_MARGIN * self.stall_rpm

        if key < KEY_START or rpm >= self._idle_rpm:
            self.starting = False
        elif self.stalled:
            self.starting = True

    def extra_friction(self) -> float:
        """Return the extra friction [N m] of a stalled engine."""
        return self.stalled_friction if self.stalled else 0.0

    def starter_torque(self, rpm: float, supply: float) -> float:
        """T = 4·starter_motor_bias·supply·(Tf(stall) + extra)·(1 - n/(1.2·idle)) [N m], supply 0..1; never negative.

        Only while the starter motor turns.
        """
        slowing = clamp(1.0 - rpm / (STARTER_RANGE * self._idle_rpm), 0.0, 1.0)
        return _STARTER_GAIN * self._starter_bias * supply * self._start_friction * slowing
