"""What all pictures have in common: formats, colours, axes, and how they are written."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hilbridge.common.errors import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

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


def check_plot(path: Path) -> None:
    """ConfigurationError, before any work is done, for a picture that cannot be made."""
    if path.suffix.lower() not in FORMATS:
        raise ConfigurationError(f"a plot is written as {' or '.join(FORMATS)}, not '{path.name}'")
    if not path.parent.is_dir():
        raise ConfigurationError(f"there is no folder {path.parent} for the plot")
    if find_spec("matplotlib") is None:
        raise ConfigurationError(
            "a plot needs the package matplotlib; the extra 'plot' brings it: pip install 'hilbridge[plot]'"
        )


def finish(axes: "Axes", label: str, *, legend: bool = False) -> None:
    """Label, grid and legend of a panel; the curves reach its sides."""
    axes.set_ylabel(label)
    axes.grid(visible=True, linewidth=0.3)
    axes.margins(x=0.0)
    if legend:
        axes.legend(loc="upper left", ncols=3, frameon=False)


def save(figure: "Figure", path: Path) -> None:
    """Writes a picture without date or random names, so that equal figures give equal files."""
    from matplotlib import rc_context

    with rc_context({"svg.hashsalt": "hilbridge"}):
        _settle(figure)
        try:
            figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix.lower() == ".svg" else {})
        except OSError as error:
            raise ConfigurationError(f"the plot {path} cannot be written: {error.strerror}") from None


def _settle(figure: "Figure") -> None:
    """Keeps the layout as it is now, without its last digits, which the layout's solver leaves to chance."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = axes.get_position(original=True).bounds
        axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))
