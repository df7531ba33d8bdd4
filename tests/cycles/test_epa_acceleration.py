"""The published times and the sums of epa_acceleration.py; what the cars need is in docs/model.md."""

import math
import re
import statistics
from pathlib import Path

import pytest

from vehiclesim import DifferentialType

from . import epa_acceleration, epa_cars
from .epa_draw import load
from .epa_rules import Sheet, on_the_road, radius

FITTED, UNSEEN, THIRD, FOURTH = load()

ODD = "Maserati Levante S"
"""EPA's speed over speed is not that of its gears and tyres."""


def test_every_published_time_is_that_of_a_car() -> None:
    """In one of the lists, to a speed that is known, with a source."""
    names = {car.name for car in (*FITTED, *UNSEEN, *THIRD, *FOURTH)}
    for name, said in epa_acceleration.published().items():
        assert name in names
        assert said.figure in epa_acceleration.SPEEDS
        assert said.source
        assert said.roll_out in (0.0, 0.3048)


def test_every_sheet_is_one_of_a_car() -> None:
    """Speeds and gears in order, a torque that the power needs, a tyre that rolls as EPA's speeds say."""
    cars = {car.name: car for car in (*FITTED, *UNSEEN, *THIRD, *FOURTH)}
    for name, said in epa_acceleration.published().items():
        sheet, car = said.sheet, cars[name]
        assert sheet.engine in ("front", "mid", "rear")
        assert sheet.front_weight == 0.0 or 0.35 < sheet.front_weight < 0.65
        assert sheet.kerb == 0.0 or 0.75 * car.mass < sheet.kerb < car.mass
        assert sheet.from_rpm <= sheet.to_rpm <= sheet.power_rpm
        assert not sheet.last_power_rpm or sheet.last_power_rpm > sheet.power_rpm
        assert sheet.torque * sheet.power_rpm * math.pi / 30.0 > 975.0 * (sheet.power or car.power)
        assert list(sheet.gears) == sorted(sheet.gears, reverse=True)
        if sheet.tyre and sheet.gears and name != ODD:
            assert radius(car, sheet) == pytest.approx(radius(car, sheet._replace(tyre="")), rel=0.05)


def test_the_fourth_list_names_its_pages() -> None:
    """Time and torque of each were found on pages; the mass, torque and gears of nine."""
    said = [epa_acceleration.published()[car.name] for car in FOURTH if car.name in epa_acceleration.published()]
    assert all(each.found and "torque" in each.pages for each in said)
    assert sum(each.on_pages() for each in said) == 9


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
    said = epa_acceleration.published()[car.name]
    made = epa_cars.build(car, tmp_path, epa_acceleration.on_its_road, said.sheet).settings
    assert made.chassis.front_weight == 0.39
    assert (made.launch_control.enabled, made.launch_control.rpm) == (True, 5000.0)
    assert made.driveline.centre.type is DifferentialType.TORQUE_BIAS
    weights = [on_the_road(car, Sheet(engine=place))["chassis"]["front_weight"] for place in ("front", "mid", "rear")]
    assert weights == sorted(weights, reverse=True)


def test_the_rest_of_a_sheet_is_in_the_vehicle_file(tmp_path: Path) -> None:
    """Torque, gears, mass with a crew, the tyre; hypoid gears behind a longitudinal engine; boost beyond 10 bar."""
    (car,) = (each for each in FOURTH if each.name == "Bmw M6 Convertible")
    said = epa_acceleration.published()[car.name]
    made = epa_cars.build(
        car._replace(gearbox=said.gearbox), tmp_path, epa_acceleration.on_its_road, said.sheet
    ).settings
    assert made.gearbox.ratios == (4.806, 2.593, 1.701, 1.277, 1.0, 0.844, 0.671)
    assert made.gearbox.efficiency == pytest.approx(0.95 * 0.955, abs=1e-4)
    assert made.body.mass == 2037.0 + 90.0
    assert made.wheels.radius == pytest.approx(3.05 / math.pi * (0.254 + 0.295 * 0.3), abs=1e-4)
    pressure = 4.0 * math.pi * 680.0 / 0.0044 / 1e5
    assert made.auxiliary.air_path.max_boost == pytest.approx(10.0 * (pressure - 10.0), rel=0.01)
    upshift = max(made.shifting.shift_map[0].up) / made.wheels.radius * 3.15 * 4.806 * 30.0 / math.pi
    assert upshift == pytest.approx(7000.0, rel=0.01)


def test_a_car_from_its_sheet_needs_the_printed_time() -> None:
    """The quickest of the fourth list."""
    (car,) = (each for each in FOURTH if each.name == "Lamborghini Huracan Superleggera")
    row = str(epa_acceleration.run(car))
    assert row in epa_cars.PAGE.read_text(encoding="utf-8")


def test_the_page_counts_its_accelerations() -> None:
    """Deviations follow from the printed times, and the summary from the deviations."""
    text = epa_cars.PAGE.read_text(encoding="utf-8")
    text = text.split(epa_acceleration.BEGIN)[1].split(epa_acceleration.END)[0]
    known = epa_acceleration.published()
    rows = re.findall(r"^\| (.*?) \|.* ([\d.]+) of ([\d.]+): ([-+\d]+) % \|$", text, re.MULTILINE)
    names = [row[0].removesuffix("; launch control") for row in rows]
    assert set(names) == {car.name for car in FOURTH} & set(known)
    exact = [100.0 * (float(measured) / float(said) - 1.0) for _, measured, said, _ in rows]
    assert [int(row[3]) for row in rows] == pytest.approx(exact, abs=0.7)
    counts = (
        r"(\d+) of (\d+) within 7 %, (?:(\d+) of the (\d+) .* pages; )?mean ([-+\d.]+) %, "
        r"standard deviation ([\d.]+) %, .*; of (\d+) no"
    )
    last, *others = re.findall(counts, text)
    near, of, apart, pages, mean, spread, missing = last
    on_pages = [each for each, name in zip(exact, names, strict=True) if known[name].on_pages()]
    assert (int(near), int(of)) == (sum(abs(each) <= 7.0 for each in exact), len(rows))
    assert (int(apart), int(pages)) == (sum(abs(each) <= 7.0 for each in on_pages), len(on_pages))
    assert int(missing) == len(FOURTH) - len(rows)
    assert [float(mean), float(spread)] == pytest.approx([statistics.fmean(exact), statistics.stdev(exact)], abs=0.2)
    lists = [(int(count[1]), int(count[1]) + int(count[-1])) for count in others]
    assert lists == [(sum(car.name in known for car in part), len(part)) for part in (FITTED, UNSEEN, THIRD)]
