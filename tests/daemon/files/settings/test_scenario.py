"""Scenario files say what they mean, or are refused with the line of the mistake."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.files.configuration.scenariofile import load_scenario

CASES = [
    ("- {}", "steps[0]: a step does one thing"),
    ("- {set: {input.Key: 1}, expect: '1'}", "steps[0].expect: a step does one thing"),
    ("- {set: {input.Key: 1}, within: 1}", "steps[0].within: belongs to expect and frame"),
    ("- {expect: '1', over: 1}", "steps[0].over: belongs to set"),
    ("- {expect: '1', for: 1}", "steps[0].for: belongs to always and absent"),
    ("- {expect: '1', at: 1, after: 1}", "steps[0].after: a step has either 'at' or 'after'"),
    ("- {frame: {bus: can, message: A}}", "steps[0].within: is missing"),
    ("- {always: '1'}", "steps[0].for: is missing"),
    ("- {wait: {until: '1'}}", "steps[0].wait.timeout: is missing"),
    ("- {wait: {until: '1', timeout: 0}}", "steps[0].wait.timeout: must be greater than 0 s"),
    ("- {drive: {}}", "steps[0].drive: needs either 'speed', 'cycle' or 'points'"),
    (
        "- {drive: {cycle: nedc, gear: 3}}",
        "steps[0].drive.gear: belongs to 'speed' and 'points'; a file has a column for it",
    ),
    ("- {drive: {points: [[0, 0], [5, 20], [5, 30]]}}", "steps[0].drive.points[2][0]: times must ascend"),
    ("- {drive: {points: [[0, 0], [5, -20]]}}", "steps[0].drive.points[1][1]: must not be negative"),
    ("- {fault: {kind: link, bus: can, effect: up}}", "steps[0].fault.effect: needs 'down' or 'bus-off'"),
    ("- {clear: lost}", "steps[0].clear: no fault step above has the name 'lost'"),
    ("- {expect: '1', at: 5}\n  - {expect: '1', at: 4}", "steps[1].at: is before 5 s"),
    ("- {expects: '1'}", "steps[0].expects: unknown key; did you mean 'expect'?"),
]


@pytest.mark.parametrize(("steps", "reason"), CASES)
def test_mistakes_are_told_with_their_line(tmp_path: Path, steps: str, reason: str) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(f"purpose: wrong\nsteps:\n  {steps}\n", encoding="utf-8")
    with pytest.raises(InvalidFileError) as error:
        load_scenario(str(file))
    line = 3 + steps.count("\n")
    assert f"{file}:{line}: {reason}" in str(error.value)


def test_two_faults_of_one_name_are_refused(tmp_path: Path) -> None:
    """`clear` could not tell them apart."""
    fault = "{name: lost, fault: {kind: link, bus: can, effect: down}}"
    file = tmp_path / "wrong.yaml"
    file.write_text(f"steps:\n  - {fault}\n  - {fault}\n", encoding="utf-8")
    with pytest.raises(InvalidFileError, match="a fault has a name of its own"):
        load_scenario(str(file))
