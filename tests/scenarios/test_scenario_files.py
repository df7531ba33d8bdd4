"""Scenarios through the real program: those that are shipped, and what a run says of one that fails."""

from pathlib import Path
from xml.dom import minidom

import pytest

from hilbridge.base.resources import Kind, names
from hilbridge.files.configuration.scenariofile import load_scenario
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.testing import VirtualBench
from vehiclesim.parameters import ElectricTopology

from ..program import demo_bench, hilbridge


def play(bench: Path, scenario: object, *arguments: object) -> tuple[int, str]:
    """Exit status and report of a run on the virtual clock; the log is beside it, on the standard error."""
    run = hilbridge("run", bench, "--clock", "virtual", "--scenario", scenario, *arguments)
    assert all(line.startswith('{"t": ') for line in run.stderr.splitlines()), run.stderr
    assert "{" not in run.stdout
    return run.returncode, run.stdout


def other_vehicle(folder: Path, vehicle: str) -> Path:
    """The demo bench with another vehicle, at a fifth of its rate."""
    return demo_bench(folder, ("vehicle: compact", f"vehicle: {vehicle}"), ("rate: 1000 ", "rate: 200 "))


def is_meant_for(name: str, vehicle: str) -> bool:
    """Whether it has a gearbox that the scenario names, and its key starts an engine if the scenario speaks of one."""
    scenario, car = load_scenario(name), load_vehicle(vehicle).settings
    starts = car.electric.topology in {ElectricTopology.NONE, ElectricTopology.P0_HYBRID}
    gearboxes = scenario.settings.gearboxes
    speaks_of_engine = "vehicle.Engine" in scenario.path.read_text(encoding="utf-8")
    return (gearboxes is None or car.gearbox.type.value in gearboxes) and (starts or not speaks_of_engine)


@pytest.mark.parametrize("name", names(Kind.SCENARIO))
@pytest.mark.parametrize("vehicle", names(Kind.VEHICLE))
def test_shipped_scenarios_pass_on_every_vehicle_that_they_are_meant_for(
    tmp_path: Path, name: str, vehicle: str
) -> None:
    """In this process, which plays them as the program does."""
    if is_meant_for(name, vehicle):
        with VirtualBench(other_vehicle(tmp_path, vehicle)) as bench:
            report = bench.play(name)
            assert report.passed, report


@pytest.mark.nightly("hill", "game", "lost-frames")
@pytest.mark.parametrize("name", names(Kind.SCENARIO))
def test_shipped_scenarios_pass_on_the_demo_bench(tmp_path: Path, name: str) -> None:
    """As it is: at 1000 ticks per second."""
    status, report = play(demo_bench(tmp_path), name)
    assert status == 0, report
    assert f"scenario {name} passed" in report


def test_a_vehicle_that_a_scenario_is_not_meant_for_is_refused_with_the_reason(tmp_path: Path) -> None:
    run = hilbridge("run", other_vehicle(tmp_path, "truck"), "--clock", "virtual", "--scenario", "hill")
    assert run.returncode == 2
    assert "hill.yaml:6: gearboxes: this scenario is meant for a manual or sequential gearbox" in run.stderr
    assert "that of truck is automatic" in run.stderr


FAILING = """\
purpose: What cannot be
steps:
  - set: {input.Key: 1}
  - name: At once
    expect: "vehicle.EngineRpm > 500"
  - name: In a while
    expect: "vehicle.EngineRpm > 500"
    within: 5
  - name: Never
    wait: {until: "vehicle.Speed > 10", timeout: 1}
  - name: The end
    set: {input.Key: -1}
"""


def scenario(folder: Path, text: str) -> Path:
    file = folder / "what.yaml"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.way_out("exit status")
def test_a_failed_scenario_is_exit_status_1_with_the_values(tmp_path: Path) -> None:
    """For people and for test servers; a failed wait ends the run."""
    xml = tmp_path / "report.xml"
    status, report = play(demo_bench(tmp_path), scenario(tmp_path, FAILING), "--report", xml)
    assert status == 1
    assert "What cannot be" in report
    assert "scenario what failed: 2 of 5 steps passed" in report
    document = minidom.parse(str(xml))
    failures = [failure.getAttribute("message") for failure in document.getElementsByTagName("failure")]
    assert failures[0].startswith("at 0.001 s: vehicle.EngineRpm = ")
    assert failures[1].endswith("after 1 s: vehicle.Speed = 0 m/s")
    assert len(document.getElementsByTagName("skipped")) == 1


