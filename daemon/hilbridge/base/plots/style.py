"""Formats, colours, axes and labels of all pictures, and the writing of their files."""

from collections.abc import Sequence
from importlib.util import find_spec
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.lasting_files import write_output
from hilbridge.base.common.remedies import extra_remedy

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

FORMATS: Final = (".svg", ".png")

BLUE: Final = "#0b5fa5"
RED: Final = "#c0392b"
ORANGE: Final = "#d68910"
GREEN: Final = "#1e8449"
PURPLE: Final = "#7d3c98"
GREY: Final = "#888888"
PALE: Final = "#dddddd"
BLACK: Final = "#222222"

LINE: Final = 0.8
"""[pt], of a curve."""


_ASIDE: Final = 6


_AWAY: Final = 12
"""[pt] from point to label, sideways and up or down."""


_MARGIN: Final = 3
"""[px] around the label that no curve enters."""


_SIDES: Final[tuple[tuple[Literal["center", "right", "left"], int], ...]] = (
    ("center", 0),
    ("right", -_ASIDE),
    ("left", _ASIDE),
)


_HEIGHTS: Final[tuple[tuple[Literal["bottom", "top"], int], ...]] = (("bottom", _AWAY), ("top", -_AWAY))


def check_plot(path: Path, *, made: bool = False) -> None:
    """Raise ConfigurationError, before any work is done, for a picture that cannot be made.

    `made`: its folder is made if there is none.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"a plot is written as {' or '.join(FORMATS)}, not '{path.name}'")
    if not made and not path.parent.is_dir():
        raise ConfigurationError(f"there is no folder {path.parent} for the plot")
    if find_spec("matplotlib") is None:
        raise ConfigurationError(f"a plot needs the package matplotlib: {extra_remedy('plot')}")


def finish(axes: "Axes", label: str, *, legend: bool = False) -> None:
    """Give a panel its label, grid and legend; the curves reach its sides."""
    axes.set_ylabel(label)
    axes.grid(visible=True, linewidth=0.3)
    axes.margins(x=0.0)
    if legend:
        axes.legend(loc="upper left", ncols=3, frameon=False)


def save(figure: "Figure", path: Path) -> None:
    """Write a picture without date or random names, so that equal figures give equal files."""
    from matplotlib import rc_context

    content, kind = BytesIO(), path.suffix.lower().removeprefix(".")
    with rc_context({"svg.hashsalt": "hilbridge"}):
        _settle(figure)
        figure.savefig(content, format=kind, dpi=120, metadata={"Date": None} if kind == "svg" else {})
    try:
        write_output(path, content.getvalue())
    except OSError as error:
        raise ConfigurationError(f"the plot {path} cannot be written: {error.strerror}") from None


def svg_of(figure: "Figure") -> str:
    """Return a picture as an SVG element for a page, as `save` would write it."""
    from matplotlib import rc_context

    text = StringIO()
    with rc_context({"svg.hashsalt": "hilbridge"}):
        _settle(figure)
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()[text.getvalue().index("<svg") :]


def _settle(figure: "Figure") -> None:
    """Keep the layout as it is now, without its last digits, which the layout's solver leaves to chance."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))


def label_point(
    axes: "Axes", point: tuple[float, float], text: str, colour: str, beside: Sequence["Axes"] = ()
) -> None:
    """Write `text` at a point of `axes`, clear of its curves and of those of the axes `beside`, which lie upon it.

    The label is above its point, else above to the left or right, else below in the same order; above where every
    place is taken.

    The figure has been laid out (`draw_without_rendering`), and no limit of its axes changes any more.
    """
    label = axes.annotate(text, point, xytext=(0, 0), textcoords="offset points", color=colour)
    lines = [line for each in (axes, *beside) for line in each.lines]
    places = [(*side, *height) for height in _HEIGHTS for side in _SIDES]
    for across, dx, upright, dy in (*places, places[0]):
        label.set(position=(dx, dy), horizontalalignment=across, verticalalignment=upright)
        box = label.get_window_extent().padded(_MARGIN)
        if not any(_touches(line, box) for line in lines):
            return


def _touches(line: "Line2D", box: "Bbox") -> bool:
    """Return a curve runs through the box, or a mark lies in it."""
    path = line.get_path().transformed(line.get_transform())
    if line.get_linestyle() == "None":
        return bool(box.count_contains(path.vertices))
    return path.intersects_bbox(box, filled=False)
