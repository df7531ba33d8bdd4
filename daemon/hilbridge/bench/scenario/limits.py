"""The values that the steps of a scenario name, and the limits that they set, for a plot.

    950 < vehicle.EngineRpm < 1050 and ...     from 950 to 1050
    vehicle.Speed > 12                         from 12 on
    frame ... {EngineRpm: [700, 900]}          from 700 to 900

A condition has limits if it is a comparison, or several joined by `and`; parts with `or` and `not` have none. Entries
are named as on the data bus (`vehicle.Speed`), signals `bus.message.signal`.
"""

import ast
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from hilbridge.bench.inputs.controls import find_control
from hilbridge.bench.scenario.pattern import COMPARISON
from hilbridge.files.settings.faults import PhysicsFault, SensorFault, SignalFault
from hilbridge.files.settings.scenario import FrameSettings, StepSettings, Wanted
from hilbridge.frames.codec.expression import parse
from vehiclesim.entries import STANDARD, Entries
from vehiclesim.sensors import SENSORS

_SIGNS: Final = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
_REVERSED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class ValueLimits(NamedTuple):
    """Limits in the unit of the value."""

    lowest: float = -math.inf
    highest: float = math.inf

    def narrowed(self, other: "ValueLimits") -> "ValueLimits":
        """Return the intersection of two limits."""
        return ValueLimits(max(self.lowest, other.lowest), min(self.highest, other.highest))


def named(step: StepSettings, entries: Entries = STANDARD) -> list[str]:
    """Return the entries and signals that a step names, in its order; `entries`: of the bench."""
    if step.set is not None or step.release is not None:
        controls = [find_control(name, entries) for name in step.set or step.release or ()]
        return [control.entry.path for control in controls if control is not None]
    if isinstance(step.fault, PhysicsFault):
        control = find_control(step.fault.entry) or find_control(f"fault.{step.fault.entry}")
        return [] if control is None else [control.entry.path]
    if isinstance(step.fault, SensorFault):
        return [path for path in SENSORS if step.fault.entry in (path, path.partition(".")[2])]
    if isinstance(step.fault, SignalFault):
        return [f"{step.fault.bus}.{step.fault.message}.{step.fault.signal}"]
    if step.send is not None and isinstance(step.send.message, str):
        return [f"{step.send.bus}.{step.send.message}.{signal}" for signal in step.send.signals]
    if condition := _condition(step):
        return [entries.at(place).path for place in parse(condition, entries=entries).entries]
    heard = step.frame or step.absent
    return [] if heard is None else [_path(heard, signal) for signal in heard.signals]


def limits(step: StepSettings) -> dict[str, ValueLimits]:
    """Return the limits that a step sets to entries and signals."""
    if step.leave is None and (condition := _condition(step)):
        found: dict[str, ValueLimits] = {}
        for path, one in _of_condition(ast.parse(condition.replace("\n", " ").lstrip(), mode="eval").body):
            found[path] = found.get(path, ValueLimits()).narrowed(one)
        return found
    if step.frame is not None:
        wanted = {_path(step.frame, signal): _of_signal(value) for signal, value in step.frame.signals.items()}
        return {path: one for path, one in wanted.items() if one is not None}
    return {}


def _condition(step: StepSettings) -> str | None:
    if step.wait is not None:
        return step.wait.until
    return step.leave.when if step.leave is not None else step.expect or step.always


def _path(frame: FrameSettings, signal: str) -> str:
    return f"{frame.bus}.{frame.message}.{signal}"


def _of_condition(node: ast.expr) -> Iterator[tuple[str, ValueLimits]]:
    match node:
        case ast.BoolOp(ast.And(), parts):
            for part in parts:
                yield from _of_condition(part)
        case ast.Compare(first, operators, others):
            for (left, right), operator in zip(pairwise([first, *others]), operators, strict=True):
                sign = _SIGNS.get(type(operator), "")
                if isinstance(left, ast.Attribute) and (number := _number(right)) is not None:
                    yield ast.unparse(left), _compared(sign, number)
                elif isinstance(right, ast.Attribute) and (number := _number(left)) is not None:
                    yield ast.unparse(right), _compared(_REVERSED.get(sign, sign), number)


def _compared(sign: str, number: float) -> ValueLimits:
    """Return the limits of the value on the left of the sign."""
    lowest = number if sign in (">", ">=", "==") else -math.inf
    return ValueLimits(lowest, number if sign in ("<", "<=", "==") else math.inf)


def _number(node: ast.expr) -> float | None:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as number)):
            return -float(number)
    return None


def _of_signal(wanted: Wanted) -> ValueLimits | None:
    if isinstance(wanted, list):
        return ValueLimits(*wanted)
    if isinstance(wanted, str):
        comparison = COMPARISON.fullmatch(wanted)
        return None if comparison is None else _compared(comparison[1], float(comparison[2]))
    return ValueLimits(wanted, wanted)