def test_a_scenario_that_waits_for_a_car_that_nobody_drives_says_so(tmp_path: Path) -> None:
    """At its beginning in the log, and below its verdict; not one that drives."""
    text = "steps:\n  - wait: {until: 'vehicle.Speed > 1', timeout: 2}\n"
    waiting, driving = tmp_path / "waiting.yaml", tmp_path / "driving.yaml"
    waiting.write_text(text, encoding="utf-8")
    driving.write_text(text.replace("steps:", "steps:\n  - set: {input.Throttle: 0}"), encoding="utf-8")
    runs = [hilbridge("run", "demo", "--clock", "virtual", "--scenario", one) for one in (waiting, driving)]
    assert [run.returncode for run in runs] == [1, 1]
    assert ['"nothing drives"' in run.stderr for run in runs] == [True, False]
    assert ["note: a scenario replaces the demo driver" in run.stdout for run in runs] == [True, False]


@pytest.mark.nightly
def test_its_picture_is_the_same_each_time(tmp_path: Path) -> None:
    """Also of a scenario that fails; what cannot be drawn is reported before the run."""
    file, bench = scenario(tmp_path, FAILING), demo_bench(tmp_path)
    for name in ("one.svg", "two.svg"):
        assert play(bench, file, "--plot", tmp_path / name)[0] == 1
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    for label in ("what: What cannot be", "At once: failed", "The end: not reached", "vehicle.Speed", "rpm"):
        assert f"<!-- {label} -->" in text
    run = hilbridge("run", bench, "--clock", "virtual", "--scenario", file, "--plot", "x.pdf")
    assert (run.returncode, run.stdout) == (2, "")
    assert ".svg or .png" in run.stderr


def test_a_run_that_ends_before_its_scenario_has_failed(tmp_path: Path) -> None:
    status, report = play(demo_bench(tmp_path), "launch", "--duration", 1)
    assert status == 1
    assert "not reached" in report


def test_with_a_duration_the_run_goes_on(tmp_path: Path) -> None:
    file = scenario(tmp_path, "steps:\n  - {expect: '1'}\n")
    run = hilbridge("run", demo_bench(tmp_path), "--clock", "virtual", "--scenario", file, "--duration", 2)
    assert run.returncode == 0
    assert '"ticks": 2000' in run.stderr


def test_in_real_time_it_is_the_same(tmp_path: Path) -> None:
    """Ten times as fast, with open ports."""
    steps = """\
steps:
  - set: {input.Key: 1}
  - wait: {until: "vehicle.EngineWorking", timeout: 5}
  - frame: {bus: powertrain, message: EngineData1, signals: {EngineWorking: "Yes"}}
    within: 1
  - always: "vehicle.EngineRpm > 300"
    for: 2
"""
    bench = demo_bench(tmp_path, ("rate: 1000 ", "rate: 100 "))
    with bench.open("a", encoding="utf-8") as text:
        text.write("\ncontrol: {enabled: false}\n")
    run = hilbridge("run", bench, "--pace", 10, "--scenario", scenario(tmp_path, steps))
    assert run.returncode == 0, run.stdout
    assert "scenario what passed: 4 of 4 steps" in run.stdout


@pytest.mark.way_out("recording")
def test_a_recorded_scenario_is_replayed_to_the_byte(tmp_path: Path) -> None:
    """What a scenario does are commands: the recording has them, and needs no scenario."""
    recording = tmp_path / "recording"
    status, report = play(demo_bench(tmp_path), "lost-frames", "--record", recording)
    assert status == 0, report
    replay = hilbridge("replay", recording)
    assert (replay.returncode, "identical" in replay.stdout) == (0, True), replay.stdout


def test_mistakes_are_told_before_the_run_with_their_line(tmp_path: Path) -> None:
    file = scenario(tmp_path, "steps:\n  - {set: {input.Key: 1}}\n  - {expect: 'vehicle.Rpm > 1'}\n")
    run = hilbridge("run", demo_bench(tmp_path), "--clock", "virtual", "--scenario", file)
    assert run.returncode == 2
    assert f"{file}:3: steps[1].expect: column 1: unknown data bus entry 'vehicle.Rpm'" in run.stderr
    run = hilbridge("run", demo_bench(tmp_path), "--clock", "virtual", "--duration", 1, "--report", "x.xml")
    assert (run.returncode, "--report is of a scenario" in run.stderr) == (2, True)
