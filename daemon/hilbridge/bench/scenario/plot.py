"""A plot of a scenario: its steps as bars on top, and below them, over the same time axis, the values that they name.

| mark | meaning |
|---|---|
| blue bar or diamond, dotted line through all panels | an action |
| grey bar, grey span in all panels | the scenario waits |
| green, red bar or dot | an expectation that was met, or was not; the dot marks when that was decided |
| green, red band or line | the limits of an expectation, as long as it was checked; open on a side without limit |
| grey line, grey band around it | a speed trace that is driven, and its tolerance |
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from hilbridge.base.common.units import SECOND
from hilbridge.base.plots.courses import CURVES, WIDTH, SampledQuantity, draw_curve, finish_panel, groups, panel_height
from hilbridge.base.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, PALE, RED, save, svg_of
from hilbridge.bench.scenario.driving import DriveStep
from hilbridge.bench.scenario.engine import Scenario, StepOutcome, Verdict
from hilbridge.bench.scenario.limits import limits, named
from hilbridge.bench.scenario.sampler import ALWAYS, Sampler
from hilbridge.files.configuration.scenariofile import ScenarioFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


_OUTCOMES: Final = {
    StepOutcome.PASSED: GREEN,
    StepOutcome.FAILED: RED,
    StepOutcome.CUT_OFF: ORANGE,
    StepOutcome.NOT_REACHED: GREY,
}

_ROW: Final = 0.2
_TALLEST: Final = 14.0
"""[in], of a step and of all of them; with more than fit into that, the rows become flat and have no titles."""

_LONGEST: Final = 70
"""Characters of a title; longer ones are cut."""

NARROWEST: Final = 0.004
"""Share of the width below which a step is drawn as a point."""


class StepSpan(NamedTuple):
    """The time span of a step that was reached, in seconds of the run."""

    verdict: Verdict
    begin: float
    end: float

    @classmethod
    def of(cls, verdict: Verdict) -> Self | None:
        """Return the span of a step; None if it was not reached."""
        if verdict.begin is None:
            return None
        end = verdict.begin if verdict.end is None else verdict.end
        return cls(verdict, verdict.begin / SECOND, end / SECOND)

    @property
    def acts(self) -> bool:
        return self.verdict.step.activity.acts

    @property
    def waits(self) -> bool:
        return self.verdict.step.settings.wait is not None

    @property
    def colour(self) -> str:
        """Colour of the outcome; a passed action is blue."""
        outcome = self.verdict.outcome
        return BLUE if self.acts and outcome is StepOutcome.PASSED else _OUTCOMES[outcome]


def height(verdicts: Sequence[Verdict]) -> float:
    """Return the height [in] of the panel of steps."""
    return min(_ROW * len(verdicts), _TALLEST) + 0.2


def draw_steps(axes: "Axes", verdicts: Sequence[Verdict], first: float, last: float) -> None:
    """Draw the panel of steps from `first` to `last` [s]."""
    for row, verdict in enumerate(verdicts):
        span = StepSpan.of(verdict)
        if span is not None:
            _draw_bar(axes, row, span, NARROWEST * (last - first))
        if _ROW * len(verdicts) <= _TALLEST:
            _write_title(axes, row, verdict, first, last)
    axes.set_ylim(len(verdicts) - 0.4, -0.6)
    axes.set_yticks([])
    axes.grid(visible=True, axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def _draw_bar(axes: "Axes", row: int, span: StepSpan, shortest: float) -> None:
    colour = GREY if span.waits and span.verdict.outcome is StepOutcome.PASSED else span.colour
    if span.end - span.begin > shortest:
        axes.barh(row, span.end - span.begin, left=span.begin, height=0.76, color=colour)
    else:
        axes.plot(span.begin, row, color=colour, marker="D" if span.acts else "o", markersize=4, clip_on=False)


def _write_title(axes: "Axes", row: int, verdict: Verdict, first: float, last: float) -> None:
    """Write the title of a step beside its bar, on the side with more room, or on a bar that fills the width."""
    title, outcome = verdict.step.title, verdict.outcome
    text = title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…"
    if outcome is not StepOutcome.PASSED:
        text += f": {outcome.value}"
    colour = BLACK if outcome is StepOutcome.PASSED else _OUTCOMES[outcome]
    _, begin, end = StepSpan.of(verdict) or (verdict, first, first)
    if end < 0.5 * (first + last):
        _write(axes, text, (end, row), "left", colour)
    elif begin < first + 0.25 * (last - first):
        _write(axes, text, (begin, row), "left", "white")
    else:
        _write(axes, text, (begin, row), "right", colour)


def _write(axes: "Axes", text: str, place: tuple[float, float], align: Any, colour: str) -> None:
    """Write a text that begins, or ends, at a place [s, row]."""
    axes.annotate(
        text, place, xytext=(6 if align == "left" else -6, 0), textcoords="offset points",
        ha=align, va="center", fontsize=7.5, color=colour, parse_math=False,
    )  # fmt: skip


def plot(file: ScenarioFile, scenario: Scenario, sampler: Sampler, path: Path) -> None:
    """Write the plot to a file; equal runs give equal files."""
    figure = draw(scenario, sampler)
    title = f"{file.name}: {file.settings.purpose}" if file.settings.purpose else file.name
    figure.suptitle(title, parse_math=False)
    save(figure, path)


def plot_svg(scenario: Scenario, sampler: Sampler) -> str:
    """Return the plot as an SVG element for a page."""
    return svg_of(draw(scenario, sampler))


def draw(scenario: Scenario, sampler: Sampler) -> "Figure":
    """Return the plot."""
    from matplotlib.figure import Figure

    panels = list(groups(_worth_showing(scenario, sampler)))
    verdicts = [one for one in scenario.verdicts if one.outcome is not StepOutcome.NOT_NEEDED]
    heights = [height(verdicts), *map(panel_height, panels)]
    figure = Figure(figsize=(WIDTH, sum(heights) + 0.8), layout="constrained")
    steps, *all_axes = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights)
    times = sampler.times
    first, last = (times[0], times[-1]) if times else (0.0, 0.0)
    spans = [span for span in map(StepSpan.of, verdicts) if span is not None]
    last = max([last, first + 1e-3, *(span.end for span in spans)])
    draw_steps(steps, verdicts, first, last)
    for axes, group in zip(all_axes, panels, strict=True):
        for number, quantity in enumerate(group):
            draw_curve(axes, times, quantity, CURVES[number % len(CURVES)])
        _draw_marks(axes, spans)
        _draw_traces(axes, group, spans)
        axes.margins(y=0.1)
        _draw_limits(axes, group, spans, NARROWEST * (last - first))
        _draw_decisions(axes, group, spans, sampler)
        finish_panel(axes, group)
    all_axes[-1].set_xlabel("time, s")
    all_axes[-1].set_xlim(first, last)
    figure.align_ylabels()
    return figure


def _worth_showing(scenario: Scenario, sampler: Sampler) -> list[SampledQuantity]:
    """Return the quantities that a step names, and those that changed."""
    wanted = {path for verdict in scenario.verdicts for path in named(verdict.step.settings)} | {ALWAYS[0]}
    return [one for one in sampler.quantities.values() if one.path in wanted or len(set(one.values)) > 1]


def _draw_marks(axes: "Axes", spans: Sequence[StepSpan]) -> None:
    for span in spans:
        if span.waits:
            axes.axvspan(span.begin, span.end, color=PALE, linewidth=0.0, alpha=0.6, zorder=0)
        elif span.acts:
            axes.axvline(span.begin, color=BLUE, linestyle=":", linewidth=0.6, zorder=1)


def _draw_traces(axes: "Axes", group: Sequence[SampledQuantity], spans: Sequence[StepSpan]) -> None:
    """Draw the speed traces of steps that drive."""
    for span in spans:
        drive = span.verdict.step.activity
        if not isinstance(drive, DriveStep) or drive.departure is None or group[0].unit != "m/s":
            continue
        start = drive.departure / SECOND
        points = [
            (start + t, v) for t, v in zip(drive.trace.times, drive.trace.speeds, strict=True) if start + t <= span.end
        ]
        points.append((span.end, drive.trace.speed(span.end - start)))
        times, speeds = zip(*points, strict=True)
        axes.plot(times, speeds, color=GREY, linewidth=1.0, zorder=1)
        if drive.tolerance is not None:
            band = [[speed + side * drive.tolerance for speed in speeds] for side in (-1, 1)]
            axes.fill_between(times, band[0], band[1], color=PALE, linewidth=0.0, zorder=0)


def _draw_limits(axes: "Axes", group: Sequence[SampledQuantity], spans: Sequence[StepSpan], narrowest: float) -> None:
    """Draw the limits of the quantities of a panel."""
    own = {quantity.path for quantity in group}
    wanted = [
        (span, limit) for span in spans for path, limit in limits(span.verdict.step.settings).items() if path in own
    ]
    edges = [edge for _, limit in wanted for edge in limit if math.isfinite(edge)]
    bottom, top = axes.get_ylim()
    if edges:
        lowest, highest = min([bottom, *edges]), max([top, *edges])
        room = 0.05 * (highest - lowest)
        axes.set_ylim(bottom := lowest - room, top := highest + room)
    for span, limit in wanted:
        ends = [span.begin, max(span.end, span.begin + narrowest)]
        low, high = max(limit.lowest, bottom), min(limit.highest, top)
        axes.fill_between(ends, low, high, color=span.colour, alpha=0.13, linewidth=0.0)
        for edge in set(limit):
            if math.isfinite(edge):
                axes.plot(ends, [edge, edge], color=span.colour, linewidth=1.2)


def _draw_decisions(
    axes: "Axes", group: Sequence[SampledQuantity], spans: Sequence[StepSpan], sampler: Sampler
) -> None:
    """Draw a dot where an expectation was decided."""
    own = {quantity.path for quantity in group}
    for span in spans:
        for path in named(span.verdict.step.settings):
            if path in own and not span.acts and span.verdict.end is not None:
                value = sampler.value(path, span.verdict.end)
                axes.plot(span.end, value, color=span.colour, marker="o", markersize=4, zorder=3, clip_on=False)
