"""`hilbridge perform VEHICLE`; what it measures is tested in tests/daemon/desk/perform."""

import json
from pathlib import Path

import pytest

from hilbridge.bench.drive.series import TimeSeries
from hilbridge.commands.cli import main
from hilbridge.desk.perform.measurement import Figure, Measurement

SHORT = Measurement([Figure("to_100", 9.0, None)], {"idle": TimeSeries(), "braking": TimeSeries()}, complete=True)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the cycles that a measurement was asked for; it measures nothing."""
    names: list[list[str]] = []

    def measure(_build: object, _settings: object, cycles: list[object], **_: object) -> Measurement:
        names.append([cycle.name for cycle in cycles])  # type: ignore[attr-defined]
        return SHORT

    monkeypatch.setattr("hilbridge.commands.perform.measure", measure)
    return names


def test_it_prints_a_table_and_writes_what_is_asked_for(
    asked: list[list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The cycles are those that can be driven here, so the NEDC at least."""
    files = ["--csv", str(tmp_path / "runs.csv"), "--plot", str(tmp_path / "runs.svg")]
    assert main(["perform", "compact", *files]) == 0
    assert "0 to 100 km/h" in capsys.readouterr().out
    assert (tmp_path / "runs.csv").read_text(encoding="utf-8").startswith("run,time s,")
    assert (tmp_path / "runs.svg").stat().st_size > 0
    assert "nedc" in asked[0]


def test_cycles_are_named_or_none(asked: list[list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trip = tmp_path / "trip.csv"
    trip.write_text("time s,speed km/h\n0,0\n10,36\n")
    assert main(["perform", "compact", "--cycle", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["figures"][0]["measured"] == 9.0
    assert main(["perform", "compact", "--cycle", "nedc", "--cycle", str(trip)]) == 0
    assert asked == [[], ["nedc", "trip"]]


def test_what_cannot_be_measured_is_exit_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With the reason, before anything is driven."""
    car = tmp_path / "car.yaml"
    car.write_text("published: {to_100: 6.8, top_speed_in_gear: [40, fast]}\n")
    for words, reason in (
        (["compact", "--cycle", "nedk"], "did you mean 'nedc'"),
        (["compact", "--csv", "x.mf4"], ".csv, not 'x.mf4'"),
        (["compact", "--plot", "x.pdf"], ".svg or .png"),
        ([str(car)], "car.yaml:1: published.top_speed_in_gear[1]"),
    ):
        assert main(["perform", *words]) == 2
        assert reason in capsys.readouterr().err


def test_assumptions_are_counted_and_driven_when_asked_for(
    asked: list[list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without cycles there is nothing to say about fuel."""
    car, trip = tmp_path / "car.yaml", tmp_path / "trip.csv"
    car.write_text("wheels:\n  rolling_resistance: 0.01 # assumed\n")
    trip.write_text("time s,speed km/h\n0,0\n5,18\n")
    assert main(["perform", str(car), "--cycle", str(trip)]) == 0
    assert "assumed in this file: 1 values" in capsys.readouterr().out
    assert main(["perform", str(car), "--cycle", str(trip), "--assumed"]) == 0
    assert "wheels.rolling_resistance" in capsys.readouterr().out
    assert main(["perform", str(car), "--cycle", "none"]) == 0
    assert "assumed" not in capsys.readouterr().out
    assert len(asked) == 3
