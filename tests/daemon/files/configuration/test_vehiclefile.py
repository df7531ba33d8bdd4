"""A vehicle file becomes vehiclesim's settings; everything that the model would refuse has file and line."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import reduce
from operator import attrgetter, getitem
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hilbridge.base.common.errors import InvalidFileError, Problem
from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim.parameters import EngineSettings, GearboxSettings, IdleControl, Quantity, VehicleSettings, quantities


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "car.yaml"


def load(file: Path, text: str) -> VehicleSettings:
    file.write_text(text)
    return load_vehicle(str(file)).settings


def refusals(file: Path, text: str) -> list[str]:
    """The error lines without the name of the file."""
    with pytest.raises(InvalidFileError) as caught:
        load(file, text)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).splitlines()]


def as_yaml(value: Any) -> Any:
    """Parameter objects as a person would write them into a file."""
    if is_dataclass(value):
        return {entry.name: as_yaml(getattr(value, entry.name)) for entry in fields(value)}
    if isinstance(value, tuple):
        return list(value)
    return value.value if isinstance(value, Enum) else value


def parameters(
    section: type[Any] = VehicleSettings, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every parameter of the model that has bounds, with its key path."""
    for entry, kind, note in quantities(section):
        if is_dataclass(kind):
            assert isinstance(kind, type)
            yield from parameters(kind, (*path, entry.name))
        elif isinstance(note, Quantity):
            yield (*path, entry.name), note


def test_the_rear_tyre_is_the_front_one_unless_it_is_given(file: Path) -> None:
    """Complete, or with the keys of another section by `<<`; what is wrong with it has its line."""
    assert load(file, "tyre: {relaxation_length: 0.5}\n").rear_tyre is None
    text = "tyre: &front {relaxation_length: 0.5}\nrear_tyre:\n  <<: *front\n  nominal_load: 5000.0\n"
    settings = load(file, text)
    assert settings.rear_tyre is not None
    assert (settings.rear_tyre.nominal_load, settings.rear_tyre.relaxation_length) == (5000.0, 0.5)
    assert refusals(file, text.replace("5000", "0")) == [
        "4: rear_tyre.nominal_load: must be at least 1 N, found 0.0",
    ]
    assert refusals(file, "rear_tyre: {tyre_dynamics: false}\n") == [
        "1: rear_tyre: tyre_dynamics must be that of tyre; either all tyres slip or none",
    ]


def test_shift_speeds_that_cannot_work_are_told_with_their_line(file: Path) -> None:
    """After the change to second gear the engine turns slower than the speed of the change back."""
    text = "name: car\ngearbox: {type: automatic}\nshifting:\n  down_rpm: 4400\n"
    (line,) = refusals(file, text)
    assert line.startswith("4: shifting.down_rpm: 4400, but the change to gear 2 at 4500 rpm")


def test_what_a_file_does_not_say_is_the_models_default(file: Path) -> None:
    """There is one place for defaults."""
    assert load(file, "name: car\n") == VehicleSettings(name="car")
    assert load(file, "engine: {}\n") == VehicleSettings()


def test_every_parameter_can_be_written_and_comes_back_as_the_same_object(file: Path) -> None:
    """Enums by their words, tuples as lists, whole numbers where a number is wanted."""
    vehicle = VehicleSettings(
        name="truck",
        engine=EngineSettings(
            idle_rpm=551, peak_rpm=1123, max_rpm=2260, idle_control=IdleControl.PASSIVE, can_stall=True
        ),
        gearbox=GearboxSettings(ratios=(14.9, 7.5), reverse_ratios=()),
    )
    assert load(file, yaml.safe_dump(as_yaml(vehicle))) == vehicle


