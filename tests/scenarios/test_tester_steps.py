"""Scenarios that ask control units: every step on a packaged bench, and the recording of such a run."""

import json
from pathlib import Path

import pytest

from ..program import hilbridge

PASSING = """\
steps:
  - set: {input.Key: 1}
  - wait: {until: "vehicle.EngineWorking", timeout: 5}
  - set: {input.Key: 0}
  - uds: {request: "22 F1 90", answer: "62 F1 90 *"}
  - uds: {request: extended session, answer: "50 03 .. .. .. .."}
  - uds: {ecu: engine, request: "22 00 00", refused: 0x31}
  - obd: {pid: 0x0C, value: "> 300"}
  - obd: {pid: 0x0D, value: 0}
  - obd: {pid: 0x05, value: [-40, 120]}
  - obd: {pid: 0x00, data: ".. .. .. .."}
  - dtc: {code: P0301, state: absent}
  - set-dtc: {code: P0301}
  - dtc: {code: P0301, state: pending}
    within: 1
  - set-dtc: {code: P0171, result: held}
  - uds: {request: "14 FF FF FF", answer: "54"}
  - dtc: {code: P0171, state: failing}
    within: 1
  - set-dtc: {code: P0171, result: passed}
  - set-dtc: {code: P0420, result: stored}
  - dtc: {code: P0420, state: stored}
    within: 1
  - clear-dtc: engine
  - dtc: {code: P0301, state: absent}
    within: 1
"""

FAILING = """\
steps:
  - set: {input.Key: 0}
  - uds: {request: "22 F1 90", answer: "62 F1 91 *"}
    after: 0.5
  - uds: {request: "22 00 00"}
  - uds: {request: tester present, refused: 0x31}
  - uds: {bus: powertrain, request-id: 0x7A0, response-id: 0x7A8, request: "10 03"}
    within: 0.2
  - obd: {pid: 0x0C, value: "> 300"}
  - dtc: {code: P0301}
    within: 0.1
"""


def scenario(folder: Path, text: str) -> Path:
    file = folder / "tester.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def run(folder: Path, text: str, *options: object) -> tuple[int, str]:
    play = hilbridge("run", "diagnostics", "--clock", "virtual", "--scenario", scenario(folder, text), *options)
    return play.returncode, play.stdout + play.stderr


DISTURBED = """\
  - fault: {kind: diagnostics, unit: engine, effect: late, delay: 5, jitter: 40}
  - fault: {kind: diagnostics, unit: engine, effect: pending, count: 2, interval: 20, probability: 0.5}
  - fault: {kind: diagnostics, unit: engine, effect: wrong-padding, value: 0, every: 2}
  - fault: {kind: diagnostics, unit: transmission, effect: babble, interval: 7}
  - repeat:
      times: 5
      steps:
        - uds: {request: "22 F1 90", answer: "62 F1 90 *"}
  - fault: {kind: diagnostics, unit: engine, effect: lost-frame, frame: 2, requests: 1}
  - uds: {request: "22 F1 90"}
    background: true
    within: 0.5
  - after: 0.2
    clear: all
  - uds: {request: "3E 00", answer: "7E 00"}
    after: 1.2
"""


def test_faults_of_chance_are_replayed_to_the_byte(tmp_path: Path) -> None:
    """Answers late and put off at random, and babbling; the one that loses a frame is not answered."""
    text = "steps:\n  - set: {input.Key: 0}\n  - expect: input.Key == 0\n    after: 0.1\n" + DISTURBED
    status, told = run(tmp_path, text, "--record", tmp_path / "recording", "--report", tmp_path / "report.json")
    (report,) = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    failed = [step for step in report["rows"] if step["outcome"] != "passed"]
    assert (status, [step["title"] for step in failed]) == (1, ["uds 22 F1 90"]), told
    assert failed[0]["seen"].startswith("no answer in")
    assert "fault over" in told
    replay = hilbridge("replay", tmp_path / "recording")
    assert replay.stdout.startswith("identical"), replay.stdout


def test_control_units_answer_and_a_replay_repeats_the_questions(tmp_path: Path) -> None:
    """An answer in several frames too, to which a scenario sends flow control."""
    status, told = run(tmp_path, PASSING, "--record", tmp_path / "recording")
    assert status == 0, told
    replay = hilbridge("replay", tmp_path / "recording")
    assert replay.stdout.startswith("identical"), replay.stdout


def test_what_is_answered_otherwise_fails_with_the_answer(tmp_path: Path) -> None:
    status, told = run(tmp_path, FAILING, "--report", tmp_path / "report.xml")
    report = (tmp_path / "report.xml").read_text(encoding="utf-8")
    assert (status, "1 of 7 steps passed" in told) == (1, True), told
    for seen in ("62 F1 90", "7F 22 31", "7E 00", "no answer in 0.2 s", "EngineRPM = 0 rpm", "absent"):
        assert seen in report


@pytest.mark.nightly
def test_what_no_bench_has_is_told_with_its_line(tmp_path: Path) -> None:
    """A control unit, a code, a value of a PID that has several; text that is no request."""
    steps = {
        "uds: {ecu: engin, request: '3E 00'}": "ecu: unknown control unit 'engin'",
        "dtc: {code: P3FFF}": "code: unknown code of engine 'P3FFF'",
        "dtc: {ecu: engin, code: P0301}": "ecu: unknown control unit 'engin'",
        "obd: {pid: 0x41, value: 1}": "value: PID 41 has",
    }
    for step, reason in steps.items():
        status, told = run(tmp_path, f"steps:\n  - {step}\n")
        key = step.partition(":")[0]
        assert (status, f"tester.yaml:2: steps[0].{key}.{reason}" in told) == (2, True), told
    wrong = "".join(
        f"  - uds: {{{keys}}}\n"
        for keys in ("request: '3E 0'", "request: '3E 00', answer: '7E ...'", "request: '3E 00', bus: powertrain")
    )
    _, told = run(tmp_path, f"steps:\n{wrong}")
    for line, reason in (
        (2, "steps[0].uds.request: '3E 0' is not in hexadecimal"),
        (3, "steps[1].uds.answer: '7E ...' is no pattern"),
        (4, "steps[2].uds.request-id: is missing"),
    ):
        assert f"tester.yaml:{line}: {reason}" in told, told
