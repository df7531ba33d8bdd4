"""Parameters and repeats of a scenario file, resolved before it is checked.

    parameters: {speed: 80}
    steps:
      - set: {input.Throttle: "${speed / 100}"}       a value: the result, a number or text
      - expect: "vehicle.Speed > ${speed} / 3.6"      part of a text: the result is put in
      - repeat: {times: 3, steps: [{set: {input.ManualGear: "${i}"}}]}

An expression has parameters, indices of repeats, numbers, + - * / // %, parentheses, min, max, abs and round. A repeat
becomes its steps, `times` over; with `until` it has a step `leave` at the end of each round, which skips the others.
"""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath, nearest, quoted

MOST_STEPS: Final = 10_000
"""Steps of a scenario, with its repeats unrolled."""

_PART: Final = re.compile(r"\$\{([^{}]*)\}")
_OPERATORS: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {"min": min, "max": max, "abs": abs, "round": round}

Scope = Mapping[str, Any]
"""Values by the names that an expression may use."""


@dataclass(slots=True)
class Expansion:
    """The content of a file without parameters and repeats. `places[i]`: the key path of step i in the file."""

    data: dict[str, Any]
    places: list[KeyPath] = field(default_factory=list)

    def place(self, place: KeyPath) -> KeyPath:
        """Return the key path in the file of one in `data`."""
        match place:
            case ("steps", int(i), *rest) if i < len(self.places):
                return (*self.places[i], *rest)
        return place


def expand(data: dict[str, Any], given: Mapping[str, Any]) -> Expansion:
    """Return the content with its parameters, some of which are `given`, put in.

    What has not the form of steps stays as it is, for the check of the file to report.

    ConfigurationError, with the key path: an expression that cannot be, or no such parameter.
    """
    declared = data.get("parameters", {})
    if not isinstance(declared, dict) or not isinstance(data.get("steps"), list):
        return Expansion(data)
    for name in given:
        if name not in declared:
            meant = nearest(name, declared)
            hint = f"; did you mean {meant!r}?" if meant else f" (there is {', '.join(declared) or 'none'})"
            raise ConfigurationError(f"the scenario has no parameter {name!r}{hint}")
    scope = declared | dict(given)
    expansion = Expansion({key: _filled(value, scope, (key,)) for key, value in data.items() if key != "steps"})
    if declared:
        expansion.data["parameters"] = scope
    expansion.data["steps"] = []
    _unroll(data["steps"], scope, ("steps",), expansion)
    return expansion


def _unroll(steps: list[Any], scope: Scope, place: KeyPath, into: Expansion) -> None:
    for i, step in enumerate(steps):
        where = (*place, i)
        if isinstance(step, dict) and "repeat" in step:
            _repeat(step, scope, where, into)
        else:
            into.data["steps"].append(_filled(step, scope, where))
            into.places.append(where)
        if len(into.places) > MOST_STEPS:
            raise ConfigurationError(f"the scenario has more than {MOST_STEPS} steps", where)


def _repeat(step: dict[str, Any], scope: Scope, place: KeyPath, into: Expansion) -> None:
    if len(step) > 1:
        other = next(key for key in step if key != "repeat")
        raise ConfigurationError("a repeat has no other keys; give them to its steps", (*place, other))
    place = (*place, "repeat")
    settings = step["repeat"] if isinstance(step["repeat"], dict) else {}
    times = _filled(settings.get("times"), scope, (*place, "times"))
    steps, index, until = settings.get("steps"), settings.get("index", "i"), settings.get("until")
    if unknown := settings.keys() - {"times", "index", "until", "steps"}:
        raise ConfigurationError("unknown key; a repeat has times, index, until and steps", (*place, min(unknown)))
    if type(times) is not int or not 1 <= times <= MOST_STEPS:
        raise ConfigurationError(f"needs a whole number from 1 to {MOST_STEPS}", (*place, "times"))
    if not isinstance(steps, list) or not steps:
        raise ConfigurationError("needs a list of steps", (*place, "steps"))
    if not isinstance(index, str) or not index.isidentifier():
        raise ConfigurationError("needs a name", (*place, "index"))
    leaves = []
    for number in range(1, times + 1):
        inner = dict(scope) | {index: number}
        _unroll(steps, inner, (*place, "steps"), into)
        if until is not None:
            leave = {"when": _filled(until, inner, (*place, "until"))}
            leaves.append((len(into.places), leave))
            into.data["steps"].append({"leave": leave})
            into.places.append((*place, "until"))
    for position, leave in leaves:
        leave["skip"] = len(into.places) - position - 1


def _filled(value: Any, scope: Scope, place: KeyPath) -> Any:
    """Return a value with the results of its expressions."""
    if isinstance(value, dict):
        return {key: _filled(one, scope, (*place, key)) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, scope, (*place, i)) for i, one in enumerate(value)]
    if not isinstance(value, str) or "${" not in value:
        return value
    if whole := _PART.fullmatch(value):
        return _result(whole[1], scope, place)
    return _PART.sub(lambda part: _text(_result(part[1], scope, place)), value)


def _text(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _result(text: str, scope: Scope, place: KeyPath) -> Any:
    try:
        return _evaluated(ast.parse(text.strip(), mode="eval").body, scope)
    except ConfigurationError as error:
        raise ConfigurationError(error.message, place) from None
    except (SyntaxError, ValueError, RecursionError, MemoryError, TypeError, ArithmeticError):
        raise ConfigurationError(f"{quoted('${' + text + '}')} cannot be calculated", place) from None


def _evaluated(node: ast.expr, scope: Scope) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(name):
            if name in scope:
                return scope[name]
            raise ConfigurationError(f"there is no parameter {name!r} (there is {', '.join(scope) or 'none'})")
        case ast.UnaryOp(ast.USub(), operand):
            return -_evaluated(operand, scope)
        case ast.BinOp(left, sign, right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_number(_evaluated(left, scope)), _number(_evaluated(right, scope)))
        case ast.Call(ast.Name(name), arguments, []) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_number(_evaluated(argument, scope)) for argument in arguments))
    raise ConfigurationError(f"{quoted(ast.unparse(node))} is not part of the expressions of parameters")


def _number(value: Any) -> Any:
    """Return a number; text is none, and must not be multiplied."""
    if isinstance(value, str):
        raise TypeError
    return value
