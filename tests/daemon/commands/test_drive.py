"""`hilbridge drive VEHICLE --cycle NAME|FILE`."""

import json
from pathlib import Path

import pytest

from hilbridge.commands.cli import main


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A vehicle and a short trace."""
    vehicle, trace = tmp_path / "car.yaml", tmp_path / "trip.csv"
    vehicle.write_text("name: the [bold] one\nengine: {can_stall: true}\n")
    trace.write_text("time s,speed km/h\n0,0\n3,0\n8,18\n10,18\n15,0\n17,0\n")
    return str(vehicle), str(trace)


def test_json_is_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    """On stdout; no progress bar where there is no terminal."""
    vehicle, trace = files
    assert main(["drive", vehicle, "--cycle", trace, "--json"]) == 0
    output = capsys.readouterr()
    report = json.loads(output.out)
    assert (report["vehicle"], report["cycle"], report["time"]) == ("the [bold] one", "trip", 17.0)
    assert report["distance"] == pytest.approx(report["trace_distance"], rel=0.02)
    assert report["trace_distance"] == pytest.approx(35.0)
    assert abs(report["energy"]["residual"]) < 1e-6 * report["energy"]["throughput"]
    assert output.err == ""


def test_the_sheet_and_the_picture(capsys: pytest.CaptureFixture[str], tmp_path: Path, files: tuple[str, str]) -> None:
    vehicle, trace = files
    assert main(["drive", vehicle, "--cycle", trace, "--plot", str(tmp_path / "trip.svg")]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "the [bold] one, trip"
    assert "time 17 s" in lines
    assert (tmp_path / "trip.svg").stat().st_size > 0


def test_a_terminal_sees_a_progress_bar(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, files: tuple[str, str]
) -> None:
    """On stderr, with the name of the trace, and gone at the end."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    vehicle, trace = files
    assert main(["drive", vehicle, "--cycle", trace, "--json"]) == 0
    output = capsys.readouterr()
    assert "trip" in output.err
    assert json.loads(output.out)["cycle"] == "trip"


@pytest.mark.parametrize(
    ("cycle", "message"),
    [("nedk", "did you mean 'nedc'"), ("{trace}", "trip.csv:3: speed: 'x' is not a number")],
)
def test_a_cycle_that_cannot_be_driven_is_exit_status_2(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str], cycle: str, message: str
) -> None:
    """With file and line on stderr, and nothing on stdout."""
    vehicle, trace = files
    Path(trace).write_text("time s,speed km/h\n0,0\n3,x\n")
    assert main(["drive", vehicle, "--cycle", cycle.format(trace=trace)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert message in output.err


def test_a_picture_of_an_unknown_kind_is_refused_before_driving(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    vehicle, trace = files
    assert main(["drive", vehicle, "--cycle", trace, "--plot", "x.pdf"]) == 2
    assert ".svg or .png" in capsys.readouterr().err


def test_a_cycle_of_one_s_own_begins_cold_or_warm(capsys: pytest.CaptureFixture[str], files: tuple[str, str]) -> None:
    """A cold engine rubs more: (T_warm/T)^3.5 of the friction."""
    vehicle, trace = files
    Path(vehicle).write_text("name: car\nengine: {can_stall: true}\ncold: {friction_exponent: 3.5}\n", encoding="utf-8")
    fuel = {}
    for way in ((), ("--warm",), ("--no-warm",)):
        assert main(["drive", vehicle, "--cycle", trace, "--json", *way]) == 0
        fuel[way] = json.loads(capsys.readouterr().out)["consumption_in_l_per_100_km"]
    assert fuel[()] == fuel["--no-warm",] > 1.2 * fuel["--warm",]
