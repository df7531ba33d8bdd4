"""Small charts of a report as SVG: counts in bins, and what a mean or a rate comes to in each bin.

Colours are those of the page; every bar and point has its figures as a title, and the whole chart as its label.
"""

import math
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import Final, NamedTuple

from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.page import escape
from hilbridge.runs.campaign.bins import Bin

_WIDTH: Final = 300
_HEIGHT: Final = 110
_LEFT: Final = 54
_TOP: Final = 8
_BOTTOM: Final = 20
_ROOM: Final = _HEIGHT - _TOP - _BOTTOM
_POINT: Final = 3.5
_LETTERS: Final = 12
"""Characters of the name of a bin below the axis."""

_SURE: Final = 1.96
"""Standard errors on each side of a mean that hold 95 % of such means."""


class Effect(NamedTuple):
    """The mean of something in a bin, with the half-width of its interval of 95 %; None: of too few values."""

    title: str
    runs: int
    mean: float
    margin: float | None


def counts(title: str, bins: Sequence[Bin], passed: Sequence[bool]) -> str:
    """Return a chart of how many runs are in each bin; those that did not pass stand at the bottom."""
    highest = max(len(one.places) for one in bins)
    marks = []
    for number, one in enumerate(bins):
        bad = sum(not passed[place] for place in one.places)
        left, wide = _slot(number, len(bins), 0.94)
        words = f"{one.title}: {counted(len(one.places), 'run')}, {bad} not passed"
        low, top = _y(bad, 0, highest), _y(len(one.places), 0, highest)
        marks.append(
            f"<g><title>{escape(words)}</title>{_bar('bad', left, wide, low, _y(0, 0, highest))}"
            f"{_bar('good', left, wide, top, low)}</g>"
        )
    return _chart(f"{title}: runs by value", marks, bins, (0, highest))


def rates(title: str, bins: Sequence[Bin], passed: Sequence[bool]) -> str:
    """Return a chart of the share of runs in each bin that did not pass, from 0 to 100 %."""
    marks, words = [], []
    for number, one in enumerate(bins):
        bad = sum(not passed[place] for place in one.places)
        if one.places:
            share = 100 * bad / len(one.places)
            words.append(f"{one.title}: {share:.3g} % of {counted(len(one.places), 'run')}")
            left, wide = _slot(number, len(bins), 0.6)
            bar = _bar("bad", left, wide, _y(share, 0, 100), _y(0, 0, 100))
            marks.append(f"<g><title>{escape(words[-1])}</title>{bar}</g>")
    return _chart(f"{title}: not passed, {'; '.join(words)}", marks, bins, (0, 100), " %")


def plane(across: Sequence[float], up: Sequence[float], passed: Sequence[bool], names: Sequence[str]) -> str:
    """Return a chart with a point for each run where its two values lie: pale ones passed; what did not lies on top."""
    left, right, low, high = min(across), max(across), min(up), max(up)
    marks = []
    for place in sorted(range(len(passed)), key=lambda place: not passed[place]):
        x = _LEFT + _POINT + (_WIDTH - _LEFT - 2 * _POINT) * (across[place] - left) / ((right - left) or 1)
        y = _TOP + _ROOM - (_ROOM * (up[place] - low) / ((high - low) or 1))
        word = "passed" if passed[place] else "not passed"
        title = f"{names[place]}: {across[place]:g}, {up[place]:g}: {word}"
        kind = 'good" fill-opacity="0.4' if passed[place] else "bad"
        point = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_POINT}">'
        marks.append(f"{point}<title>{escape(title)}</title></circle>")
    marks.append(f'<text x="{_LEFT}" y="{_HEIGHT - 5}">{left:.4g}</text>')
    marks.append(f'<text x="{_WIDTH - 2}" y="{_HEIGHT - 5}" class="end">{right:.4g}</text>')
    bad = len(passed) - sum(passed)
    return _chart(f"{counted(len(passed), 'run')} by two values, {bad} not passed", marks, (), (low, high))


