"""The lot, the units and the rules of the electric cars; what they take is in docs/model.md, by epa_electric.py."""

import re
from pathlib import Path

import pytest

from . import epa_electric, epa_electric_draw
from .epa_cars import PAGE
from .epa_electric_draw import Car
from .test_epa_cars import check_summary

NAMES = ("Charge Depleting UDDS", "Charge Depleting Highway")


def measured(
    number: int, figures: tuple[str, str] = ("150", "130"), others: dict[str, str] | None = None
) -> list[dict[str, str]]:
    """Both tests of a car, of a make of its own."""
    row = {
        "Represented Test Veh Make": f"Make{number:03}",
        "Represented Test Veh Model": "Model",
        "Test Vehicle ID": "1",
        "Test Veh Configuration #": "0",
        "Rated Horsepower": "300",
        "# of Gears": "1",
        "Drive System Code": "A",
        "Equivalent Test Weight (lbs.)": "4000",
        "N/V Ratio": "120",
        "Test Fuel Type Description": "Electricity",
        "Target Coef A (lbf)": "30",
        "Target Coef B (lbf/mph)": "0.1",
        "Target Coef C (lbf/mph**2)": "0.02",
        **(others or {}),
    }
    return [
        row | {"Test Procedure Description": name, "RND_ADJ_FE": figure}
        for name, figure in zip(NAMES, figures, strict=True)
    ]


def label(number: int, **others: str) -> dict[str, str]:
    """The entry of a car at fueleconomy.gov."""
    return {
        "make": f"Make{number:03}",
        "model": "Model AWD",
        "atvType": "EV",
        "evMotor": "74 and 150 kW PMSM",
        "drive": "All-Wheel Drive",
        "UCity": "150.0",
        "UHighway": "130.0",
        **others,
    }


def only(tests: list[dict[str, str]], labels: list[dict[str, str]]) -> Car:
    """The only car that qualifies."""
    ((_, car),) = epa_electric_draw.qualifying(tests, labels)
    return car


@pytest.mark.parametrize("figures", [("150", "130"), ("22.47", "25.93")], ids=["mpg", "kWh"])
def test_a_car_of_the_list_is_in_si_units_whatever_its_own(figures: tuple[str, str]) -> None:
    """150 miles per gallon of 33.705 kWh are 22.47 kWh per 100 miles, and 13.96 per 100 km."""
    car = only(measured(1, figures), [label(1)])
    assert (car.udds, car.hwfet) == pytest.approx((13.96, 16.11), abs=0.01)
    assert (car.motors, car.magnets, car.front) == ("74 150", True, False)
    assert car.rpm_per_mps * 26.8224 == pytest.approx(120.0 * 60.0, rel=1e-4)
    assert car.mass == pytest.approx(1814.4, abs=0.05)


@pytest.mark.parametrize(
    ("tests", "labels"),
    [
        (measured(1)[:1], [label(1)]),
        (measured(1, ("105", "91")), [label(1)]),
        (measured(1), [label(2)]),
        (measured(1), [label(1, evMotor="224 kW PMSM")]),
        (measured(1), [label(1, evMotor="75, 75 and 75 kW PMSM")]),
        (measured(1), [label(1, drive="Rear-Wheel Drive")]),
        (measured(1, others={"Rated Horsepower": "40"}), [label(1)]),
        (measured(1, others={"N/V Ratio": "999"}), [label(1)]),
        (measured(1, others={"# of Gears": "2"}), [label(1)]),
        (measured(1, others={"Target Coef A (lbf)": ""}), [label(1)]),
    ],
    ids=["one cycle", "adjusted", "unknown", "one motor", "three", "axles", "power", "speed", "gears", "no road load"],
)
def test_what_both_lists_do_not_agree_on_does_not_qualify(
    tests: list[dict[str, str]], labels: list[dict[str, str]]
) -> None:
    """Such as a figure that is adjusted already: 0.7 of that of the test."""
    assert not list(epa_electric_draw.qualifying(tests, labels))


def test_the_lot_hangs_on_nothing_but_the_names() -> None:
    """Halves with no car in common, whatever the order in which the cars come; one car of two alike, none of before."""
    tests = [
        row for each in range(21) for twin in ("1", "2") for row in measured(each, others={"Test Vehicle ID": twin})
    ]
    labels = [label(each) for each in range(21)]
    nissan = measured(
        0, others={"Represented Test Veh Make": "NISSAN", "Drive System Code": "F", "Rated Horsepower": "147"}
    )
    before = label(0, make="Nissan", evMotor="110 kW DCPM", drive="Front-Wheel Drive")
    every = list(epa_electric_draw.qualifying(tests + nissan, [*labels, before]))
    assert len(every) == 43
    one, two = epa_electric_draw.draw(every), epa_electric_draw.draw(reversed(every))
    assert one == two
    assert [len(part) for part in one] == [11, 10]
    assert len({car.name for part in one for car in part}) == 21
    assert not any(car.name.startswith("Nissan") for part in one for car in part)


def test_the_drawn_cars_are_thirty_five() -> None:
    """No motors of a make are in both lists, and none was driven before."""
    fitted, unseen = epa_electric_draw.load()
    assert (len(fitted), len(unseen)) == (18, 17)
    keys = {(car.name.split()[0], car.motors) for car in fitted + unseen}
    assert len(keys) == 35
    assert not keys & {("Nissan", "110"), ("Tesla", "98 195")}


@pytest.mark.parametrize("number", range(18))
def test_a_car_by_rule_has_the_road_load_and_the_motors_of_the_list(number: int, tmp_path: Path) -> None:
    """Its motors turn as fast as the list says, and have its power."""
    car = epa_electric_draw.load()[0][number]
    settings = epa_electric.build(car, tmp_path).settings
    rolling = settings.wheels.rolling_resistance + settings.wheels.rolling_resistance_speed * 20.0
    force = rolling * car.mass * 9.80665 + 0.5 * 1.225 * settings.body.drag_area * 400.0
    assert force == pytest.approx(car.force + car.per_speed * 20.0 + car.per_square * 400.0, rel=0.06)
    rpm = settings.driveline.total_ratio / settings.wheels.radius * 30.0 / 3.14159265
    assert rpm == pytest.approx(car.rpm_per_mps, rel=1e-3)
    electric = settings.electric
    motors = [electric.motor.max_power] + ([] if electric.axle_motor is None else [electric.axle_motor.max_power])
    assert sorted(motors) == sorted(car.powers)


@pytest.mark.parametrize("name", ["Chevrolet Bolt EUV", "Volkswagen ID.4 AWD Pro S"])
def test_the_page_has_what_a_car_takes(name: str) -> None:
    """Driven here again: with one motor, and with two."""
    (car,) = (each for part in epa_electric_draw.load() for each in part if each.name == name)
    assert str(epa_electric.run(car)) in PAGE.read_text(encoding="utf-8")


def test_the_page_counts_its_rows() -> None:
    """By the whole per cent that are printed."""
    text = PAGE.read_text(encoding="utf-8").split(epa_electric.BEGIN)[1].split(epa_electric.END)[0]
    parts = text.split("| unseen |")
    for part, drawn in zip(parts, epa_electric_draw.load(), strict=True):
        rows = re.findall(r"^\| (.*?) \|.*: ([-+\d]+) % \|.*: ([-+\d]+) % \|$", part, re.MULTILINE)
        assert [row[0] for row in rows] == [car.name for car in drawn]
        (summary,) = re.findall(r"^city: .*", part, re.MULTILINE)
        check_summary(summary, rows)
