"""`hilbridge campaign`: many runs on the virtual clock, on this machine or a Dask cluster, with a row for each."""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.base.common.terminal import printable
from hilbridge.base.common.words import counted
from hilbridge.base.process.signals import EXIT_INTERRUPTED, interruption
from hilbridge.bench.scenario.page import is_page
from hilbridge.commands.argument_types import positive, whole
from hilbridge.commands.consent import add_trust
from hilbridge.files.configuration.campaignfile import load_campaign
from hilbridge.runs.campaign.engines import rows
from hilbridge.runs.campaign.page import shown
from hilbridge.runs.campaign.play import Made, line
from hilbridge.runs.campaign.report import check_reports, write_reports
from hilbridge.runs.campaign.results import RECORDINGS, Results
from hilbridge.runs.campaign.runs import Campaign, CampaignRun, command, plan_campaign
from hilbridge.runs.run.recording import unfinished

_SHOWN: Final = 10
"""Runs that did not pass of which the command that repeats them is printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="campaign file")
    parser.add_argument(
        "-o", "--into", type=Path, metavar="DIR", help="the results (default: FILE without .yaml, .results)"
    )
    parser.add_argument(
        "--on",
        default="local",
        metavar="ENGINE",
        help="local (default), dask://HOST:PORT, slurm:FILE, or ssh:HOST,HOST",
    )
    parser.add_argument(
        "--jobs",
        type=whole,
        metavar="N",
        help="runs at a time, of local (default: all processors) and slurm (default: one job)",
    )
    parser.add_argument("--verify", type=positive, metavar="PERCENT", help="make so many of the runs again and compare")
    parser.add_argument(
        "--report",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="write what came of the runs: .html (a page), .xml (JUnit), .parquet (a table); may be repeated",
    )
    parser.add_argument("--rerun", metavar="RUN", help="make this run again and compare; status 1 if it differs")
    add_trust(parser)


def run(options: argparse.Namespace) -> int:
    check_reports(options.report)
    file = load_campaign(options.file)
    if file.settings.search is not None:
        from hilbridge.commands.campaign_search import run_search

        return run_search(file, file.settings.search, options)
    campaign = plan_campaign(file)
    folder = options.into or options.file.with_suffix(".results")
    here = options.jobs if options.on == "local" else None
    with interruption() as stop, Results(folder, campaign) as results:

        def stopped() -> bool:
            return stop.requested

        if options.rerun is None:
            missing = [one for one in campaign.runs if one.name not in results.rows]
            sys.stderr.write(
                f"{counted(len(campaign.runs), 'run')}, {len(missing)} of them to be made, into {folder}\n"
            )
            began, made = monotonic(), 0
            for one in _shown(rows(campaign, missing, folder, options.on, options.jobs), len(missing)):
                if one is not None:
                    results.add(one)
                    made += 1
                if stop.requested:
                    break
            took = monotonic() - began
            status = _conclude(campaign, results, made, took)
            status = max(status, _record(campaign, results, here, stopped))
        else:
            status = 0
        again = _chosen(options, campaign, results)
        if again and not stop.requested:
            coming = _shown(rows(campaign, again, folder, options.on, options.jobs), len(again))
            same = _same(coming, results, stopped)
            print(f"{len(same)} of {counted(len(again), 'run')} made again came to the same row, byte for byte")
            status = max(status, len(same) < len(again))
        if options.report:
            pictured = any(map(is_page, options.report))
            pictures = _pictures(campaign, results, here, stopped) if pictured else {}
            write_reports(options.report, campaign, results.rows, folder, pictures)
    return EXIT_INTERRUPTED if stop.requested else status


def _shown(coming: Iterable[Made | None], whole: int) -> Iterable[Made | None]:
    """Pass on what comes, with a bar on stderr where that is a terminal: done of all, runs in a second, time left."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=whole, rate="")
        began, done = monotonic(), 0
        for made in coming:
            done += made is not None
            bar.update(task, completed=done, rate=f"{done / (monotonic() - began):.1f}/s")
            yield made


