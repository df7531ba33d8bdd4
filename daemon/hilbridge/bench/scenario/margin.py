"""How near a condition is to being violated, as an expression over the data bus.

Positive where the condition holds, negative where it does not, and the larger the farther from the border: robustness
of signal temporal logic (Donze, Maler: Robust Satisfaction of Temporal Logic over Real-Valued Signals, 2010).

    a < b, a <= b      b - a               x and y      min(x, y)
    a > b, a >= b      a - b               x or y       max(x, y)
    a == b             -abs(a - b)         not x        the margin of the opposite
    a != b             abs(a - b)          else         1 where it is true, -1 where it is not
"""

import ast
from itertools import pairwise
from typing import Final

_OPPOSITES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def margin(condition: str) -> str:
    """Return the expression of the margin of a condition that is an expression of the language."""
    return _margin(ast.parse(condition.replace("\n", " ").strip(), mode="eval").body, holds=True)


def _margin(node: ast.expr, *, holds: bool) -> str:
    match node:
        case ast.UnaryOp(ast.Not(), operand):
            return _margin(operand, holds=not holds)
        case ast.BoolOp(operator, operands):
            parts = [_margin(operand, holds=holds) for operand in operands]
            return _joined(parts, all_of=isinstance(operator, ast.And) is holds)
        case ast.Compare(first, operators, others):
            pairs = zip(pairwise([first, *others]), operators, strict=True)
            parts = [_compared(left, operator, right, holds=holds) for (left, right), operator in pairs]
            return _joined(parts, all_of=holds)
    text = ast.unparse(node)
    return f"(1 if ({text}) else -1)" if holds else f"(-1 if ({text}) else 1)"


def _compared(left: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool) -> str:
    kind = type(operator) if holds else _OPPOSITES[type(operator)]
    one, other = f"({ast.unparse(left)})", f"({ast.unparse(right)})"
    if any(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in (left, right)):
        is_equal = kind is ast.Eq  # names of codes have no distance
        return f"({1 if is_equal else -1} if {one} == {other} else {-1 if is_equal else 1})"
    if kind in (ast.Lt, ast.LtE):
        return f"({other} - {one})"
    if kind in (ast.Gt, ast.GtE):
        return f"({one} - {other})"
    return f"{'-' if kind is ast.Eq else ''}abs({one} - {other})"


def _joined(parts: list[str], *, all_of: bool) -> str:
    return parts[0] if len(parts) == 1 else f"{'min' if all_of else 'max'}({', '.join(parts)})"
