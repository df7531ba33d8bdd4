"""Values computed from the data bus: `EngineSpeed: {expression: "vehicle.EngineRpm * 0.25 + 3"}`.

    + - * / // %      < <= > >= == !=      and or not      a if c else b      min(a, b) max(a, b) abs(a)

Notation, precedence and rounding are Python's. An entry of the data bus stands for its value in its own unit, with
decimals; the result is in the signal's unit. All numbers are floats. What is true counts as 1, what is false as 0. A
code may be compared by its name: `body.TurnSignal == 'left'`.

The result is not available while one of the entries is not, and when something is divided by 0.

The text is parsed by Python's `ast`, and every node is translated by a rule of this file: what has no rule is an error
with its column, so nothing else of the language can be reached.
"""

import ast
import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError, KeyPath, quoted
from hilbridge.frames.codec.database import unknown
from hilbridge.frames.codec.generated import function
from hilbridge.frames.codec.sources import Channels, EntryId, ExpressionSource, entry_source, find_entry
from vehiclesim.entries import STANDARD, Entries

LONGEST: Final = 1000
"""Characters of an expression."""

DEEPEST: Final = 50
"""Levels of an expression; Python's own parser gives up at 200 parentheses."""

_KEPT: Final = 1024
_SIGNS: Final = (ast.USub, ast.UAdd, ast.Not)
_OPERATORS: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_DIVISIONS: Final = (ast.Div, ast.FloorDiv, ast.Mod)
_COMPARISONS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_FUNCTIONS: Final = {"min": min, "max": max, "abs": abs}
_LANGUAGE: Final = "+ - * / // %, comparisons, and or not, a if c else b, min(a, b), max(a, b), abs(a)"
_DECIMAL_COMMA: Final = r"(?<![\w.])(\d+),(\d+)"
_ELSEWHERE: Final = {
    r"\?|\bthen\b|^\s*if\b": "a choice is written a if c else b",
    r"&&": "write 'and'",
    r"\|\|": "write 'or'",
    r"!(?!=)": "write 'not'",
    r"(?<![<>=!])=(?!=)": "a comparison is written ==",
    _DECIMAL_COMMA: r"a decimal comma? write \1.\2",
    r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?!(?:and|or|if|else|not)\b|x|e\d)[A-Za-z%°]+": r"a number has no unit: write \1",
}
"""Notation that people bring from other languages, and what to write in its place."""

_OPEN_END: Final = re.compile(r"([-+*/%<>=!]+|\b(?:and|or|not|if|else))\s*$")
"""An operator behind which the text ends."""


def parse(
    text: str, substitute: float | None = None, place: KeyPath = (), entries: Entries = STANDARD
) -> ExpressionSource:
    """Return the source that an expression describes; `substitute` and `place` as in the bench file.

    ConfigurationError, with the column: no expression, something that is not in the language, or no such entry.
    """
    translation = _translation(text, place, entries)
    return ExpressionSource(tuple(translation.entries), translation.value, substitute)


@lru_cache(_KEPT)
def _translation(text: str, place: KeyPath, known: Entries) -> "_Translation":
    """Made once: a reload finds most expressions as they were, and has no tick to spare for them."""
    return _Translation(text, place, known)


