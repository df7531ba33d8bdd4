"""What is left to the night is in the list, exists, and is run there."""

import ast
from pathlib import Path

import pytest

from ..nightly import LIST, is_listed, left_out, listed

CHECKOUT = Path(__file__).parents[2]


def functions_of(file: Path) -> set[str]:
    """Return the names of the tests of a file."""
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def test_a_list_has_tests_and_words_for_people() -> None:
    assert listed("# why\n\na.py::test_b[c d]  # long\na.py\n") == ["a.py::test_b[c d]", "a.py"]


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ("a.py::test_b", True),
        ("a.py::test_b[x]", True),
        ("a.py::test_bc", False),
        ("c.py::test_d[y]", True),
        ("c.py::test_d[yz]", False),
        ("e.py::TestF::test_g", True),
        ("e.py2::test_h", False),
    ],
)
def test_a_name_stands_for_all_that_begins_with_it(test: str, found: bool) -> None:
    assert is_listed(test, ["a.py::test_b", "c.py::test_d[y]", "e.py"]) is found


def test_every_listed_test_is_there_once() -> None:
    names = listed(LIST.read_text(encoding="utf-8"))
    assert len(set(names)) == len(names)
    for name in names:
        file, _, function = name.partition("[")[0].partition("::")
        assert (CHECKOUT / file).is_file(), name
        assert not function or function in functions_of(CHECKOUT / file), name


def test_a_folder_keeps_most_of_its_files() -> None:
    """The list takes tests, and never a whole kind of them."""
    files = [name for name in listed(LIST.read_text(encoding="utf-8")) if "::" not in name]
    for folder in {Path(file).parent for file in files}:
        here = sorted((CHECKOUT / folder).glob("test_*.py"))
        assert 2 * sum(Path(file).parent == folder for file in files) < len(here), folder


def test_only_the_merge_leaves_them_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HILBRIDGE_TESTS", raising=False)
    assert left_out() == []
    monkeypatch.setenv("HILBRIDGE_TESTS", "merge")
    assert left_out() == listed(LIST.read_text(encoding="utf-8"))
    monkeypatch.setenv("HILBRIDGE_TESTS", "few")
    with pytest.raises(ValueError, match="all or merge, not 'few'"):
        left_out()


def test_the_merge_chooses_and_the_night_runs_all() -> None:
    assert "export HILBRIDGE_TESTS=merge" in (CHECKOUT / ".ci/run").read_text(encoding="utf-8")
    night = (CHECKOUT / ".ci/nightly").read_text(encoding="utf-8")
    assert "HILBRIDGE_TESTS" not in night
    for target in ("test", "test-compiled", "lab", "browser"):
        assert f" {target} " in night, target
