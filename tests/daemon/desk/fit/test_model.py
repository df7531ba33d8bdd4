"""The sum of squares: zero where it should be, and growing where a curve goes bad."""

from dataclasses import replace
from pathlib import Path

import pytest

from hilbridge.desk.fit.model import Model, is_sound, penalties
from hilbridge.desk.fit.stand import Stand
from vehiclesim.parameters import EngineSettings

from ....sim.published_engines import ALL, DEFAULT
from .sheets import ROADSTER, TOO_POWERFUL, load

DIP = EngineSettings(
    idle_rpm_torque=10.0, peak_rpm_torque=20.0, peak_rpm=6000.0, max_rpm=6500.0, rotational_friction=0.5
)
"""Its torque is negative between idle and peak."""


@pytest.mark.parametrize("settings", ALL.values(), ids=ALL)
def test_a_published_engine_has_no_penalty(settings: EngineSettings) -> None:
    assert penalties(Stand(settings)) == (0.0, 0.0, 0.0)
    assert is_sound(settings)


@pytest.mark.parametrize(
    ("settings", "number"),
    [(replace(DEFAULT, max_rpm=4000.0), 0), (replace(DEFAULT, max_rpm=20000.0), 1), (DIP, 2)],
    ids=["max below peak", "friction above raw torque", "negative torque"],
)
def test_a_malformed_curve_has_its_penalty(settings: EngineSettings, number: int) -> None:
    assert penalties(Stand(settings))[number] > 1.0
    assert not is_sound(settings)


def test_at_the_expected_engine_only_targets_count(tmp_path: Path) -> None:
    """u = 0: the parameters miss nothing, and each moves its own residual by one per spread."""
    model = Model(load(tmp_path, ROADSTER))
    count = len(model.unknowns)
    assert model.residuals([0.0] * count)[len(model.goals) : -3] == [0.0] * count
    assert model.residuals([0.5] * count)[len(model.goals) : -3] == [0.5] * count


def test_a_target_can_be_left_out(tmp_path: Path) -> None:
    """With the highest torque goes its cap."""
    targets = load(tmp_path, TOO_POWERFUL.replace("until: 2500", "capped: true"))
    whole, without = Model(targets), Model(targets, without=("torque",))
    zero = [0.0] * len(whole.unknowns)
    assert {goal.target for goal in whole.goals} - {goal.target for goal in without.goals} == {("torque",)}
    assert whole.engine(zero).torque_cap
    assert not without.engine(zero).torque_cap
