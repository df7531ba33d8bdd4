"""The table of precious files names modules and tests that exist."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from ..precious import PRECIOUS, Precious

CHECKOUT = Path(__file__).parents[2]

SWALLOWING = {"exists", "is_file", "is_dir"}
"""Methods of Path that have False for every error from Python 3.14 on; base/common/lasting_files.py has others."""


@pytest.mark.parametrize("line", PRECIOUS, ids=lambda line: line.files[:40])
def test_a_line_of_the_table_is_true(line: Precious) -> None:
    assert line.tests
    assert all(find_spec(module) for module in line.modules)
    for test in line.tests:
        file, _, name = test.partition("::")
        tree = ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


MODULES = sorted({module for line in PRECIOUS for module in line.modules})


@pytest.mark.parametrize("module", MODULES)
def test_whoever_reads_something_precious_never_takes_an_error_for_there_is_none(module: str) -> None:
    """No call of a method of Path that swallows it."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin
    calls = [
        node.func
        for node in ast.walk(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    assert not [one for one in calls if isinstance(one, ast.Attribute) and one.attr in SWALLOWING]
