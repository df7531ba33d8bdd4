"""A rationality monitor as the control unit of an engine has it: what the readings of a drive say that is not so.

It sees readings only (drives.py): what PIDs carry, and what a calibration knows of the engine. Each check names the
codes of SAE J2012 that it stores, and where its limit is from:

    OBD     Title 13, California Code of Regulations, section 1968.2, (e), of diesels (f): what is monitored
    H       Heywood, Internal Combustion Engine Fundamentals: air through cylinders and throttle plates
    service malfunction thresholds that makers print in their repair manuals, with code and car
    circuit a reading beyond the line of its sensor, for that each has a code "low" and one "high" (SAE J2012)

A limit without a source is wide: it is written "wide".
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import cos, inf, isnan, radians, sqrt
from statistics import fmean, median, pstdev
from typing import Final, NamedTuple

from .drives import Reading

Readings = Sequence[Reading]

TASK: Final = 0.01
"""[s] between two readings."""

GAS: Final = 0.287
"""[J/(g K)] of air."""

AMBIENT: Final = 101.3
"""[kPa], PID 33."""


class Calibration(NamedTuple):
    """What a control unit knows of its engine."""

    petrol: bool
    litres: float
    idle: float  # [1/min], warm
    cold_idle: float  # [1/min], the highest
    ratio: float  # stoichiometric air per fuel
    volts: float  # of the battery, over those of 12
    starter: bool  # one on the 12 V battery, which nothing else charges while the engine rests


def held(readings: Readings, wrong: Callable[[Reading], bool]) -> float:
    """Return the longest time [s] for which something was wrong without a break."""
    longest = now = 0
    for reading in readings:
        now = now + 1 if wrong(reading) else 0
        longest = max(longest, now)
    return longest * TASK


def steady(readings: Readings, seconds: float = 1.0) -> Iterator[Reading]:
    """Yield the readings of a running engine whose speed, pressure and fuel have been the same within 3 %."""
    back = round(seconds / TASK)
    for before, now in zip(readings, readings[back:], strict=False):
        values = zip(
            (before.rpm, before.pressure, before.fuel, before.air),
            (now.rpm, now.pressure, now.fuel, now.air),
            strict=True,
        )
        if now.running and before.running and now.fuel > 0.0 and all(abs(a - b) <= 0.03 * abs(b) for a, b in values):
            yield now


def standing(readings: Readings) -> list[Reading]:
    """Return the readings with the key on before the start, at least the first one."""
    found = [readings[0]]
    for reading in readings[1:]:
        if reading.starting or reading.running or reading.rpm > 0.0:
            break
        found.append(reading)
    return found


def running(readings: Readings, after: float = 5.0) -> list[Reading]:
    """Return the readings of an engine that has run for some seconds."""
    found, since = [], 0.0
    for reading in readings:
        since = since + TASK if reading.running else 0.0
        if since > after:
            found.append(reading)
    return found


# -- circuits ---------------------------------------------------------------------------------------------------------

CIRCUITS: Final = {
    "coolant": (-40.0, 140.0, "P0118", "P0117"),
    "oil": (-40.0, 160.0, "P0198", "P0197"),
    "intake": (-40.0, 130.0, "P0113", "P0112"),
    "catalyst": (-40.0, 1100.0, "P0427", "P0428"),
    "exhaust": (-40.0, 1100.0, "P0545", "P0546"),
    "oil_pressure": (-30.0, 1050.0, "P0522", "P0523"),
    "pressure": (5.0, 350.0, "P0107", "P0108"),
    "throttle": (-0.05, 1.05, "P0122", "P0123"),
    "rail": (-5000.0, 205000.0, "P0192", "P0193"),
    "air": (-1.0, 655.3, "P0102", "P0103"),
    "recirculated": (-0.05, 1.05, "P0405", "P0406"),
}
"""The ends of each sensor's line [unit of the reading], and the codes below and beyond it."""


def circuits(readings: Readings, _: Calibration) -> Iterator[str]:
    """A reading beyond the line of its sensor for half a second."""
    for name, (lowest, highest, below, beyond) in CIRCUITS.items():
        if held(readings, lambda r: getattr(r, name) < lowest) > 0.5:  # noqa: B023 - called at once
            yield below
        if held(readings, lambda r: getattr(r, name) > highest) > 0.5:  # noqa: B023
            yield beyond


