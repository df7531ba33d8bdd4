"""`hilbridge replay --until --branch`: with the same inputs a branch is the straight run to the byte."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from hilbridge.boundary.record.boundary_records import COMMAND, END, FRAME, FrameRecord
from hilbridge.boundary.record.recording import Recording
from hilbridge.commands.cli import main
from hilbridge.frames.codec.frame import Frame

from ..program import demo_bench
from .test_lockstep import IN_PYTHON

Record = tuple[int, int, bytes]

FIRST: Final = """\
steps:
  - set: {input.Key: 1}
  - wait: {until: "vehicle.EngineWorking", timeout: 5}
  - set: {input.Key: 0, input.Throttle: 0.6}
  - fault: {kind: frame, bus: powertrain, message: EngineData1, effect: drop, probability: 0.5, for: 0.4}
  - fault: {kind: signal, bus: powertrain, message: ChassisData, signal: Speed, effect: offset, value: 3}
    name: wrong
  - send: {bus: powertrain, message: 0x321, data: "01 02"}
    every: 0.03
    for: 0.2
"""
SECOND: Final = """\
  - wait: {until: "vehicle.EngineRpm > 2500", timeout: 3}
  - set: {input.Throttle: 0}
    over: 0.2
  - clear: all
  - expect: "vehicle.EngineRpm < 2000"
    within: 2
"""

TESTER: Final = """\
steps:
  - set: {input.Key: 1}
  - wait: {until: "vehicle.EngineWorking", timeout: 5}
  - uds: {request: extended session, answer: "50 03 .. .. .. .."}
  - fault: {kind: diagnostics, unit: engine, effect: late, delay: 5, jitter: 40}
  - fault: {kind: diagnostics, unit: engine, effect: wrong-padding, value: 0, every: 2}
  - repeat:
      times: 4
      steps:
        - uds: {request: "22 F1 90", answer: "62 F1 90 *"}
  - clear: all
  - uds: {request: "3E 00", answer: "7E 00"}
"""

TRUCK: Final = """\
steps:
  - set: {input.Key: 0}
  - repeat:
      times: 4
      steps:
        - send: {bus: truck, message: 0x18EAFFF9, data: "EB FE 00"}
          after: 0.13
"""
"""Everybody is asked for its component identification (PGN 65259), which takes a transport of several frames."""


def recorded(folder: Path, bench: str | Path, text: str, *words: str) -> Path:
    """Record a scenario on the virtual clock."""
    folder.mkdir(exist_ok=True)
    (folder / "played.yaml").write_text(text, encoding="utf-8")
    start = ["run", str(bench), "--clock", "virtual", "--scenario", str(folder / "played.yaml"), "--log", "json"]
    assert main([*start, "--record", str(folder / "straight"), *words]) == 0
    return folder / "straight"


def records(recording: Path) -> list[Record]:
    """All that crossed the boundary but the statistics of the end."""
    return [(each.t, each.kind, each.payload) for each in Recording(recording).records() if each.kind != END]


def frames(recording: Path) -> list[tuple[int, Frame]]:
    return [(t, FrameRecord.decode(payload).frame) for t, kind, payload in records(recording) if kind == FRAME]


def branched(recording: Path, into: Path, until: float, *words: object, status: int = 0) -> None:
    order = ["replay", str(recording), "--until", str(until), "--branch", str(into), "--trust"]
    assert main([*order, *map(str, words)]) == status


@pytest.fixture(scope="module")
def drive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A car with a control unit in lockstep, faults of chance, frames sent again and again, and waiting steps."""
    folder = tmp_path_factory.mktemp("branch")
    (folder / "unit.py").write_text(IN_PYTHON, encoding="utf-8")
    bench = demo_bench(folder, ("rate: 1000 ", "rate: 200 "))
    client = "lockstep: {unit: {bus: powertrain, program: unit.py}}"
    bench.write_text(f"{bench.read_text(encoding='utf-8')}\n{client}\n", encoding="utf-8")
    return recorded(folder / "drive", bench, FIRST + SECOND, "--trust")


@pytest.mark.parametrize("until", [0, 0.3, 0.9, 1.105, 1.4, 2.0])
def test_a_branch_with_the_rest_of_the_inputs_is_the_straight_run(drive: Path, tmp_path: Path, until: float) -> None:
    """Within waits and ramps, with faults active; the control unit is brought back by what it heard."""
    branched(drive, tmp_path / "branch", until, "--rest")
    assert records(tmp_path / "branch") == records(drive)
    assert main(["replay", str(tmp_path / "branch")]) == 0


