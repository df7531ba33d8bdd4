"""The lot, the rules and the sums of the forty cars; what they burn is in docs/model.md, written by epa_cars.py."""

import math
import re
import statistics
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from . import epa_cars, epa_draw, epa_rules
from .epa_draw import Car


def measured(number: int, **others: str) -> dict[str, str]:
    """A test of the list, of a make of its own."""
    return {
        "Represented Test Veh Make": f"Make{number:03}",
        "Represented Test Veh Model": "Model Sport",
        "Test Vehicle ID": "1",
        "Test Veh Configuration #": "0",
        "Test Veh Displacement (L)": "2",
        "Rated Horsepower": "200",
        "# of Cylinders and Rotors": "4",
        "Tested Transmission Type Code": "SA",
        "# of Gears": "8",
        "Drive System Code": "R",
        "Equivalent Test Weight (lbs.)": "4000",
        "Axle Ratio": "3.0",
        "N/V Ratio": "25",
        "Test Procedure Description": "HWFE",
        "Test Fuel Type Description": "Tier 2 Cert Gasoline",
        "Test Category": "FTP",
        "RND_ADJ_FE": "30",
        "Target Coef A (lbf)": "30",
        "Target Coef B (lbf/mph)": "0.1",
        "Target Coef C (lbf/mph**2)": "0.02",
        **others,
    }


def label(number: int, **others: str) -> dict[str, str]:
    """The entry of a car at fueleconomy.gov."""
    return {
        "make": f"Make{number:03}",
        "baseModel": "Model",
        "displ": "2.0",
        "cylinders": "4.0",
        "tCharger": "T",
        "sCharger": "",
        "startStop": "Y",
        "atvType": "",
        **others,
    }


def both(number: int, **others: str) -> list[dict[str, str]]:
    """Both cycles of a car."""
    return [measured(number, **others), measured(number, **{"Test Category": "HWY", "RND_ADJ_FE": "40", **others})]


def cars(**others: Any) -> list[Car]:
    """One car of the list, with other values."""
    ((_, car),) = epa_draw.qualifying(both(1), [label(1)])
    return [car._replace(**others)]


def test_a_car_of_the_list_is_in_si_units() -> None:
    """By the definitions of mile, pound, gallon and horsepower."""
    (car,) = cars()
    assert car.power == pytest.approx(149.14, abs=0.05)
    assert car.mass == pytest.approx(1814.4, abs=0.05)
    assert (car.ftp, car.hwfet) == (7.84, 5.88)
    assert car.force == pytest.approx(133.45, abs=0.01)
    at_60_mph = car.force + car.per_speed * 26.8224 + car.per_square * 26.8224**2
    assert at_60_mph == pytest.approx((30.0 + 6.0 + 72.0) * 4.4482216, rel=1e-4)
    assert car.rpm_per_mps * 26.8224 == pytest.approx(1500.0, rel=1e-3)
    assert (car.charged, car.stops, car.gearbox) == (True, True, "automatic")


@pytest.mark.parametrize(
    ("tests", "labels"),
    [
        (both(1)[:1], [label(1)]),
        (both(1), [label(1, atvType="Hybrid")]),
        (both(1), [label(1), label(1, tCharger="")]),
        (both(1), [label(2)]),
        (both(1, **{"Drive System Code": "4"}), [label(1)]),
        (both(1, **{"N/V Ratio": "0"}), [label(1)]),
        (both(1, **{"Target Coef A (lbf)": ""}), [label(1)]),
        (both(1, **{"Test Fuel Type Description": "Electricity"}), [label(1)]),
        (both(1, **{"Test Procedure Description": "Cold CO"}), [label(1)]),
    ],
    ids=[
        "one cycle",
        "motor",
        "two engines",
        "unknown",
        "part-time",
        "no gear",
        "no road load",
        "electricity",
        "frost",
    ],
)
def test_what_is_not_whole_does_not_qualify(tests: list[dict[str, str]], labels: list[dict[str, str]]) -> None:
    """Nothing is assumed in place of what a list lacks."""
    assert not list(epa_draw.qualifying(tests, labels))


