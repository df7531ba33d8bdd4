"""The sums of electric_sheets.py; what the cars need is in docs/model.md."""

import re

import pytest

from . import electric_sheets
from .epa_cars import PAGE


def test_the_fuel_of_a_held_charge_is_on_the_line_through_two_runs() -> None:
    """4.0 l with 0.5 kWh gained and 3.6 l with 0.5 kWh taken are 3.8 l; so are two that both take."""
    assert electric_sheets.at_zero(-0.5, 4.0, 0.5, 3.6) == pytest.approx(3.8)
    assert electric_sheets.at_zero(0.5, 3.6, 1.0, 3.4) == pytest.approx(3.8)


def test_the_sheets_have_the_road_load_of_the_list() -> None:
    """EPA's pounds of force at 60 mph: 34.98 + 0.0865·60 + 0.0148·60², and 23.7 + 0.346·60 + 0.01675·60²."""
    for name, pounds in (("model-3", 93.45), ("i3-rex", 104.76)):
        car, speed = electric_sheets.settings(name), 26.8224
        rolling = car.wheels.rolling_resistance + car.wheels.rolling_resistance_speed * speed
        force = rolling * car.body.mass * 9.80665 + 0.5 * 1.225 * car.body.drag_area * speed**2
        assert force / 4.4482216 == pytest.approx(pounds, rel=0.002)


def test_the_page_has_every_deviation_of_its_rows() -> None:
    """As whole per cent of the printed figures."""
    text = PAGE.read_text(encoding="utf-8").split(electric_sheets.BEGIN)[1].split(electric_sheets.END)[0]
    rows = re.findall(r"\| ([\d.]+) [^|]*\| ([\d.]+): ([-+]\d+) %", text)
    assert len(rows) == 17
    for here, said, percent in rows:
        assert 100.0 * (float(here) / float(said) - 1.0) == pytest.approx(float(percent), abs=0.6)
