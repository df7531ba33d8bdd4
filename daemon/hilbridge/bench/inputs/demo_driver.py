"""The demo driver: the driver of `hilbridge drive` on a short trace, with the key on before it and off after it.

    ignition → crank → idle → drive → stop → stand → rest → ignition …        about 80 s

It indicates when it pulls out and before it stops, drives with dipped beam, and works the parking brake.

While a tester asks (`keep_ignition`) it stands with the engine running and drives again, in place of the rest.

An engine that does not start, or dies under way, or a hill that is too steep ends the loop: the vehicle is stopped,
and all begins anew.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.drive.driver import CONTROLS, PERIOD, Driver
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.technique import Instruments
from hilbridge.bench.drive.trace import KMH, Trace
from hilbridge.bench.inputs.controls import INPUT_CONTROLS, Control, require_control
from vehiclesim.channels import BODY, BodyData, InputData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import VehicleSettings

TRACE: Final = Trace(
    "demo",
    (0.0, 2.0, 12.0, 22.0, 33.0, 45.0, 58.0, 61.5, 64.0),
    (0.0, 0.0, 38.0 * KMH, 62.0 * KMH, 79.0 * KMH, 79.0 * KMH, 11.0 * KMH, 0.0, 0.0),
)
"""The speed in the phase "drive": a laden truck can follow it too."""

_PERIOD: Final = round(PERIOD * SECOND)
"""[ns] between two control steps."""

_CATCH_UP: Final = SECOND // 10
"""[ns] of a time jump that the driver makes up for, which bounds the control steps of a tick."""

_OFF: Final = -1
_ON: Final = 0
_START: Final = 1

_APPLIED: Final = INPUT_CONTROLS[InputData.HANDBRAKE].resolution


_BODY: Final = (BodyData.PARKING_BRAKE, BodyData.DIPPED_BEAM, BodyData.TURN_SIGNAL)
_STRAIGHT, _LEFT, _RIGHT = 0, 1, 2
"""Positions of the lever of the turn signals."""

_ROLLING_BACK: Final = -100.0
"""[1/min] of the gearbox's output. A hill that the vehicle rolls back on is given up."""


class Phase(Enum):
    """A part of the loop."""

    IGNITION = "ignition"
    CRANK = "crank"
    IDLE = "idle"
    DRIVE = "drive"
    STOP = "stop"
    STAND = "stand"
    REST = "rest"


_KEY: Final = {Phase.CRANK: _START, Phase.REST: _OFF}
"""The position of the key, where it is not on."""

_DRIVEN: Final = (Phase.DRIVE, Phase.STOP)
"""The phases with the handbrake released."""


_IGNITION_TIME: Final = 1.5
_LONGEST_CRANKING: Final = 4.0
_IDLE_TIME: Final = 4.0
_STANDING_TIME: Final = 4.0
_RESTING_TIME: Final = 5.0
"""[s]"""

_LOOKING_BACK: Final = 2.0
"""[s] of idling before it indicates."""

_PULLED_OUT: Final = 5.0
_PULLING_OVER: Final = 54.0
"""[s] of the trace: the end of indicating, and where it begins anew."""


