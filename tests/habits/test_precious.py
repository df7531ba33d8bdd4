"""The table of precious files names modules and tests that exist."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from ..precious import PRECIOUS, Precious

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.parametrize("line", PRECIOUS, ids=lambda line: line.files[:40])
def test_a_line_of_the_table_is_true(line: Precious) -> None:
    assert line.tests
    assert all(find_spec(module) for module in line.modules)
    for test in line.tests:
        file, _, name = test.partition("::")
        tree = ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test
