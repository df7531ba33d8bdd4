"""The published times and the sums of epa_acceleration.py; what the cars need is in docs/model.md."""

import re
import statistics
from pathlib import Path

import pytest

from vehiclesim import DifferentialType

from . import epa_acceleration, epa_cars
from .epa_draw import load
from .epa_rules import on_the_road

FITTED, UNSEEN, THIRD = load()


def test_every_published_time_is_that_of_a_car() -> None:
    """In one of the lists, to a speed that is known, with a source."""
    names = {car.name for car in (*FITTED, *UNSEEN, *THIRD)}
    for name, said in epa_acceleration.published().items():
        assert name in names
        assert said.figure in epa_acceleration.SPEEDS
        assert said.source
        assert said.roll_out in (0.0, 0.3048)
        assert said.engine in ("front", "mid", "rear")
        assert said.front_weight == 0.0 or 0.35 < said.front_weight < 0.65


def test_only_sporting_cars_have_summer_tyres(tmp_path: Path) -> None:
    """From 150 W/kg on, with a highest coefficient of 1.25; else 1.1."""
    peaks = {}
    for name in ("Bmw Z4 M40I", "Toyota Camry Xse"):
        (car,) = (each for each in FITTED if each.name == name)
        peaks[name] = max(epa_cars.build(car, tmp_path, on_the_road).settings.tyre.longitudinal_friction)
    assert peaks == pytest.approx({"Bmw Z4 M40I": 1.25, "Toyota Camry Xse": 1.1}, abs=0.01)


def test_the_third_list_has_no_figure_from_memory() -> None:
    """Each was found on a page."""
    said = epa_acceleration.published()
    assert all(said[car.name].found for car in THIRD if car.name in said)


def test_what_the_sheet_says_is_in_the_vehicle_file(tmp_path: Path) -> None:
    """Weight on the axles by the place of the engine or by the maker, launch control, a centre that biases torque."""
    (car,) = (each for each in UNSEEN if each.name == "Porsche 911 Turbo S Cabriolet")
    made = epa_cars.build(car, tmp_path, epa_acceleration.on_its_road).settings
    assert made.chassis.front_weight == 0.39
    assert (made.launch_control.enabled, made.launch_control.rpm) == (True, 5000.0)
    assert made.driveline.centre.type is DifferentialType.TORQUE_BIAS
    weights = [on_the_road(car, place)["chassis"]["front_weight"] for place in ("front", "mid", "rear")]
    assert weights == sorted(weights, reverse=True)


def test_the_page_counts_its_accelerations() -> None:
    """Deviations follow from the printed times, and the summary from the deviations."""
    text = epa_cars.PAGE.read_text(encoding="utf-8")
    text = text.split(epa_acceleration.BEGIN)[1].split(epa_acceleration.END)[0]
    parts = re.split(r"\| (?:unseen|third) \|", text)
    for half, cars in zip(parts, (FITTED, UNSEEN, THIRD), strict=True):
        rows = re.findall(r"^\| (.*?) \|.* ([\d.]+) of ([\d.]+): ([-+\d]+) % \|$", half, re.MULTILINE)
        shown = {row[0].removesuffix("; launch control") for row in rows}
        assert shown == {car.name for car in cars} & set(epa_acceleration.published())
        exact = [100.0 * (float(measured) / float(said) - 1.0) for _, measured, said, _ in rows]
        assert [int(row[3]) for row in rows] == pytest.approx(exact, abs=0.7)
        counts = r"^(\d+) of (\d+) within 7 %, mean ([-+\d.]+) %, standard deviation ([\d.]+) %, .*; of (\d+) no"
        ((near, of, mean, spread, missing),) = re.findall(counts, half, re.MULTILINE)
        assert (int(near), int(of)) == (sum(abs(each) <= 7.0 for each in exact), len(rows))
        assert int(missing) == len(cars) - len(rows)
        assert [float(mean), float(spread)] == pytest.approx(
            [statistics.fmean(exact), statistics.stdev(exact)], abs=0.2
        )
