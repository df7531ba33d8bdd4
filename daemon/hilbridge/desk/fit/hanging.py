"""How much of an engine's fuel at low load hangs on each parameter of a fit, and whether that one is assumed.

    d = |b(p + s)/b(p - s) - 1|/2

b is the specific consumption at RPM and PRESSURE, where cars are driven, p the parameter that was found, s its
standard deviation, both held within the bounds.
"""

import math
from typing import Final, NamedTuple

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fit.model import Model
from hilbridge.desk.fit.priors import litres
from hilbridge.desk.fit.result import FitResult, Parameter
from hilbridge.desk.fit.stand import Stand

RPM: Final = 2000.0

PRESSURE: Final = 2.0
"""[bar] of mean effective pressure."""

_TOLD: Final = 0.005


class Share(NamedTuple):
    """A parameter, and the share of the fuel that hangs on it."""

    parameter: Parameter
    share: float


class LowLoad(NamedTuple):
    """The specific consumption at low load [g/kWh], and what it hangs on, the largest share first."""

    consumption: float
    shares: tuple[Share, ...]

    def __str__(self) -> str:
        words = [
            f"{each.parameter.name} ±{100.0 * each.share:.0f} %{' (assumed)' if each.parameter.assumed else ''}"
            for each in self.shares
            if each.share >= _TOLD
        ]
        text = f"{self.consumption:.0f} g/kWh at {RPM:.0f} rpm and {PRESSURE:.0f} bar"
        return f"{text}; it hangs on {', '.join(words)}" if words else text


def low_load(result: FitResult) -> LowLoad | None:
    """Return what the fuel at low load hangs on; None for an engine that does not run there."""
    model = Model(result.targets)
    torque = 100.0 * PRESSURE * litres(result.targets.settings) / (4.0 * math.pi)
    unknowns = {each.name: each for each in model.unknowns}
    found = {each.name: each.expected for each in model.unknowns} | {
        each.name: each.value for each in result.parameters
    }

    def consumption(values: dict[str, float]) -> float:
        try:
            return Stand(model.engine_of(values)).consumption(RPM, torque)
        except (ConfigurationError, ValueError):  # no engine has this
            return math.inf

    fuel = consumption(found)
    if not math.isfinite(fuel) or fuel <= 0.0:
        return None
    shares = []
    for parameter in result.parameters:
        unknown = unknowns[parameter.name]
        ends = [parameter.value + sign * parameter.deviation for sign in (-1.0, 1.0)]
        low, high = (consumption(found | {unknown.name: min(max(end, unknown.low), unknown.high)}) for end in ends)
        if math.isfinite(low) and math.isfinite(high) and low > 0.0:
            shares.append(Share(parameter, 0.5 * abs(high / low - 1.0)))
    return LowLoad(fuel, tuple(sorted(shares, key=lambda each: -each.share)))
