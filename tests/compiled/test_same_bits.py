"""The compiled and the interpreted model are one model: the same states, the same frames, to the last bit."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hatch_build import TICK

from hilbridge.base import model_build

INTERPRETED = {"HILBRIDGE_INTERPRETED": "1"}


def python(*arguments: str, environment: dict[str, str]) -> str:
    """Standard output of a Python program that must succeed."""
    clean = {name: value for name, value in os.environ.items() if name != "HILBRIDGE_INTERPRETED"}
    run = subprocess.run(
        [sys.executable, *arguments],
        env=clean | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def drives() -> tuple[dict[str, Any], dict[str, Any]]:
    """What scripted_drive.py prints, compiled and interpreted."""
    script = str(Path(__file__).with_name("scripted_drive.py"))
    return json.loads(python(script, environment={})), json.loads(python(script, environment=INTERPRETED))


def test_this_environment_has_the_compiled_model() -> None:
    """Otherwise everything below would compare a thing with itself."""
    assert model_build.is_compiled()


def test_what_a_tick_goes_through_is_compiled_too() -> None:
    """All that the wheel's build lists; as source files where the variable asks for these."""
    names = [".".join(Path("hilbridge", folder, name).parts) for folder, modules in TICK.items() for name in modules]
    program = (
        "from importlib.util import find_spec; from hilbridge.base import model_build;"
        "model_build.honour_environment();"
        f"print({{find_spec(name).origin.endswith('.py') for name in {names}}})"
    )
    assert python("-c", program, environment={}) == "{False}\n"
    assert python("-c", program, environment=INTERPRETED) == "{True}\n"


def test_the_variable_chooses_the_interpreted_model(drives: tuple[dict[str, Any], dict[str, Any]]) -> None:
    compiled, interpreted = drives
    assert (compiled["build"], interpreted["build"]) == ("compiled", "interpreted")


def test_the_choice_comes_too_late_once_the_compiled_model_is_imported() -> None:
    model_build.is_compiled()
    with pytest.raises(RuntimeError, match="already imported"):
        model_build.import_interpreted()


def test_scripted_drives_pass_through_the_same_states(drives: tuple[dict[str, Any], dict[str, Any]]) -> None:
    """Every state after every step of 8 s, with every driving aid on of 20 s.

    The engines must have run up to their limiters.
    """
    compiled, interpreted = drives
    assert compiled["drives"] == interpreted["drives"]
    assert all(highest > 3000 for _, highest in compiled["drives"].values())


def test_virtual_runs_send_the_same_frames(tmp_path: Path) -> None:
    """The recorded frames of the demo bench, time stamps included, are one file."""
    frames = {}
    for model, environment in (("compiled", {}), ("interpreted", INTERPRETED)):
        recording = tmp_path / model
        run = ("-m", "hilbridge", "run", "--clock", "virtual", "--duration", "20", "--record", str(recording))
        python(*run, environment=environment)
        assert json.loads((recording / "manifest.json").read_text())["software"]["model"] == model
        frames[model] = (recording / "frames.blf").read_bytes()
    assert len(frames["compiled"]) > 10_000
    assert frames["compiled"] == frames["interpreted"]
