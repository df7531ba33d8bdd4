"""The picture of a recording: its commands on top, and below them, over the same time axis, values of the data bus.

| mark | meaning |
|---|---|
| bar | commands, or a scenario by its commands, held an entry |
| diamond | another command: a fault, `arm`, a trouble code, the stop |
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hilbridge.base.plots.courses import CURVES, WIDTH, SampledQuantity, draw_curve, finish_panel, groups, panel_height
from hilbridge.base.plots.style import BLACK, BLUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Span = tuple[str, float, float | None]
"""A title with its begin and end [s]; None: it lasts to the end."""

_ROW: Final = 0.2
"""[in] Height of a row of commands."""

_MOST_ROWS: Final = 30
"""Rows of commands; the last one says how many more there are."""

_LONGEST: Final = 70
"""Characters of a title."""


def draw_recording(
    title: str,
    times: Sequence[float],
    quantities: Sequence[SampledQuantity],
    spans: Sequence[Span],
    codes: dict[str, dict[int, str]],
) -> "Figure":
    """Return the picture. `codes`: the states that the integers of an entry stand for, by path."""
    from matplotlib.figure import Figure

    panels = list(groups(quantities))
    rows = _rows(spans, times[0], times[-1])
    heights = [*([_ROW * len(rows) + 0.2] if rows else []), *map(panel_height, panels)]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.8), layout="constrained")
    figure.suptitle(title, parse_math=False)
    all_axes = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights, squeeze=False)[:, 0]
    if rows:
        _draw_rows(all_axes[0], rows, times[0], times[-1])
    for axes, group in zip(all_axes[-len(panels) :], panels, strict=True):
        for number, quantity in enumerate(group):
            draw_curve(axes, times, quantity, CURVES[number % len(CURVES)])
        axes.margins(y=0.1)
        finish_panel(axes, group)
        if len(group) == 1 and (states := codes.get(group[0].path)):
            seen = sorted({int(value) for value in group[0].values if value == value} & states.keys())
            axes.set_yticks(seen, [states[code] for code in seen])
    all_axes[-1].set_xlabel("time, s")
    all_axes[-1].set_xlim(times[0], max(times[-1], times[0] + 1e-3))
    figure.align_ylabels(all_axes[-len(panels) :])
    return figure


def _rows(spans: Sequence[Span], first: float, last: float) -> list[tuple[str, list[tuple[float, float]]]]:
    """Return title and spans of each row: those in the picture, all spans with the same title in one row."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for title, begin, end in spans:
        if begin <= last and (end is None or end >= first):
            rows.setdefault(title, []).append((max(begin, first), last if end is None else min(end, last)))
    shown = list(rows.items())
    if len(shown) > _MOST_ROWS:
        shown[_MOST_ROWS - 1 :] = [(f"and {len(shown) - _MOST_ROWS + 1} more", [])]
    return shown


def _draw_rows(
    axes: "Axes", rows: Sequence[tuple[str, Sequence[tuple[float, float]]]], first: float, last: float
) -> None:
    shortest = 0.004 * (last - first)
    for row, (_, spans) in enumerate(rows):
        for begin, end in spans:
            if end - begin > shortest:
                axes.barh(row, end - begin, left=begin, height=0.6, color=BLUE)
            else:
                axes.plot(begin, row, color=BLUE, marker="D", markersize=4, clip_on=False)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    titles = [title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…" for title, _ in rows]
    axes.set_yticks(range(len(rows)), titles, fontsize=7.5, color=BLACK, parse_math=False)
    axes.tick_params(axis="y", length=0.0)
    axes.grid(visible=True, axis="x", linewidth=0.3)
    axes.set_axisbelow(True)
