"""Firing pulses: the torque of each cylinder by crank angle, whose mean over a cycle is that of the mean-value engine.

    T(θ) = sum over the cylinders of a·f(θ - θ_k) + p·V_d/N·m(θ - θ_k)

θ_k = k·4π/N for the k-th of the firing order, where its combustion begins, 10° before the dead centre; f and m are the
torque of what a combustion adds to the gas, and of the gas that is only compressed, p its pressure in the manifold and
V_d the displacement. A gas with one exponent κ for both has pressures that add up:

    m = ((V_bottom/V)^κ - 1)·dV/dθ,   dp = (κ-1)/V·dQ - κ·p/V·dV,   f ~ p·dV/dθ until the exhaust valve opens

V and dV/dθ are those of a crank drive with r/l = 0.3 (Heywood, Internal Combustion Engine Fundamentals, 2.2), dQ the
rate of Wiebe's function 1 - exp(-5·y³) (the same, 9.2.2; a 5, m 2). m has no mean, as the pumping is part of the
engine's friction. f has the mean 1 over a cycle for all cylinders together, so that `a` is the mean-value torque; each
combustion takes that of the firing interval before it, times what its cycle has more or less than others.

The integrals of f and m are tabulated, and a substep gives the mean over its angle, so that no step loses work. The
waves have their height where a firing interval has six substeps: with those of 1 ms up to 20000/N 1/min, and less
beyond.
"""

from typing import ClassVar, Final

from vehiclesim.curves import cosine, power, sine
from vehiclesim.parameters import EngineSettings
from vehiclesim.state import Stateful

_PI: Final = 3.141592653589793
_CYCLE: Final = 12.566370614359172
"""[rad] of two turns."""

_POINTS: Final = 720
_PER_ANGLE: Final = 57.29577951308232
"""Points of the tables per angle [1/rad]: one for each degree."""

_ROD: Final = 0.3
"""r/l of crank and connecting rod: 0.25 to 0.33 (Heywood, 2.2)."""

_EXPONENT: Final = 1.3
"""κ of the gas while it is compressed and expands."""

_IGNITION: Final = 10
"""[°] before the dead centre, where heat begins to be released: half of it is there 8° to 10° behind it (assumed)."""

_BURNING: Final = 35
"""[°], from there to the end of the combustion (assumed)."""

_OPENS: Final = 140
"""[°] behind the dead centre: the exhaust valve opens, and the pressure is gone at the bottom (assumed)."""

_RATIO_PETROL: Final = 10.5
_RATIO_DIESEL: Final = 16.5
"""Compression ratios (assumed)."""

_LEAST_SHARE: Final = 0.05
_MOST_SPREAD: Final = 0.3
"""Bounds of the load that counts, and of the spread: beyond it the cycle would be a misfire."""

_GROWTH: Final = 0.4
"""Share of the spread that goes as 1/load: 1.5 % at full load are 7 % at idle (Heywood, 9.4.3: 2 to 10 %)."""

_LEAN: Final = 20.0
"""Growth of the spread over the share of the fuel that the mixture lacks (assumed)."""

_UNIT: Final = 2.449489742783178
"""√6: the sum of two even numbers 0..1, less 1, has a variance of 1/6."""

_MODULUS: Final = 2147483647
_MULTIPLIER: Final = 48271
"""Constants of the minimal standard generator (Park and Miller, 1988; Park, Miller and Stockmeyer, 1993)."""

_ONE_BY_E: Final = 0.36787944117144233

_ORDERS: Final[dict[int, tuple[int, ...]]] = {
    4: (1, 3, 4, 2),
    5: (1, 2, 4, 5, 3),
    6: (1, 5, 3, 6, 2, 4),
    8: (1, 5, 4, 8, 6, 3, 7, 2),
    10: (1, 6, 5, 10, 2, 7, 3, 8, 4, 9),
    12: (1, 7, 5, 11, 3, 9, 6, 12, 2, 8, 4, 10),
}
"""Usual firing orders; of other numbers one cylinder after the other."""


def firing_order(settings: EngineSettings) -> list[int]:
    """Return the numbers of the cylinders from 1 on as they fire."""
    usual = _ORDERS.get(settings.cylinders, tuple(range(1, settings.cylinders + 1)))
    return list(settings.firing_order or usual)