@pytest.mark.parametrize(("place", "quantity"), [pytest.param(*each, id=".".join(each[0])) for each in parameters()])
def test_each_bound_of_the_model_is_a_bound_of_the_file(file: Path, place: tuple[str, ...], quantity: Quantity) -> None:
    """A value just outside of any bound is refused in the line of its key, in words that name the bound."""
    outside = [
        *((bound - 1.0, bound) for bound in (quantity.minimum,) if bound is not None),
        *((bound + 1.0, bound) for bound in (quantity.maximum,) if bound is not None),
        *((bound, bound) for bound in (quantity.above, quantity.below) if bound is not None),
    ]
    assert outside, "a parameter without bounds"
    *sections, key = place
    for value, bound in outside:
        number = f"{value:g}" if not value.is_integer() else str(int(value))
        is_list = isinstance(attrgetter(".".join(place))(VehicleSettings()), tuple)
        lines = [*sections, f"{key}: [{number}]" if is_list else f"{key}: {number}"]
        nested = ":\n".join("  " * depth + line for depth, line in enumerate(lines))
        (line,) = refusals(file, f"name: car\n{nested}\n")
        assert line.startswith(f"{len(place) + 1}: {'.'.join(place)}")
        assert f" {bound:.12g}" in line


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("nmae: car", ["1: nmae: unknown key; did you mean 'name'?"]),
        ("body:\n  x: 1", ["2: body.x: unknown key; known here: mass, drag_area"]),
        ("engine:\n  inertai: 1", ["2: engine.inertai: unknown key; did you mean 'inertia'?"]),
        ("engine:\n  x: 1", ["2: engine.x: unknown key; `hilbridge schema --reference` lists those that exist"]),
        ("engine: 5", ["1: engine: needs keys with values, found the number 5"]),
        ("engine:\n  can_stall: yes", ["2: engine.can_stall: needs true or false, found the text 'yes'"]),
        ("body:\n  mass: 1300 kg", ["2: body.mass: needs a number, found the text '1300 kg'; write 1300"]),
        ("body:\n  mass: .nan", ["2: body.mass: needs a finite number, found the number nan"]),
        ("gearbox:\n  ratios: 3.5", ["2: gearbox.ratios: needs a list, found the number 3.5"]),
        ("gearbox:\n  ratios:\n    - 3\n    - x", ["4: gearbox.ratios[1]: needs a number, found the text 'x'"]),
        ("retarder:\n  levels: 3.5", ["2: retarder.levels: needs a whole number, found the number 3.5"]),
        (
            "engine:\n  idle_control: activ",
            ["2: engine.idle_control: needs 'passive' or 'active', found the text 'activ'; did you mean 'active'?"],
        ),
    ],
)
def test_a_wrong_value_is_told_with_its_line(file: Path, text: str, lines: list[str]) -> None:
    """As in a bench file."""
    assert refusals(file, text) == lines


def test_rules_between_parameters_are_told_at_the_parameter(file: Path) -> None:
    """The model's own words, in the line of the key that they are about; all sections at once."""
    text = "gearbox:\n  ratios: [3, 4]\nengine:\n  peak_rpm: 900\nbody:\n  mass: 0\n"
    ratios, engine, mass = refusals(file, text)
    assert ratios == "2: gearbox.ratios: 4.0 after 3.0; each gear must be longer than the one before"
    assert engine == "4: engine.peak_rpm: 900.0 is not above idle_rpm 1000.0"
    assert mass.startswith("6: body.mass: must be")


# -- engines whose curves do not close ------------------------------------------------------------------------------


def test_an_engine_that_ends_before_its_peak_is_refused(file: Path) -> None:
    """max_rpm is where the falling branch reaches zero, so it lies above peak_rpm."""
    assert refusals(file, "engine:\n  max_rpm: 4200\n") == ["2: engine.max_rpm: 4200 is not above peak_rpm 4200"]


def test_an_engine_with_more_friction_than_combustion_at_its_end_is_refused(file: Path) -> None:
    """Default engine, viscous friction 0.2: (6500/60·2π·0.2)² and the rest are 18621 Nm; raw torque at 4200 is 7990 Nm.

    Tf(w) = 20 + 0.1·w + (0.2·w)², raw at the peak = 188 + Tf(4200 rpm).
    """
    (line,) = refusals(file, "name: car\nengine:\n  viscous_friction: 0.2\n")
    assert line.startswith("2: engine: the friction at max_rpm (18621.0 Nm)")
    assert "(7989.8 Nm)" in line


