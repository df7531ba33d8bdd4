"""Labels of points, placed where no curve runs through them.

A label stands above its point, else above to the left or right, else below in the same order; above where every place
is taken.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Bbox

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


def label_point(
    axes: "Axes", point: tuple[float, float], text: str, colour: str, beside: Sequence["Axes"] = ()
) -> None:
    """Writes `text` at a point of `axes`, clear of its curves and of those of the axes that lie upon it.

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
    """A curve runs through the box, or a mark lies in it."""
    path = line.get_path().transformed(line.get_transform())
    if line.get_linestyle() == "None":
        return bool(box.count_contains(path.vertices))
    return path.intersects_bbox(box, filled=False)