class _Shape:
    """Integrals over the angle from ignition on, of f and of the sum of m over all cylinders, at each degree."""

    def __init__(self, cylinders: int, ratio: float) -> None:
        volume, slope = _crank_drive(ratio)
        self.fired: list[float] = _scaled(_combustion(volume, slope), _CYCLE / cylinders)
        work = [0.0]
        for number in range(_POINTS):
            torque = 0.0
            for cylinder in range(cylinders):
                place = (number - _IGNITION + cylinder * _POINTS // cylinders) % _POINTS
                if place < 180 or place >= 540:
                    torque += (power(volume[180] / volume[place], _EXPONENT) - 1.0) * slope[place]
            work.append(work[-1] + torque / _PER_ANGLE)
        mean = work[-1] / _POINTS  # what the degrees have beside the symmetry
        self.compressed: list[float] = [value - mean * number for number, value in enumerate(work)]


def _crank_drive(ratio: float) -> tuple[list[float], list[float]]:
    """Return V/V_d and its slope [1/rad] at the middle of each degree behind the dead centre."""
    volume, slope = [], []
    for number in range(_POINTS):
        half = (number + 0.5) % 180.0 / _PER_ANGLE - 0.5 * _PI  # -π/2 .. π/2
        sign = 1.0 if number // 180 % 2 == 0 else -1.0
        s, c = cosine(half) * sign, -sine(half) * sign
        volume.append(1.0 / (ratio - 1.0) + 0.5 * (1.0 - c + 0.5 * _ROD * s * s))
        slope.append(0.5 * (s + _ROD * s * c))
    return volume, slope


def _combustion(volume: list[float], slope: list[float]) -> list[float]:
    """Return the integral of the torque of a combustion, without a scale, from ignition on."""
    work, pressure, burnt = [0.0], 0.0, 0.0
    for number in range(_POINTS):
        place = number - _IGNITION
        behind = volume[place % _POINTS]
        share = (number + 1.0) / _BURNING
        released = 1.0 - power(_ONE_BY_E, 5.0 * share * share * share) if share < 1.0 else 1.0
        growth = slope[place % _POINTS] / _PER_ANGLE / behind
        pressure += ((_EXPONENT - 1.0) * (released - burnt) / behind) - _EXPONENT * pressure * growth
        burnt = released
        if place > _OPENS:
            left = (180.0 - place) / (180.0 - _OPENS)
            work.append(work[-1] + (pressure * left * slope[place] / _PER_ANGLE if left > 0.0 else 0.0))
        else:
            work.append(work[-1] + pressure * slope[place % _POINTS] / _PER_ANGLE)
    return work


def _scaled(values: list[float], last: float) -> list[float]:
    factor = last / values[-1]
    return [value * factor for value in values]


def _at(table: list[float], angle: float) -> float:
    """Return the integral of a table to an angle [rad] from 0 to two turns."""
    place = angle * _PER_ANGLE
    number = int(place)
    if number >= _POINTS:
        return table[_POINTS]
    return table[number] + (table[number + 1] - table[number]) * (place - number)


class FiringPulses(Stateful):
    """The crank angle of one engine, and the torque of its cylinders. The attributes up to `lean` are inputs."""

    state_vars: ClassVar[tuple[str, ...]] = (
        "angle",
        "speed",
        "_torques",
        "_random",
        "_mean",
        "_work",
        "_way",
        "_time",
    )

    def __init__(self, settings: EngineSettings, displacement: float, *, diesel: bool) -> None:
        """Take the displacement [l]."""
        self.misfire: float = 0.0  # share of all combustions that fail
        self.cylinder: int = 0  # the one that fails; 0: any
        self.lean: float = 0.0  # share of the fuel that does not reach the mixture
        self.angle: float = 0.0  # θ [rad], 0 .. two turns
        self.speed: float = 0.0  # mean of the last firing interval [rad/s]; 0 before one is over
        self.order: list[int] = firing_order(settings)
        count = settings.cylinders
        shape = _Shape(count, _RATIO_DIESEL if diesel else _RATIO_PETROL)
        self._fired: list[float] = shape.fired
        self._compressed: list[float] = shape.compressed
        self._interval: float = _CYCLE / count
        self._volume: float = displacement / count
        self._spread: float = settings.cycle_variation
        self._torques: list[float] = [0.0] * count  # a of the last combustion of each, as they fire [N m]
        self._random: int = settings.cycle_seed
        self._mean: float = 0.0  # mean-value torque of the last firing interval [N m]
        self._work: float = 0.0  # of the mean-value torque since the last ignition [J]
        self._way: float = 0.0  # angle since then [rad]
        self._time: float = 0.0  # [s]

    def torque(self, mean: float, load: float, w: float, pressure: float, delta_time: float) -> float:
        """Return the mean torque [N m] of a substep at a speed [rad/s], and turn the crank.

        Take the mean-value torque [N m] and its share of the available one, and the manifold's pressure [kPa], 0 for an
        engine whose compression is not felt.
        """
        way = w * delta_time
        self._time += delta_time
        if way <= 0.0:
            self.speed = 0.0
            return 0.0
        before, after = self.angle, self.angle + way
        number = int(before / self._interval)
        self._work += mean * way
        self._way += way
        while after >= (number + 1) * self._interval:
            number += 1
            self._ignite(number % len(self._torques), load)
        work = 0.0
        for place, amount in enumerate(self._torques):
            if amount != 0.0:
                work += amount * self._turned(self._fired, before - place * self._interval, way)
        if pressure > 0.0:
            work += pressure * self._volume * self._turned(self._compressed, before, way)
        self.angle = after if after < _CYCLE else after - _CYCLE
        return work / way

    def _turned(self, table: list[float], start: float, way: float) -> float:
        """Return the integral of a table over a way [rad] from an angle on that is at most a cycle away."""
        if start < 0.0:
            start += _CYCLE
        end = start + way
        if end < _CYCLE:
            return _at(table, end) - _at(table, start)
        return table[_POINTS] - _at(table, start) + _at(table, end - _CYCLE)

    def _ignite(self, place: int, load: float) -> None:
        """Give a cylinder the mean of the firing interval that ends, as its cycle turns out."""
        if self._way > 0.0:
            self._mean = self._work / self._way
            self.speed = self._way / self._time
        self._work = self._way = self._time = 0.0
        failing = self.misfire
        if self.cylinder > 0:
            failing = failing * len(self._torques) if self.order[place] == self.cylinder else 0.0
        if failing > 0.0 and self._draw() < failing:
            self._torques[place] = 0.0
            return
        share = load if load > _LEAST_SHARE else _LEAST_SHARE
        spread = self._spread * (1.0 - _GROWTH + _GROWTH / share + _LEAN * self.lean)
        if spread > _MOST_SPREAD:
            spread = _MOST_SPREAD
        self._torques[place] = self._mean * (1.0 + spread * _UNIT * (self._draw() + self._draw() - 1.0))

    def _draw(self) -> float:
        """Return the next number of the generator, 0 .. 1."""
        self._random = self._random * _MULTIPLIER % _MODULUS
        return self._random / _MODULUS