def test_an_engine_with_negative_torque_between_idle_and_end_is_refused(file: Path) -> None:
    """Both given points deliver torque, but friction rises at once and the cubic between them starts flat."""
    engine = (
        "engine: {idle_rpm_torque: 1, peak_rpm_torque: 15, peak_rpm: 6000, max_rpm: 6100, rotational_friction: 1}\n"
    )
    (line,) = refusals(file, engine)
    assert line.startswith("1: engine: the torque at full throttle is -")
    assert "must not be negative below max_rpm" in line


TABLE = """\
engine:
  idle_rpm: 800
  max_rpm: 4500
  table_rpm: [800, 1500, 2000, 3000, 4000, 4500]
  table_torque: {torque}
  table_resistive_torque: {resistive}
"""
RESISTIVE = "[-20, -20, -20, -20, -20, -20]"


@pytest.mark.parametrize(
    "torque", ["[100, 300, 240, 290, 200, 0]", "[100, 300, 300, 300, 200, 0]"], ids=["two humps", "plateau"]
)
def test_a_measured_torque_may_rise_again_or_stay_high_after_its_peak(file: Path, torque: str) -> None:
    """Two-stage turbochargers and variable intakes make full-load curves with two humps, diesels have a plateau."""
    settings = load(file, TABLE.format(torque=torque, resistive=RESISTIVE))
    assert list(settings.engine.table_torque) == yaml.safe_load(torque)


def test_a_measured_torque_that_is_negative_before_its_end_is_refused(file: Path) -> None:
    """In the line of the torques, whatever peak_rpm, which a table does not use, says."""
    (line,) = refusals(file, TABLE.format(torque="[100, 300, -10, 290, 200, 0]", resistive=RESISTIVE))
    assert line.startswith("5: engine.table_torque: the torque at full throttle is -")
    assert line.endswith("must not be negative below max_rpm; raise the torques or lower the friction")


def test_a_measured_friction_that_grows_faster_than_the_torque_falls_is_refused(file: Path) -> None:
    """In the line of the friction: the last 200 Nm are lost, and 500 Nm are gained, so combustion would go on."""
    (line,) = refusals(
        file, TABLE.format(torque="[100, 300, 240, 290, 200, 0]", resistive="[-20, -20, -20, -20, -20, -520]")
    )
    assert line.startswith("6: engine.table_resistive_torque: from 4000 rpm to max_rpm the friction grows")


def test_an_engine_whose_scan_meets_its_peak_is_accepted(file: Path) -> None:
    """Just behind the peak the raw torque is as high as there, to the last digit: point 1163 of 2000, 0.001 rpm on."""
    peak = 1000 + 1163 * 5500 / 1999.5 - 0.001
    assert load(file, f"engine: {{peak_rpm: {peak!r}}}\n").engine.peak_rpm == peak


# -- anything at all ------------------------------------------------------------------------------------------------

NUMBERS = st.integers() | st.floats() | st.floats(0, 10_000)
VALUES = NUMBERS | st.none() | st.booleans() | st.text(max_size=5) | st.lists(NUMBERS, max_size=4)


def problems(file: Path) -> tuple[Problem, ...]:
    try:
        load_vehicle(str(file))
    except InvalidFileError as error:
        return error.problems
    return ()


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_values_are_a_vehicle_or_a_configuration_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever the numbers are, nothing but an InvalidFileError comes out, with a line that the file has."""
    file = tmp_path_factory.getbasetemp() / "car.yaml"
    tree = as_yaml(VehicleSettings())
    for *sections, key in data.draw(st.lists(st.sampled_from([place for place, _ in parameters()]), max_size=6)):
        reduce(getitem, sections, tree)[key] = data.draw(VALUES)
    text = yaml.safe_dump(tree)
    file.write_text(text)
    for problem in problems(file):
        assert 1 <= problem.line <= text.count("\n") + 1
        assert b"\n" not in str(problem).encode()
