"""The plot of a scenario."""

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from hilbridge.base.plots.style import BLUE, GREEN, GREY, RED
from hilbridge.bench.scenario.plot import draw, plot
from hilbridge.files.configuration.scenariofile import load_scenario

from .test_sampler import Followed

STEPS = """\
{name: "Costs $5 or $6", set: {input.Throttle: 0.5}}
{name: Soon, expect: "4 < vehicle.Speed < 6", within: 1}
{name: In vain, expect: "vehicle.EngineRpm > 900", within: 0.5}
{wait: {until: "auxiliary.CoolantTemperature > 200", timeout: 0.5}}
{name: Too late, set: {input.Key: 0}}
"""


def played(folder: Path) -> Followed:
    """5 m/s after 0.2 s; what else is expected never comes."""
    rig = Followed(folder, STEPS)
    rig.go(20)
    rig.put("vehicle.Speed", 5.0)
    rig.go(150)
    assert rig.verdicts() == ["passed", "passed", "failed", "failed", "not reached"]
    return rig


def panel(figure: Figure, unit: str) -> Axes:
    return next(axes for axes in figure.axes if axes.get_ylabel() == unit)


def test_an_svg_says_what_it_shows_and_is_the_same_each_time(tmp_path: Path) -> None:
    """Titles are no formulas; a step that was not passed says so."""
    rig = played(tmp_path)
    for name in ("one.svg", "two.svg"):
        plot(load_scenario(str(tmp_path / "scenario.yaml")), rig.scenario, rig.course, tmp_path / name)
    text = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.svg").read_text(encoding="utf-8")
    titles = ("scenario", "Costs $5 or $6", "Soon", "In vain: failed", "Too late: not reached")
    panels = (
        "vehicle.EngineRpm",
        "vehicle.Speed",
        "auxiliary.CoolantTemperature",
        "rpm",
        "m/s",
        "km/h",
        "°C",
        "time, s",
    )
    for label in (*titles, *panels):
        assert f"<!-- {label} -->" in text


def test_what_nobody_names_and_what_never_moved_is_left_out(tmp_path: Path) -> None:
    rig = played(tmp_path)
    labels = {str(line.get_label()) for axes in draw(rig.scenario, rig.course).axes for line in axes.lines}
    assert "input.Throttle" in labels
    assert not {"input.Brake", "input.Clutch"} & labels


def test_limits_have_the_colour_of_the_outcome(tmp_path: Path) -> None:
    """As lines from the begin of the step to its end, and a dot where it ended."""
    rig = played(tmp_path)
    figure = draw(rig.scenario, rig.course)
    lines = [(to_hex(line.get_color()), np.asarray(line.get_xydata()).tolist()) for line in panel(figure, "m/s").lines]
    met = rig.scenario.verdicts[1].end
    assert met is not None
    begin, end = 0.01, met / 1e9
    assert {str(xy) for colour, xy in lines if colour == GREEN} == {
        str([[begin, limit], [end, limit]]) for limit in (4.0, 6.0)
    } | {str([[end, 5.0]])}
    failed = [np.asarray(line.get_xydata()).tolist() for line in panel(figure, "rpm").lines if line.get_color() == RED]
    assert [xy[0][1] for xy in failed] == [900.0, 0.0]


def test_each_step_has_its_bar_or_moment(tmp_path: Path) -> None:
    """What is done is blue, a step that was not reached has none."""
    rig = played(tmp_path)
    steps = draw(rig.scenario, rig.course).axes[0]
    rows = [bar.get_path().get_extents(bar.get_patch_transform()) for bar in steps.patches]
    bars = [
        (round(row.y0 + row.height / 2), to_hex(bar.get_facecolor()))
        for row, bar in zip(rows, steps.patches, strict=True)
    ]
    moments = [(np.asarray(line.get_ydata()).tolist(), line.get_color()) for line in steps.lines]
    assert bars == [(1, GREEN), (2, RED), (3, RED)]
    assert moments == [([0], BLUE)]
    assert GREY in {text.get_color() for text in steps.texts if "not reached" in text.get_text()}


def test_a_scenario_that_never_began_can_be_drawn_too(tmp_path: Path) -> None:
    rig = Followed(tmp_path, STEPS)
    draw(rig.scenario, rig.course)


def test_so_many_steps_that_their_titles_have_no_room(tmp_path: Path) -> None:
    rig = Followed(tmp_path, '{expect: "1"}\n' * 100)
    rig.go(2)
    figure = draw(rig.scenario, rig.course)
    assert len(figure.axes[0].texts) == 0
    assert figure.get_figheight() < 20.0
