"""`hilbridge fit TARGETS`."""

import json
from pathlib import Path

import pytest
import yaml

from hilbridge.commands.cli import main
from hilbridge.desk.fit import result
from hilbridge.desk.fit.model import Model
from hilbridge.desk.fit.solver import Found, Progress, solve

ROADSTER = "name: the [bold] one\ndisplacement: 2.0\ntorque: {value: 200, rpm: 4600}\npower: {value: 118, rpm: 6000}\n"
IMPOSSIBLE = ROADSTER.replace("118", "160")
"""255 Nm at 6000 rpm."""


@pytest.fixture
def targets(tmp_path: Path) -> Path:
    file = tmp_path / "targets.yaml"
    file.write_text(ROADSTER)
    return file


def test_the_engine_is_printed_drawn_and_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, targets: Path
) -> None:
    """The file is a vehicle file that `hilbridge engine` reads; each value says where it comes from."""
    picture, engine = tmp_path / "fit.svg", tmp_path / "engine.yaml"
    more = "idle: {rpm: 750}\nfixed: {inertia: 0.15}\nlimiter_rpm: 6800\nfriction: [{rpm: 3000, torque: 30}]\n"
    targets.write_text(ROADSTER + more)
    assert main(["fit", str(targets), "--plot", str(picture), "--output", str(engine)]) == 0
    output = capsys.readouterr()
    lines = [" ".join(line.split()) for line in output.out.splitlines()]
    assert lines[0] == "the [bold] one"
    assert any(line.startswith("maximum torque 200 ") for line in lines)
    assert any(line.startswith("friction_torque ") for line in lines)
    assert output.err == ""
    assert "<!-- engine speed, rpm -->" in picture.read_text(encoding="utf-8")
    comments = {line.split(":")[0].strip(): line.partition("# ")[2] for line in engine.read_text().splitlines()}
    assert comments["idle_rpm"] == comments["rpm_limiter_max"] == "target"
    assert comments["inertia"] == "given"
    assert comments["fuel_density"] == "assumed for petrol"
    assert comments["peak_rpm_torque"].startswith("fitted, ±")
    assert comments["indicated_efficiency"].startswith("assumed, ±")
    assert main(["engine", str(engine), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["specifications"]["max_power_in_kw"] == pytest.approx(118, rel=0.01)


def test_json_is_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str], targets: Path) -> None:
    assert main(["fit", str(targets), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["complete"], report["well_formed"], report["targets_met"]) == (True, True, True)
    assert [goal["wanted"] for goal in report["goals"]] == [200, 4600, 118, 6000]
    assert report["parameters"]["friction_torque"]["assumed"]
    assert report["to_blame"] == []


def test_contradicting_targets_are_exit_status_1_with_their_lines(
    capsys: pytest.CaptureFixture[str], targets: Path
) -> None:
    targets.write_text(IMPOSSIBLE)
    assert main(["fit", str(targets)]) == 1
    text = capsys.readouterr().out
    assert "These contradict each other; without any one of them all others can be met:" in text
    assert f"{targets}:3: torque" in text
    assert f"{targets}:4: power" in text


def test_a_malformed_engine_is_refused_and_not_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, targets: Path
) -> None:
    targets.write_text(ROADSTER + "fixed: {peak_rpm: 7000.0, max_rpm: 6500.0}\n")
    assert main(["fit", str(targets), "--output", str(tmp_path / "engine.yaml")]) == 1
    assert "Refused" in capsys.readouterr().out
    assert not (tmp_path / "engine.yaml").exists()


def test_ctrl_c_keeps_the_best_engine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, targets: Path
) -> None:
    """It is reported and written, and the exit status is 130."""

    def interrupted(model: Model, seed: int, progress: Progress | None) -> Found:
        def interrupt(what: str, done: float) -> None:
            if done > 0.3:
                raise KeyboardInterrupt

        return solve(model, seed, interrupt)

    monkeypatch.setattr(result, "solve", interrupted)
    assert main(["fit", str(targets), "--output", str(tmp_path / "engine.yaml")]) == 130
    assert "Interrupted" in capsys.readouterr().out
    assert yaml.safe_load((tmp_path / "engine.yaml").read_text())["engine"]["peak_rpm_torque"] > 150


def test_a_terminal_sees_a_progress_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, targets: Path
) -> None:
    """On stderr, and gone at the end."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert main(["fit", str(targets), "--json"]) == 0
    output = capsys.readouterr()
    assert "searching" in output.err
    assert json.loads(output.out)["targets_met"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "x.pdf"], ".svg or .png"),
        (["--output", "nowhere/x.yaml"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_search(
    capsys: pytest.CaptureFixture[str], targets: Path, arguments: list[str], message: str
) -> None:
    assert main(["fit", str(targets), *arguments]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err
