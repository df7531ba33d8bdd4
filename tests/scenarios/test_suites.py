"""Several scenarios in one call: each in a run of its own, one table, one JUnit file."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ..program import PATIENCE, hilbridge

PASSING = (
    "parameters: {rpm: 50}\nsteps:\n  - set: {input.Key: 1}\n  - expect: 'vehicle.EngineRpm > ${rpm}'\n    within: 2\n"
)
FAILING = "steps:\n  - expect: 'input.Key == -1'\n  - name: Never\n    expect: 'vehicle.Speed > 10'\n"
SILENT = "steps:\n  - frame: {bus: powertrain, message: 0x7E0}\n    within: 0.1\n    occasion: 0.1\n"
UNTRIED = SILENT.replace("0x7E0", '0x100, data: "FF"')
UNFIT = "steps:\n  - arm: {cam: true}\n"


def folder(where: Path, **scenarios: str) -> Path:
    """A folder of scenarios, and a file that is none."""
    suite = where / "suite"
    suite.mkdir()
    for name, text in scenarios.items():
        (suite / f"{name}.yaml").write_text(text, encoding="utf-8")
    (suite / "bench.yaml").write_text("name: desk\nvehicle: compact\n", encoding="utf-8")
    return suite


def suites(report: Path) -> list[tuple[str | None, ...]]:
    return [
        tuple(suite.get(key) for key in ("name", "tests", "failures", "errors")) for suite in ET.parse(report).getroot()
    ]


@pytest.mark.nightly
def test_a_folder_is_a_suite(tmp_path: Path) -> None:
    """In the order of the names; none sees what another one left: the key is off in `second` again."""
    suite, report = folder(tmp_path, first=PASSING, second=FAILING, third=UNFIT), tmp_path / "report.xml"
    page, pictures = tmp_path / "report.html", tmp_path / "pictures"
    outputs = ("--report", report, "--report", page, "--plot", pictures)
    run = hilbridge("run", "demo", "--clock", "virtual", "--scenario", suite, *outputs)
    assert run.returncode == 1, run.stderr
    assert [picture.name for picture in sorted(pictures.iterdir())] == ["first.svg", "second.svg"]
    text = page.read_text(encoding="utf-8")
    assert f"<code>hilbridge run demo --scenario {suite}/second.yaml --clock virtual</code>" in text
    assert text.count("<svg") == 2
    head, *rows, end = run.stdout.splitlines()
    assert head.split() == ["scenario", "verdict", "steps", "passed", "time", "s", "first", "failure"]
    assert [row.split()[:5] for row in rows] == [
        ["first", "passed", "2", "of", "2"],
        ["second", "failed", "1", "of", "2"],
        ["third", "error", "0", "of", "1"],
    ]
    assert "line 3: Never: at 0.000 s: vehicle.Speed = 0 m/s" in rows[1]
    assert "third.yaml:2: steps[0].arm.cam: unknown bus 'cam'" in rows[2]
    assert end == "1 of 3 scenarios passed"
    assert suites(report) == [("first", "2", "0", "0"), ("second", "2", "1", "0"), ("third", "1", "0", "1")]
    assert ET.parse(report).find("testsuite/properties/property[@name='rpm'][@value='50']") is not None
    assert "2 of 3: second ... failed" in run.stderr


def test_several_files_are_a_suite_with_parameters_and_recordings(tmp_path: Path) -> None:
    """A parameter is for the scenarios that have it; each has a recording of its own, which can be replayed."""
    suite = folder(tmp_path, first=PASSING, other=PASSING.replace("rpm", "least"))
    files = ("--scenario", suite / "first.yaml", "--scenario", suite / "other.yaml")
    options = ("--clock", "virtual", "--set", "rpm=1e6", "--record", tmp_path / "recordings")
    run = hilbridge("run", "demo", *files, *options)
    assert run.stdout.endswith("1 of 2 scenarios passed\n"), run.stdout + run.stderr
    assert hilbridge("replay", tmp_path / "recordings/other").stdout.startswith("identical")
    wrong = hilbridge("run", "demo", *files, "--clock", "virtual", "--set", "rmp=3")
    assert (wrong.returncode, "no scenario has the parameter 'rmp'" in wrong.stderr) == (2, True)


def test_mistakes_of_all_files_are_told_before_the_first_run(tmp_path: Path) -> None:
    suite = folder(tmp_path, first=PASSING, second="steps:\n  - expects: 1\n", third="steps:\n  - {}\n")
    run = hilbridge("run", "demo", "--clock", "virtual", "--scenario", suite)
    assert run.returncode == 2
    assert all(f"{name}.yaml:2: steps[0]" in run.stderr for name in ("second", "third"))
    assert "1 of 3" not in run.stderr


@pytest.mark.parametrize(
    ("scenarios", "status", "said"),
    [
        ({"first": PASSING, "second": UNTRIED}, 0, ["1 of 2 scenarios passed, 1 not tried"]),
        ({"first": UNTRIED, "second": UNTRIED}, 1, ["0 of 2 scenarios passed, 2 not tried"]),
        (
            {"first": PASSING, "second": SILENT, "third": PASSING},
            1,
            ["1 of 3 scenarios passed, 1 not tried", "the tester is silent: the suite ends here"],
        ),
    ],
    ids=["not tried", "nothing tried", "silent"],
)
def test_not_tried_is_a_verdict_and_silence_ends_a_suite(
    tmp_path: Path, scenarios: dict[str, str], status: int, said: list[str]
) -> None:
    """A suite is green where something has passed and nothing failed; one that a silent tester ends is not."""
    report = tmp_path / "report.xml"
    suite = folder(tmp_path, **scenarios)
    run = hilbridge("run", "demo", "--clock", "virtual", "--scenario", suite, "--report", report)
    assert (run.returncode, run.stdout.splitlines()[-len(said) :]) == (status, said), run.stderr
    assert "third" not in run.stdout
    last = ET.parse(report).getroot()[-1]
    assert (last.get("failures"), last.get("errors"), last.get("skipped")) == ("0", "0", "1")


def test_ctrl_c_keeps_the_verdicts_so_far(tmp_path: Path) -> None:
    """The one that is played is cut off in good order, the others are not begun; exit status 130."""
    endless = "steps:\n  - wait: {until: 'vehicle.Speed > 10', timeout: 1e6}\n"
    suite, report = folder(tmp_path, first=PASSING, second=endless, third=PASSING), tmp_path / "report.xml"
    command = ["run", "demo", "--clock", "virtual", "--scenario", suite, "--report", report]
    arguments = [sys.executable, "-m", "hilbridge", *map(str, command)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = ""
        while "2 of 3: second" not in told:
            told += process.stderr.read(1)
        deadline = time.monotonic() + PATIENCE
        while not _plays(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert [row.split()[:2] for row in out.splitlines()[1:-1]] == [["first", "passed"], ["second", "failed"]]
    assert suites(report) == [("first", "2", "0", "0"), ("second", "1", "0", "1")]


def _plays(pid: int) -> bool:
    """Whether the run of this suite has an observer, and with it the handlers of its signals."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return any(Path(f"/proc/{child}/task/{child}/children").read_text() for child in children)


def test_a_scenario_whose_recording_would_lie_elsewhere_is_refused(tmp_path: Path) -> None:
    """`...yaml` is called `..`: its recording would be written over what lies beside the folder of recordings."""
    suite = folder(tmp_path, first=PASSING, **{"..": PASSING})
    names = ("--scenario", suite / "first.yaml", "--scenario", suite / "...yaml")
    run = hilbridge("run", "demo", "--clock", "virtual", *names, "--record", tmp_path / "recordings")
    assert run.returncode == 2
    assert "the entry '..' leads out of its folder" in run.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["suite"]