def test_the_lot_hangs_on_nothing_but_the_names() -> None:
    """Lists with no car in common, whatever the order in which the cars come."""
    twins: tuple[dict[str, str], ...] = ({}, {"Test Vehicle ID": "2", "Equivalent Test Weight (lbs.)": "3000"})
    tests = [row for each in range(100) for twin in twins for row in both(each, **twin)]
    every = list(epa_draw.qualifying(tests, [label(each) for each in range(100)]))
    assert len(every) == 200
    one, two = epa_draw.draw(every), epa_draw.draw(reversed(every))
    assert one == two
    assert {car.mass for part in one for car in part} == {1360.8}
    assert [len(part) for part in one] == [20, 20, 20]
    assert len({car for part in one for car in part}) == 60
    assert [car.name for car in one[0]] != sorted(car.name for car in one[0])


def test_the_drawn_cars_are_eighty_five() -> None:
    """No engine of a make is in two lists, and no displacement of a make of the others in the fourth."""
    lists = epa_draw.load()
    assert [len(part) for part in lists] == [20, 20, 20, 25]
    assert len({(car.name.split()[0], car.displacement, car.power) for part in lists for car in part}) == 85
    *others, fourth = lists
    known = [*epa_draw.GUIDE, *((car.name.split()[0], car.displacement) for part in others for car in part)]
    for car in fourth:
        assert all(car.name.split()[0] != make or abs(car.displacement - size) > 0.05 for make, size in known)
    assert len({car.name for car in fourth}) == 25


def test_the_fourth_list_is_of_names_and_engines_that_were_not_drawn() -> None:
    """Neither a make's displacement, nor a name, that was drawn before; whatever the order in which the cars come."""
    tests = [row for each in range(40) for row in both(each)]
    tests += [row for each in range(20) for row in both(each, **{"Test Veh Displacement (L)": "3"})]
    labels = [label(each, displ=size) for each in range(40) for size in ("2.0", "3.0")]
    every = list(epa_draw.qualifying(tests, labels))
    drawn = [car for _, car in every if car.displacement == 2.0 and car.name < "Make020"]
    again = epa_draw.draw_again(every, drawn)
    assert {car.name for car in again} == {f"Make{number:03} Model Sport" for number in range(20, 40)}
    assert again == epa_draw.draw_again(reversed(every), drawn)


@pytest.mark.parametrize("gears", [6, 7, 8, 9, 10])
def test_the_gears_have_the_speed_and_the_span(gears: int) -> None:
    """In the longest one the engine turns as the list says."""
    (car,) = cars(gears=gears)
    ratios = epa_rules.ratios(car)
    rpm = ratios[-1] * car.axle / epa_rules.RADIUS * 30.0 / math.pi
    assert rpm == pytest.approx(car.rpm_per_mps, rel=1e-3)
    assert ratios[0] / ratios[-1] == pytest.approx(epa_rules.SPANS["automatic", gears], rel=1e-3)
    steps = [one / two for one, two in pairwise(ratios)]
    assert len(ratios) == gears
    assert all(one > two > 1.0 for one, two in pairwise(steps))


def test_a_light_foot_leaves_the_next_gear_a_tenth_of_its_torque() -> None:
    """The same power there asks for 0.9 of it at most, and the next gear turns at the lowest speed."""
    gears = [4.0, 2.5, 1.5, 1.0]
    for (one, two), line in zip(pairwise(gears), epa_rules.shift_map(gears, 0.1, 1200, 6000, 6000), strict=True):
        assert line["pedal"][1] * one / two <= 0.9 + 1e-3
        assert line["up"][0] / 0.1 * two * 30.0 / math.pi == pytest.approx(1200.0, rel=0.01)
        assert line["up"][2] / 0.1 * one * 30.0 / math.pi == pytest.approx(6000.0, rel=0.01)


