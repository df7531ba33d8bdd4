"""The driver: follows a speed trace with pedals, clutch and gear lever, by looking at the bus alone."""

from typing import Final

from hilbridge.drive.dynamics import InverseVehicle
from hilbridge.drive.gears import GearChoice
from hilbridge.drive.manual import ManualTechnique
from hilbridge.drive.technique import Demand, Instruments, Pedals, SequentialTechnique, Technique
from hilbridge.drive.trace import Trace
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import GearboxType, VehicleSettings
from vehiclesim.transmission.shifting import GearMode

PERIOD: Final = 0.01
"""[s] between two looks at the instruments."""

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

_FULL_TRAVEL: Final = 10000
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

    def __init__(self, bus: DataBus, vehicle: VehicleSettings, trace: Trace) -> None:
        self.pedals: Final = Pedals()
        self._bus: Final = bus
        self._trace: Final = trace
        self._vehicle: Final = InverseVehicle(vehicle)
        self._see: Final = Instruments(bus)
        self._gears: Final = GearChoice(trace, self._vehicle)
        self._technique: Final = _TECHNIQUES[vehicle.gearbox.type](self._see, self.pedals, self._vehicle)
        self._integral = 0.0

    @property
    def ready(self) -> bool:
        """The engine runs and has reached its idle speed."""
        return self._see.running and self._see.rpm >= 0.95 * self._vehicle.idle_rpm

    def start(self) -> None:
        """Starts the engine, clutch down and in neutral: one look, and what follows from it."""
        self._see.look()
        self.pedals.move(PERIOD, brake=self._technique.hold if self._see.speed < _STOPPING else 0.0, clutch=1.0)
        self._technique.gear = 0
        self._operate(GearMode.NEUTRAL)

    def drive(self, t: float) -> None:
        """One look, and what follows from it at the time `t` [s] of the trace."""
        self._see.look()
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
        """Puts pedals, levers and key on the bus; an engine that stands is started."""
        controls = self._bus.input
        controls[InputData.THROTTLE] = round(self.pedals.throttle * _FULL_TRAVEL)
        controls[InputData.BRAKE] = round(self.pedals.brake * _FULL_TRAVEL)
        controls[InputData.CLUTCH] = round(self.pedals.clutch * _FULL_TRAVEL)
        controls[InputData.MANUAL_GEAR] = self._technique.gear
        controls[InputData.AUTOMATIC_GEAR] = mode
        controls[InputData.KEY] = 0 if self._see.running else _KEY_START