class DemoDriver:
    """The demo driver of a vehicle. `values[i]` is the bus integer of `controls[i]`; the next step is `due` [ns]."""

    controls: tuple[Control, ...] = (
        *(INPUT_CONTROLS[index] for index in (*CONTROLS[:-1], InputData.HANDBRAKE, InputData.KEY)),
        *(require_control(ENTRIES[BODY][index].path) for index in _BODY),
    )

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        """ConfigurationError: a vehicle that no driver can start or stop."""
        self.phase = Phase.REST
        self.values = [control.rest for control in self.controls]
        self._bus: Final = bus
        self._vehicle: Final = InverseVehicle(vehicle)
        self._instruments: Final = Instruments(bus, self._vehicle)
        self._driver = Driver(bus, self._vehicle, TRACE)
        self._since = 0  # [ns], when the phase began
        self.due = 0
        self._keep = 0  # [ns]
        self._asked_since: Callable[[int], bool] = lambda _t: False

    def keep_ignition(self, keep: int, asked_since: Callable[[int], bool]) -> None:
        """Keep the ignition on for `keep` [ns] after each request of a tester, 0 for not at all.

        `asked_since` returns whether there was one after a time [ns].
        """
        self._keep = keep
        self._asked_since = asked_since

    def begin(self, t: int) -> None:
        """Take over at `t` [ns]: a moving vehicle is stopped first, a running engine is used as it is."""
        self.due = t
        self._driver = Driver(self._bus, self._vehicle, TRACE)
        see = self._instruments
        see.read()
        self._enter(Phase.STOP if see.speed > 0.0 else Phase.IDLE if see.running else Phase.IGNITION, t)

    def drive(self, t: int) -> None:
        """Set `values` for the tick at `t` [ns], by the control steps that are due."""
        self.due = max(self.due, t - _CATCH_UP)
        while self.due <= t:
            self._step(self.due)
            self.due += _PERIOD

    def _step(self, t: int) -> None:
        self._instruments.read()
        lasted = (t - self._since) / SECOND
        following = self._next_phase(lasted, t)
        if following is not None:
            self._enter(following, t)
            lasted = 0.0
        driver, phase = self._driver, self.phase
        match phase:
            case Phase.CRANK:
                driver.start()
            case Phase.DRIVE:
                driver.drive(lasted)
            case Phase.STOP:
                driver.stop()
            case _:
                driver.park()
        key, handbrake = _KEY.get(phase, _ON), 0 if phase in _DRIVEN else _APPLIED
        body = (int(handbrake > 0), int(key >= _ON), _turn_signal(phase, lasted))
        self.values = [*driver.values[:-1], handbrake, key, *body]

    def _next_phase(self, lasted: float, t: int) -> Phase | None:
        """Return the phase that begins now, after the present one has lasted so long [s]; None: it continues."""
        see = self._instruments
        running = see.running
        match self.phase:
            case Phase.IGNITION if lasted >= _IGNITION_TIME:
                return Phase.CRANK
            case Phase.CRANK if running:
                return Phase.IDLE
            case Phase.CRANK if lasted >= _LONGEST_CRANKING:
                return Phase.IGNITION if self._is_asked(t) else Phase.REST
            case Phase.IDLE if not running:
                return Phase.STOP
            case Phase.IDLE if lasted >= _IDLE_TIME:
                return Phase.DRIVE
            case Phase.DRIVE if not running or lasted >= TRACE.duration or see.output_rpm < _ROLLING_BACK:
                return Phase.STOP
            case Phase.STOP if see.speed <= 0.0:
                return Phase.STAND
            case Phase.STAND if lasted >= _STANDING_TIME:
                return Phase.REST if not self._is_asked(t) else Phase.IDLE if running else Phase.IGNITION
            case Phase.REST if lasted >= _RESTING_TIME or self._is_asked(t):
                return Phase.IGNITION
        return None

    def _is_asked(self, t: int) -> bool:
        return self._keep > 0 and self._asked_since(t - self._keep)

    def _enter(self, phase: Phase, t: int) -> None:
        if phase is Phase.IGNITION or self.phase is Phase.STAND:
            self._driver = Driver(self._bus, self._vehicle, TRACE)
        self.phase = phase
        self._since = t


def _turn_signal(phase: Phase, lasted: float) -> int:
    """Return the position of the lever when a phase has lasted so long [s]."""
    match phase:
        case Phase.IDLE if lasted >= _LOOKING_BACK:
            return _LEFT
        case Phase.DRIVE if lasted < _PULLED_OUT:
            return _LEFT
        case Phase.DRIVE if lasted >= _PULLING_OVER:
            return _RIGHT
        case Phase.STOP:
            return _RIGHT
    return _STRAIGHT
