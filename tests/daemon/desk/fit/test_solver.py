"""The search: repeatable, bounded, and never empty-handed."""

from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.fit import solver
from hilbridge.desk.fit.model import Model
from hilbridge.desk.fit.solver import check_solver, solve

from .sheets import ROADSTER, load


def test_equal_seeds_give_equal_engines_and_other_seeds_the_same_optimum(tmp_path: Path) -> None:
    """To the last bit; and within a hundredth of what is expected beforehand."""
    model = Model(load(tmp_path, ROADSTER))
    one = solve(model, seed=1)
    assert solve(model, seed=1) == one
    assert solve(model, seed=2).u == pytest.approx(one.u, abs=0.01)


def test_bounds_hold(tmp_path: Path) -> None:
    """Where the free search would end elsewhere."""
    model = Model(load(tmp_path, ROADSTER + "bounds: {max_rpm: [7500.0, 7600.0], idle_rpm_torque: [140.0, 145.0]}\n"))
    engine = model.engine(solve(model).u)
    assert 7500.0 <= engine.max_rpm <= 7600.0
    assert 140.0 <= engine.idle_rpm_torque <= 145.0


def test_a_standard_deviation_is_that_of_the_only_measurement(tmp_path: Path) -> None:
    """One friction target of 1/3 of 3 % = 1 % and a wide prior: the friction is known to 1 %."""
    fixed = "fixed: {rotational_friction: 0.0, viscous_friction: 0.0}\n"
    friction = "friction: [{rpm: 2000, torque: 30, tolerance: 0.03}]\n"
    model = Model(load(tmp_path, ROADSTER + fixed + friction))
    found = solve(model)
    number = next(number for number, each in enumerate(model.unknowns) if each.name == "friction_torque")
    assert model.engine(found.u).friction_torque == pytest.approx(30.0, rel=0.01)
    assert found.deviations[number] * model.unknowns[number].spread == pytest.approx(0.3, rel=0.05)


def test_an_interruption_keeps_the_best_so_far(tmp_path: Path) -> None:
    """In the second start: the first has found a good engine already."""
    model = Model(load(tmp_path, ROADSTER))

    def interrupt(what: str, done: float) -> None:
        assert what == "searching"
        if done > 1.2 / solver.STARTS:
            raise KeyboardInterrupt

    found = solve(model, progress=interrupt)
    assert found.interrupted
    assert all(outcome.met for outcome in model.outcomes(model.engine(found.u)))


def test_progress_grows_to_the_end(tmp_path: Path) -> None:
    seen: list[float] = []
    solve(Model(load(tmp_path, ROADSTER)), progress=lambda _, done: seen.append(done))
    assert min(seen) > 0.0
    assert 3.0 / 4.0 < max(seen) <= 1.0


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_solver()
    monkeypatch.setattr(solver, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"-m pip install 'scipy"):
        check_solver()
