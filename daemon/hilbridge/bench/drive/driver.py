"""The driver: a controller of pedals, clutch, gear levers and key that follows a speed trace.

It reads the Vehicle channel of the bus alone, and yields the bus integers of its controls.
"""

from typing import Final

from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.gears import GearChoice
from hilbridge.bench.drive.manual import ManualTechnique
from hilbridge.bench.drive.technique import Demand, Instruments, Pedals, SequentialTechnique, Technique
from hilbridge.bench.drive.trace import Trace
from vehiclesim.channels import INPUT, InputData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import GearboxType
from vehiclesim.transmission.shifting import GearMode

PERIOD: Final = 0.01
"""[s] between two control steps."""

CONTROLS: Final = (
    InputData.THROTTLE,
    InputData.BRAKE,
    InputData.CLUTCH,
    InputData.MANUAL_GEAR,
    InputData.AUTOMATIC_GEAR,
    InputData.KEY,
)
"""Ids of the Input channel's entries that the driver sets."""

_PAST: Final = 0.15
_PREVIEW: Final = 0.35
"""[s]. Acceleration is what the trace does from so long ago until so long ahead."""

_STARTING: Final = 1.0
"""[s] before it starts off, the engine of a standing vehicle is brought to speed."""

_PROPORTIONAL: Final = 1.5
"""[1/s]: acceleration per missing speed."""

_INTEGRAL: Final = 0.5
"""[1/s²]"""

_LARGEST_INTEGRAL: Final = 1.5
"""[m/s²]. What the driver can misjudge: a slope of 15 %."""

_AT_REST: Final = 0.02
"""[m/s]. A trace that is slower stands."""

_STOPPING: Final = 0.15
"""[m/s]. At this speed the driver ends a stop."""

_COMFORT: Final = 2.0
"""[m/s²] of deceleration for a stop without hurry."""

_LAST_DECELERATION: Final = 0.5
"""[m/s²] at the end of a stop."""

_EASING: Final = 1.0
"""[1/s] by which the deceleration decreases with the speed towards the end of a stop."""

_INSISTENCE: Final = 0.5
"""[m/s³] by which the deceleration grows while a vehicle slows down by less than half of it."""

_TRAVEL: Final = ENTRIES[INPUT][InputData.THROTTLE].resolution
_KEY_ON: Final = 0
_KEY_START: Final = 1

_TECHNIQUES: Final[dict[GearboxType, type[Technique]]] = {
    GearboxType.MANUAL: ManualTechnique,
    GearboxType.SEQUENTIAL: SequentialTechnique,
    GearboxType.AUTOMATIC: Technique,
}


class Driver:
    """a = (v(t+T) - v(t-T'))/(T+T') + Kp·e + Ki·∫e dt, with e = v(t) - v: what the trace does, and what is missing.

    The wanted acceleration becomes a force, and that a throttle or brake position, by the vehicle's equations. The
    integral does not grow while more cannot be had (anti-windup): pedal at its end, clutch open.
    """

    def __init__(self, bus: DataBus, vehicle: InverseVehicle, trace: Trace) -> None:
        self.pedals: Final = Pedals()
        self.values = [0] * len(CONTROLS)  # bus integers of CONTROLS
        self._trace: Final = trace
        self._vehicle: Final = vehicle
        self._see: Final = Instruments(bus, vehicle)
        self._gears: Final = GearChoice(trace, vehicle)
        self._technique: Final = _TECHNIQUES[vehicle.gearbox_type](self._see, self.pedals, vehicle)
        self._integral = 0.0
        self._speed = 0.0  # [m/s] in the control step before
        self._extra = 0.0  # [m/s²] of deceleration for a vehicle that does not slow down

    @property
    def ready(self) -> bool:
        """Whether the engine runs and has reached its idle speed."""
        return self._see.running and self._see.rpm >= 0.95 * self._vehicle.idle_rpm

    def start(self) -> None:
        """Start the engine, clutch down and in neutral: one control step."""
        self._see.read()
        self.pedals.move(PERIOD, brake=self._technique.hold if self._see.speed < _STOPPING else 0.0, clutch=1.0)
        self._technique.gear = 0
        self._operate(GearMode.NEUTRAL)

    def park(self) -> None:
        """Take the feet off the pedals, with the levers in neutral: one control step."""
        self._see.read()
        self.pedals.move(PERIOD)
        self._technique.gear = 0
        self._operate(GearMode.NEUTRAL)

    def stop(self) -> None:
        """Bring the vehicle to rest in neutral, with or without engine: one control step.

        The deceleration decreases towards rest, so that the vehicle stops without a jerk, and increases as long as the
        vehicle hardly slows down, as on a hill.
        """
        self._see.read()
        speed = self._see.speed
        deceleration = min(_COMFORT, _LAST_DECELERATION + speed * _EASING)
        if self._speed - speed < 0.5 * deceleration * PERIOD:
            self._extra += _INSISTENCE * PERIOD
        self._speed = speed
        deceleration += self._extra
        self.pedals.move(PERIOD, brake=self._vehicle.brake(-self._vehicle.force(-deceleration, speed)), clutch=1.0)
        if self.pedals.clutch >= 1.0:
            self._technique.gear = 0
        self._operate(GearMode.NEUTRAL)

    def drive(self, t: float) -> None:
        """Follow the trace at its time `t` [s]: one control step."""
        self._see.read()
        if not self._see.running:
            self.start()
            return
        trace, technique = self._trace, self._technique
        target, soon = trace.speed(t), trace.speed(t + _PREVIEW)
        down = trace.clutch_down(t)
        at_rest = self._see.speed < _STOPPING and target < _AT_REST
        standing = at_rest and (soon < _AT_REST or down)
        error = target - self._see.speed
        if standing:
            self._integral = 0.0
        elif error * technique.limit <= 0.0:
            integral = self._integral + _INTEGRAL * error * PERIOD
            self._integral = max(-_LARGEST_INTEGRAL, min(integral, _LARGEST_INTEGRAL))
        planned = (soon - trace.speed(t - _PAST)) / (_PREVIEW + _PAST)
        acceleration = planned + _PROPORTIONAL * error + self._integral
        force = 0.0 if standing else self._vehicle.force(acceleration, self._see.speed)
        gear = self._gears.choose(t, self._see.speed)
        starting = at_rest and trace.speed(t + _STARTING) > _AT_REST
        technique.drive(Demand(acceleration, force, gear, standing, starting, down), PERIOD)
        self._operate(technique.mode)

    def _operate(self, mode: int) -> None:
        """Set the values of pedals, levers and key; an engine that does not run is cranked."""
        pedals = self.pedals
        self.values = [
            round(pedals.throttle * _TRAVEL),
            round(pedals.brake * _TRAVEL),
            round(pedals.clutch * _TRAVEL),
            self._technique.gear,
            mode,
            _KEY_ON if self._see.running else _KEY_START,
        ]