def _conclude(campaign: Campaign, results: Results, made: int, took: float) -> int:
    """Print the outcome of the runs; return the exit status."""
    verdicts = Counter(row["verdict"] for row in results.rows.values())
    counts = [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
    if left := len(campaign.runs) - len(results.rows):
        counts.append(f"{left} not made")
    rows_in_order = [results.rows[one.name] for one in campaign.runs if one.name in results.rows]
    for row in [row for row in rows_in_order if row["verdict"] != "passed"][:_SHOWN]:
        words = printable(command(row, campaign.file))
        reason = "\n    ".join(map(printable, row["reason"].split("\n")))
        print(f"{row['run']}  {row['verdict']}: {reason}\n    {words}")
        if (printed := results.printed(row["run"])) is not None:
            print(f"    the last of what it printed: {printed}")
    print("; ".join([", ".join(counts), *([f"{made / took:.1f} runs a second"] if made else [])]))
    return 0 if verdicts["passed"] == len(campaign.runs) else 1


def _chosen(options: argparse.Namespace, campaign: Campaign, results: Results) -> Sequence[CampaignRun]:
    """Return the runs to make again. ConfigurationError: there is no such run, or it has not been made."""
    made = [one for one in campaign.runs if one.name in results.rows]
    if options.rerun is not None:
        found = [one for one in made if one.name == options.rerun]
        if not found:
            raise ConfigurationError(f"the results have no run {options.rerun!r} of this campaign")
        return found
    if options.verify is None or not made:
        return ()
    return Random(0).sample(made, min(len(made), max(1, round(len(made) * options.verify / 100))))


def _record(campaign: Campaign, results: Results, jobs: int | None, stopped: Callable[[], bool]) -> int:
    """Make the runs again, on this machine, that are to have a recording; return the exit status.

    So those without one are not slower for it, no recording travels, and each is proven to be that of its row.
    """
    wanted = results.unrecorded(campaign)
    if not wanted or stopped():
        return 0
    sys.stderr.write(f"{counted(len(wanted), 'run')} once more, for the recording\n")
    with closing(rows(campaign, wanted, results.folder, "local", jobs)) as coming:  # the processes have ended after it
        same = _same(_shown(coming, len(wanted)), results, stopped)
    for run in wanted:
        if run.name not in same:
            shutil.rmtree(run.recording, ignore_errors=True)
            shutil.rmtree(unfinished(Path(run.recording)), ignore_errors=True)
    print(f"{counted(len(same), 'run')} recorded in {results.folder / RECORDINGS}")
    return int(len(same) < len(wanted))


def _pictures(campaign: Campaign, results: Results, jobs: int | None, stopped: Callable[[], bool]) -> dict[str, str]:
    """Draw the failures that a page shows whole, each in a run of its own; without matplotlib none, and it is said."""
    names = {name for name in shown(list(results.rows.values())) if results.rows[name]["verdict"] == "failed"}
    if not names or stopped():
        return {}
    if find_spec("matplotlib") is None:
        sys.stderr.write(f"pictures of failures need the package matplotlib: {extra_remedy('plot')}\n")
        return {}
    sys.stderr.write(f"{counted(len(names), 'run')} once more, for the picture\n")
    with tempfile.TemporaryDirectory(prefix="hilbridge-") as folder:
        drawn = {run.name: Path(folder, f"{run.name}.svg") for run in campaign.runs if run.name in names}
        runs = [run._replace(picture=str(drawn[run.name])) for run in campaign.runs if run.name in names]
        same = _same(_shown(rows(campaign, runs, results.folder, "local", jobs), len(runs)), results, stopped)
        return {name: drawn[name].read_text(encoding="utf-8") for name in same if drawn[name].is_file()}


def _same(coming: Iterable[Made | None], results: Results, stopped: Callable[[], bool]) -> set[str]:
    """Return the runs that came to the same row again, until `stopped`; print what the others came to."""
    same = set()
    for made in coming:
        if stopped():
            break
        if made is None:
            continue
        row = results.row_of(made.row)
        known = None if row is None else results.rows.get(row["run"])
        if row is None or known is None:
            continue
        if made.row == line(known):
            same.add(row["run"])
        else:
            before, now = (printable(each.decode().rstrip("\n")) for each in (line(known), made.row))
            print(f"{row['run']} differs:\n  {before}\n  {now}")
    return same
