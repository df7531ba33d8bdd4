"""`make check` runs the tests of what has changed."""

from pathlib import Path

import pytest

from ..changed import ALWAYS, selection


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
