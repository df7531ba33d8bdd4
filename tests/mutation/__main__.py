"""Do the tests notice when the code is wrong? Small changes of a room's code, each of which its tests must find.

    python -m tests.mutation [ROOM...] [--sample N] [--seed S] [--jobs N] [--report]

Without a sample all mutants are tried, which takes hours. A sample is drawn by the names of the mutants, so that it
stays the same where the code does. `--report` prints the scores of the last runs only. Exit status 1: a mutant survived
that survivors.yaml does not list, or one of the list dies now, or its code is no more.
"""

import argparse
import hashlib
import importlib
import json
import math
import os
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

from hypothesis import Phase, settings

from .operators import Key, Mutant, Source
from .reach import FOLDER, Reach, Test, measured
from .rooms import CHECKOUT, ROOMS, ROOTS, Room
from .survivors import contradictions, describe, load
from .trial import KILLED, SURVIVED, TIMEOUT, UNTRIED, Case, try_at_import, try_in_functions

BUDGET: Final = 12.0
"""[s] of processor time, as measured under coverage, of all tests that are tried on a mutant; quick ones go first."""

PLUGINS: Final = ("_hypothesis_pytestplugin", "pytest_timeout")
"""The plugins of pytest that the tests of the rooms need; others would be loaded in each child."""

IMPORTED_AHEAD: Final = ("can", "cantools", "numpy", "pydantic", "prometheus_client", "serial", "structlog", "yaml")
"""Libraries that are imported once, before any child."""

UNCHANGED: Final = -1
"""Number of the case without a mutant, which must survive."""

NOT_REACHED: Final = "not reached"
"""No test of the room executes the line: it survives without a trial."""


class Row(NamedTuple):
    """A mutant that was tried."""

    key: Key
    place: str
    verdict: str


