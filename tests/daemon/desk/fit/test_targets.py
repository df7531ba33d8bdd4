"""Targets files: what may stand in them, and every mistake with its line."""

import math
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.base.resources import Kind, find, names
from hilbridge.desk.fit.goals import make_goals
from hilbridge.desk.fit.targets import CurvePoint, load_chart, load_targets, targets_schema

from .sheets import ROADSTER, load


def refusals(folder: Path, text: str) -> list[str]:
    """The error lines without the name of the file."""
    with pytest.raises(InvalidFileError) as caught:
        load(folder, text)
    return [line.removeprefix(f"{folder / 'targets.yaml'}:") for line in str(caught.value).splitlines()]


def test_two_peaks_are_enough(tmp_path: Path) -> None:
    targets = load(tmp_path, "name: x\ntorque: {value: 200, rpm: 4600}\npower: {value: 118, rpm: 6000}\n").settings
    assert (targets.fuel, targets.has_plateau, targets.idle) == ("petrol", False, None)


def test_shipped_targets_are_found_by_name() -> None:
    assert {"mx5-nd", "b47-320d"} <= set(names(Kind.ENGINE))
    assert load_targets("b47-320d").settings.has_plateau
    with pytest.raises(ConfigurationError, match=r"no targets of an engine 'mx5'.*did you mean 'mx5-nd'"):
        load_targets("mx5")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("colour: red", "5: colour: unknown key"),
        ("points: [{rpm: 3000}]", "5: points[0]: needs either 'torque' or 'power'"),
        ("friction: [{rpm: 3000, torque: 20, power: 6}]", "5: friction[0]: needs either 'torque' or 'power'"),
        ("consumption: [{rpm: 2000, value: 300, torque: 20, power: 6}]", "5: consumption[0]: needs one of 'torque',"),
        ("fixed: {max_fuel_per_rev: 0.1}", "5: fixed.max_fuel_per_rev: has no effect with the fuel_law 'efficiency'"),
        (
            "fuel_law: charge\nbounds: {indicated_efficiency: [0.3, 0.4]}",
            "6: bounds.indicated_efficiency: has no effect",
        ),
        ("friction: [{rpm: top, torque: 20}]", "5: friction[0].rpm: needs a number or 'idle' or 'limit', found"),
        ("coast_down: [{from_rpm: 2000, to_rpm: 3000, time: 1}]", "5: coast_down[0].to_rpm: 3000 is not below"),
        ("max_rpm: {rpm: -1}", "5: max_rpm.rpm: must be greater than 0 rpm, found -1"),
        ("fixed: {inertias: 0.1}", "5: fixed.inertias: no parameter of an engine; did you mean 'inertia'?"),
        ("fixed: {inertia: -1.0}", "5: fixed.inertia: -1.0 is less than 0.001"),
        ("fixed: {inertia: heavy}", "5: fixed.inertia: cannot be the text 'heavy'"),
        ("fixed: {can_stall: 1.0}", "5: fixed.can_stall: cannot be the number 1.0"),
        ("fixed: {idle_control: lazy}", "5: fixed.idle_control: must be one of passive, active, found the text 'lazy'"),
        ("fixed: {table_rpm: 3.0}", "5: fixed.table_rpm: no parameter of an engine"),
        ("fixed: {torque_cap: true}", "5: fixed.torque_cap: stands in 'torque', not here"),
        ("bounds: {peak_rpm: [5000.0, 4000.0]}", "5: bounds.peak_rpm[1]: 4000 is not above 5000"),
        ("bounds: {inertia: [0.1, 0.2]}", "5: bounds.inertia: no parameter that is sought"),
        ("priors: {max_rpms: {value: 7000, spread: 10}}", "5: priors.max_rpms: no parameter that is sought; did you"),
        ("fixed: {max_rpm: 7000.0}\nbounds: {max_rpm: [1.0, 2.0]}", "6: bounds.max_rpm: is fixed already"),
        ("chart: {file: no.csv}", "5: chart.file: the chart"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    assert refusals(tmp_path, ROADSTER + text + "\n")[0].startswith(message)


def test_a_mean_pressure_needs_the_displacement(tmp_path: Path) -> None:
    text = ROADSTER.replace("displacement: 2.0\n", "consumption: [{rpm: 2000, mean_pressure: 2, value: 380}]\n")
    assert refusals(tmp_path, text) == ["2: consumption[0].mean_pressure: needs 'displacement'"]


def test_a_plateau_ends_after_it_begins(tmp_path: Path) -> None:
    (line,) = refusals(tmp_path, ROADSTER.replace("rpm: 4600", "rpm: 4600, until: 4000"))
    assert line == "3: torque.until: 4000 is not above rpm 4600"


def test_a_chart_lies_beside_the_file(tmp_path: Path) -> None:
    """And its own mistakes are reported with its own lines."""
    (tmp_path / "dyno.csv").write_text("rpm,torque Nm\n2000,170\n4000,195\n", encoding="utf-8")
    assert load(tmp_path, ROADSTER + "chart: {file: dyno.csv}\n").chart == ((2000.0, 170.0), (4000.0, 195.0))
    (tmp_path / "dyno.csv").write_text("rpm,torque Nm\n2000,x\n4000,195\n", encoding="utf-8")
    with pytest.raises(InvalidFileError, match=r"dyno\.csv:2: torque: 'x' is not a number"):
        load(tmp_path, ROADSTER + "chart: {file: dyno.csv}\n")


def read(folder: Path, text: str) -> tuple[CurvePoint, ...]:
    file = folder / "dyno.csv"
    file.write_text(text, encoding="utf-8")
    return load_chart(file)


@pytest.mark.parametrize(
    ("header", "value", "torque"),
    [
        ("rpm,torque Nm", 100.0, 100.0),
        ("rpm,Torque [lb-ft]", 100.0, 135.58179483),
        ("rpm,power kW", 10 * math.pi, 100.0),
        ("rpm,power PS", 100.0, 73549.875 / (100 * math.pi)),
        ("rpm,power hp", 100.0, 74569.987 / (100 * math.pi)),
    ],
)
def test_torque_comes_in_any_unit_or_from_the_power(tmp_path: Path, header: str, value: float, torque: float) -> None:
    """3000 rpm = 100π rad/s; 1 PS = 75 kgf m/s, 1 hp = 550 ft lbf/s."""
    points = read(tmp_path, f"{header}\n3000,{value}\n3500,{value}\n")
    assert points[0] == pytest.approx((3000.0, torque))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("rpm\n1000\n2000\n", 1, "needs either a column 'torque' or a column 'power'"),
        ("rpm,torque Nm,power kW\n1000,1,1\n2000,1,1\n", 1, "needs either"),
        ("torque Nm\n100\n120\n", 1, "there is no column 'rpm'"),
        ("rpm,torque\n1000,1\n2000,1\n", 1, "torque: no unit, but nm or lb-ft"),
        ("rpm,torque Nm\n2000,100\n1000,90\n", 3, "rpm: 1000 1/min after 2000 1/min; rpms ascend"),
        ("rpm,torque Nm\n1000,100\n2000,-1\n", 3, "torque: -1 is out of range"),
    ],
)
def test_a_mistake_in_a_chart_is_named_with_its_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidFileError) as refused:
        read(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path / 'dyno.csv'}:{line}: {reason}")


