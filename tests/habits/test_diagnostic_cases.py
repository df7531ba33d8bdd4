"""The table of diagnostic cases names tests that exist, and a source, what is right and a clause for each."""

import ast
from pathlib import Path

import pytest

from ..diagnostic_cases import CASES, Case

CHECKOUT = Path(__file__).parents[2]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.source[:40])
def test_a_case_is_shown_by_tests(case: Case) -> None:
    assert all((case.source, case.right, case.clause, case.tests))
    for test in case.tests:
        file, _, name = test.partition("::")
        tree = ast.parse((CHECKOUT / file).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test