# -- temperatures -----------------------------------------------------------------------------------------------------


def soaked(readings: Readings, _: Calibration) -> Iterator[str]:
    """After a night coolant, oil and air are within 10 K of each other (service: P050B, Jeep, "equal to or less than").

    Of three that differ the odd one is wrong. OBD (10.2.2), (15.2.1). Catalyst and exhaust within 25 K (wide).
    """
    cold = standing(readings)
    values = {name: median(getattr(r, name) for r in cold) for name in ("coolant", "oil", "intake")}
    middle = median(values.values())
    if max(values.values()) < 60.0 or values["intake"] > 60.0:
        for name, code in (("coolant", "P0116"), ("oil", "P0196"), ("intake", "P0111")):
            if abs(values[name] - middle) > 10.0:
                yield code
        for name, code in (("catalyst", "P0426"), ("exhaust", "P0544")):
            if abs(median(getattr(r, name) for r in cold) - middle) > 25.0:
                yield code


def warms(readings: Readings, _: Calibration) -> Iterator[str]:
    """An engine that has burnt a litre's share of fuel has warmed coolant and oil: OBD (10.2.2), "stuck in range".

    30 g give 1.3 MJ, a sixth to a fourth of it to the coolant (Heywood, table 12.1): more than 2 K of block, water and
    oil of up to 15 l. The exhaust gas of a pull is hotter by 50 K than before, and so is the catalyst (wide).
    """
    cold = standing(readings)
    start = {name: median(getattr(r, name) for r in cold) for name in ("coolant", "oil", "catalyst", "exhaust")}
    burnt = 0.0
    for reading in readings:
        burnt += reading.fuel * TASK
        if burnt > 30.0:
            break
    if burnt <= 30.0:
        return
    highest = {name: max(getattr(r, name) for r in readings) for name in start}
    for name, rise, code in (
        ("coolant", 2.0, "P0116"),
        ("oil", 2.0, "P0196"),
        ("catalyst", 50.0, "P0426"),
        ("exhaust", 50.0, "P0544"),
    ):
        if start[name] < 60.0 and highest[name] - start[name] < rise:
            yield code


def temperate(readings: Readings, _: Calibration) -> Iterator[str]:
    """Coolant below 118 °C (service: boiling point with cap), and no temperature of a liquid faster than 3 K/s."""
    if held(readings, lambda r: 118.0 < r.coolant < 140.0) > 2.0:
        yield "P0217"
    for name, code in (("coolant", "P0116"), ("oil", "P0196")):
        values = [getattr(r, name) for r in readings]
        if any(abs(b - a) > 3.0 for a, b in zip(values, values[100:], strict=False)):
            yield code


# -- air --------------------------------------------------------------------------------------------------------------


def filling(reading: Reading, air: float, car: Calibration) -> float:
    """Return the volumetric efficiency by the state in the manifold (H 6.2): 120·m·R·T/(n·V·p)."""
    if reading.rpm <= 0.0 or reading.pressure <= 0.0:
        return inf
    return 120.0 * air * GAS * (reading.intake + 273.15) / (reading.rpm * car.litres * reading.pressure)


