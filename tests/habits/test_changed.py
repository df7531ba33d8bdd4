"""`make check` runs the tests of what has changed."""

from pathlib import Path

import pytest

from ..changed import ALWAYS, CHECKOUT, DATA, selection


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Some modules with tests of their own, and one without."""
    for file in (
        "tests/daemon/frames/plan/test_plan.py",
        "tests/daemon/frames/plan/test_selection.py",
        "tests/daemon/base/test_clock.py",
        "tests/daemon/files/configuration/test_reference.py",
        "tests/sim/engine/test_engine.py",
        "tests/scenarios/test_demo.py",
        "tests/lab/test_bus.py",
        *ALWAYS,
    ):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("daemon/hilbridge/frames/plan/plan.py", ["tests/daemon/frames/plan/test_plan.py"]),
        ("daemon/hilbridge/frames/plan/send_types.py", ["tests/daemon/frames/plan"]),
        ("daemon/hilbridge/base/clock.py", ["tests/daemon/base/test_clock.py"]),
        ("daemon/hilbridge/base/resources.py", ["tests/daemon/base"]),
        ("daemon/hilbridge/faces/cockpit/page/signals.js", []),
        ("daemon/hilbridge/base/common/rows.py", ["tests/daemon/base/test_clock.py"]),
        ("sim/vehiclesim/engine/engine.py", ["tests/sim/engine/test_engine.py"]),
        ("tests/scenarios/test_demo.py", ["tests/scenarios/test_demo.py"]),
        ("tests/lab/test_bus.py", []),
        ("tests/daemon/frames/plan/test_deleted.py", []),
        ("config/benches/demo.yaml", ["tests/daemon/files/configuration"]),
        ("README.md", []),
    ],
)
def test_a_change_has_the_selection_its_module_or_of_its_folder(checkout: Path, file: str, tests: list[str]) -> None:
    """The rooms are checked with every change; tests that need a kernel of their own are left to CI."""
    assert set(selection([file], checkout)) == {*tests, *ALWAYS}


def test_a_folder_stands_for_its_files(checkout: Path) -> None:
    """No test is run twice."""
    files = ["daemon/hilbridge/frames/plan/plan.py", "daemon/hilbridge/frames/plan/send_types.py"]
    assert set(selection(files, checkout)) == {"tests/daemon/frames/plan", *ALWAYS}


@pytest.mark.parametrize(
    ("file", "tests"),
    [
        ("config/clusters/vw-pq.yaml", ["scenarios/test_clusters.py", "scenarios/test_dashes.py"]),
        ("tests/clusters/judged.yaml", ["scenarios/test_clusters.py", "habits/test_judged.py"]),
        ("tests/judged_dashes.py", ["habits/test_judged.py"]),
        ("docs/judged.md", ["habits/test_judged.py"]),
        ("CONTRIBUTING.md", ["habits/test_recipes.py"]),
        ("docs/guides/panda.md", ["scenarios/test_guides.py"]),
        ("tests/door_table.py", ["habits/test_doors.py", "habits/test_security_policy.py"]),
    ],
)
def test_what_is_no_module_has_the_tests_that_read_it(file: str, tests: list[str]) -> None:
    assert {f"tests/{each}" for each in tests} <= set(selection([file]))


def test_the_table_names_what_there_is() -> None:
    """A file that was moved would go untested unseen."""
    named = {*DATA, *(each for tests in DATA.values() for each in tests)}
    assert {path for path in named if not (CHECKOUT / path).exists()} == set()
