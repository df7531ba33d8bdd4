"""The full load of an engine whose sheet has a plateau is that of its sheet, figure for figure."""

import math
from pathlib import Path

import pytest

from hilbridge.base.common.errors import InvalidFileError
from hilbridge.desk.fit.full_load import full_load
from hilbridge.desk.fit.result import fit
from vehiclesim.engine.engine import Engine

from .sheets import load

TURBO = """\
name: turbo
displacement: 1.4
torque: {value: 200, rpm: [1500, 3500]}
power: {value: 96, rpm: [5000, 6000]}
idle: {rpm: 750, torque: 100}
limiter_rpm: 6500
"""


def test_torque_and_power_hold_where_the_sheet_says(tmp_path: Path) -> None:
    """96 kW at 5000 and 6000 rpm are 183.35 and 152.79 Nm; half way from 3500 rpm to 5000 it is 191.67 Nm."""
    rows = dict(full_load(load(tmp_path, TURBO), 8125.0))
    assert [rows[rpm] for rpm in (750, 1500, 2500, 3500)] == [100, 200, 200, 200]
    assert [rows[rpm] for rpm in (4250, 5000, 6000, 8125)] == pytest.approx([191.67, 183.35, 152.79, 0], abs=0.005)
    assert rows[5500] == pytest.approx(96e3 / (5500 * math.pi / 30))


def test_between_two_figures_the_power_stays_below_the_highest(tmp_path: Path) -> None:
    """230 Nm until 3500 rpm, 96 kW at 5500 rpm: a straight line of the torque would pass 96 kW before."""
    sheet = "name: x\ntorque: {value: 230, rpm: [1750, 3500]}\npower: {value: 96, rpm: 5500}\n"
    rows = full_load(load(tmp_path, sheet), 6875.0)
    assert max(row.torque * row.rpm * math.pi / 30 for row in rows) == pytest.approx(96e3)


def test_the_engine_has_the_figures_of_its_sheet(tmp_path: Path) -> None:
    """Torque and power within 0.1 % along both plateaus; the friction is that of charged engines."""
    result = fit(load(tmp_path, TURBO))
    engine = Engine(result.engine)
    assert result.good
    assert [engine.calculate_torque(rpm) for rpm in range(1500, 3501, 70)] == pytest.approx([200] * 29, rel=1e-3)
    assert [engine.calculate_power_in_kw(rpm) for rpm in range(5000, 6001, 70)] == pytest.approx([96] * 15, rel=1e-3)
    pressure = 2.14063 + 0.0025 * 9.0**2  # [bar] at 3000 rpm, 9 m/s of mean piston speed
    assert engine.calculate_torque(3000, 0.0) == pytest.approx(-pressure * 1.4e2 / (4 * math.pi), rel=1e-4)
    assert result.implausible() == []


def test_a_figure_beyond_the_end_of_the_torque_is_a_mistake_in_the_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidFileError, match=r"targets\.yaml:7: points\[0\]: 9000 rpm is not below 8125"):
        fit(load(tmp_path, TURBO + "points: [{rpm: 9000, torque: 20}]\n"))
