"""The recipe for continuous integration works as written: its steps, one after the other, in a fresh folder."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import yaml

from ..program import CHECKOUT

HERE = Path(__file__).parent
WORKFLOW = yaml.safe_load((HERE / "workflow.yml").read_text(encoding="utf-8"))
STEPS = WORKFLOW["jobs"]["bench"]["steps"]


def test_what_it_installs_is_there() -> None:
    """The distribution and its extra have these names."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (install,) = [step["run"] for step in STEPS if step.get("name") == "Install"]
    assert install == f'python -m pip install "{project["name"]}[plot]" pytest'
    assert "plot" in project["optional-dependencies"]


def test_its_steps_pass_and_leave_their_reports(tmp_path: Path) -> None:
    """With the example beside it, and nothing else."""
    shutil.copy(HERE / "test_cruise_control.py", tmp_path)
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for step in STEPS:
        if "run" in step and step["name"] != "Install":
            run = subprocess.run(
                ["sh", "-e", "-c", step["run"]],
                cwd=tmp_path,
                env=os.environ | {"PATH": programs},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
            assert run.returncode == 0, f"{step['name']}: {run.stdout}{run.stderr}"
    for report in ("scenario.xml", "tests.xml"):
        suite = next(ET.parse(tmp_path / report).iter("testsuite"))
        assert int(suite.get("tests", 0)) >= 3
        assert suite.get("failures") == "0"
    assert (tmp_path / "scenario.svg").is_file()
    assert not (tmp_path / "hilbridge-failures").exists()
