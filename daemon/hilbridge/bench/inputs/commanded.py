"""Controls that commands hold: at a value at once, on the way to it at a rate, or by the driver's left foot or hand.

    value(t) = from the value at the first tick, by `rate` for each second, as far as the value that is held

So a key of a keyboard is a pedal: pressed, it goes down at a rate, and springs back at another. A way is a function of
the time alone, foot and hand of the values on the bus: the same commands in the same ticks move them alike in a replay.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND, NEVER, SECOND
from hilbridge.bench.inputs.controls import Control, require_control
from hilbridge.bench.inputs.key_hand import KeyHand
from hilbridge.bench.inputs.left_foot import LeftFoot
from hilbridge.bench.inputs.overrides import Overrides
from hilbridge.bench.inputs.source import Source
from vehiclesim.channels import INPUT, InputData
from vehiclesim.databus import DataBus
from vehiclesim.parameters import GearboxType, VehicleSettings

AUTOMATIC: Final = "automatic"
"""The value of `input.Clutch` that leaves the pedal to the left foot, and of `input.Key` that has a hand start."""

PERIOD: Final = 10 * MILLISECOND
"""[ns] between two steps of what moves."""


class _Way(NamedTuple):
    start: int
    goal: int
    rate: float  # bus integers in a second
    since: int | None  # [ns]; None until its first tick

    def at(self, t: int) -> int:
        reach = round(self.rate * (t - (t if self.since is None else self.since)) / SECOND)
        return min(self.goal, self.start + reach) if self.goal > self.start else max(self.goal, self.start - reach)


class CommandedControls(Overrides):
    """The overrides by commands of one vehicle."""

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        super().__init__("command", bus.entries)
        self._bus: Final = bus
        self._clutch: Final = next(i for control, i in self._positions.items() if _is_clutch(control))
        self._foot = LeftFoot(bus, vehicle) if vehicle.gearbox.type is GearboxType.MANUAL else None
        self._is_automatic = False
        self._key: Final = next(i for control, i in self._positions.items() if _is_key(control))
        self._hand = KeyHand(bus, vehicle)
        self._is_in_hand = False
        self._ways: Final[dict[int, _Way]] = {}
        self._moved = -NEVER  # [ns] the last step

    def take_over(self, before: Source) -> None:
        """Continue to hold and to move what another one does, where the entry is still declared alike."""
        super().take_over(before)
        if isinstance(before, CommandedControls):
            places = {i: control for control, i in before._positions.items()}
            self._ways.update({self._positions[places[i]]: way for i, way in before._ways.items()})
            self._is_automatic, self._moved, self._foot = before._is_automatic, before._moved, before._foot
            self._is_in_hand, self._hand = before._is_in_hand, before._hand

    def set(
        self,
        entry: str,
        value: float | str,
        until: int | None = None,
        by: str | None = None,
        rate: float | None = None,
    ) -> None:
        """Hold an entry, as `Overrides.set` does; `rate` [1/s] of a pedal or the steering wheel on its way there.

        `automatic` of the clutch pedal: as the left foot moves it; of the key: at start until the engine runs, then on.

        ConfigurationError: what cannot be held so; then nothing is changed.
        """
        control = require_control(entry, self._entries)
        i = self._positions[control]
        if value == AUTOMATIC and i == self._clutch:
            self._step_in(until, by, rate)
            return
        if value == AUTOMATIC and i == self._key:
            self._turn_key(until, by, rate)
            return
        if rate is not None and not (control.channel == INPUT and control.travel):
            raise ConfigurationError(f"{entry} has no rate: only pedals and the steering wheel are on a way", ("rate",))
        way, stood = self._ways.get(i), self._stands(control, i)
        super().set(entry, value, until, by)
        goal = self.values[i]
        if rate is None:
            return
        speed = rate * control.resolution
        if way is None or (way.goal, way.rate) != (goal, speed):
            way = _Way(stood, goal, speed, None)
        self.values[i] = stood
        self._ways[i] = way

    def set_all(self, values: Mapping[str, float | str], until: int | None = None, by: str | None = None) -> None:
        """Hold several entries, each at its value at once. ConfigurationError: one cannot be held; none is then."""
        super().set_all(values, until, by)
        for entry in values:
            i = self._positions[require_control(entry, self._entries)]
            self._ways.pop(i, None)
            self._let_go(i)

    def _turn_key(self, until: int | None, by: str | None, rate: float | None) -> None:
        """Put a hand on the key; one that is there already goes on, and has let it go when it is done."""
        if rate is not None:
            raise ConfigurationError("a key has positions and no rate", ("rate",))
        goes_on = self._is_in_hand
        if not goes_on:
            self._hand.begin()
        control = self.bindings[self._key].control
        super().set(control.entry.path, self.values[self._key] if goes_on else 1, until, by)
        self._is_in_hand = True

    def _step_in(self, until: int | None, by: str | None, rate: float | None) -> None:
        """Put the left foot on the clutch pedal, wherever that is; one that is there already goes on."""
        if rate is not None:
            raise ConfigurationError("the left foot has a rate of its own", ("rate",))
        if self._foot is None:
            raise ConfigurationError("the clutch of this vehicle has no pedal: its gearbox is not manual", ("value",))
        control = self.bindings[self._clutch].control
        if not self._is_automatic:
            self._foot.place()
        super().set(control.entry.path, control.to_value(self._stands(control, self._clutch)), until, by)
        self._is_automatic = True

    def holder(self, i: int) -> str:
        """Return who holds control `i`, and whether by the left foot, or by a hand that starts."""
        held = super().holder(i)
        if self._is_automatic and i == self._clutch:
            return f"automatic clutch of {held}"
        return f"automatic start of {held}" if self._turns and i == self._key else held

    @property
    def due(self) -> int | None:
        """[ns] when something is to be moved, or the next hold is over."""
        due = super().due
        moving = self._ways or self._is_automatic or self._turns
        return due if due is None or not moving else min(due, self._moved + PERIOD)

    def expire(self, t: int) -> None:
        """Release what was to be held until now, and move the rest."""
        super().expire(t)
        for i, known in [*self._ways.items()]:
            way = known if known.since is not None else known._replace(since=t)
            self.values[i] = way.at(t)
            if self.values[i] == way.goal:
                del self._ways[i]
            else:
                self._ways[i] = way
        if self._is_automatic and self._foot is not None:
            elapsed = min(t - self._moved, PERIOD)
            self.values[self._clutch] = self._foot.move(elapsed)
        if self._turns:
            self.values[self._key] = self._hand.move(min(t - self._moved, PERIOD))
        self._moved = t

    @property
    def _turns(self) -> bool:
        return self._is_in_hand and not self._hand.is_done

    def _let_go(self, i: int) -> None:
        self._is_automatic = self._is_automatic and i != self._clutch
        self._is_in_hand = self._is_in_hand and i != self._key

    def _release(self, i: int) -> None:
        super()._release(i)
        self._ways.pop(i, None)
        self._let_go(i)

    def _stands(self, control: Control, i: int) -> int:
        """Return the bus integer at which a control stands: as it is held, else as the other inputs have it."""
        if self.fresh[i]:
            return self.values[i]
        return self._bus.channels[control.channel][control.index]


def _is_key(control: Control) -> bool:
    return control.channel == INPUT and control.index == InputData.KEY


def _is_clutch(control: Control) -> bool:
    return control.channel == INPUT and control.index == InputData.CLUTCH
