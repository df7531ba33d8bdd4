"""What is left to the night is marked, exists, and is run there."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def collected(chosen: str, *words: str) -> subprocess.CompletedProcess[str]:
    """What pytest collects with HILBRIDGE_TESTS as said."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *words]
    environment = os.environ | {"HILBRIDGE_TESTS": chosen}
    return subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)


def names_in(output: str) -> set[str]:
    return {line for line in output.splitlines() if "::" in line}


def test_only_the_merge_leaves_marked_tests_out() -> None:
    """A guide by its parameter, and a whole test."""
    files = ("tests/scenarios/test_guides.py", "tests/scenarios/test_suites.py")
    every, merge = (names_in(collected(chosen, *files).stdout) for chosen in ("all", "merge"))
    assert merge < every
    left_out = {test.rpartition("::")[2] for test in every - merge}
    assert {"test_a_guide_works_as_written[game]", "test_a_folder_is_a_suite"} <= left_out
    assert "test_a_guide_works_as_written[first-cluster]" not in left_out


def test_another_choice_is_refused() -> None:
    run = collected("few", "tests/habits/test_nightly.py")
    assert run.returncode != 0
    assert "all or merge, not 'few'" in run.stderr + run.stdout


def test_every_parameter_that_a_mark_names_is_one_of_its_test() -> None:
    """Else the mark would leave nothing to the night."""
    named = {}
    for path in sorted(CHECKOUT.glob("tests/**/test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for mark in node.decorator_list:
                    if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.nightly":
                        ids = [ast.literal_eval(argument) for argument in mark.args]
                        named[f"{path.relative_to(CHECKOUT)}::{node.name}"] = ids
    here = {test: ids for test, ids in named.items() if not re.match("tests/(browser|compiled|lab)/", test)}
    every = names_in(collected("all", *here).stdout)
    missing = {f"{test}[{one}]" for test, ids in here.items() for one in ids} - every
    assert len(here) > 5
    assert not missing


def test_a_contributor_runs_one_start_of_the_program_for_each_way_out() -> None:
    """Of the folders that start it only the tests with this mark, each of another way; of the model no drives."""
    folders = ("tests/scenarios", "tests/clients", "tests/packaging", "tests/sim/test_driving.py")
    chosen = {one.partition("[")[0] for one in names_in(collected("merge", "-m", "not long", *folders).stdout)}
    ways = {}
    for path in sorted(CHECKOUT.glob("tests/*/test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.way_out":
                    assert isinstance(node, ast.FunctionDef)
                    assert ast.literal_eval(mark.args[0]) not in ways
                    ways[ast.literal_eval(mark.args[0])] = f"{path.relative_to(CHECKOUT)}::{node.name}"
    assert set(ways.values()) == chosen
    assert {
        "signal",
        "child",
        "log",
        "control socket",
        "bus",
        "serial port",
        "page",
        "recording",
        "reload",
    } <= ways.keys()


def test_the_merge_chooses_and_the_night_runs_all() -> None:
    assert "export HILBRIDGE_TESTS=merge" in (CHECKOUT / ".ci/run").read_text(encoding="utf-8")
    night = (CHECKOUT / ".ci/nightly").read_text(encoding="utf-8")
    assert "HILBRIDGE_TESTS" not in night
    for target in ("test-all", "test-compiled", "lab", "browser"):
        assert f" {target} " in night, target
