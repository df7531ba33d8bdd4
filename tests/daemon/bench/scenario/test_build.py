"""What a bench cannot play is refused with its line; a resolved scenario contains the points of its traces."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.bench.scenario.build import resolved
from hilbridge.files.configuration.scenariofile import load_scenario

from .stages import Rig


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            "{set: {input.Throtle: 1}}",
            "set.'input.Throtle': unknown entry 'input.Throtle': did you mean input.Throttle?",
        ),
        ("{set: {input.Throttle: 2}}", "set.'input.Throttle': 2 of Throttle is not within 0..1"),
        ("{set: {input.GearShift: 1}, over: 1}", "set.'input.GearShift': a paddle has steps"),
        ("{release: [input.Kay]}", "release[0]: unknown entry 'input.Kay'"),
        ("{arm: {cam: true}}", "arm.cam: unknown bus 'cam': did you mean can?"),
        ("{fault: {kind: link, bus: cam, effect: down}}", "fault.bus: unknown bus"),
        ("{drive: {cycle: needc}}", "drive: no cycle and no file 'needc' (did you mean 'nedc'?)"),
        ("{expect: 'vehicle.Sped > 1'}", "expect: column 1: unknown data bus entry 'vehicle.Sped'"),
        ("{wait: {until: '1 +', timeout: 1}}", "wait.until: column"),
        ("{frame: {bus: cam, message: EngineData1}, within: 1}", "frame.bus: unknown bus 'cam'"),
        ("{absent: {bus: can, message: EngineData}, for: 1}", "absent.message: unknown message"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, step: str, reason: str) -> None:
    with pytest.raises(InvalidFileError) as error:
        Rig(tmp_path, f'{{expect: "1"}}\n{step}')
    assert str(error.value).startswith(f"{tmp_path}/scenario.yaml:3: steps[1].{reason}")


def test_a_trace_is_looked_for_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("time s, speed km/h\n0, 0\n10, 30\n", encoding="utf-8")
    rig = Rig(tmp_path, "{drive: {cycle: town.csv}}")
    assert rig.scenario.verdicts[0].step.title == "drive town.csv"


def test_a_step_without_a_name_is_called_by_what_it_does(tmp_path: Path) -> None:
    rig = Rig(
        tmp_path,
        """
        {set: {input.Key: 1, road.Slope: 0.1}}
        {release: [all]}
        {drive: {points: [[0, 0], [5, 20]]}}
        {fault: {kind: link, bus: can, effect: down}}
        {arm: {can: true}}
        {wait: {until: "road.Slope > 0", timeout: 1}}
        {expect: "road.Slope > 0"}
        {frame: {bus: can, message: EngineData1, signals: {EngineRpm: "> 500"}}, within: 1}
        {absent: {bus: can, message: EngineData1}, for: 1}
        {name: the end, expect: "1"}
        """,
    )
    assert [one.step.title for one in rig.scenario.verdicts] == [
        "set input.Key 1, road.Slope 0.1",
        "release all",
        "drive 2 points",
        "fault link can down",
        "arm can 1",
        "wait road.Slope > 0",
        "expect road.Slope > 0",
        "frame can.EngineData1 EngineRpm > 500",
        "absent can.EngineData1",
        "the end",
    ]


def scenario(folder: Path, text: str) -> Path:
    file = folder / "what.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_trace_becomes_its_points(tmp_path: Path) -> None:
    """In the unit of `points`, km/h, whatever the file has; the rest stays as it is written."""
    (tmp_path / "trace.csv").write_text("time s, speed m/s\n0, 0\n10, 10\n20, 5\n")
    file = scenario(tmp_path, "steps:\n  - drive: {cycle: trace.csv, tolerance: 3}\n  - {expect: '1'}\n")
    assert resolved(load_scenario(str(file))) == {
        "steps": [
            {"drive": {"points": [[0.0, 0.0], [10.0, 36.0], [20.0, 18.0]], "tolerance": 3}},
            {"expect": "1"},
        ]
    }


def test_a_cycle_for_which_nothing_is_read_stays_a_name(tmp_path: Path) -> None:
    file = scenario(tmp_path, "steps:\n  - drive: {cycle: nedc}\n")
    assert resolved(load_scenario(str(file))) == {"steps": [{"drive": {"cycle": "nedc"}}]}


@pytest.mark.parametrize(
    ("trace", "words"),
    [("", "no cycle and no file 'trace.csv'"), ("time s, speed km/h, gear\n0, 0, 1\n9, 9, 1\n", "prescribes gears")],
)
def test_what_cannot_be_sent_is_told_with_its_line(tmp_path: Path, trace: str, words: str) -> None:
    if trace:
        (tmp_path / "trace.csv").write_text(trace)
    file = scenario(tmp_path, "steps:\n  - {expect: '1'}\n  - drive: {cycle: trace.csv}\n")
    with pytest.raises(InvalidFileError, match=words) as raised:
        resolved(load_scenario(str(file)))
    assert str(raised.value).startswith(f"{file}:3: steps[1].drive.cycle: ")
