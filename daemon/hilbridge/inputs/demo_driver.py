"""The demo driver: starts the engine, drives a short loop, switches off, rests, and begins anew.

It looks and acts a hundred times a second, as often as pedals with a bus of their own report.
`PHASES` is the whole of it: where the key is, what feet and hand do (see footwork), and what ends the phase.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from hilbridge.common.units import SECOND
from hilbridge.inputs.controls import INPUT_CONTROLS, Control
from hilbridge.inputs.footwork import Footwork
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import VehicleSettings

_OFF: Final = -1
_ON: Final = 0
_START: Final = 1

LOOK: Final = 10_000_000
"""[ns] from one look to the next."""

_FULL_TRAVEL: Final = 10000


class Exit(NamedTuple):
    """Leads to phase `then` once the phase has lasted `seconds` and `condition` holds."""

    condition: Callable[[Footwork], bool]
    seconds: float
    then: str


class Phase(NamedTuple):
    """Where the key is, what feet and hand do, and how it ends: by the first exit that is open."""

    key: int
    action: Callable[[Footwork], None]
    exits: tuple[Exit, ...]


def when(condition: Callable[[Footwork], bool], then: str) -> Exit:
    """As soon as `condition` holds."""
    return Exit(condition, 0.0, then)


def after(seconds: float, then: str) -> Exit:
    """When the phase has lasted so long."""
    return Exit(lambda _: True, seconds, then)


_DEAD: Final = when(Footwork.engine_is_dead, "stop")

PHASES: Final[dict[str, Phase]] = {
    "ignition": Phase(_ON, Footwork.park, (after(1.5, "crank"),)),
    "crank": Phase(_START, Footwork.park, (when(Footwork.engine_runs, "idle"), after(4.0, "rest"))),
    "idle": Phase(_ON, Footwork.park, (_DEAD, after(5.0, "first gear"))),
    "first gear": Phase(
        _ON, Footwork.select_first, (_DEAD, when(Footwork.is_in_gear, "pull away"), after(5.0, "stop"))
    ),
    "pull away": Phase(
        _ON, Footwork.pull_away, (_DEAD, when(Footwork.clutch_is_up, "accelerate"), after(15.0, "stop"))
    ),
    "accelerate": Phase(
        _ON,
        Footwork.accelerate,
        (_DEAD, when(Footwork.is_fast, "cruise"), when(Footwork.wants_higher_gear, "lift"), after(25.0, "cruise")),
    ),
    "lift": Phase(_ON, Footwork.lift, (_DEAD, when(Footwork.clutch_is_down, "shift up"))),
    "shift up": Phase(_ON, Footwork.shift_up, (_DEAD, when(Footwork.speeds_match, "take up"), after(4.0, "take up"))),
    "take up": Phase(_ON, Footwork.take_up, (_DEAD, when(Footwork.clutch_is_up, "accelerate"))),
    "cruise": Phase(_ON, Footwork.hold_speed, (_DEAD, after(12.0, "coast"))),
    "coast": Phase(_ON, Footwork.coast, (_DEAD, when(Footwork.labours, "stop"), after(2.0, "slow down"))),
    "slow down": Phase(_ON, Footwork.slow_down, (_DEAD, when(Footwork.labours, "stop"))),
    "stop": Phase(_ON, Footwork.stop, (when(Footwork.stands, "stand"), after(20.0, "brake hard"))),
    "brake hard": Phase(_ON, Footwork.brake_hard, (when(Footwork.stands, "stand"),)),
    "stand": Phase(_ON, Footwork.park, (after(4.0, "rest"),)),
    "rest": Phase(_OFF, Footwork.park, (after(5.0, "ignition"),)),
}
"""About 80 s with a passenger car. Where the engine dies under way or the vehicle cannot start, all begins anew."""


class DemoDriver:
    """Drives the vehicle whose bus and settings it is given."""

    controls: tuple[Control, ...] = tuple(
        INPUT_CONTROLS[index]
        for index in (
            InputData.THROTTLE,
            InputData.BRAKE,
            InputData.HANDBRAKE,
            InputData.CLUTCH,
            InputData.MANUAL_GEAR,
            InputData.KEY,
        )
    )

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        self.values = [control.rest for control in self.controls]
        self.phase = "rest"
        self._feet: Final = Footwork(bus, vehicle)
        self._since = 0
        self._last = 0
        self._next = 0

    def begin(self, t: int) -> None:
        """Takes the wheel: a moving vehicle is stopped first, a running engine is used as it is."""
        self._last = self._next = t
        self._feet.take_seat()
        self._enter("stop" if self._feet.moves() else "idle" if self._feet.engine_runs() else "ignition", t)

    def drive(self, t: int) -> None:
        """A look, if it is time for one, and what follows from it."""
        if t < self._next:
            return
        self._next = t + LOOK
        feet = self._feet
        feet.look((t - self._last) / SECOND)
        self._last = t
        lasted = (t - self._since) / SECOND
        for condition, seconds, then in PHASES[self.phase].exits:
            if lasted >= seconds and condition(feet):
                self._enter(then, t)
                break
        phase = PHASES[self.phase]
        phase.action(feet)
        self.values = [
            round(feet.throttle * _FULL_TRAVEL),
            round(feet.brake * _FULL_TRAVEL),
            round(feet.handbrake * _FULL_TRAVEL),
            round(feet.clutch * _FULL_TRAVEL),
            feet.gear,
            phase.key,
        ]

    def _enter(self, phase: str, t: int) -> None:
        self.phase = phase
        self._since = t
