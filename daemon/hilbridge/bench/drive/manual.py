"""The driver's work with a manual gearbox: starting off, changing gear, stopping."""

from enum import Enum
from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.technique import FOOT, Demand, Instruments, Pedals, Technique
from vehiclesim.block import RPM_TO_W
from vehiclesim.transmission.shifting import GearMode

_QUICK_FOOT: Final = 8.0
"""[1/s] of a pedal's travel, off the throttle and onto the clutch."""

_LAUNCH: Final = 1.25
"""Multiple of the idle speed at which the clutch is let in."""

_LABOURING: Final = 1.05
"""Multiple of the idle speed below which the engine must not be driven with the clutch closed."""

_SYNCHRONOUS: Final = 25.0
"""[1/min]. Slip of the clutch below which it may close."""

_RESPONSE: Final = 0.15
"""[s], in which the right foot brings the engine to another speed."""

_INSISTENCE: Final = 3.0
"""[1/s], with which the right foot makes up for an engine that is weaker than it knows it: in thin air, or cold."""

_STUCK: Final = 100.0
"""[1/min in a second]. An engine that gains less on the way to its launch speed needs more than the driver expects."""

_NEARLY: Final = 150.0
"""[1/min]. Slip of the clutch below which it does so."""

_LEAST_BITE: Final = 0.02
"""Share of the clutch's capacity with which it takes hold at least, so that both sides meet."""


class _Clutch(Enum):
    OPEN = "open"
    SLIPPING = "slipping"
    CLOSED = "closed"


class ManualTechnique(Technique):
    """Open: the lever goes to the wanted gear, and the right foot brings the engine to the speed that it will have.

    Slipping: the clutch carries the wanted torque, which the engine gives at constant speed until the vehicle has
    gained it, or takes out of its flywheel until it has lost what it turns too fast. Closed: the right foot alone.

    Before the engine labours the clutch goes down, also where the trace does not say so yet.
    """

    def __init__(self, see: Instruments, pedals: Pedals, vehicle: InverseVehicle) -> None:
        super().__init__(see, pedals, vehicle)
        if vehicle.clutch_capacity <= 0.0:
            raise ConfigurationError("a clutch without any torque starts no vehicle", ("clutch", "max_torque_transfer"))
        self.mode = GearMode.MANUAL
        self._state = _Clutch.OPEN
        self._missing = 0.0  # [N m] that the engine lacks while the clutch is not closed
        self._rpm = 0.0  # in the control step before
        self._launch_rpm: Final = _LAUNCH * vehicle.idle_rpm
        self._lowest_rpm: Final = _LABOURING * vehicle.idle_rpm

    def drive(self, demand: Demand, dt: float) -> None:
        self._state = self._next_state(demand)
        if self._state is _Clutch.CLOSED:
            self._missing = 0.0
        match self._state:
            case _Clutch.OPEN:
                self._change(demand, dt)
            case _Clutch.SLIPPING:
                self._engage_clutch(demand, dt)
            case _Clutch.CLOSED:
                self.press(demand, self.gear, dt)

    def _next_state(self, demand: Demand) -> _Clutch:
        if demand.gear != self.gear or self.gear == 0 or demand.clutch_down:
            return _Clutch.OPEN
        speed = self._input_rpm()
        if demand.force <= 0.0 and speed < self._lowest_rpm:
            return _Clutch.OPEN
        if self._state is _Clutch.OPEN:
            useful = not demand.standing and (demand.force > 0.0 or speed > self._launch_rpm)
            return _Clutch.SLIPPING if useful and self.see.gear == self.gear else _Clutch.OPEN
        if speed < self._lowest_rpm:
            return _Clutch.SLIPPING
        return _Clutch.CLOSED if abs(self.see.rpm - speed) < _SYNCHRONOUS else self._state

    def _change(self, demand: Demand, dt: float) -> None:
        """Clutch down and the lever to its place; in neutral the clutch comes up again."""
        self.limit = 1.0
        neutral = self.gear == 0 == self.see.gear
        if neutral or self.pedals.clutch >= 1.0:
            self.gear = demand.gear
        torque = 0.0
        if demand.gear != 0 and not (demand.standing and not demand.starting):
            speed = self.see.output_rpm * self.vehicle.ratio(demand.gear)
            if demand.force > 0.0 or demand.starting or speed > self._launch_rpm:
                torque = self._insisting(self._torque_towards(max(speed, self._launch_rpm)), dt)
        self._move(demand, torque, 0.0 if neutral and demand.gear == 0 else 1.0, _QUICK_FOOT, dt)

    def _engage_clutch(self, demand: Demand, dt: float) -> None:
        """Control the torque with the clutch, and the speed of the engine with the throttle."""
        vehicle, see = self.vehicle, self.see
        self.limit = 0.0
        speed = self._input_rpm()
        launching = speed < self._lowest_rpm
        wanted = vehicle.input_torque(demand.force, demand.acceleration, self.gear)
        towards = self._torque_towards(self._launch_rpm if launching else speed)
        if not launching and abs(see.rpm - speed) < _NEARLY:
            self._missing += towards * _INSISTENCE * dt
        torque = see.clutch_torque + towards + self._missing
        carried = self._carried(wanted, see.rpm - speed)
        position = 1.0 - min(carried / vehicle.clutch_capacity, 1.0)
        if launching:
            self._move(demand, torque, self.pedals.clutch, FOOT, dt)
            reserve = (see.rpm - self._lowest_rpm) / (self._launch_rpm - self._lowest_rpm)
            self.pedals.let_in(dt, reserve, position)
        else:
            self._move(demand, torque, position, FOOT, dt)

    def _carried(self, wanted: float, slip: float) -> float:
        """Torque [N m] for the clutch: the wanted one, if the slip has its direction."""
        if slip < 0.0 < wanted:
            return 0.0
        return max(wanted if slip > 0.0 else -wanted, _LEAST_BITE * self.vehicle.clutch_capacity)

    def _move(self, demand: Demand, torque: float, clutch: float, foot: float, dt: float) -> None:
        """Throttle for a torque [N m] at the flywheel; the brake has all of a deceleration to give.

        An engine that is harder to turn than the one that the driver knows, as in the cold, gets so much more.
        """
        cold = max(self.see.friction + self.vehicle.torque(self.see.rpm, 0.0), 0.0)
        throttle = self.vehicle.throttle(self.see.rpm, torque + cold) if torque > 0.0 else 0.0
        brake = self.hold if demand.standing else self.vehicle.brake(-demand.force)
        self.pedals.move(dt, throttle=throttle, brake=brake, clutch=clutch, foot=foot)

    def _torque_towards(self, rpm: float) -> float:
        """Return T = I·(w - w_e)/t [N m], which brings the engine alone to a speed [1/min]."""
        return self.vehicle.engine_inertia * (rpm - self.see.rpm) * RPM_TO_W / _RESPONSE

    def _insisting(self, towards: float, dt: float) -> float:
        """Return the torque [N m] towards a speed, with more of it as long as the engine does not follow."""
        gain, self._rpm = self.see.rpm - self._rpm, self.see.rpm
        if towards <= 0.0:
            self._missing = 0.0
        elif gain < _STUCK * dt:
            self._missing += towards * _INSISTENCE * dt
        return towards + self._missing

    def _input_rpm(self) -> float:
        """Speed of the gearbox's input [1/min] in the gear that the lever is in."""
        return self.see.output_rpm * self.vehicle.ratio(self.gear) if self.gear > 0 else 0.0
