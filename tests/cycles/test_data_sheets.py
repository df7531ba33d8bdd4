"""The cars that were added last, from data sheets alone; what they measure is printed, whatever it is."""

import math

import pytest

from .data_sheets import COLUMNS, rows, table


def test_every_car_from_a_data_sheet_drives(capsys: pytest.CaptureFixture[str]) -> None:
    """All its figures can be measured."""
    cars = list(rows())
    with capsys.disabled():
        print(f"\n{table(cars)}")
    assert len(cars) == 6
    for car in cars:
        assert all(math.isfinite(car.figures[name].measured or math.nan) for name in COLUMNS), car.name