class _Translation:
    """The translation of a text into a function of the channels; its entry number i is the local variable `vi`."""

    def __init__(self, text: str, place: KeyPath, known: Entries) -> None:
        self._text = text.replace("\n", " ").lstrip()  # it may be folded over several lines of the bench file
        self._indent = len(text) - len(self._text)
        self._place = place
        self._known = known
        self._divides = False
        self.entries: dict[EntryId, str] = {}
        if len(text) > LONGEST:
            raise ConfigurationError(f"the expression has more than {LONGEST} characters", place)
        self.value = self._compiled(ast.unparse(self._translated(self._parsed(), 0)))

    def _parsed(self) -> ast.expr:
        try:
            return ast.parse(self._text, mode="eval").body
        except SyntaxError as error:
            column, reason = error.offset or 1, error.msg
            if "closed" not in reason and (operator := _OPEN_END.search(self._text)):
                column, reason = operator.start(1) + 1, f"a value is missing after {operator[1]}"
            elif "closed" not in reason:
                column, reason = self._advised(column)
            raise ConfigurationError(f"column {self._indent + column}: {reason}", self._place) from None
        except (ValueError, RecursionError, MemoryError):  # a null byte; nested deeper than the parser goes
            raise ConfigurationError("this is no expression", self._place) from None

    def _advised(self, column: int) -> tuple[int, str]:
        """Return column and advice for notation of other languages; the language itself where it is unknown."""
        for notation, advice in _ELSEWHERE.items():
            if found := re.search(notation, self._text):
                return found.start() + 1, found.expand(advice)
        return column, f"this is not part of the language of expressions: {_LANGUAGE}"

    def _compiled(self, result: str) -> Callable[[Channels], float]:
        known = [
            f"{name} > {entry_source(entry, entries=self._known).unavailable}" for entry, name in self.entries.items()
        ]
        if known:
            result = f"({result}) if {' and '.join(known)} else nan"
        reads = [f"{name} = channels[{channel}][{index}]" for (channel, index), name in self.entries.items()]
        names = {**_FUNCTIONS, "nan": math.nan}
        compiled = function("channels", result, names, "; ".join(reads) or "pass")
        return _guarded(compiled) if self._divides else compiled

    def _translated(self, node: ast.expr, depth: int) -> ast.expr:
        """Return the same over floats and local variables."""
        if depth > DEEPEST:
            raise self._error(node, f"the expression is nested deeper than {DEEPEST} levels")
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return ast.Constant(self._finite(node, number))
            case ast.Attribute(value=ast.Name()):
                return self._entry(node)
            case ast.UnaryOp(operator, operand) if isinstance(operator, _SIGNS):
                return ast.UnaryOp(operator, self._translated(operand, depth + 1))
            case ast.BinOp(left, operator, right) if isinstance(operator, _OPERATORS):
                self._divides |= isinstance(operator, _DIVISIONS)
                return ast.BinOp(self._translated(left, depth + 1), operator, self._translated(right, depth + 1))
            case ast.Call(ast.Name(name), arguments, []) if name in _FUNCTIONS:
                return self._call(node, name, [self._translated(argument, depth + 1) for argument in arguments])
            case ast.Call(ast.Name(name)) if name not in _FUNCTIONS:
                raise self._error(node, f"there is no function {name!r}; there are {', '.join(_FUNCTIONS)}")
        return self._decided(node, depth + 1)

    def _decided(self, node: ast.expr, depth: int) -> ast.expr:
        """Comparisons, and what hangs on them."""
        match node:
            case ast.BoolOp(operator, operands):
                return ast.BoolOp(operator, [self._truth(operand, depth) for operand in operands])
            case ast.Compare(left, operators, operands) if all(isinstance(one, _COMPARISONS) for one in operators):
                first, *others = [self._translated(each, depth) for each in self._without_words([left, *operands])]
                return ast.Compare(first, operators, others)
            case ast.IfExp(test, body, otherwise):
                chosen, other = self._translated(body, depth), self._translated(otherwise, depth)
                return ast.IfExp(self._translated(test, depth), chosen, other)
            case ast.Name(name):
                reason = f"{name!r} is no data bus entry; entries have a channel, e.g. vehicle.EngineRpm"
                raise self._error(node, reason)
            case ast.Tuple() if found := re.search(_DECIMAL_COMMA, self._text):
                raise self._error(node, found.expand(_ELSEWHERE[_DECIMAL_COMMA]))
        raise self._error(node, f"{quoted(ast.unparse(node))} is not part of the language of expressions: {_LANGUAGE}")

    def _without_words(self, operands: list[ast.expr]) -> list[ast.expr]:
        """Return the operands of a comparison, with a number for the name of a code: its entry is beside it."""
        numbers = operands.copy()
        for i, node in enumerate(operands):
            match node:
                case ast.Constant(value=str(word)):
                    beside = [*operands[max(i - 1, 0) : i], *operands[i + 1 : i + 2]]
                    numbers[i] = ast.Constant(self._code(node, word, beside), col_offset=node.col_offset)
        return numbers

    def _code(self, node: ast.expr, word: str, beside: list[ast.expr]) -> int:
        for other in beside:
            if isinstance(other, ast.Attribute) and (found := self._known.find(ast.unparse(other))):
                codes = {state.lower(): code for code, state in self._known.at(found).codes}
                if word.lower() in codes:
                    return codes[word.lower()]
                raise self._error(node, unknown(f"code of {ast.unparse(other)}", word, codes, ()).message)
        raise self._error(node, f"{word!r} is no number, and no code of an entry beside it")

    def _truth(self, node: ast.expr, depth: int) -> ast.expr:
        """`and` and `or` give Python's operands back; here they give 1 or 0."""
        return ast.Compare(self._translated(node, depth), [ast.NotEq()], [ast.Constant(0)])

    def _entry(self, node: ast.Attribute) -> ast.expr:
        path = ast.unparse(node)
        try:
            entry = find_entry(path, entries=self._known)
        except ConfigurationError as error:
            raise self._error(node, error.message) from None
        name = ast.Name(self.entries.setdefault(entry, f"v{len(self.entries)}"))
        return ast.BinOp(name, ast.Div(), ast.Constant(self._known.at(entry).resolution))

    def _call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> ast.expr:
        if (len(arguments) == 1) != (name == "abs") or not arguments:
            raise self._error(node, f"{name}() takes {'one value' if name == 'abs' else 'two values or more'}")
        return ast.Call(ast.Name(name), arguments, [])

    def _finite(self, node: ast.expr, number: float) -> float:
        try:
            value = float(number)
        except OverflowError:
            value = math.inf
        if math.isinf(value):
            raise self._error(node, "the number is too large")
        return value

    def _error(self, node: ast.expr, reason: str) -> ConfigurationError:
        before = self._text.encode()[: node.col_offset].decode()  # ast counts bytes
        return ConfigurationError(f"column {self._indent + len(before) + 1}: {reason}", self._place)


def _guarded(value: Callable[[Channels], float]) -> Callable[[Channels], float]:
    """NaN for what is divided by 0."""

    def guarded(channels: Channels) -> Any:
        try:
            return value(channels)
        except ZeroDivisionError:
            return math.nan

    return guarded
