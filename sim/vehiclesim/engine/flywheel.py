"""The flywheel: the engine's rotating mass between its own torques, its friction and the clutch."""

from typing import ClassVar, Final

from vehiclesim.block import Connection
from vehiclesim.engine.pulses import FiringPulses
from vehiclesim.state import Stateful
from vehiclesim.transmission.clutch import Clutch

RESPONSE_TIME: Final = 0.08
"""[s], the time constant with which the engine is accelerated to a requested speed."""


class Flywheel(Stateful):
    """I·dw/dt = T_drive + T_belt - T_friction - T_clutch, with friction and clutch solved for the end of the substep.

    The shaft turns forward only. A torque that would stop it in this substep brings it to rest, and one that would
    turn it back is held: a driveline that pushes backward makes the clutch slip.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "own_torque",
        "pulse",
        "clutch_torque",
        "output_torque",
        "friction",
        "clutch",
        "pulses",
    )

    def __init__(self, inertia: float, clutch: Clutch, pulses: FiringPulses | None = None) -> None:
        self.inertia: float = inertia  # [kg m²]
        self.speed: float = 0.0  # w [rad/s]
        self.friction: float = 0.0  # torque against the rotation [N m]
        self.belt: float = 0.0  # torque of an electric motor on the belt in this step [N m]
        self.clutch: Clutch = clutch
        self.clutch_torque: float = 0.0  # that the clutch takes [N m]
        self.output_torque: float = 0.0  # that it gives to the driveline [N m]
        self.own_torque: float = 0.0  # drive and belt minus friction [N m]
        self.pulse: float = 0.0  # part of it that only its waves give [N m]
        self.pulses: FiringPulses | None = pulses
        self.substep: float = 0.001  # [s]
        self._coupled: bool = False

    def start_step(self, shaft: Connection | None, speed: float) -> None:
        """Let the clutch decide whether it is locked in this step, which begins at a speed [rad/s]."""
        self._read_shaft(shaft, 1.0)
        if self._coupled:
            self.clutch.start_step(speed)

    def couple(self, shaft: Connection | None, damping: float, substep: float) -> None:
        """Read the driveline behind the clutch: its speed L/I and its acceleration Tr/I."""
        self.substep = substep
        self._read_shaft(shaft, damping)
        if self._coupled:
            self.clutch.substep = substep
            self.clutch.start_substep(self.speed)

    def _read_shaft(self, shaft: Connection | None, damping: float) -> None:
        self._coupled = shaft is not None and shaft.I > 0.0
        if shaft is None or not self._coupled:
            return
        clutch = self.clutch
        clutch.inverse_inertia = 1.0 / shaft.I
        clutch.speed = shaft.L * clutch.inverse_inertia
        clutch.acceleration = shaft.Tr * damping * clutch.inverse_inertia

    def torque_towards(self, target: float) -> float:
        """Return the drive torque [N m] that brings the speed to `target` [rad/s]; a is its acceleration.

        T = I·a + T_friction - T_belt + T_clutch(a)

        From below with a = (target-w)/RESPONSE_TIME; from above it is the least torque without undershoot. A control of
        a speed with waves goes by its mean, and slowly from both sides.
        """
        speed, slow = self.speed, False
        if self.pulses is not None and self.pulses.speed > 0.0:
            speed, slow = self.pulses.speed, True
        gap = target - speed
        time = RESPONSE_TIME if (gap > 0.0 or slow) and self.substep < RESPONSE_TIME else self.substep
        acceleration = gap / time
        return self.inertia * acceleration + self.friction - self.belt + self._load(acceleration, 0.0)

    def pulse_of(self, pulses: FiringPulses, fired: float, burnt: float, load: float, pressure: float) -> float:
        """Return the torque [N m] of pulses whose mean is `fired`, and `burnt` without misfires; see `pulses.py`."""
        torque = pulses.torque(burnt, load, self.speed, pressure, self.substep)
        self.pulse = torque - fired
        return torque

    def follow(self, other: "Flywheel") -> None:
        """Take the state of another flywheel, and that of its pulses where it has as many cylinders."""
        state, own, pulses = other.get_state_vars(), self.pulses, other.pulses
        if own is None or pulses is None or len(own.order) != len(pulses.order):
            state["pulses"] = None if own is None else own.get_state_vars()
        self.set_state_vars(state)

    def distribute(self, drive: float) -> None:
        """Divide a drive torque [N m] between friction, clutch and the flywheel's own acceleration."""
        inverse_inertia = 1.0 / self.inertia
        stop = -self.speed / self.substep
        own = drive + self.belt - self.friction
        taken = self._load(own * inverse_inertia, inverse_inertia)
        if (own - taken) * inverse_inertia <= stop:
            taken = self._load(stop, 0.0)
            own = self.inertia * stop + taken
        self.own_torque = own
        self.clutch_torque = taken
        self.output_torque = self.clutch.output_torque(taken) if self._coupled else 0.0

    def _load(self, acceleration: float, inverse_inertia: float) -> float:
        return self.clutch.torque(self.speed, acceleration, inverse_inertia) if self._coupled else 0.0
