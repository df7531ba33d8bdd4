"""The fitted engine as a vehicle file."""

from dataclasses import fields
from pathlib import Path

import pytest
import yaml
from matplotlib.axes import Axes

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fit import output as module
from hilbridge.desk.fit.output import plot, write_engine
from hilbridge.desk.fit.result import FitResult
from hilbridge.desk.fit.targets import Targets
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.parameters import EngineSettings, RpmLimiterMode

from ....sim.published_engines import DEFAULT, SPORTS
from .sheets import ROADSTER, load


@pytest.fixture
def targets(tmp_path: Path) -> Targets:
    return load(tmp_path, ROADSTER.replace("roadster", "'yes: # it is'"))


def result_of(targets: Targets, engine: EngineSettings) -> FitResult:
    return FitResult(targets, engine, (), (), None, sound=True, interrupted=False)


def test_what_is_written_comes_back(tmp_path: Path, targets: Targets) -> None:
    """Every parameter but empty tables stands in the file; a strange name is quoted."""
    path = tmp_path / "engine.yaml"
    write_engine(result_of(targets, SPORTS), path)
    vehicle = load_vehicle(str(path)).settings
    assert vehicle.engine == SPORTS
    assert vehicle.name == "yes: # it is"
    written = yaml.safe_load(path.read_text(encoding="utf-8"))["engine"]
    assert written.keys() == {each.name for each in fields(EngineSettings) if getattr(SPORTS, each.name) != ()}


def test_words_of_enumerations(tmp_path: Path, targets: Targets) -> None:
    path = tmp_path / "engine.yaml"
    write_engine(result_of(targets, EngineSettings(rpm_limiter_mode=RpmLimiterMode.INJECTION_LIMIT)), path)
    assert "rpm_limiter_mode: injection-limit " in path.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_an_error_of_the_user(tmp_path: Path, targets: Targets) -> None:
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_engine(result_of(targets, SPORTS), tmp_path)


ALL_KINDS = """\
idle: {rpm: 1000, torque: 135}
points: [{rpm: 3000, torque: 190}, {rpm: 5000, power: 86}]
chart: {file: dyno.csv}
best_consumption: {value: 479}
consumption: [{rpm: 3000, value: 490}]
friction: [{rpm: limit, torque: 150}, {rpm: 3000, power: 20}]
"""


def test_every_target_has_its_cross(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its speed and value: 20 kW of engine brake at 3000 rpm are 63.66 Nm, the best consumption is at 3854 rpm."""
    (tmp_path / "dyno.csv").write_text("rpm,torque Nm\n1500,150\n2500,170\n", encoding="utf-8")
    targets = load(tmp_path, ROADSTER + ALL_KINDS)
    crosses: list[tuple[float, float]] = []
    draw = module._cross

    def cross(axes: Axes, rpm: float, value: float, share: float) -> None:
        crosses.append((rpm, value))
        draw(axes, rpm, value, share)

    monkeypatch.setattr(module, "_cross", cross)
    plot(FitResult(targets, DEFAULT, (), (), None, sound=True, interrupted=False), tmp_path / "fit.svg")
    expected = [
        (1000, 135),
        (1500, 150),
        (2500, 170),
        (3000, 63.66),
        (3000, 190),
        (3000, 490),
        (3854, 479),
        (4600, 200),
    ]
    expected += [(5000, 86), (6000, 118), (7089, 150)]
    assert [value for pair in sorted(crosses) for value in pair] == pytest.approx(
        [value for pair in expected for value in pair], rel=1e-3
    )
    assert "<!-- roadster -->" in (tmp_path / "fit.svg").read_text(encoding="utf-8")