@pytest.mark.parametrize(("bench", "text"), [("diagnostics", TESTER), ("truck", TRUCK)], ids=["uds", "j1939"])
def test_sessions_and_transports_go_on_in_a_branch(
    bench: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """At times between two frames of one message, in the extended session with late answers."""
    straight = recorded(tmp_path / bench, bench, text)
    sent = frames(straight)
    if bench == "truck":
        parts = [t for t, frame in sent if frame.can_id & 0x1FFF0000 in (0x1CEB0000, 0x18EB0000)]
    else:
        parts = [t for t, frame in sent if frame.can_id == 0x7E8 and frame.data[0] >> 4 == 2]
    assert len(parts) > 6
    for number, t in enumerate((parts[0], parts[len(parts) // 2], parts[-1])):
        branched(straight, tmp_path / str(number), t / 1e9, "--rest")
        assert records(tmp_path / str(number)) == records(straight)
    capfd.readouterr()


def test_a_scenario_in_the_branch_is_the_second_half_of_one_in_the_run(drive: Path, tmp_path: Path) -> None:
    """Up to a step that waits the recording, from there on the steps: all frames and commands are those of the run."""
    sends = [t for t, kind, payload in records(drive) if kind == COMMAND and b'"send"' in payload]
    begin = sends[0] + 200_000_000  # the step lasts 0.2 s; what follows it begins in the same tick
    (tmp_path / "second.yaml").write_text("steps:\n" + SECOND, encoding="utf-8")
    branched(drive, tmp_path / "branch", begin / 1e9, "--scenario", tmp_path / "second.yaml")
    assert records(tmp_path / "branch") == records(drive)


def test_other_inputs_make_another_end_of_the_same_beginning(drive: Path, tmp_path: Path) -> None:
    """Full throttle from 1.2 s on: the same frames before it, and a faster engine, which the control unit hears."""
    branched(drive, tmp_path / "branch", 1.2, "--set", "input.Throttle=1", "--duration", 1)
    straight, branch = records(drive), records(tmp_path / "branch")
    assert [each for each in branch if each[0] < 1_200_000_000] == [
        each for each in straight if each[0] < 1_200_000_000
    ]
    assert max(t for t, *_ in branch) == 2_195_000_000
    ordered = [json.loads(payload) for t, kind, payload in branch if kind == COMMAND and t == 1_200_000_000]
    assert ordered == [{"command": "set", "entry": "input.Throttle", "value": 1, "by": "branch"}]
    speeds = [
        {t: int.from_bytes(frame.data[:2], "little") / 4 for t, frame in frames(one) if frame.can_id == 0x100}
        for one in (drive, tmp_path / "branch")
    ]
    common = max(speeds[0].keys() & speeds[1].keys())
    assert speeds[1][common] > speeds[0][common] + 1000
    assert main(["replay", str(tmp_path / "branch")]) == 0


def test_the_verdict_of_the_scenario_is_that_of_the_command(
    drive: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "slow.yaml").write_text("steps: [{expect: 'vehicle.EngineRpm < 100'}]\n", encoding="utf-8")
    branched(drive, tmp_path / "branch", 1.2, "--scenario", tmp_path / "slow.yaml", "--json", status=1)
    said: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert (said["identical"], said["branch"]["report"]["rows"][0]["outcome"]) == (True, "failed")
    assert Recording(tmp_path / "branch").manifest["complete"] is True


def test_a_control_unit_that_answers_otherwise_makes_no_branch(
    drive: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Its program was exchanged in the recording: the first frame that differs is shown, and nothing is left."""
    shutil.copytree(drive, tmp_path / "other")
    program = tmp_path / "other/bench/unit.py"
    program.write_text(IN_PYTHON.replace("16777619", "16777617"), encoding="utf-8")
    branched(tmp_path / "other", tmp_path / "branch", 1, "--rest", status=1)
    said = capfd.readouterr().out
    assert "changed since it was recorded: unit.py" in said
    assert "the first difference: tick 0, bus powertrain" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]


def test_a_branch_of_a_recording_of_another_build_says_so(
    drive: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is made where this build computes the same frames up to there, as it does here; the straight run goes on."""
    other = tmp_path / "other"
    shutil.copytree(drive, other)
    manifest = json.loads((other / "manifest.json").read_text(encoding="utf-8"))
    manifest["software"]["hilbridge"] = "0.0.1"
    (other / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    branched(other, tmp_path / "branch", 1, "--rest")
    assert "another build: hilbridge was 0.0.1, is " in capfd.readouterr().out
    assert records(tmp_path / "branch") == records(drive)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--until", "100", "--branch", "new", "--rest"), "straight ends at "),
        (("--until", "100"), "straight ends at "),
        (("--branch", "new", "--rest"), "--until S"),
        (("--until", "1", "--rest"), "--rest is of a branch"),
        (("--until", "1", "--branch", "new"), "say for how long with --duration"),
        (("--until", "1", "--branch", "new", "--rest", "--set", "input.Brak=1"), "did you mean input.Brake?"),
        (("--until", "1", "--branch", "new", "--rest", "--set", "input.Brake=7"), "input.Brake"),
        (("--until", "1", "--branch", "new", "--rest", "--set", "Brake=1"), "an entry has a channel"),
        (("--until", "1", "--branch", "drive", "--rest"), "already holds a recording"),
        (("--until", "1", "--branch", "new", "--scenario", "started.yaml"), "started.yaml:1: start:"),
        (("--until", "1", "--branch", "new", "--scenario", "wrong.yaml"), "wrong.yaml:1: steps[0].expect: column 1"),
    ],
)
def test_a_wrong_order_is_an_error_and_leaves_nothing(
    drive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drive").symlink_to(drive)
    (tmp_path / "started.yaml").write_text("start: {speed: 50}\nsteps: [{expect: 'vehicle.Speed > 1'}]\n")
    (tmp_path / "wrong.yaml").write_text("steps: [{expect: 'vehicle.Sped > 1'}]\n")
    assert main(["replay", str(drive), *words, "--trust"]) == 2
    assert reason in capfd.readouterr().err
    assert not any(path.name.startswith("new") for path in tmp_path.iterdir())
