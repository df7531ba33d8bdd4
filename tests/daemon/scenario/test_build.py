"""What the bench does not have is told before the first tick, with the line of the scenario file."""

from pathlib import Path

import pytest

from hilbridge.common.errors import InvalidFileError

from .stages import Rig


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (
            "{set: {input.Throtle: 1}}",
            "set.'input.Throtle': unknown entry 'input.Throtle': did you mean input.Throttle?",
        ),
        ("{set: {input.Throttle: 2}}", "set.'input.Throttle': 2 is not within 0..1"),
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
