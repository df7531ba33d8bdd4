"""The mutants of a module: one small change of its syntax tree each.

    comparison   a < b: a <= b, a >= b;  a == b: a != b;  a in b: a not in b;  a is b: a is not b
    arithmetic   + and -, * and /, // and *, % and *, ** and *, << and >>, & and |, ^ and &
    boolean      and, or; a condition that is no comparison: not a; not a: a; -a: a; ~a: a
    constant     n + 1; 1.25 x (0.0: 1.0); True, False
    return       return a: return None
    drop         a call, a change of an attribute or element, raise, del, break, continue: nothing
    swap         f(a, b): f(b, a)

Texts are left alone, as are annotations, decorators, and what stands in a `raise`: they are for people. So is `strict`
of zip(), which makes sure of what holds. A bound that is
taken over in the equal case (a if a < b else b) is no boundary: a <= b says the same, and is left out.
"""

import ast
from collections.abc import Iterator
from copy import copy
from types import CodeType
from typing import Final, NamedTuple

_BOUNDARIES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}

_OPPOSITES: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

_ARITHMETIC: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}

_SAME_BOTH_WAYS: Final = {"min", "max", "isclose", "hypot"}
"""Functions that do not care for the order of their arguments."""

_FOR_PEOPLE: Final = {"annotation", "returns", "decorator_list", "bases", "type_params"}
"""Fields of the tree without mutants."""

_LONGEST: Final = 120
"""Characters of a text up to which what surrounds a constant is shown with it."""


class Key(NamedTuple):
    """What names a mutant, wherever its line moves to."""

    module: str
    function: str
    operator: str
    text: str
    """Before → after; of several equal ones in a function the second ends in " (2)"."""


class Mutant(NamedTuple):
    """A change of a syntax tree: `old`, an element of the field of `parent`, becomes `new`."""

    key: Key
    lines: range
    """Those of what is changed."""
    in_function: bool
    """Whether it is the body of a function that changes; else what happens when the module is imported."""
    parent: ast.AST
    field: str
    position: int | None
    """In the list that the field is; None: it is none."""
    old: ast.AST
    new: ast.AST


