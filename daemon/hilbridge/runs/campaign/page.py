"""A campaign as one HTML page: its runs with a filter, distributions, main effects, failures with their pictures.

The page needs nothing from outside. Its table is made by the script in it from rows that the page holds as JSON; all
else is there without a script.
"""

import json
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.bench.scenario.page import END, definitions, escape, head
from hilbridge.files.settings.campaign import RangeSettings
from hilbridge.runs.campaign.bins import bins
from hilbridge.runs.campaign.charts import counts, effects, ends, means, plane, rates
from hilbridge.runs.campaign.columns import columns
from hilbridge.runs.campaign.play import Row
from hilbridge.runs.campaign.results import RECORDINGS
from hilbridge.runs.campaign.runs import Campaign, command

MOST_SHOWN: Final = 12
"""Failures that are shown whole, with a picture; the table has all."""

_EACH: Final = 3
"""Failures of one cause that are shown whole."""

_BINS: Final = 24
"""Bins of a distribution."""

_HERE: Final = Path(__file__)
_STYLE: Final = _HERE.with_name("page.css")
_SCRIPT: Final = _HERE.with_name("page.js")

_PLANES: Final = 6
"""Pairs of values that have a picture."""

_KEYS: Final = ("bench", "vehicle", "scenario")


def causes(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the runs that did not pass by what failed: a step of a scenario, or a verdict; the most frequent first."""
    found: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if row["verdict"] == "failed":
            found.setdefault((row["scenario"], row["reason"].partition(":")[0]), []).append(row)
        elif row["verdict"] != "passed":
            found.setdefault((row["verdict"],), []).append(row)
    return sorted(found.values(), key=len, reverse=True)


def shown(rows: Sequence[Row]) -> list[str]:
    """Return the names of the runs that the page shows whole: examples of every cause, as long as there is room."""
    groups = [group[:_EACH] for group in causes(rows)]
    turns = [group[turn]["run"] for turn in range(_EACH) for group in groups if turn < len(group)]
    return turns[:MOST_SHOWN]


def page(campaign: Campaign, rows: Sequence[Row], folder: Path, pictures: Mapping[str, str]) -> str:
    """Return the page on rows in their order; `folder`: the results; `pictures` (SVG): by the names of runs."""
    title = f"Campaign {campaign.file.name}"
    return "\n".join(
        [
            *head(title, _STYLE.read_text(encoding="utf-8")),
            *_overview(title, campaign, rows),
            *_links(
                parts := [
                    *_planes(campaign, rows),
                    *_failures(campaign, rows, folder, pictures),
                    *_charts(campaign, rows),
                ]
            ),
            *parts,
            *_table(campaign, rows, folder),
            END,
        ]
    )


def _links(parts: Sequence[str]) -> Iterator[str]:
    """Yield what leads to the sections that are there."""
    sections = {
        "planes": "Where it fails",
        "failures": "What did not pass",
        "distributions": "Distributions",
        "effects": "Main effects",
    }
    there = {name: title for name, title in sections.items() if any(f'<section id="{name}">' in part for part in parts)}
    links = (f'<a href="#{name}">{title}</a>' for name, title in {**there, "runs": "Runs"}.items())
    yield f"<nav>{' · '.join(links)}</nav>"


def _overview(title: str, campaign: Campaign, rows: Sequence[Row]) -> Iterator[str]:
    settings = campaign.settings
    verdicts = Counter(row["verdict"] for row in rows)
    if missing := len(campaign.runs) - len(rows):
        verdicts["not made"] = missing
    words = [
        f'<span class="{_class(verdict)}">{count:,} {escape(verdict)}</span>' for verdict, count in verdicts.items()
    ]
    yield f"<h1>{escape(title)}</h1>"
    if settings.purpose:
        yield f"<p>{escape(settings.purpose)}</p>"
    yield f'<p class="verdict">{", ".join(words)} of {counted(len(campaign.runs), "run")}</p>'
    facts = {key: ", ".join(map(str, getattr(settings, key))) for key in _KEYS if getattr(settings, key)}
    facts["design"] = settings.design.kind
    facts["software"] = ", ".join(f"{name} {version}" for name, version in campaign.software.items())
    yield definitions({name: escape(text) for name, text in facts.items()})


def _planes(campaign: Campaign, rows: Sequence[Row]) -> Iterator[str]:
    """Yield where the runs lie in the planes of two varied numbers, where some have passed and some have not."""
    varied = {key: [row["set"].get(key) for row in rows] for key in campaign.settings.vary}
    numbers = {
        key: [float(value) for value in values]
        for key, values in varied.items()
        if all(isinstance(value, int | float) for value in values) and len(set(values)) > 1
    }
    passed = [row["verdict"] == "passed" for row in rows]
    pairs = list(combinations(numbers, 2))[:_PLANES]
    if not pairs or all(passed) or not any(passed):
        return
    yield '<section id="planes"><h2>Where it fails</h2><div class="charts">'
    for across, up in pairs:
        chart = plane(numbers[across], numbers[up], passed, [row["run"] for row in rows])
        yield _figure(up, f"over {across}", chart)
    yield '</div><p><span class="key good"></span> passed <span class="key bad"></span> not passed</p></section>'


def _failures(campaign: Campaign, rows: Sequence[Row], folder: Path, pictures: Mapping[str, str]) -> Iterator[str]:
    groups = causes(rows)
    if not groups:
        return
    whole = set(shown(rows))
    yield '<section id="failures"><h2>What did not pass</h2>'
    for group in groups:
        first = group[0]
        cause = first["reason"].partition(": at ")[0]
        what = f"{first['scenario']}, {cause}" if first["verdict"] == "failed" else first["verdict"]
        yield f'<h3><span class="failed">{counted(len(group), "run")}</span> {escape(what)}</h3>'
        for row in group:
            if row["run"] in whole:
                yield from _failure(campaign, row, folder, pictures.get(row["run"], ""))
    others = sum(map(len, groups)) > len(whole)
    yield f"{'<p>All others, each with its command, are in the table.</p>' if others else ''}</section>"


def _failure(campaign: Campaign, row: Row, folder: Path, picture: str) -> Iterator[str]:
    values = {key: str(value) for key, value in row["set"].items()} | {"seed": str(row["seed"])}
    facts = {
        "Values": escape(", ".join(f"{key} = {value}" for key, value in values.items())),
        "Seen": escape(row["reason"]),
        "Again": f"<code>{escape(command(row, campaign.file))}</code>",
    }
    if row.get("limits"):
        facts["Limits"] = escape(", ".join(_limits(path, **wanted) for path, wanted in row["limits"].items()))
    recording = folder / RECORDINGS / row["run"]
    if recording.is_dir():
        facts["Recording"] = f"<code>hilbridge replay {escape(str(recording))}</code>"
    yield f'<article><h4 id="run-{row["run"]}">{row["run"]}</h4>'
    yield definitions(facts)
    if picture:
        yield "<details open><summary>Course of the values that the scenario names</summary>"
        yield f"<figure>{picture}</figure></details>"
    yield "</article>"


def _limits(path: str, lowest: float | None = None, highest: float | None = None) -> str:
    """Return as text what was demanded of a value."""
    parts = ([f"{lowest:g}"] if lowest is not None else []) + [path] + ([f"{highest:g}"] if highest is not None else [])
    return " ≤ ".join(parts)


def _charts(campaign: Campaign, rows: Sequence[Row]) -> Iterator[str]:
    """Yield distributions of the figures, and the main effects of all that differs."""
    table, settings = columns(rows), campaign.settings
    passed = [row["verdict"] == "passed" for row in rows]
    figures = {name: table.get(f"figures.{name}", [None] * len(rows)) for name in settings.figures}
    asked = {
        name: figure.of if figure.take == "last" else f"{figure.take} {figure.of}"
        for name, figure in settings.figures.items()
    }
    measured = {"duration": table.get("duration", [])} | figures
    known = {name: values for name, values in measured.items() if any(value is not None for value in values)}
    if known:
        yield '<section id="distributions"><h2>Distributions</h2><div class="charts">'
        for name, values in known.items():
            note = asked.get(name, "of the scenario, s")
            yield _figure(name, note, counts(name, bins(values, _BINS), passed))
        yield '</div><p><span class="key good"></span> passed <span class="key bad"></span> not passed</p></section>'
    varied = {key: [row["set"].get(key) for row in rows] for key in settings.vary}
    varied |= {key: [row[key] for row in rows] for key in _KEYS if len(getattr(settings, key) or ()) > 1}
    if not varied or not rows:
        return
    yield '<section id="effects"><h2>Main effects</h2>'
    yield "<p>What came of all runs with a value in the bin, whatever their other values were; so what two values do"
    yield "only together does not show here. Lines at the points are intervals of 95 % of the mean.</p>"
    grouped = {
        key: bins(values, log=isinstance(wanted := settings.vary.get(key), RangeSettings) and wanted.scale == "log")
        for key, values in varied.items()
    }
    found = {name: {key: effects(grouped[key], values) for key in varied} for name, values in known.items()}
    for key in varied:
        yield f'<h3>{escape(key)}</h3><div class="charts">'
        yield _figure("not passed", "share of the runs", rates(key, grouped[key], passed))
        for name, of in found.items():
            span = ends([one for each in of.values() for one in each])
            chart = means(f"{name} over {key}", grouped[key], of[key], span)
            yield _figure(name, f"{asked.get(name, 'of the scenario, s')}: mean of the runs", chart)
        yield "</div>"
    yield "</section>"


def _figure(name: str, note: str, chart: str) -> str:
    return f"<figure><figcaption>{escape(name)}<small>{escape(note)}</small></figcaption>{chart}</figure>"


def _table(campaign: Campaign, rows: Sequence[Row], folder: Path) -> Iterator[str]:
    """Yield the table of the runs: columns whose values differ, as JSON for the script."""
    table = columns([{key: row[key] for key in row if key not in ("limits", "steps", "sha256")} for row in rows])
    fixed = ("run", "verdict")
    names = [
        *fixed,
        *(name for name in table if name not in (*fixed, "reason") and len(set(table[name])) > 1),
        "reason",
    ]
    data: dict[str, Any] = {
        "names": names,
        "columns": [
            [printable(each) if isinstance(each, str) else each for each in table.get(name, [])] for name in names
        ],
        "again": {row["run"]: printable(command(row, campaign.file)) for row in rows if row["verdict"] != "passed"},
        "campaign": shlex.join(["hilbridge", "campaign", str(campaign.file.path), "--into", str(folder)]),
    }
    yield '<section id="runs"><h2>Runs</h2>'
    yield '<form id="filter" role="search"><label>Filter <input type="search" autocomplete="off"></label>'
    yield '<span id="count" role="status"></span></form>'
    yield "<p>Words must all be in a row; <code>mass&gt;1200</code>, <code>verdict=failed</code> or"
    yield "<code>speed&lt;=80</code> compare a column, by the end of its name. A run's name shows its commands.</p>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="Table of the runs"><table id="table"></table></div>'
    yield '<button type="button" id="more">Show more</button>'
    yield "<noscript><p>The table needs JavaScript; <code>rows.jsonl</code> of the results has the rows.</p></noscript>"
    content = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    yield f'<script type="application/json" id="rows">{content}</script>'
    yield f"<script>\n{_SCRIPT.read_text(encoding='utf-8')}</script></section>"


def _class(verdict: str) -> str:
    return verdict if verdict in ("passed", "failed") else "cut-off"