def effects(bins: Sequence[Bin], values: Sequence[float | None]) -> list[Effect | None]:
    """Return the mean of values in each bin; None where it has none."""
    return [_effect(one.title, [v for place in one.places if (v := values[place]) is not None]) for one in bins]


def _effect(title: str, values: list[float]) -> Effect | None:
    if not values:
        return None
    margin = _SURE * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
    return Effect(title, len(values), fmean(values), margin)


def means(title: str, bins: Sequence[Bin], found: Sequence[Effect | None], span: tuple[float, float]) -> str:
    """Return a chart of means with their intervals, joined by a line, between the ends `span`."""
    marks, words, line = [], [], []
    for number, one in enumerate(found):
        if one is None:
            continue
        left, _ = _slot(number, len(bins), 0.0)
        y = _y(one.mean, *span)
        words.append(f"{one.title}: {one.mean:.4g}, of {counted(one.runs, 'run')}")
        line.append(f"{left:.1f},{y:.1f}")
        whisker = ""
        if one.margin:
            ends = (_y(one.mean - one.margin, *span), _y(one.mean + one.margin, *span))
            whisker = f'<path d="M{left:.1f} {ends[0]:.1f}V{ends[1]:.1f}"/>'
        marks.append(
            f'<g><title>{escape(words[-1])}</title>{whisker}<circle cx="{left:.1f}" cy="{y:.1f}" r="3.5"/></g>'
        )
    marks.insert(0, f'<polyline points="{" ".join(line)}"/>')
    return _chart(f"{title}: {'; '.join(words)}", marks, bins, span)


def ends(found: Sequence[Effect | None]) -> tuple[float, float]:
    """Return the lowest and the highest end of the intervals, never the same."""
    known = [one for one in found if one is not None]
    low = min((one.mean - (one.margin or 0) for one in known), default=0.0)
    high = max((one.mean + (one.margin or 0) for one in known), default=1.0)
    return (low, high) if high > low else (low - abs(low) / 10 - 0.5, high + abs(high) / 10 + 0.5)


def _slot(number: int, count: int, share: float) -> tuple[float, float]:
    """Return where a bin's bar begins, and its width; of a `share` of 0 its middle."""
    each = (_WIDTH - _LEFT - 4) / count
    return _LEFT + each * (number + (1 - share) / 2), each * share


def _y(value: float, low: float, high: float) -> float:
    return _TOP + _ROOM * (high - value) / (high - low)


def _bar(kind: str, left: float, wide: float, top: float, bottom: float) -> str:
    if bottom - top <= 0:
        return ""
    return f'<rect class="{kind}" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{bottom - top:.1f}"/>'


def _chart(label: str, marks: Sequence[str], bins: Sequence[Bin], span: tuple[float, float], unit: str = "") -> str:
    base = _HEIGHT - _BOTTOM
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" aria-label="{escape(label)}">'
        f'<path class="axis" d="M{_LEFT - 4} {_TOP}V{base}H{_WIDTH}"/>'
        f'<text x="{_LEFT - 8}" y="{_TOP + 8}" class="end">{span[1]:.4g}{unit}</text>'
        f'<text x="{_LEFT - 8}" y="{base}" class="end">{span[0]:.4g}{unit}</text>'
        f"{''.join(_names(bins))}{''.join(marks)}</svg>"
    )


def _names(bins: Sequence[Bin]) -> Iterator[str]:
    """Yield the names of the bins below the axis: of all where they have room, else the two ends."""
    short = all(len(one.title) <= _LETTERS * 3 // len(bins) for one in bins)
    if short or len(bins) == 1:
        for number, one in enumerate(bins):
            x, _ = _slot(number, len(bins), 0.0)
            yield f'<text x="{x:.1f}" y="{_HEIGHT - 5}" class="middle">{escape(one.title)}</text>'
        return
    first, last = bins[0].title.partition(" to ")[0], bins[-1].title.rpartition(" to ")[2]
    yield f'<text x="{_LEFT}" y="{_HEIGHT - 5}">{escape(first)}</text>'
    yield f'<text x="{_WIDTH - 2}" y="{_HEIGHT - 5}" class="end">{escape(last)}</text>'