def pressures(readings: Readings, car: Calibration) -> Iterator[str]:
    """The pressure in the manifold: the air's before the start (3 kPa), and less by a third at idle of a petrol engine.

    Where it is steady the cylinders fill to 0.3 .. 1.1 of the state in the manifold, by the air that the fuel needs; H
    fig. 6.8: 0.75 to 0.95, the share of residual gas at idle and of recirculated gas off, and what an Atkinson engine
    pushes back. And it varies in a drive.
    """
    if any(abs(r.pressure - AMBIENT) > 3.0 for r in standing(readings)[20:]):
        yield "P0106"
    values = [r.pressure for r in running(readings)]
    if values and max(values) - min(values) < 5.0:
        yield "P0106"
    idling = [r.pressure for r in running(readings) if r.pedal == 0.0 and r.speed == 0.0 and r.fuel > 0.0]
    if car.petrol and idling and fmean(idling) > 0.66 * AMBIENT:
        yield "P0106"
    found = [
        filling(r, r.fuel * car.ratio * r.lambda_, car) for r in steady(readings) if r.lambda_ < 1.6 or not car.petrol
    ]
    found.sort()
    if found and not (found[len(found) // 20] > 0.3 and found[-len(found) // 20 - 1] < 1.1):
        yield "P0106"


def metered(readings: Readings, car: Calibration) -> Iterator[str]:
    """Air meter, fuel and lambda agree within 15 % (H 4.9: A/F by exhaust gas; wide), where it is steady.

    In closed loop the mean of lambda is 1, so that a sensor far from it is wrong itself: P0131 lean, P0132 rich.
    """
    found, mixtures = [], []
    for r in steady(readings):
        if r.lambda_ < 9.9:
            found.append(r.air / (r.fuel * car.ratio * r.lambda_))
            if r.system == 2:
                mixtures.append(r.lambda_)
    if mixtures and car.petrol:
        mean = fmean(mixtures)
        if mean > 1.3:
            yield "P0131"
        elif mean < 0.85:
            yield "P0132"
        elif len(mixtures) > 500 and max(mixtures) - min(mixtures) < 0.001:
            yield "P0134"
    if found and abs(median(found) - 1.0) > 0.15:
        yield "P0101"


def throttled(readings: Readings, car: Calibration) -> Iterator[str]:
    """The plate is where it is commanded (0.06, wide), and the air that passes it is that of its area (H 7.6), ±30 %.

    m = C·(1 - cos(φ)/cos(10°))·p_0/√T·ψ(p/p_0); the greatest and the least C of a drive are those of a sixth and five
    sixths of the samples. With the foot off for a second an engine does not pull (OBD (15): safety of the actuator).
    """
    if not car.petrol:
        return
    if held(readings, lambda r: bool(r.running) and abs(r.throttle - r.command) > 0.06) > 0.5:
        yield "P0121"
    found = sorted(
        r.air / (area(r.throttle) * r_upstream(r) * nozzle(r.pressure / r_upstream(r)))
        for r in steady(readings)
        if r.pressure < 0.85 * r_upstream(r) and 0.005 < r.throttle < 0.9
    )
    if len(found) > 200 and found[len(found) * 5 // 6] > 1.6 * found[len(found) // 6]:
        yield "P0068"
    if held(readings, lambda r: bool(r.running) and r.pedal == 0.0 and r.throttle > 0.25 and r.load > 0.5) > 1.0:
        yield "P2112"
    if held(readings, lambda r: bool(r.running) and r.pedal > 0.5 and r.throttle < 0.02) > 1.0:
        yield "P2111"


def r_upstream(reading: Reading) -> float:
    """Return the pressure before the plate [kPa]."""
    return AMBIENT if isnan(reading.boost) else reading.boost


def area(opening: float) -> float:
    """Return the open share of a plate that rests at 10° (H 7.6)."""
    return 1.0 - cos(radians(10.0 + 80.0 * max(opening, 0.0))) / cos(radians(10.0)) + 1e-4


def nozzle(ratio: float) -> float:
    """Return ψ of an isentropic nozzle, κ 1.4, over that of a choked one."""
    ratio = min(max(ratio, 0.5283), 0.9999)
    return sqrt(2.0 / 0.4 * (ratio ** (2.0 / 1.4) - ratio ** (2.4 / 1.4))) / 0.4842 * 0.8367


def boosted(readings: Readings, _: Calibration) -> Iterator[str]:
    """The pressure behind the compressor follows the wanted one: not 30 kPa off for 6 s (OBD (15.2.2), wide)."""
    if held(readings, lambda r: bool(r.running) and abs(r.boost - r.boost_command) > 30.0) > 6.0:
        yield "P0299"


def recirculated(readings: Readings, _: Calibration) -> Iterator[str]:
    """Recirculated exhaust gas: half of what is commanded at least, and 0.1 more at most, but for 3 s (wide).

    OBD (f)(6.2.1) and (6.2.2): low flow P0401, high flow P0402; PIDs 2C and 2D.
    """
    if held(readings, lambda r: r.recirculation > 0.1 and -0.05 <= r.recirculated < 0.5 * r.recirculation) > 3.0:
        yield "P0401"
    if held(readings, lambda r: r.recirculation + 0.1 < r.recirculated <= 1.05) > 3.0:
        yield "P0402"


# -- mixture ----------------------------------------------------------------------------------------------------------


def trimmed(readings: Readings, car: Calibration) -> Iterator[str]:
    """Trims within 15 %, on the mean of 10 s in closed loop (OBD (6.2): fuel system; 25 % is their authority)."""
    closed = [r.short_trim + r.long_trim for r in readings if r.system == 2 and r.fuel > 0.0]
    if car.petrol and len(closed) > 1000:
        worst = [fmean(closed[k : k + 1000]) for k in range(0, len(closed) - 999, 500)]
        if max(worst) > 0.15:
            yield "P0171"
        if min(worst) < -0.15:
            yield "P0172"


def switching(readings: Readings, car: Calibration) -> Iterator[str]:
    """In closed loop the front sensor crosses 1 once in 5 s at least (OBD (7.2): response rate; wide)."""
    closed = [r for r in steady(readings) if r.system == 2]
    crossings = sum((a.lambda_ > 1.0) != (b.lambda_ > 1.0) for a, b in pairwise(closed))
    if car.petrol and len(closed) > 1500 and crossings < len(closed) * TASK / 5.0:
        yield "P0133"


def behind(readings: Readings, car: Calibration) -> Iterator[str]:
    """The rear sensor: within 0.05 .. 1.1 V; lean behind 10 s of fuel cut, and moves in a drive (OBD (7.2.2)).

    Less than a third of the front sensor's crossings: else the catalyst does not store oxygen (OBD (1.2), P0420).
    """
    if not car.petrol:
        return
    if held(readings, lambda r: bool(r.running) and r.rear < 0.05) > 2.0:
        yield "P0137"
    if held(readings, lambda r: bool(r.running) and r.rear > 1.1) > 2.0:
        yield "P0138"
    hot = [r for r in readings if r.running and r.catalyst > 350.0]
    cuts = [r for k, r in enumerate(readings) if k > 1000 and r.catalyst > 350.0 and is_cut(readings[k - 1000 : k + 1])]
    if len(hot) > 2000 and cuts and max(r.rear for r in hot) - min(r.rear for r in hot) < 0.2:
        yield "P0136"
    closed = [r for r in readings if r.system == 2 and r.catalyst > 350.0]
    front = sum((a.lambda_ > 1.0) != (b.lambda_ > 1.0) for a, b in pairwise(closed))
    rear = sum((a.rear > 0.45) != (b.rear > 0.45) for a, b in pairwise(closed))
    if front > 10 and rear > front / 3:
        yield "P0420"


def is_cut(stretch: Readings) -> bool:
    """Return whether a running engine has no fuel in a stretch."""
    return all(r.running and r.fuel == 0.0 for r in stretch[::20])


# -- running ----------------------------------------------------------------------------------------------------------


def idles(readings: Readings, car: Calibration) -> Iterator[str]:
    """At rest with the foot off -100 .. +200 1/min of the target (service: idle speed control, Land Rover LR3), 3 s.

    The standard deviation below 30 1/min (wide): P0505.
    """

    def at_rest(r: Reading) -> bool:
        return bool(r.running) and r.pedal == 0.0 and r.speed == 0.0 and r.fuel > 0.0

    def target(r: Reading) -> float:
        return car.cold_idle if r.coolant < 80.0 else car.idle

    if held(running(readings), lambda r: at_rest(r) and r.rpm < car.idle - 100.0) > 3.0:
        yield "P0506"
    if held(running(readings), lambda r: at_rest(r) and r.rpm > target(r) + 200.0) > 3.0:
        yield "P0507"
    settled: list[float] = []
    for before, now in zip(readings, readings[300:], strict=False):
        if at_rest(before) and at_rest(now):
            settled.append(now.rpm)
    if len(settled) > 200 and pstdev(settled[-200:]) > 30.0:
        yield "P0505"


def knocks(readings: Readings, car: Calibration) -> Iterator[str]:
    """Knock control takes back less than 5 degrees, but for 2 s (wide): fuel of its octane does not knock, P0324."""
    if car.petrol and held(readings, lambda r: r.retard > 5.0) > 2.0:
        yield "P0324"


def turns(readings: Readings, _: Calibration) -> Iterator[str]:
    """An engine that takes air and fuel turns (OBD (15.2.1): crankshaft position)."""
    if held(readings, lambda r: r.rpm <= 0.0 and r.fuel > 0.0 and r.air > 1.0) > 0.5:
        yield "P0335"


def oiled(readings: Readings, _: Calibration) -> Iterator[str]:
    """None before the start (20 kPa), 70 kPa at least 3 s after it, none again at rest (wide); more at speed: P0521."""
    if any(r.oil_pressure > 20.0 for r in standing(readings)[20:]):
        yield "P0521"
    later = running(readings, 3.0)
    if held(later, lambda r: -30.0 <= r.oil_pressure < 70.0) > 1.0:
        yield "P0524"
    if later and max(r.oil_pressure for r in later) - min(r.oil_pressure for r in readings) < 50.0:
        yield "P0521"


def charged(readings: Readings, car: Calibration) -> Iterator[str]:
    """13 .. 15.2 V behind 5 s of running, 10.5 .. 13.2 V before the start, and a start pulls it down by 0.3 V, to 6 V.

    Bosch, Automotive Handbook, "Alternators": 14 V systems are regulated to 13.5 .. 14.8 V. An alternator that is asked
    for less holds that within 5 % (wide), and none reports a fault for 3 s: P065A.
    """
    later = running(readings)
    if held(later, lambda r: r.voltage < min(13.0 * car.volts, 0.95 * r.asked)) > 3.0:
        yield "P0562"
    if held(later, lambda r: bool(r.indicator)) > 3.0:
        yield "P065A"
    if held(later, lambda r: 15.2 * car.volts < r.voltage) > 3.0:
        yield "P0563"
    if not car.starter:
        return
    before = median(r.voltage for r in standing(readings)[20:] or readings[:1]) / car.volts
    if not 10.5 <= before <= 13.2:
        yield "P0560"
    starts = [r.voltage / car.volts for r in readings if r.starting]
    if starts and (min(starts) > before - 0.3 or min(starts) < 6.0):
        yield "P0560"


def injected(readings: Readings, car: Calibration) -> Iterator[str]:
    """The rail of a running diesel has 15 .. 200 MPa, more under load than at idle (Bosch, Diesel Fuel Injection)."""
    later = running(readings)
    if car.petrol or not later:
        return
    if held(later, lambda r: -5000.0 <= r.rail < 15_000.0) > 1.0 or any(
        r.rail > 5000.0 for r in standing(readings)[20:]
    ):
        yield "P0191"
    pulls = [r.rail for r in later if r.load > 0.6]
    rests = [r.rail for r in later if r.load < 0.25]
    if pulls and rests and fmean(pulls) < 1.2 * fmean(rests):
        yield "P0191"


def stops(readings: Readings, _: Calibration) -> Iterator[str]:
    """After the key is off: no fuel at once, no speed after 5 s, then no air, no oil pressure, the air's own pressure.

    Air, coolant and oil stay within 3 K of the last seconds (wide): an after-run has no cooling.
    """
    off = [r for r in readings if r.key < 0]
    if not off:
        return
    if any(r.fuel > 0.0 for r in off[10:]):
        yield "P0201"
    rest = off[600:]
    if any(r.rpm > 0.0 for r in rest):
        yield "P0335"
    if any(r.air > 0.5 for r in rest):
        yield "P0101"
    if any(abs(r.pressure - AMBIENT) > 5.0 for r in rest):
        yield "P0106"
    if any(r.oil_pressure > 20.0 for r in rest):
        yield "P0521"
    for name, code in (("coolant", "P0116"), ("oil", "P0196")):
        values = [getattr(r, name) for r in off]
        if max(values) - min(values) > 3.0:
            yield code


CHECKS: Final = (
    circuits,
    soaked,
    warms,
    temperate,
    pressures,
    metered,
    throttled,
    boosted,
    recirculated,
    trimmed,
    switching,
    behind,
    idles,
    knocks,
    turns,
    oiled,
    charged,
    injected,
    stops,
)


def judge(readings: Readings, car: Calibration) -> set[str]:
    """Return the codes that a drive stores."""
    return {code for check in CHECKS for code in check(readings, car)}
