"""Ignition key, starter motor and stalling: the states in which an engine runs or not.

Without a starter's data (an engine alone) the starter is the one of `starter_motor_bias`, strong enough to take the
engine over its stall speed, and combustion begins at once. With them it is a motor with permanent field on the battery:

    T = T_s·supply·(1 - n/n_free),   T_s = E·I_s/w_free,   n_free = starter_rpm/starter_ratio

E the voltage of a full battery, I_s the current while it is held fast, so that its power is at most E·I_s/4; T_s is
not less than that of `starter_motor_bias`, so that an engine whose electrics are not given has one that fits. It turns
the engine at the speed where friction takes T. The control unit injects after SYNCHRONISED turns, and from then until
near idle speed the engine catches: each combustion is the full one of idle speed, of the air that the manifold holds.
The extra friction of a stalled engine comes in waves, one for each compression, and is as much on average.
"""

from typing import ClassVar, Final

from vehiclesim.block import RPM_TO_W
from vehiclesim.curves import clamp, sine
from vehiclesim.engine.torque_curve import TorqueCurve
from vehiclesim.parameters import EngineSettings
from vehiclesim.parameters.auxiliary import ElectricsSettings
from vehiclesim.state import Stateful

KEY_OFF: Final = -1
KEY_START: Final = 1

_RUNNING_MARGIN: Final = 1.02
"""An engine runs from this multiple of its stall speed on, so that it does not flicker around it."""

START_SHARE: Final = 0.7
"""Share of the full load that must be enough to run up from below idle: without one cylinder of four it still is."""

STARTER_RANGE: Final = 1.2
"""The starter motor's torque reaches zero at this multiple of the idle speed."""

SYNCHRONISED: Final = 1.5
"""Turns after which a control unit knows the phase: 1 to 2, by gap of the crank wheel and signal of the camshaft."""

_STARTED: Final = 0.95
"""Share of the idle speed at which a start is over: the starter rests, and the engine burns what its speed allows."""

_RATED_BIAS: Final = 0.6
"""starter_motor_bias of a starter that is as strong as its current says: the default."""

_FULL_BATTERY: Final = 12.65 / 12.0
"""Open-circuit voltage of a full battery over the nominal one."""

_HALF_TURN: Final = 3.141592653589793
"""[rad]"""

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

    state_vars: ClassVar[tuple[str, ...]] = ("running", "starting", "switched_off", "catching", "_turns")

    def __init__(
        self, settings: EngineSettings, curve: TorqueCurve, electrics: ElectricsSettings | None = None
    ) -> None:
        self.electrics: ElectricsSettings | None = electrics
        self.can_stall: bool = settings.can_stall
        self.running: bool = False
        self.starting: bool = False  # the starter motor turns
        self.switched_off: bool = False
        self.catching: bool = False  # from the first injection of a start until idle speed
        self.stall_rpm: float = curve.stall_rpm()
        self.stalled_friction: float = settings.stalled_friction_torque
        self._idle_rpm: float = settings.idle_rpm
        self._starter_bias: float = settings.starter_motor_bias
        self._turns: float = 0.0  # of the crankshaft since it stood still
        self._compressions: float = 0.5 * settings.cylinders  # of one turn
        self.cranks: bool = electrics is not None and settings.can_stall
        self._started_rpm: float = settings.idle_rpm * (_STARTED if self.cranks else 1.0)
        self._free_rpm: float = STARTER_RANGE * settings.idle_rpm
        self._starter_torque: float = 0.0  # at rest [N m]
        if electrics is not None:
            self._free_rpm = electrics.starter_rpm / electrics.starter_ratio
            power = _FULL_BATTERY * electrics.nominal_voltage * electrics.starter_current
            self._starter_torque = self._starter_bias / _RATED_BIAS * power / (self._free_rpm * RPM_TO_W)
        self._start_friction: float = curve.friction(self.stall_rpm * RPM_TO_W) + settings.stalled_friction_torque
        fitting = _STARTER_GAIN * self._starter_bias * self._start_friction
        if self.cranks and self._starter_torque < fitting:
            self._starter_torque = fitting

    @property
    def stalled(self) -> bool:
        """True if the key is on but the engine does not run by itself."""
        return self.can_stall and not self.running and not self.switched_off

    @property
    def injects(self) -> bool:
        """True if there may be combustion: the engine runs, or a starter turns it and its phase is known."""
        return self.running or (self.starting and (not self.cranks or self._turns >= SYNCHRONISED))

    def turn(self, rpm: float, delta_time: float) -> None:
        """Count the turns of an engine that does not run yet, for `delta_time` [s] at a speed [1/min]."""
        self._turns = self._turns + rpm * delta_time / 60.0 if rpm > 0.0 else 0.0

    def update(self, key: int, rpm: float, fuel: float, surplus: float) -> None:
        """Make one transition at a speed [1/min] with a share of fuel and a surplus of torque [N m].

        The starter turns until the engine is there: at idle speed, with its data near it.
        """
        self.switched_off = key <= KEY_OFF
        if self.switched_off:
            self.running = False
        elif not self.can_stall:
            self.running = fuel > 0.0
        elif self.running:
            self.running = rpm >= self.stall_rpm
        else:
            known = not self.cranks or self._turns >= SYNCHRONISED
            self.running = known and fuel > 0.0 and surplus > 0.0 and rpm >= _RUNNING_MARGIN * self.stall_rpm

        if key < KEY_START or rpm >= self._started_rpm:
            self.starting = False
        elif self.stalled:
            self.starting = True
        if self.cranks:
            alive = self.running or self.starting
            self.catching = alive and rpm < self._started_rpm and (self.catching or (self.injects and not self.running))

    def extra_friction(self) -> float:
        """Return the extra friction [N m] of a stalled engine: as 1 - cos of a compression's angle while it cranks."""
        if not self.stalled:
            return 0.0
        if not (self.cranks and self.starting):
            return self.stalled_friction
        compressions = self._turns * self._compressions
        wave = sine(_HALF_TURN * (compressions - int(compressions) - 0.5))
        return self.stalled_friction * 2.0 * (1.0 - wave * wave)

    def starter_torque(self, rpm: float, supply: float) -> float:
        """T = 4·starter_motor_bias·supply·(Tf(stall) + extra)·(1 - n/(1.2·idle)) [N m], supply 0..1; never negative.

        Only while the starter motor turns. With its data: T_s·supply·(1 - n/n_free).
        """
        if self.cranks:
            return self._starter_torque * supply * clamp(1.0 - rpm / self._free_rpm, 0.0, 1.0)
        slowing = clamp(1.0 - rpm / (STARTER_RANGE * self._idle_rpm), 0.0, 1.0)
        return _STARTER_GAIN * self._starter_bias * supply * self._start_friction * slowing
