"""Digitised dyno charts."""

import math
from pathlib import Path

import pytest

from hilbridge.common.errors import InvalidFileError
from hilbridge.fit.chart import ChartPoint, load_chart


def read(folder: Path, text: str) -> tuple[ChartPoint, ...]:
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
def test_a_mistake_is_named_with_its_line(tmp_path: Path, text: str, line: int, reason: str) -> None:
    with pytest.raises(InvalidFileError) as refused:
        read(tmp_path, text)
    assert str(refused.value).startswith(f"{tmp_path / 'dyno.csv'}:{line}: {reason}")
