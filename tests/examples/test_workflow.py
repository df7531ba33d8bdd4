"""The recipes for continuous integration work as written: their steps, one after the other, in a fresh folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from ..pages import blocks
from ..program import CHECKOUT

HERE = Path(__file__).parent
WORKFLOW = yaml.safe_load((HERE / "workflow.yml").read_text(encoding="utf-8"))
STEPS = WORKFLOW["jobs"]["bench"]["steps"]


def run_step(step: dict[str, str], folder: Path, workflow: dict[str, Any] = WORKFLOW, **environment: str) -> None:
    """Run a step as the server does, with the programs of this environment, and without the pins of the Makefile."""
    ours = {name: value for name, value in os.environ.items() if not name.endswith("_CONSTRAINT")}
    programs = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    run = subprocess.run(
        ["sh", "-e", "-c", step["run"]],
        cwd=folder,
        env=ours | workflow["env"] | {"PATH": programs} | environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, f"{step['name']}: {run.stdout}{run.stderr}"


def test_it_installs_from_a_checkout(tmp_path: Path) -> None:
    """No index has hilbridge. Nothing is fetched or installed here: all that it needs is there already."""
    (tmp_path / "hilbridge").symlink_to(CHECKOUT)
    (install,) = [step for step in STEPS if step.get("name") == "Install"]
    pip = {"PIP_DRY_RUN": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # 0: no isolation
    run_step(install, tmp_path, WORKFLOW, HILBRIDGE_PURE="1", **pip)


@pytest.mark.nightly
def test_its_steps_pass_and_leave_their_reports(tmp_path: Path) -> None:
    """With the example beside it, and nothing else."""
    shutil.copy(HERE / "test_cruise_control.py", tmp_path)
    for step in STEPS:
        if "run" in step and step["name"] != "Install":
            run_step(step, tmp_path)
    for report in ("scenario.xml", "tests.xml"):
        suite = next(ET.parse(tmp_path / report).iter("testsuite"))
        assert int(suite.get("tests", 0)) >= 3
        assert suite.get("failures") == "0"
    assert "<svg" in (tmp_path / "scenario.html").read_text(encoding="utf-8")
    assert not (tmp_path / "hilbridge-failures").exists()


@pytest.mark.nightly
def test_the_firmware_of_the_guide_drives_in_a_pull_request(tmp_path: Path) -> None:
    """The files of the page make the repository; a check that is left out of the firmware is a red run."""
    pytest.importorskip("opendbc")
    for _, content, name in blocks((CHECKOUT / "docs/guides/panda.md").read_text(encoding="utf-8")):
        if name:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
    workflow = yaml.safe_load((tmp_path / ".github/workflows/panda.yml").read_text(encoding="utf-8"))
    build, drive = (one for one in workflow["jobs"]["drive"]["steps"] if one.get("name") in ("Build", "Drive"))
    run_step(build, tmp_path, workflow)
    run_step(drive, tmp_path, workflow)
    suite = next(ET.parse(tmp_path / "judged.xml").iter("testsuite"))
    assert (int(suite.get("tests", 0)) >= 5, suite.get("failures")) == (True, "0")
    board = (tmp_path / "board.c").read_text(encoding="utf-8")
    (tmp_path / "board.c").write_text(board.replace("safety_tick(&current_safety_config)", "(void)0"), encoding="utf-8")
    run_step(build, tmp_path, workflow)
    with pytest.raises(AssertionError, match="Silence is noticed"):
        run_step(drive | {"run": drive["run"].replace("--record judged", "")}, tmp_path, workflow)
