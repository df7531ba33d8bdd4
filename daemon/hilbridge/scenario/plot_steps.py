"""The steps of a scenario as bars over time, a row for each: the uppermost panel of its picture (plot.py)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from hilbridge.common.units import SECOND
from hilbridge.plots.style import BLACK, BLUE, GREEN, GREY, ORANGE, RED
from hilbridge.scenario.engine import Outcome, Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_OUTCOMES: Final = {Outcome.PASSED: GREEN, Outcome.FAILED: RED, Outcome.CUT_OFF: ORANGE, Outcome.NOT_REACHED: GREY}

_ROW: Final = 0.2
_TALLEST: Final = 14.0
"""[in], of a step and of all of them; with more than fit into that, the rows become flat and have no titles."""

_LONGEST: Final = 70
"""Characters of a title."""

NARROWEST: Final = 0.004
"""Of the width: what is shorter is a moment."""


class Span(NamedTuple):
    """A step that was reached; times in s of the run."""

    verdict: Verdict
    begin: float
    end: float

    @classmethod
    def of(cls, verdict: Verdict) -> Self | None:
        """None: it was not reached."""
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
        """Of what is expected, that of the outcome; an action that was carried out is blue."""
        outcome = self.verdict.outcome
        return BLUE if self.acts and outcome is Outcome.PASSED else _OUTCOMES[outcome]


def height(verdicts: Sequence[Verdict]) -> float:
    """[in], of the panel."""
    return min(_ROW * len(verdicts), _TALLEST) + 0.2


def draw_steps(axes: "Axes", verdicts: Sequence[Verdict], first: float, last: float) -> None:
    """Draws the panel, which reaches from `first` to `last` [s]."""
    for row, verdict in enumerate(verdicts):
        span = Span.of(verdict)
        if span is not None:
            _draw_bar(axes, row, span, NARROWEST * (last - first))
        if _ROW * len(verdicts) <= _TALLEST:
            _write_title(axes, row, verdict, first, last)
    axes.set_ylim(len(verdicts) - 0.4, -0.6)
    axes.set_yticks([])
    axes.grid(visible=True, axis="x", linewidth=0.3)
    axes.set_axisbelow(True)


def _draw_bar(axes: "Axes", row: int, span: Span, shortest: float) -> None:
    colour = GREY if span.waits and span.verdict.outcome is Outcome.PASSED else span.colour
    if span.end - span.begin > shortest:
        axes.barh(row, span.end - span.begin, left=span.begin, height=0.76, color=colour)
    else:
        axes.plot(span.begin, row, color=colour, marker="D" if span.acts else "o", markersize=4, clip_on=False)


def _write_title(axes: "Axes", row: int, verdict: Verdict, first: float, last: float) -> None:
    """Beside the bar, where there is more room; on it, where it fills the width."""
    title, outcome = verdict.step.title, verdict.outcome
    text = title if len(title) <= _LONGEST else f"{title[:_LONGEST]}…"
    if outcome is not Outcome.PASSED:
        text += f": {outcome.value}"
    colour = BLACK if outcome is Outcome.PASSED else _OUTCOMES[outcome]
    _, begin, end = Span.of(verdict) or (verdict, first, first)
    if end < 0.5 * (first + last):
        _write(axes, text, (end, row), "left", colour)
    elif begin < first + 0.25 * (last - first):
        _write(axes, text, (begin, row), "left", "white")
    else:
        _write(axes, text, (begin, row), "right", colour)


def _write(axes: "Axes", text: str, place: tuple[float, float], align: Any, colour: str) -> None:
    """A text that begins, or ends, near a place [s, row]."""
    axes.annotate(
        text, place, xytext=(6 if align == "left" else -6, 0), textcoords="offset points",
        ha=align, va="center", fontsize=7.5, color=colour, parse_math=False,
    )  # fmt: skip
