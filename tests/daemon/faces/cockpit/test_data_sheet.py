"""A targets file of `hilbridge fit` becomes the points that the workshop aims at."""

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.resources import Kind, find
from hilbridge.faces.cockpit.data_sheet import data_sheet

OWN = """\
name: mine
fuel: petrol
displacement: 2.0
idle: {rpm: 800, torque: 100}
torque: {value: 350, rpm: [1500, 4400]}
power: {value: 169, rpm: 4700}
points: [{rpm: 6000, power: 160}, {rpm: 1200, torque: 250}]
limiter_rpm: 6500
"""


def test_a_plateau_has_two_points_and_other_figures_one() -> None:
    assert [tuple(point.values()) for point in data_sheet(OWN)["points"]] == [
        ("torque", 800, 100),
        ("torque", 1500, 350),
        ("torque", 4400, 350),
        ("power", 4700, 169),
        ("power", 6000, 160),
        ("torque", 1200, 250),
    ]


def test_the_shipped_files_have_their_published_figures() -> None:
    """BMW B47: 400 Nm from 1750 to 2500 rpm, 140 kW at 4000."""
    text = find(Kind.ENGINE, "b47-320d").read_text(encoding="utf-8")
    assert [tuple(point.values()) for point in data_sheet(text)["points"]] == [
        ("torque", 1750, 400),
        ("torque", 2500, 400),
        ("power", 4000, 140),
    ]


def test_no_file_of_this_machine_is_read() -> None:
    """Not even one that is there, or that is not: a chart is for `hilbridge fit`."""
    assert data_sheet(f"{OWN}chart: {{file: /etc/passwd}}\n") == data_sheet(OWN)


def test_another_file_is_refused_with_its_line() -> None:
    with pytest.raises(ConfigurationError, match=r"(?m)^line 2: rate: unknown key"):
        data_sheet("name: desk\nrate: 1000\n")
