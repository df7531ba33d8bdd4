"""The picture of a fit."""

from pathlib import Path

import pytest
from matplotlib.axes import Axes

from hilbridge.fit import plot as module
from hilbridge.fit.plot import plot
from hilbridge.fit.result import Result

from ...sim.published_engines import DEFAULT
from .sheets import ROADSTER, load

ALL_KINDS = """\
idle: {rpm: 1000, torque: 135}
points: [{rpm: 3000, torque: 190}, {rpm: 5000, power: 86}]
chart: {file: dyno.csv}
best_consumption: {value: 479}
consumption: [{rpm: 3000, value: 490}]
friction: [{rpm: limit, torque: 150}, {rpm: 3000, power: 20}]
"""


def test_every_target_has_its_cross(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At its speed and value: 20 kW of engine brake at 3000 rpm are 63.66 Nm, the best consumption is at 3854 rpm."""
    (tmp_path / "dyno.csv").write_text("rpm,torque Nm\n1500,150\n2500,170\n", encoding="utf-8")
    targets = load(tmp_path, ROADSTER + ALL_KINDS)
    crosses: list[tuple[float, float]] = []
    draw = module._cross

    def cross(axes: Axes, rpm: float, value: float, share: float) -> None:
        crosses.append((rpm, value))
        draw(axes, rpm, value, share)

    monkeypatch.setattr(module, "_cross", cross)
    plot(Result(targets, DEFAULT, (), (), None, sound=True, interrupted=False), tmp_path / "fit.svg")
    expected = [
        (1000, 135),
        (1500, 150),
        (2500, 170),
        (3000, 63.66),
        (3000, 190),
        (3000, 490),
        (3854, 479),
        (4600, 200),
    ]
    expected += [(5000, 86), (6000, 118), (7089, 150)]
    assert [value for pair in sorted(crosses) for value in pair] == pytest.approx(
        [value for pair in expected for value in pair], rel=1e-3
    )
    assert "<!-- roadster -->" in (tmp_path / "fit.svg").read_text(encoding="utf-8")
