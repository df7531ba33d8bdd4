"""Values over time as panels below each other: entries with the same unit share one, flags and codes stand alone."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from hilbridge.base.plots.style import BLUE, GREEN, GREY, LINE, ORANGE, PURPLE, RED, finish

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVES: Final = (BLUE, ORANGE, PURPLE, GREEN, RED, GREY)

WIDTH: Final = 12.0
_PANEL: Final = 1.5
_FLAT: Final = 0.8
"""[in], of the figure, of a panel, of one with a single position, flag or share."""

_KMH: Final = 1.0 / 3.6
"""[m/s]"""


class SampledQuantity(NamedTuple):
    """The samples of a value. `path`: of an entry, or bus.message.signal; `values`: one for each sample, in `unit`."""

    path: str
    unit: str
    values: "array[float]"


def groups(quantities: Sequence[SampledQuantity]) -> Iterator[list[SampledQuantity]]:
    """Group quantities into panels: by unit, with all travels of controls together.

    Positions, flags and other ratios get panels of their own.
    """
    keys: dict[str, int] = {}

    def key(quantity: SampledQuantity) -> int:
        alone = quantity.unit in ("", "1")
        name = quantity.path if alone else quantity.unit
        if quantity.unit == "1" and quantity.path.startswith("input."):
            name = "controls"
        return keys.setdefault(name, len(keys))

    for _, group in groupby(sorted(quantities, key=key), key):
        yield list(group)


def panel_height(group: Sequence[SampledQuantity]) -> float:
    """Return the height [in] of a panel."""
    return _FLAT if len(group) == 1 and group[0].unit in ("", "1") else _PANEL


def draw_curve(axes: "Axes", times: Sequence[float], quantity: SampledQuantity, colour: str) -> None:
    """Draw the curve of a quantity: positions as steps; signals dashed, because an entry often lies below them."""
    style = "steps-post" if quantity.unit == "" else "default"
    dashes = "--" if quantity.path.count(".") > 1 else "-"
    axes.plot(times, quantity.values, dashes, color=colour, linewidth=LINE, drawstyle=style, label=quantity.path)


def finish_panel(axes: "Axes", group: Sequence[SampledQuantity]) -> None:
    """Add unit, grid, and the names above the panel."""
    unit = group[0].unit
    finish(axes, unit if unit != "1" else "share")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 0.98), ncols=7, frameon=False, fontsize=7.5,
        borderaxespad=0.0, handlelength=1.2, borderpad=0.1,
    )  # fmt: skip
    if any(quantity.path == "vehicle.Speed" for quantity in group):
        bottom, top = axes.get_ylim()
        other = axes.twinx()
        other.set_ylim(bottom / _KMH, top / _KMH)
        other.set_ylabel("km/h")
