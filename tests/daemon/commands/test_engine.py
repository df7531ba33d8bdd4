"""`hilbridge engine VEHICLE` prints the data sheet that was published for the default engine."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from hilbridge.commands.cli import main


@pytest.fixture
def car(tmp_path: Path) -> str:
    """A vehicle with the default engine: 191.27 Nm @ 3854, 87.18 kW @ 4850, limit 7089 rpm, 479 g/kWh."""
    file = tmp_path / "car.yaml"
    file.write_text("name: the [bold] one\n")
    return str(file)


def report(capsys: pytest.CaptureFixture[str], vehicle: str) -> Any:
    assert main(["engine", vehicle, "--json"]) == 0

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(capsys.readouterr().out, parse_constant=refuse)


def test_json_has_the_published_figures_under_the_models_names(capsys: pytest.CaptureFixture[str], car: str) -> None:
    """Names in snake_case; true JSON, where not-a-number is null."""
    specifications = report(capsys, car)["specifications"]
    assert specifications["max_torque_at_peak"] == pytest.approx(191.27, rel=1e-3)
    assert specifications["peak_rpm"] == pytest.approx(3854, abs=15)
    assert specifications["max_power_in_kw"] == pytest.approx(87.18, rel=1e-3)
    assert specifications["max_power_rpm"] == pytest.approx(4850, abs=15)
    assert specifications["limit_rpm"] == pytest.approx(7089, rel=1e-3)
    assert specifications["specific_fuel_consumption"] == pytest.approx(479, rel=1e-3)
    assert specifications["malformed_torque"] is False


def test_the_curves_go_from_idle_to_the_end_and_agree_with_each_other(
    capsys: pytest.CaptureFixture[str], car: str
) -> None:
    """P = 2π·n/60·T, friction as published, no torque and hence no consumption at max_rpm."""
    curves = report(capsys, car)["curves"]
    assert (curves["rpm"][0], curves["rpm"][-1]) == (1000, 6500)
    assert curves["rpm"] == sorted(set(curves["rpm"]))
    assert {len(values) for values in curves.values()} == {len(curves["rpm"])}
    for rpm, torque, power in zip(curves["rpm"], curves["torque"], curves["power_in_kw"], strict=True):
        assert power == pytest.approx(2e-3 * math.pi * rpm / 60 * torque)
    friction = dict(zip(curves["rpm"], curves["friction_torque"], strict=True))
    assert [friction[rpm] for rpm in (1000, 4200, 6500)] == pytest.approx([31.57, 83.33, 134.40], abs=0.005)
    assert curves["torque"][-1] == pytest.approx(0, abs=1e-9)
    assert curves["specific_fuel_consumption"][-1] is None


def test_the_printed_sheet_has_the_same_figures(capsys: pytest.CaptureFixture[str], car: str) -> None:
    """One line per figure, the name as it stands in the file, and no minus before a zero."""
    assert main(["engine", car]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "the [bold] one"
    assert "maximum torque 191.3 Nm 3854 rpm" in lines
    assert "maximum power 87.2 kW 4850 rpm" in lines
    assert "friction at idle 31.6 Nm 1000 rpm" in lines
    assert "rpm torque Nm power kW friction Nm fuel g/kWh" in lines
    assert "6500 0.0 0.0 134.4 -" in lines


def test_figures_that_no_engine_has_are_warned_of(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With file and line, beside the data sheet and in JSON; the default engine has none."""
    file = tmp_path / "car.yaml"
    file.write_text("name: car\nengine:\n  max_fuel_per_rev: 0.05\nauxiliary: {air_path: {displacement: 2.0}}\n")
    warning = f"{file}:3: engine.max_fuel_per_rev: the best consumption is 150 g/kWh"
    assert report(capsys, str(file))["warnings"][0].startswith(warning)
    assert main(["engine", str(file)]) == 0
    assert f"warning: {warning}" in capsys.readouterr().out


def test_a_vehicle_that_cannot_be_used_is_exit_status_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With file and line on stderr, and nothing on stdout."""
    file = tmp_path / "car.yaml"
    file.write_text("name: car\nengine: {max_rpm: 10}\n")
    assert main(["engine", str(file)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert f"{file}:2: engine.max_rpm: 10 is not above peak_rpm 4200" in output.err
