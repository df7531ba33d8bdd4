"""Scenarios that were played as one HTML page: verdicts, parameters, steps with what was seen, pictures.

The page needs nothing from outside: its style and its pictures (SVG) are in it, and there is no script. Each scenario
has the command that plays it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape as escape_markup
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.terminal import printable_lines
from hilbridge.base.common.units import SECOND
from hilbridge.bench.scenario.engine import StepOutcome, seconds
from hilbridge.bench.scenario.report import Report, ReportRow, in_words, summary

_STYLE: Final = """
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif; --line: #8886; --good: #187a2f; --bad: #c01c28;
  --warn: #8f5d00; }
@media (prefers-color-scheme: dark) { :root { --good: #6fd98a; --bad: #ff8a80; --warn: #f0bd55; } }
body { margin: 0 auto; max-width: 75rem; padding: 1rem 1.5rem 4rem; }
h1, h2 { line-height: 1.2; margin: 1.6rem 0 0.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: 0.2rem 0.8rem 0.2rem 0; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.passed { color: var(--good); } .failed { color: var(--bad); font-weight: 600; }
.cut-off, .not-tried, .silent { color: var(--warn); font-weight: 600; } .not-reached { opacity: 0.7; }
small { display: block; opacity: 0.8; }
code { background: #8882; padding: 0.1rem 0.3rem; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; }
dd { margin: 0; }
figure { margin: 1rem 0; background: white; } figure svg { width: 100%; height: auto; }
section { border-top: 2px solid var(--line); }
"""


class Played(NamedTuple):
    """A scenario that was played: its report, the command that plays it again, and its picture as SVG, or ""."""

    report: Report
    command: str = ""
    picture: str = ""


def escape(text: str) -> str:
    """Return a text for HTML, of which nothing is markup, and all but line ends prints."""
    return escape_markup(printable_lines(text))


def is_page(path: Path) -> bool:
    """Return whether a report is a page, by its name."""
    return path.suffix.lower() in (".html", ".htm")


def page(title: str, runs: Sequence[Played]) -> str:
    """Return the page of some runs, with an overview where there are several."""
    details = (line for number, run in enumerate(runs) for line in _run(run, number))
    return "\n".join([*head(title), *_overview(title, runs), *details, END])


END: Final = "</body>\n</html>\n"


def head(title: str, style: str = "") -> Iterator[str]:
    """Yield the head of a page and the begin of its body, which END ends; `style`: rules beside those of all pages."""
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>"


def definitions(facts: Mapping[str, str]) -> str:
    """Return a list of facts by their names; their texts are HTML already."""
    return f"<dl>{''.join(f'<dt>{name}</dt><dd>{text}</dd>' for name, text in facts.items())}</dl>"


def _overview(title: str, runs: Sequence[Played]) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>"
    if len(runs) == 1:
        return
    yield f"<p>{summary([run.report.verdict for run in runs])}</p>"
    rows = [
        (f'<a href="#run-{number}">{escape(run.report.name)}</a>', _verdict(run.report), *_figures(run.report))
        for number, run in enumerate(runs)
    ]
    yield from _table(("scenario", "verdict", "steps passed", "time"), rows)


def _run(run: Played, number: int) -> Iterator[str]:
    report = run.report
    yield f'<section id="run-{number}">\n<h2>{escape(report.name)}: {_verdict(report)}</h2>'
    if report.purpose:
        yield f"<p>{escape(report.purpose)}</p>"
    facts = {"File": escape(report.source)}
    facts |= {"Steps passed": _figures(report)[0], "Time": _figures(report)[1]}
    if report.parameters:
        facts["Parameters"] = escape(
            ", ".join(f"{name} = {in_words(value)}" for name, value in report.parameters.items())
        )
    if run.command:
        facts["Play again"] = f"<code>{escape(run.command)}</code>"
    yield definitions(facts)
    rows = [_step(row) for row in report.rows if row.outcome is not StepOutcome.NOT_NEEDED]
    yield from _table(("line", "from", "to", "step", "verdict", "seen"), rows)
    if run.picture:
        yield f"<figure>{run.picture}</figure>"
    yield "</section>"


def _step(row: ReportRow) -> tuple[str, ...]:
    step = escape(row.title) + (f"<small>{escape(row.expected)}</small>" if row.expected else "")
    return str(row.line), _time(row.begin), _time(row.end), step, _word(row.outcome), escape(row.seen)


def _figures(report: Report) -> tuple[str, str]:
    """Return how many steps have passed, and the duration."""
    rows = [row for row in report.rows if row.outcome is not StepOutcome.NOT_NEEDED]
    passed = sum(row.outcome is StepOutcome.PASSED for row in rows)
    return f"{passed} of {len(rows)}", seconds(report.duration)


def _verdict(report: Report) -> str:
    return _word(StepOutcome(report.verdict))


def _word(outcome: StepOutcome) -> str:
    return f'<span class="{outcome.value.replace(" ", "-")}">{outcome.value}</span>'


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    numbers = {"line", "from", "to", "time"}
    styles = [' class="number"' if column in numbers else "" for column in columns]
    heads = "".join(f"<th{style}>{column}</th>" for column, style in zip(columns, styles, strict=True))
    yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
    for row in rows:
        cells = "".join(f"<td{style}>{cell}</td>" for cell, style in zip(row, styles, strict=True))
        yield f"<tr>{cells}</tr>"
    yield "</tbody>\n</table>"


def _time(t: int | None) -> str:
    return "" if t is None else f"{t / SECOND:.3f}"
