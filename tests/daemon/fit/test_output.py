"""The fitted engine as a vehicle file."""

from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from hilbridge.common.errors import ConfigurationError
from hilbridge.configuration.vehiclefile import load_vehicle
from hilbridge.fit.output import write_engine
from hilbridge.fit.result import Result
from hilbridge.fit.targets import Targets
from vehiclesim.parameters import EngineSettings, RpmLimiterMode

from ...sim.published_engines import SPORTS
from .sheets import ROADSTER, load


@pytest.fixture
def targets(tmp_path: Path) -> Targets:
    return load(tmp_path, ROADSTER.replace("roadster", "'yes: # it is'"))


def result_of(targets: Targets, engine: EngineSettings) -> Result:
    return Result(targets, engine, (), (), None, sound=True, interrupted=False)


def test_what_is_written_comes_back(tmp_path: Path, targets: Targets) -> None:
    """Every parameter but the tables stands in the file; a strange name is quoted."""
    path = tmp_path / "engine.yaml"
    write_engine(result_of(targets, SPORTS), path)
    vehicle = load_vehicle(str(path)).settings
    assert vehicle.engine == SPORTS
    assert vehicle.name == "yes: # it is"
    written = yaml.safe_load(path.read_text(encoding="utf-8"))["engine"]
    assert written.keys() == {each.name for each in fields(EngineSettings) if not each.name.startswith("table_")}


def test_words_of_enumerations(tmp_path: Path, targets: Targets) -> None:
    path = tmp_path / "engine.yaml"
    write_engine(result_of(targets, EngineSettings(rpm_limiter_mode=RpmLimiterMode.INJECTION_LIMIT)), path)
    assert "rpm_limiter_mode: injection-limit " in path.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_an_error_of_the_user(tmp_path: Path, targets: Targets) -> None:
    with pytest.raises(ConfigurationError, match="cannot be written"):
        write_engine(result_of(targets, SPORTS), tmp_path)