def test_a_plateau_is_a_list_of_two_speeds(tmp_path: Path) -> None:
    """As makers publish it; the same as begin and `until`."""
    text = "name: x\ntorque: {value: 200, rpm: [1500, 3500]}\npower: {value: 92, rpm: [5000, 6000]}\n"
    settings = load(tmp_path, text).settings
    assert (settings.torque.rpm, settings.torque.until, settings.has_plateau) == (1500, 3500, True)
    assert (settings.power.ends, settings.power.middle) == ((5000, 6000), 5500)
    assert Draft202012Validator(targets_schema()).is_valid(yaml.safe_load(text))
    assert refusals(tmp_path, text.replace("[5000, 6000]", "[6000, 5000]"))[0].startswith("3: power")


@pytest.mark.parametrize(
    ("section", "name", "value"),
    [("fixed", "peak_rpm", "5000.0"), ("priors", "max_rpm", "{value: 7000.0, spread: 1.0}")],
)
def test_beside_a_plateau_no_parameter_shapes_the_curve(tmp_path: Path, section: str, name: str, value: str) -> None:
    """The full load is a table then; where it ends may be fixed."""
    turbo = ROADSTER.replace("rpm: 6000", "rpm: [5000, 6000]")
    assert load(tmp_path, turbo + "fixed: {max_rpm: 7000.0}\n").settings.fixed
    message = f"5: {section}.{name}: has no effect beside a plateau, which makes a table"
    assert refusals(tmp_path, f"{turbo}{section}: {{{name}: {value}}}\n") == [message]


def test_a_plateau_wants_its_value_at_both_ends(tmp_path: Path) -> None:
    """The speed of the highest value may lie anywhere in between."""
    text = "name: x\ntorque: {value: 200, rpm: 1500}\npower: {value: 92, rpm: [5000, 6000]}\n"
    goals = {goal.text: goal.wanted for goal in make_goals(load(tmp_path, text))}
    assert goals == {
        "maximum torque": 200,
        "torque at 1500 rpm": 200,
        "maximum power": 92,
        "power at 5000 rpm": 92,
        "power at 6000 rpm": 92,
    }


@pytest.mark.parametrize("name", names(Kind.ENGINE))
def test_every_shipped_file_fits_its_schema(name: str) -> None:
    """So an editor shows no error in it."""
    data = yaml.safe_load(find(Kind.ENGINE, name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(targets_schema())
    assert list(Draft202012Validator(targets_schema()).iter_errors(data)) == []