def main() -> int:
    """Try mutants, or report what was found before."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"of {', '.join(ROOMS)}; all of them without any")
    parser.add_argument("--sample", type=int, metavar="N", help="mutants that are tried in each room")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which sample")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="mutants that are tried side by side")
    parser.add_argument("--report", action="store_true", help="print the scores of the last runs")
    arguments = parser.parse_args()
    names = arguments.rooms or list(ROOMS)
    if unknown := set(names) - ROOMS.keys():
        parser.error(f"no such room: {', '.join(sorted(unknown))}")
    if arguments.report:
        print_scores(names)
        return 0
    prepare()
    wrong = [line for name in names for line in judge(name, arguments.sample, arguments.seed, arguments.jobs)]
    print_scores(names)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def prepare() -> None:
    """Make every run the same, and children quick to begin."""
    os.chdir(CHECKOUT)
    os.environ |= {
        "HYPOTHESIS_PROFILE": "mutation",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONHASHSEED": "0",
    }
    quick = (Phase.explicit, Phase.generate)
    settings.register_profile("mutation", deadline=None, derandomize=True, database=None, max_examples=30, phases=quick)
    sys.path[:0] = [str(CHECKOUT / root) for root in ROOTS]
    for library in (*PLUGINS, *IMPORTED_AHEAD):
        importlib.import_module(library)


def judge(name: str, sample: int | None, seed: int, jobs: int) -> list[str]:
    """Try the mutants of a room, keep what was found, and return what contradicts the list of survivors."""
    room = ROOMS[name]
    every = [*OPTIONS, *room.tests, *room.pages, *(f"--ignore={path}" for path in room.without)]
    reach = measured(name, room, every)
    options = ["--exitfirst", *every]
    sources = [Source(module, str(path), path.read_text(encoding="utf-8")) for module, path in room.modules()]
    everything = [(source, mutant) for source in sources for mutant in source.mutants]
    chosen = sorted(everything, key=lambda one: rank(seed, one[1].key))[:sample]
    rows = []
    for (source, mutant), verdict in zip(chosen, try_all(chosen, room, reach, options, jobs), strict=True):
        place = f"{Path(source.path).relative_to(CHECKOUT)}:{mutant.lines.start}"
        rows.append(Row(mutant.key, place, verdict))
    found = {"mutants": len(everything), "seed": seed, "rows": rows}
    (FOLDER / f"verdicts-{name}.json").write_text(json.dumps(found, indent=0, ensure_ascii=False), encoding="utf-8")
    died = [row.key for row in rows if row.verdict in {KILLED, TIMEOUT}]
    survived = {row.key: row.place for row in rows if row.verdict in {SURVIVED, NOT_REACHED}}
    existing = {mutant.key for _, mutant in everything}
    return contradictions(load(), existing, survived, died)


def rank(seed: int, key: Key) -> str:
    """Return the place of a mutant in the order of a sample: by chance, and the same in each run."""
    return hashlib.sha256("\0".join((str(seed), *key)).encode()).hexdigest()


OPTIONS: Final = [
    "-q",
    "--no-header",
    "--capture=no",
    "--override-ini=timeout=0",
    "-pno:cacheprovider",
    *(f"-p{plugin}" for plugin in PLUGINS),
    "-Wignore::pytest.PytestAssertRewriteWarning",
]


def try_all(chosen: list[tuple[Source, Mutant]], room: Room, reach: Reach, options: list[str], jobs: int) -> list[str]:
    """Return the verdict for each mutant."""
    cases = {number: case_of(source, mutant, reach, room.pages) for number, (source, mutant) in enumerate(chosen)}
    verdicts = dict.fromkeys(cases, NOT_REACHED)
    in_functions = {number: case for number, case in cases.items() if case.tests and chosen[number][1].in_function}
    modules = [module for module, _ in room.modules()]
    progress = Progress([describe(mutant.key) for _, mutant in chosen])
    unchanged = Case(chosen[0][0], None, quickest(reach), at_import=False)
    for number, verdict in try_in_functions({UNCHANGED: unchanged} | in_functions, modules, options, jobs):
        verdicts[number] = progress.tell(number, verdict)
    again = {
        number: case
        for number, case in cases.items()
        if case.tests
        and (
            number not in in_functions
            or verdicts[number] == UNTRIED
            or (case.at_import and verdicts[number] == SURVIVED)
        )
    }
    if verdicts[UNCHANGED] != SURVIVED:
        raise SystemExit("tests fail in a child without any mutant")
    for number, verdict in try_at_import({UNCHANGED: unchanged} | again, ["--exitfirst", *OPTIONS], jobs):
        verdicts[number] = progress.tell(number, verdict)
    if verdicts.pop(UNCHANGED) != SURVIVED:
        raise SystemExit("tests fail in a child without any mutant")
    return list(verdicts.values())


def quickest(reach: Reach) -> list[str]:
    """Return tests that show whether a child can run tests at all."""
    return [test.name for test in sorted(reach.tests, key=lambda test: test.seconds)][:200]


class Progress:
    """What was found so far, on standard error."""

    def __init__(self, names: list[str]) -> None:
        self._names = names
        self._tried = 0

    def tell(self, number: int, verdict: str) -> str:
        """Count a verdict, and return it."""
        self._tried += 1
        if verdict == SURVIVED and number != UNCHANGED:
            print(f"\rsurvived: {self._names[number]}", file=sys.stderr)
        print(f"\r{self._tried} of {len(self._names)} tried ", end="", file=sys.stderr, flush=True)
        return verdict


def case_of(source: Source, mutant: Mutant, reach: Reach, pages: tuple[str, ...]) -> Case:
    """Return a mutant with the tests that reach it: its own module's first, then the quickest, up to the budget.

    Of tests that take as long, as all do that were broken off, the first case of each function goes before the second;
    and only the first cases of the pages' tests go before the others.
    """
    path = str(Path(source.path).relative_to(CHECKOUT))
    reached = reach.of(path, mutant.lines)
    at_import = not mutant.in_function or -1 in reached
    if at_import:
        reached = reach.of_module(path) - {-1} or set(range(len(reach.tests)))
    own = f"/test_{Path(path).stem}.py"
    nearest = (own, *pages) if at_import else (own,)
    if at_import:  # a test that only compares a constant executes no line of its module
        reached |= {number for number, test in enumerate(reach.tests) if _is_of(test, nearest)}
    tests = [reach.tests[number] for number in sorted(reached - {-1})]
    case = {test.name: number for _, cases in groupby(tests, _function) for number, test in enumerate(cases)}
    later = {name for name, number in case.items() if number and own not in name}
    tests.sort(key=lambda test: (test.name in later or not _is_of(test, nearest), test.seconds, case[test.name]))
    names: list[str] = []
    seconds = 0.0
    for test in tests:
        seconds += test.seconds
        if seconds > BUDGET and names:
            break
        names.append(test.name)
    return Case(source, mutant, names, at_import)


def _function(test: Test) -> str:
    """Return the name of a test without its case."""
    return test.name.partition("[")[0]


def _is_of(test: Test, files: tuple[str, ...]) -> bool:
    return any(file in test.name for file in files)


def print_scores(names: list[str]) -> None:
    """Print a line for each room whose mutants were tried: the score is the share that dies of those not equivalent."""
    equivalent = {key for key, one in load().items() if one.equivalent}
    print("\n| room | mutants | tried | killed | of these by time | survived | of these equivalent | score | 95 % |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        file = FOLDER / f"verdicts-{name}.json"
        if not file.exists():
            continue
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        rows = [Row(Key(*key), place, verdict) for key, place, verdict in found["rows"]]
        killed = sum(row.verdict in {KILLED, TIMEOUT} for row in rows)
        by_time = sum(row.verdict == TIMEOUT for row in rows)
        same = sum(row.key in equivalent and row.verdict not in {KILLED, TIMEOUT} for row in rows)
        counted = len(rows) - same
        low, high = interval(killed, counted)
        print(
            f"| {name} | {found['mutants']} | {len(rows)} | {killed} | {by_time} | {len(rows) - killed} | {same} "
            f"| {killed / max(counted, 1):.1%} | {low:.0%} .. {high:.0%} |"
        )


def interval(killed: int, counted: int) -> tuple[float, float]:
    """Return the 95 % interval of a share that was counted in a sample (Wilson, 1927)."""
    if not counted:
        return 0.0, 1.0
    z, share = 1.96, killed / counted
    middle = share + z * z / (2 * counted)
    width = z * math.sqrt(share * (1 - share) / counted + z * z / (4 * counted * counted))
    return (middle - width) / (1 + z * z / counted), (middle + width) / (1 + z * z / counted)


if __name__ == "__main__":
    sys.exit(main())
