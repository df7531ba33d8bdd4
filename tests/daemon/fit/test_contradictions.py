"""Targets that no engine can meet together."""

from pathlib import Path

import pytest

from hilbridge.common.errors import InvalidFileError
from hilbridge.fit.result import fit

from .sheets import ROADSTER, TOO_POWERFUL, load


def test_more_power_than_the_torque_allows(tmp_path: Path) -> None:
    """P = w·T: 200 kW at 4000 rpm are 477 Nm, and the highest torque is 400 Nm. Either of both has to go."""
    result = fit(load(tmp_path, TOO_POWERFUL))
    assert not result.good
    assert result.contradiction is not None
    assert set(result.contradiction.to_blame) == {("torque",), ("power",)}
    assert result.sound


def test_one_point_against_all_others(tmp_path: Path) -> None:
    """A point 25 % below the curve through the others is the one to blame."""
    points = "points: [{rpm: 3000, torque: 190}, {rpm: 4000, torque: 198}, {rpm: 4000, torque: 150}]\n"
    result = fit(load(tmp_path, ROADSTER + points))
    assert result.contradiction is not None
    assert result.contradiction.to_blame == (("points", 2),)
    assert ("points", 2) in {outcome.goal.target for outcome in result.contradiction.missed}


def test_friction_that_eats_the_power_never_gives_a_malformed_curve(tmp_path: Path) -> None:
    """400 Nm of engine brake for an engine of 200 Nm: the target is missed, or met by a curve that is sound."""
    assert fit(load(tmp_path, ROADSTER + "friction: [{rpm: 7000, torque: 400}]\n")).sound


def test_an_engine_that_can_only_be_malformed_is_refused(tmp_path: Path) -> None:
    """The maximum speed is fixed below the peak speed."""
    result = fit(load(tmp_path, ROADSTER + "fixed: {peak_rpm: 7000.0, max_rpm: 6500.0}\n"))
    assert not result.sound
    assert not result.good


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fixed: {peak_rpm: 500.0}", "5: fixed.peak_rpm: 500.0 is not above idle_rpm 800.0"),
        ("bounds: {max_rpm: [100.0, 200.0]}", "5: bounds.max_rpm: 200 is not above 6120"),
    ],
)
def test_targets_without_any_engine_are_a_mistake_in_the_file(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidFileError, match=r"targets\.yaml:") as caught:
        fit(load(tmp_path, f"{ROADSTER}{text}\n"))
    assert str(caught.value).startswith(f"{tmp_path / 'targets.yaml'}:{message}")
