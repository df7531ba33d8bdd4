"""The picture of an engine."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from hilbridge.base.plots.engine import draw_engine, plot_engine
from vehiclesim.parameters import EngineSettings

LIMITED = EngineSettings(rpm_limiter=True, rpm_limiter_max=6000.0, torque_cap=True, torque_cap_limit=170.0)


def test_an_svg_says_what_it_shows_and_is_the_same_each_time(tmp_path: Path) -> None:
    """Every curve of the legend, both peaks with their figures: the default engine has 191.3 Nm and 87.2 kW."""
    for name in ("one.svg", "two.svg"):
        plot_engine(EngineSettings(), "default", tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    curves = ("torque", "power", "friction", "raw torque", "parameters")
    peaks = ("191.3 Nm @ 3854", "87.2 kW @ 4850")
    for label in ("default", "torque, Nm", "power, kW", "fuel, g/kWh", "engine speed, rpm", *curves, *peaks):
        assert f"<!-- {label} -->" in text
    assert "<!-- without cap -->" not in text
    assert "<!-- limiter -->" not in text


def test_cap_and_limiter_are_drawn_where_there_are_any() -> None:
    _, panels = draw_engine(LIMITED, "limited")
    lines = {str(line.get_label()): line.get_xydata() for line in panels.torque.lines}
    assert {"without cap", "limiter"} <= lines.keys()
    assert np.asarray(lines["limiter"])[:, 0].tolist() == [6000.0, 6000.0]
    torque, free = (np.asarray(lines[name])[:, 1].max() for name in ("torque", "without cap"))
    assert torque == 170.0 < free


def test_a_png_is_one(tmp_path: Path) -> None:
    plot_engine(LIMITED, "title", tmp_path / "engine.png")
    assert (tmp_path / "engine.png").read_bytes().startswith(b"\x89PNG\r\n")


def test_an_engine_that_burns_nothing_can_be_drawn_too(tmp_path: Path) -> None:
    plot_engine(replace(LIMITED, max_fuel_per_rev=0.0), "title", tmp_path / "engine.svg")
    assert "0.0 g/kWh" in (tmp_path / "engine.svg").read_text(encoding="utf-8")
