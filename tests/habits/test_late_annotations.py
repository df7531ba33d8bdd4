"""No field takes the place of what the annotations of its class use.

Python 3.14 evaluates annotations late, in the whole class (PEP 649); before, a name in them was looked up when the line
was reached, where a field further down did not count yet. The sources are read, as no older version minds.
"""

import ast
import builtins
from collections.abc import Iterator

import pytest

from ..rooms import CHECKOUT

FOLDERS = ("config", "daemon", "docs", "sim", "tests")

SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda,
    ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
"""What binds its names for itself."""


def hidden_names(source: str) -> list[str]:
    """Return `line: class.name` for each name of the module in an annotation of a class that binds it anew.

    A name that only the class binds, as an alias of a type, is meant.
    """
    tree = ast.parse(source)
    outer = set(dir(builtins)) | set(bound_names(tree))
    found = []
    for each in ast.walk(tree):
        if not isinstance(each, ast.ClassDef):
            continue
        hidden = outer & set(bound_names(each))
        for annotation in annotations(each):
            used = [node for node in ast.walk(annotation) if isinstance(node, ast.Name) and node.id in hidden]
            found += [f"{node.lineno}: {each.name}.{node.id}" for node in used]
    return found


def bound_names(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Yield the names that the statements of a module or a class bind in it, and not those of functions inside."""
    for node in statements(scope):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from ((alias.asname or alias.name).partition(".")[0] for alias in names)
            case ast.Name(id=name, ctx=ast.Store()):
                yield name


def statements(scope: ast.AST) -> Iterator[ast.AST]:
    """Walk through a scope, but not into those inside."""
    for node in ast.iter_child_nodes(scope):
        yield node
        if not isinstance(node, SCOPES):
            yield from statements(node)


def annotations(of: ast.ClassDef) -> Iterator[ast.expr]:
    """Yield the annotations that are evaluated in a class: of its fields, and of its methods' arguments and results."""
    for node in statements(of):
        if isinstance(node, ast.AnnAssign):
            yield node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            every = node.args
            arguments = [*every.posonlyargs, *every.args, *every.kwonlyargs, every.vararg, every.kwarg]
            yield from (each.annotation for each in arguments if each is not None and each.annotation is not None)
            if node.returns is not None:
                yield node.returns


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_class_hides_a_name_that_its_annotations_use(folder: str) -> None:
    assert [
        f"{path.relative_to(CHECKOUT)}:{place}"
        for path in sorted((CHECKOUT / folder).rglob("*.py"))
        for place in hidden_names(path.read_text(encoding="utf-8"))
    ] == []


FUNCTION = """
from typing import Annotated
def unit(text): return text
class Value:
    period: Annotated[float, unit("s")]
    {field}
"""


@pytest.mark.parametrize(
    "field",
    [
        "unit: str",
        "unit: str = ''",
        "unit = 1",
        "def unit(self): ...",
        "class unit: ...",
        "import unit",
        "for unit in (): ...",
    ],
)
def test_whatever_a_class_binds_can_hide_a_name(field: str) -> None:
    """A field without a value too: of a NamedTuple or a dataclass with slots it becomes a descriptor of that name."""
    assert hidden_names(FUNCTION.format(field=field)) == ["5: Value.unit"]


def test_methods_have_annotations_in_their_class_too() -> None:
    assert hidden_names("class Bag:\n    def all(self) -> list[int]: ...\n    def list(self): ...\n") == ["2: Bag.list"]


def test_names_of_other_scopes_hide_nothing() -> None:
    """A local name of a method, an argument, a field of an inner class, or an alias that the class has for itself."""
    inside = "def show(self, unit): unit = 1"
    assert hidden_names(FUNCTION.format(field=inside)) == []
    assert hidden_names(FUNCTION.format(field="class Inner:\n        unit: str = ''")) == []
    assert hidden_names("class Alias:\n    Number = float\n    value: Number\n") == []