@pytest.mark.parametrize(
    "others",
    [
        {},
        {"fuel": "diesel"},
        {"charged": False},
        {"gearbox": "continuous", "gears": 1, "per_speed": -2.0},
        {"gearbox": "manual", "gears": 6},
        {"gearbox": "dual-clutch", "gears": 7, "layout": "all-wheel-drive"},
    ],
)
def test_every_kind_of_car_is_a_vehicle_file(others: dict[str, Any], tmp_path: Path) -> None:
    """Its highest power is that of the list, its road load too."""
    (car,) = cars(**others)
    settings = epa_cars.build(car, tmp_path).settings
    assert settings.body.mass == car.mass
    rolling = settings.wheels.rolling_resistance + settings.wheels.rolling_resistance_speed * 20.0
    force = rolling * car.mass * 9.80665 + 0.5 * 1.225 * settings.body.drag_area * 400.0
    listed = car.force + car.per_speed * 20.0 + car.per_square * 400.0
    assert force == pytest.approx(listed, rel=0.06)


def test_the_spread_is_stated_as_it_is() -> None:
    """Counts, mean and standard deviation by hand."""
    (car,) = cars(ftp=10.0, hwfet=5.0)
    rows = [epa_cars.Row(car, ftp, 5.0) for ftp in (9.0, 10.0, 11.5, 12.5)]
    text = epa_cars.summary(rows)
    assert "city: 2 of 4 within 10 %, 3 within 20 %, mean +7.5 %, standard deviation 15.5 %, farthest +25 %" in text
    assert "highway: 4 of 4 within 10 %" in text


def test_a_car_that_was_driven_before_is_shown_and_not_counted() -> None:
    """The words name it and the reason."""
    (car,) = cars(ftp=10.0, hwfet=5.0)
    (name, why), *_ = epa_cars.DRIVEN_BEFORE.items()
    rows = [epa_cars.Row(car, ftp, 5.0) for ftp in (9.5, 10.5)]
    rows.append(epa_cars.Row(car._replace(name=name), 20.0, 5.0))
    text = epa_cars.table("unseen", rows)
    assert f"| {name} |" in text
    assert "city: 2 of 2 within 10 %" in text
    assert f"Not counted: {name}, {why}." in text
    assert "Not counted" not in epa_cars.table("unseen", rows[:2])


def test_every_car_that_was_driven_before_is_in_the_table() -> None:
    assert set(epa_cars.DRIVEN_BEFORE) <= {car.name for car in epa_draw.load()[1]}


@pytest.mark.parametrize(("ftp", "shown"), [(9.97, ": 0 %"), (10.03, ": 0 %"), (9.9, ": -1 %"), (10.1, ": +1 %")])
def test_nothing_has_no_sign(ftp: float, shown: str) -> None:
    (car,) = cars(ftp=10.0, hwfet=5.0)
    assert shown in str(epa_cars.Row(car, ftp, 6.0))


def check_summary(summary: str, rows: list[tuple[str, str, str]]) -> None:
    """Fail unless the sentence counts rows of a name and two deviations, which are printed as whole per cent."""
    for place, part in enumerate(summary.split("; highway: "), start=1):
        each = [int(row[place]) for row in rows]
        near, of = map(int, re.findall(r"(\d+) of (\d+) within 10 %", part)[0])
        assert (sum(abs(one) < 10 for one in each) <= near <= sum(abs(one) <= 10 for one in each), of) == (
            True,
            len(each),
        )
        mean, spread, far = (float(n) for n in re.findall(r"(?:mean|deviation|farthest) ([-+\d.]+) %", part))
        assert (mean, spread) == pytest.approx((statistics.fmean(each), statistics.stdev(each)), abs=0.16)
        assert far in each
        assert abs(far) == max(map(abs, each))


def test_the_page_counts_its_rows() -> None:
    """By the whole per cent that are printed, which leave a tenth open, and whether 10 is more or less."""
    text = epa_cars.PAGE.read_text(encoding="utf-8").split(epa_cars.BEGIN)[1].split(epa_cars.END)[0]
    for name in epa_cars.LISTS:
        rows = re.findall(
            r"^\| (.*?) \|.*: ([-+\d]+) % \|.*: ([-+\d]+) % \|$", text.split(f"| {name} |")[1], re.MULTILINE
        )
        (summary,) = re.findall(r"^city: .*", text.split(f"| {name} |")[1].split("| unseen |")[0], re.MULTILINE)
        check_summary(summary, [row for row in rows[:20] if name == "fitted" or row[0] not in epa_cars.DRIVEN_BEFORE])
