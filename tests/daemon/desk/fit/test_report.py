"""What people and programs get to read about a fit."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

from rich.console import Console

from hilbridge.desk.fit.model import Model
from hilbridge.desk.fit.report import figures, print_result
from hilbridge.desk.fit.result import Contradiction, FitResult, Parameter

from ....sim.published_engines import DEFAULT
from .sheets import ROADSTER, load


def result(folder: Path, *blamed: str, complete: bool = True) -> FitResult:
    """The default engine (191.27 Nm at 3854 rpm) as the answer to targets that it misses."""
    targets = load(folder, ROADSTER)
    outcomes = Model(targets).outcomes(DEFAULT)
    missed = tuple(outcome for outcome in outcomes if not outcome.met)
    contradiction = Contradiction(missed, tuple((name,) for name in blamed), complete)
    friction = Parameter("friction_torque", 20.0, 5.0, assumed=True)
    return FitResult(targets, DEFAULT, (friction,), outcomes, contradiction, sound=True, interrupted=not complete)


def printed(of: FitResult) -> str:
    text = StringIO()
    print_result(of, Console(file=text, width=160, highlight=False))
    return text.getvalue()


def test_a_line_has_wanted_reached_and_the_miss(tmp_path: Path) -> None:
    """191.27 / 200 = -4.37 %, and 1 % is allowed."""
    lines = [" ".join(line.split()) for line in printed(result(tmp_path)).splitlines()]
    assert "maximum torque 200 191.27 Nm -4.37 1 missed" in lines
    assert "friction_torque 20 5 Nm assumed" in lines


def test_who_contradicts_whom(tmp_path: Path) -> None:
    """Two that stand against each other, one against all, nobody alone, nobody found in time."""
    file = tmp_path / "targets.yaml"
    two = printed(result(tmp_path, "torque", "power"))
    assert f"without any one of them all others can be met:\n  {file}:3: torque\n  {file}:4: power" in two
    assert f"Without this target all others can be met:\n  {file}:4: power" in printed(result(tmp_path, "power"))
    assert "Leaving out a single target does not help" in printed(result(tmp_path))
    late = printed(result(tmp_path, complete=False))
    assert "Interrupted" in late
    assert "does not help" not in late


def test_figures_that_no_engine_has_are_warned_of(tmp_path: Path) -> None:
    """The default engine needs 479 g/kWh; with a third of the fuel it would need 160."""
    found = result(tmp_path, "power")
    assert "warning" not in printed(found)
    frugal = found._replace(engine=replace(DEFAULT, max_fuel_per_rev=0.0533))
    assert "warning: the best consumption is 160 g/kWh; no petrol engine needs less" in printed(frugal)
    assert len(figures(frugal)["warnings"]) == 1


def test_programs_get_the_same(tmp_path: Path) -> None:
    report = json.loads(json.dumps(figures(result(tmp_path, "power"))))
    assert (report["targets_met"], report["well_formed"], report["to_blame"]) == (False, True, ["power"])
    assert report["goals"][0]["met"] is False
    assert report["parameters"]["friction_torque"] == {"value": 20.0, "standard_deviation": 5.0, "assumed": True}


def test_what_the_fuel_hangs_on_is_told(tmp_path: Path) -> None:
    """At 2 bar more friction, of 5 Nm to each side, is more fuel; the analytic share is within that of all work."""
    line = next(line for line in printed(result(tmp_path)).splitlines() if "g/kWh at 2000 rpm and 2 bar" in line)
    assert "friction_torque ±" in line
    assert "(assumed)" in line
    low_load = figures(result(tmp_path))["low_load"]
    assert 0.02 < low_load["shares"]["friction_torque"] < 0.2
    assert 200.0 < low_load["consumption"] < 600.0
