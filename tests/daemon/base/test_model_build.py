"""Which build of the vehicle model a process runs. tests/compiled does the same with a real compiled wheel."""

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from hilbridge.base import model_build


@pytest.fixture
def compiled_package(tmp_path: Path) -> Path:
    """A folder with a vehiclesim that has an extension beside its source file; the extension cannot be loaded."""
    package = tmp_path / "vehiclesim"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "solver.py").write_text("")
    (package / f"solver{EXTENSION_SUFFIXES[0]}").write_bytes(b"no machine code")
    return tmp_path


def describe(folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """What a new process says about the vehiclesim in a folder."""
    program = "from hilbridge.base import model_build; model_build.honour_environment(); print(model_build.describe())"
    inherited = {name: value for name, value in os.environ.items() if name != model_build.VARIABLE}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path]), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_python_prefers_the_extension_to_the_source_file(compiled_package: Path) -> None:
    assert "ImportError" in describe(compiled_package).stderr


def test_the_variable_prefers_the_source_file(compiled_package: Path) -> None:
    assert describe(compiled_package, HILBRIDGE_INTERPRETED="1").stdout == "interpreted\n"


def test_any_other_value_of_the_variable_changes_nothing(compiled_package: Path) -> None:
    assert "ImportError" in describe(compiled_package, HILBRIDGE_INTERPRETED="0").stderr