class Source:
    """A module, its syntax tree and its mutants."""

    def __init__(self, module: str, path: str, text: str) -> None:
        """`path`: that of the file, which its code objects name."""
        self.module = module
        self.path = path
        self._tree = ast.parse(text)
        self._seen: dict[Key, int] = {}
        self.mutants = list(self._of_body(self._tree, (), in_function=False))

    def code(self, mutant: Mutant | None = None) -> CodeType:
        """Compile the module, with a mutant or as it is."""
        if mutant is not None:
            _put(mutant.parent, mutant.field, mutant.position, mutant.new)
        try:
            return compile(ast.fix_missing_locations(self._tree), self.path, "exec", dont_inherit=True)
        finally:
            if mutant is not None:
                _put(mutant.parent, mutant.field, mutant.position, mutant.old)

    def _of_body(self, node: ast.AST, names: tuple[str, ...], *, in_function: bool) -> Iterator[Mutant]:
        """Yield the mutants of what lies below a node; `names` lead to the function or class that it is in."""
        if isinstance(node, ast.Raise) or _is_guard(node):
            return
        is_scope = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda)
        inside = (*names, getattr(node, "name", "<lambda>")) if is_scope else names
        for field, index, child in _children(node):
            if field in _FOR_PEOPLE or _is_docstring(child) or _is_check(child):
                continue
            is_body = is_scope and field == "body"
            where = inside if is_body else names
            in_body = not isinstance(node, ast.ClassDef) if is_body else in_function
            for operator, new in _variants(child, node):
                ast.copy_location(new, child)
                key = self._key(where, operator, (node, field, index), child, new)
                yield Mutant(key, _lines(child), in_body, node, field, index, child, new)
            yield from self._of_body(child, where, in_function=in_body)

    def _key(
        self,
        names: tuple[str, ...],
        operator: str,
        place: tuple[ast.AST, str, int | None],
        old: ast.AST,
        new: ast.AST,
    ) -> Key:
        before, after = ast.unparse(old), ast.unparse(new)
        parent = place[0]
        if isinstance(parent, ast.expr | ast.Return | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.keyword):
            whole = ast.unparse(parent)
            if len(whole) <= _LONGEST:
                _put(*place, new)
                before, after = whole, ast.unparse(parent)
                _put(*place, old)
        text = " ".join(f"{before} → {after if operator != 'drop' else 'nothing'}".split())
        key = Key(self.module, ".".join(names) or "the module", operator, text)
        count = self._seen[key] = self._seen.get(key, 0) + 1
        return key if count == 1 else key._replace(text=f"{text} ({count})")


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _children(node: ast.AST) -> Iterator[tuple[str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield field, None, value
        elif isinstance(value, list):
            yield from ((field, i, one) for i, one in enumerate(value) if isinstance(one, ast.AST))


def _lines(node: ast.AST) -> range:
    first = getattr(node, "lineno", 0)
    return range(first, (getattr(node, "end_lineno", first) if isinstance(node, ast.expr) else first) + 1)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_check(node: ast.AST) -> bool:
    """Return whether this is `strict=True` of zip(): it makes sure of what holds."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_guard(node: ast.AST) -> bool:
    """Return whether this is `if __name__ == "__main__"` or `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"__name__ == '__main__'", "TYPE_CHECKING"}


def _variants(node: ast.AST, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a node becomes, each with the name of the operator."""
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.Compare):
        yield from _of_comparison(node, parent)
    elif (
        isinstance(node, ast.BinOp)
        and type(node.op) in _ARITHMETIC
        and not (_is_text(node.left) or _is_text(node.right))
    ):
        yield "arithmetic", ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield "boolean", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield "boolean", copy(node.operand)
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        yield from _swapped(node)
    if _is_condition(node, parent) and not isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.Constant):
        yield "boolean", ast.UnaryOp(ast.Not(), node)  # type: ignore[arg-type]  # a condition is an expression


def _of_statement(node: ast.stmt) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Return(value=value) if value is not None and not (
            isinstance(value, ast.Constant) and value.value is None
        ):
            yield "return", ast.Return(ast.Constant(None))
        case ast.AugAssign(op=op) if type(op) in _ARITHMETIC:
            yield "arithmetic", ast.AugAssign(node.target, _ARITHMETIC[type(op)](), node.value)
            yield "drop", ast.Pass()
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Continue() | ast.Break():
            yield "drop", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "drop", ast.Pass()


def _of_comparison(node: ast.Compare, parent: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for i, op in enumerate(node.ops):
        changes = [_OPPOSITES[type(op)]] if len(node.ops) == 1 else []
        if type(op) in _BOUNDARIES and not _is_bound(node, parent):
            changes.append(_BOUNDARIES[type(op)])
        for change in changes:
            yield "comparison", ast.Compare(node.left, [*node.ops[:i], change(), *node.ops[i + 1 :]], node.comparators)


def _is_bound(test: ast.Compare, parent: ast.AST) -> bool:
    """Return whether a condition chooses between the two values that it compares."""
    compared = {ast.unparse(test.left), *map(ast.unparse, test.comparators)}
    match parent:
        case ast.IfExp(body=body, orelse=orelse):
            return compared == {ast.unparse(body), ast.unparse(orelse)}
        case ast.If(body=[ast.Assign(targets=[target], value=value)], orelse=[]):
            return compared == {ast.unparse(target), ast.unparse(value)}
    return False


def _of_constant(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int):
        yield "constant", ast.Constant(value + 1)
    elif isinstance(value, float):
        yield "constant", ast.Constant(1.25 * value if value else 1.0)


def _swapped(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    first, second = node.args[:2]
    name = ast.unparse(node.func).rpartition(".")[2]
    starred = isinstance(first, ast.Starred) or isinstance(second, ast.Starred)
    if not starred and name not in _SAME_BOTH_WAYS and ast.dump(first) != ast.dump(second):
        yield "swap", ast.Call(node.func, [second, first, *node.args[2:]], node.keywords)


def _is_condition(node: ast.AST, parent: ast.AST) -> bool:
    return isinstance(parent, ast.If | ast.IfExp | ast.While) and parent.test is node


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
