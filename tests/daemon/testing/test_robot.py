"""The keywords, as Robot Framework finds and calls them; a whole suite: the guide."""

from pathlib import Path
from typing import Any

import pytest
import robot
from robot.libdocpkg import LibraryDocumentation

from hilbridge.client import Client, ConfigurationError

from ...program import demo_bench, running

LIBRARY = "hilbridge.testing.robot.Bench"


def verdicts(folder: Path, *lines: str) -> dict[str, Any]:
    """Status and message of a suite with one test."""
    file = folder / "one.robot"
    body = "\n".join(f"    {line}" for line in lines)
    file.write_text(f"*** Settings ***\nLibrary    {LIBRARY}\n\n*** Test Cases ***\nOne\n{body}\n", encoding="utf-8")
    output = folder / "output.xml"
    robot.run(str(file), output=str(output), log=None, report=None, console="none")
    (test,) = robot.api.ExecutionResult(str(output)).suite.tests
    return {"status": test.status, "message": test.message}


def test_each_keyword_has_a_sentence_and_nothing_else_is_one() -> None:
    found = {one.name: one.short_doc for one in LibraryDocumentation(LIBRARY).keywords}
    assert {"Start Bench", "Connect To Bench", "Entry Should Be", "Play Scenario"} < set(found)
    assert "End Suite" not in found
    assert all(found.values())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["Entry Should Be    vehicle.Speed    0"], "there is no bench"),
        (["Start Bench    demo", "Entry Should Be    vehicle.Speed    3"], "vehicle.Speed is 0, not 3"),
        (["Start Bench    demo", "Set Entry    vehicle.Speed    3"], "vehicle.Speed"),
        (["Start Bench    demo    body.mass=1"], "'body.mass' is a key of neither file"),
        (["Start Bench    demo", "Wait Until    vehicle.Speed > 5    timeout=0.1"], "vehicle.Speed > 5"),
        (["Start Bench    nosuch"], "nosuch"),
    ],
)
def test_a_failure_says_what_is_wrong(lines: list[str], message: str, tmp_path: Path) -> None:
    found = verdicts(tmp_path, *lines)
    assert found["status"] == "FAIL"
    assert message in found["message"]


def test_a_scenario_that_fails_names_its_steps(tmp_path: Path) -> None:
    scenario = tmp_path / "never.yaml"
    scenario.write_text("steps:\n- expect: vehicle.Speed > 100\n", encoding="utf-8")
    found = verdicts(tmp_path, "Start Bench    demo", f"Play Scenario    {scenario}")
    assert found["status"] == "FAIL"
    assert "line 2: " in found["message"]


def test_a_bench_that_runs_is_left_as_it_was(tmp_path: Path) -> None:
    """What the suite holds, what a drive of it leaves, and its faults: also where the suite has failed."""
    with running(demo_bench(tmp_path), "--no-demo-driver") as program:
        path = program.wait_for("control socket open")["path"]
        with Client(path) as other:
            other.set("input.Steer", 0.1)
            found = verdicts(
                tmp_path,
                f"Connect To Bench    {path}",
                "Set Entry    body.TurnSignal    left",
                "Add Fault    physics    fault.Misfire    value=0.2",
                "Drive    20",
                "Entry Should Be    vehicle.Speed    -1",
            )
            assert found["message"].startswith("vehicle.Speed is 5.")
            held = [one["control"] for one in other.status("inputs")["inputs"] if one["source"]]
            assert held == ["Steer"]
            with pytest.raises(ConfigurationError, match="not held"):
                other.release("body.TurnSignal")
            assert [one["state"] for one in other.status("faults")["faults"]] == ["over"]
            assert other.get("input.Steer") == 0.1
