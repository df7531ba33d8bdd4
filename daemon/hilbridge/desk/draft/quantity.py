"""A value of the model as databases carry it: what it is called there, in which unit, and with which states."""

from typing import Final, NamedTuple, TypeAlias

USUAL_PERIOD: Final = 100
"""[ms] The cycle of states: lamps, switches, gears, terminals."""

_FAST: Final = 20
"""[ms] The cycle of what moves a needle or feeds a controller."""

_FAST_UNITS: Final = ("rpm", "km/h", "Nm", "deg")

_SLOW: Final = 200
"""[ms] The cycle of temperatures, levels and the like."""


State: TypeAlias = tuple[str, tuple[str, ...]]
"""A condition over the data bus, and patterns of the labels that databases give this state, the surest first."""


class Quantity(NamedTuple):
    """A value of the model and its names.

    `origin` is an entry of the data bus, or an expression where `unit` is None: a switch or a state. `unit` is taken
    where the database names none.

    Names are patterns. `names` may be a part of a longer name; `opposite` are those of a switch that is on when ours is
    off. `alone` are names so short that they count as a whole only, and with a unit; `short` count as a whole in
    messages whose own name contains `within`. A name with a word of OTHERWISE is another thing, but for those in
    `despite`.

    `on` and `off` are labels of a switch beside the usual ones. `states` are those of a signal with labels; `codes`
    their numbers where there are no labels, as `codes_of` says. `coded`: without labels it stays a guess, as makers
    code it each in their own way. `full`: what the share 1 of `origin` is taken for, in `unit`.
    """

    title: str
    origin: str
    unit: str | None
    names: str
    alone: str = ""
    coded: bool = False
    opposite: str = ""
    within: str = ""
    short: str = ""
    despite: str = ""
    on: str = ""
    off: str = ""
    states: tuple[State, ...] = ()
    codes: tuple[tuple[str, int], ...] = ()
    codes_of: str = ""
    full: float = 0.0

    @property
    def is_switch(self) -> bool:
        """Whether it is a state of one or two bits."""
        return self.unit is None

    @property
    def period(self) -> int:
        """The cycle time [ms] where the database names none: pedals, speeds, torque and steering are fast."""
        if self.is_switch or self.coded:
            return USUAL_PERIOD
        return _FAST if self.unit in _FAST_UNITS or self.origin.startswith("input.") else _SLOW
