"""What all pictures share."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.plots import style
from hilbridge.base.plots.engine import draw_engine
from hilbridge.base.plots.style import check_plot, label_point, save
from hilbridge.files.configuration.vehiclefile import load_vehicle


def test_what_cannot_be_drawn_is_refused_beforehand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another format, no such folder, no matplotlib: the extra is named."""
    with pytest.raises(ConfigurationError, match=r"\.svg or \.png, not 'drive\.pdf'"):
        check_plot(tmp_path / "drive.pdf")
    with pytest.raises(ConfigurationError, match="there is no folder"):
        check_plot(tmp_path / "nowhere" / "drive.svg")
    check_plot(tmp_path / "drive.svg")
    monkeypatch.setattr(style, "find_spec", lambda _: None)
    with pytest.raises(ConfigurationError, match=r"-m pip install 'matplotlib"):
        check_plot(tmp_path / "drive.svg")


def test_equal_figures_give_equal_files(tmp_path: Path) -> None:
    """No date and no random identifiers in an SVG."""
    for name in ("one.svg", "two.svg"):
        figure = Figure()
        figure.subplots().plot([0.0, 1.0], [1.0, 2.0])
        save(figure, tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


POINT = (5.0, 5.0)


def drawn(*curves: tuple[Sequence[float], Sequence[float]]) -> Axes:
    figure = Figure(figsize=(6.0, 4.0))
    axes = figure.subplots()
    axes.set(xlim=(0.0, 10.0), ylim=(0.0, 10.0))
    for x, y in curves:
        axes.plot(x, y)
    figure.draw_without_rendering()
    return axes


def labels(axes: Axes) -> list[Annotation]:
    return [text for text in axes.texts if isinstance(text, Annotation)]


def crossed(label: Annotation, axes: Axes) -> bool:
    """A curve of the axes, followed in steps of a tenth of a pixel, enters the label."""
    box = label.get_window_extent()
    for line in axes.lines:
        points = np.asarray(line.get_xydata())
        pixels = line.get_transform().transform(points[np.isfinite(points).all(axis=1)])
        x, y = np.clip(pixels, -1e4, 1e4).T  # consumption goes to infinity where the torque ends
        if line.get_linestyle() != "None" and len(x) > 1:
            way = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
            steps = np.arange(0.0, way[-1], 0.1)
            x, y = np.interp(steps, way, x), np.interp(steps, way, y)
        if np.any((x > box.x0) & (x < box.x1) & (y > box.y0) & (y < box.y1)):
            return True
    return False


@pytest.mark.parametrize(
    ("curves", "across", "upright"),
    [
        ((), "center", "bottom"),
        ((([4.0, 6.0], [0.0, 10.0]),), "right", "bottom"),
        ((([4.0, 6.0], [10.0, 0.0]),), "left", "bottom"),
        ((([0.0, 10.0], [5.5, 5.5]),), "center", "top"),
        ((([0.0, 10.0], [5.5, 5.5]), ([5.0, 6.0], [5.0, 0.0])), "right", "top"),
    ],
    ids=["nothing", "rising", "falling", "roof", "roof and falling"],
)
def test_a_label_stands_at_the_first_place_that_is_free(
    curves: tuple[tuple[list[float], list[float]], ...], across: str, upright: str
) -> None:
    """Above, above to the left, to the right, then below."""
    axes = drawn(*curves)
    label_point(axes, POINT, "label", "black")
    (label,) = labels(axes)
    assert (label.get_horizontalalignment(), label.get_verticalalignment()) == (across, upright)
    assert not crossed(label, axes)


def test_where_no_place_is_free_it_stands_above() -> None:
    """A label that is crossed is better than none."""
    axes = drawn(*(([0.0, 10.0], [y, y]) for y in np.arange(0.0, 10.0, 0.1)))
    label_point(axes, POINT, "label", "black")
    (label,) = labels(axes)
    assert (label.get_horizontalalignment(), label.get_verticalalignment()) == ("center", "bottom")


def test_a_mark_counts_but_not_the_way_from_mark_to_mark() -> None:
    """Marks above the point on both sides leave the place between them free; one in the middle takes it."""
    axes = drawn()
    axes.plot([1.0, 9.0], [5.5, 5.5], marker="o", linestyle="none")
    label_point(axes, POINT, "free", "black")
    axes.plot([5.0], [5.5], marker="o", linestyle="none")
    label_point(axes, POINT, "taken", "black")
    free, taken = labels(axes)
    assert free.get_horizontalalignment() == "center"
    assert taken.get_horizontalalignment() == "right"


@pytest.mark.parametrize("vehicle", ["compact", "mx5-nd", "320d-g20", "awd-estate", "truck"])
def test_no_curve_runs_through_a_label_of_an_engine(vehicle: str) -> None:
    """Torque and power share a panel: neither crosses the other's peak."""
    figure, panels = draw_engine(load_vehicle(vehicle).settings.engine, vehicle)
    figure.draw_without_rendering()
    for axes, others in (
        (panels.torque, (panels.torque, panels.power)),
        (panels.power, (panels.torque, panels.power)),
        (panels.consumption, (panels.consumption,)),
    ):
        (label,) = labels(axes)
        assert not any(crossed(label, each) for each in others)
