"""Public logs of cars judge the profiles.

    python -m tests.judged FOLDER [--write]

FOLDER has the repositories that tests/clusters/judged.yaml names, each as OWNER/NAME (git clone, by whoever runs this;
logs are not committed). Prints what of each profile is otherwise in its cars; `--write` makes docs/judged.md of it.
Exit status 1: a length, period, counter or checksum, an identifier of a project or a value of a dash differs, and
judged.yaml has no word on it.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from hilbridge.desk.beside.car import Car, read_car
from hilbridge.desk.beside.compare import Findings, FrameFinding, compare
from hilbridge.desk.beside.words import ENOUGH, NEAR, differences, holds, identifier, is_another, row
from hilbridge.desk.frames.describe import bench_of
from hilbridge.files.configuration.profiles import load_profile
from hilbridge.frames.bus.gate import never_sent
from hilbridge.frames.codec.frame import EXTENDED_MASK

from .judged_dashes import Verdict, beside_dashes
from .judged_reasons import KINDS, Databases, Reason, in_words, reasons

CHECKOUT: Final = Path(__file__).parents[1]
TABLE: Final = CHECKOUT / "tests/clusters/judged.yaml"
PAGE: Final = CHECKOUT / "docs/judged.md"

_OWN_FORM: Final = re.compile(r"(\d+)\s+0x([0-9A-Fa-f]+):((?: [0-9A-Fa-f]{2})+)\s*")
"""The log of v-ivanyshyn/parse_can_logs: milliseconds, identifier, bytes; no program writes this form."""

_COMMENT: Final = re.compile(r"//.*|^\s*#(?!define).*|^\s*\*.*")

_HEAD: Final = """\
# Profiles beside recorded cars

What public logs of cars say of the shipped profiles. Each frame of the log was laid beside that of the profile: length,
period, counter, checksum, and each byte that the profile holds constant; `hilbridge profiles NAME --against LOG` does
the same with a log of yours ([a profile of my own](guides/own-profile.md#beside-a-car)). Written by
`python -m tests.judged FOLDER --write`, with the logs in FOLDER; they are not part of this project.

"Source of the profile" says whether the profile names this repository among its own sources. Where yes, the profile was
written from this very log or program: agreement shows that it was copied rightly, no more.

A log shows what a car sends, not what a cluster insists on: a byte that differs may be another engine, another year, or
something that the vehicle model does not have. Counters and checksums are another matter: there the car is right. Those
that it has and the profile lacks are among the bytes that differ.

A period counts as equal up to {near:.0f} % of the profile's, a counter or checksum as right where it is so in
{enough:.0f} % of the frames: logs lose some, and cars have pauses.

For each byte that differs the table says what is known. Bare names are signals that a public database (opendbc) of
another car, or of a whole platform, has in these bits: a guess. Words with a source in brackets are that source's. "As
ours in the ...": another recorded car of the same profile. "Not known why": the byte moves, and no source that was read
says more.
"""

_PROJECTS: Final = """\
## Identifiers beside other projects

Identifiers that other people's programs for the same cluster send, read or name, taken out of their sources, beside
what the profile sends. A project that sends less is no contradiction: clusters are content with much less than a car
has.
"""


_KINDS: Final = {
    "named": "named by a source",
    "placed": "with a signal of a database there",
    "elsewhere": "as ours in another car",
    "counter": "counters and checksums",
    "constant": "constants of the car",
    "state": "states",
    "moves": "not known",
}


_DASHES: Final = """\
## Dashes beside decoders of others

What an engine's control unit says, read by other people's decoders from the frames that the dash profiles send in ten
seconds, beside the vehicle of the same tick. FOME is a fork of rusEFI, from which the profile was written. A table by
the makers' layouts judges these profiles in the tests.
"""


class Judged(NamedTuple):
    """A profile beside one car."""

    row: dict[str, Any]
    car: Car
    found: Findings

    def frames(self) -> Counter[str]:
        """Return the number of frames by verdict."""
        return Counter(row(frame)[3] for frame in self.found.frames)

    def checks(self) -> tuple[int, int]:
        """Return how many counters and checksums the car has as the profile does, and of how many."""
        checks = [check for frame in self.found.frames for check in frame.checks if check.frames]
        return sum(map(holds, checks)), len(checks)

    def reason(self, frame: FrameFinding) -> str | None:
        """Return why a frame differs, if judged.yaml says so."""
        by_name: dict[str, str] = self.row.get("reasons", {})
        return by_name.get(frame.name)


class Project(NamedTuple):
    """The identifiers of a profile beside those that a program of others sends."""

    row: dict[str, Any]
    theirs: frozenset[int]
    ours: frozenset[int]
    never: frozenset[int]

    def reasons(self) -> dict[int, str]:
        """Return why the profile has not what the project has, by identifier; empty: judged.yaml says nothing."""
        known = {
            int(one, 16): why for several, why in self.row.get("reasons", {}).items() for one in str(several).split()
        }
        return {
            one: known.get(one, "the cluster's own, which the profile never sends" if one in self.never else "")
            for one in sorted(self.theirs - self.ours)
        }


def table() -> dict[str, Any]:
    """Return tests/clusters/judged.yaml."""
    found: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
    return found


def beside_projects(folder: Path) -> Iterator[Project]:
    """Lay the identifiers of each profile of the table beside those of the programs of others."""
    for one in table()["projects"]:
        theirs = {
            int(number, 16)
            for file in sorted((folder / one["project"]).glob(one["files"]))
            if file.is_file()
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines()
            for number in re.findall(one["send"], line if file.suffix == ".md" else _COMMENT.sub("", line))
        }
        if not theirs:
            sys.exit(f"{one['project']}: no identifier in {one['files']}: is it in {folder}?")
        bench = bench_of(load_profile(one["profile"]))
        ours = {planned.outgoing.can_id & EXTENDED_MASK for planned in bench.wiring.plan.frames}
        silent = [never for bus in bench.settings.buses.values() for never in never_sent(bus)]
        never = frozenset(number for number in theirs if any(number in one for one in silent))
        yield Project(one, frozenset(theirs), frozenset(ours), never)


def judge(folder: Path) -> Iterator[Judged]:
    """Lay each profile of the table beside its car."""
    for one in table()["cars"]:
        with tempfile.TemporaryDirectory() as scratch:
            logs = [_plain(folder / one["source"] / log, Path(scratch)) for log in one["logs"]]
            car = read_car(logs)
        yield Judged(one, car, compare(load_profile(one["profile"]), car))


def _plain(log: Path, scratch: Path) -> Path:
    """Return a log in a form that programs know."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if not lines or not _OWN_FORM.fullmatch(lines[0]):
        return log
    candump = [
        f"({int(match[1]) / 1000:.6f}) can0 {int(match[2], 16):03X}#{match[3].replace(' ', '')}"
        for line in lines
        if (match := _OWN_FORM.fullmatch(line))
    ]
    (scratch / log.name).write_text("\n".join(candump) + "\n", encoding="utf-8")
    return scratch / log.name


def is_source(profile: str, repository: str) -> bool:
    """Return whether a profile names a repository among its own sources."""
    wanted = re.compile(rf"(?<![\w./-]){re.escape(repository)}(?![\w-])", re.IGNORECASE)
    return any(wanted.search(source) for source in load_profile(profile).settings.sources)


def _origin(profile: str, repository: str) -> str:
    return "yes" if is_source(profile, repository) else "no"


def explained(judged: list[Judged]) -> Iterator[tuple[Judged, Databases, dict[int, list[Reason]]]]:
    """Yield each profile beside its car with the reasons of the bytes that differ, by identifier of the frame."""
    whole = table()
    files: dict[str, Databases] = {name: Databases(names) for name, names in whole["databases"].items()}
    for one in judged:
        profile = one.row["profile"]
        facts: dict[str, dict[str, str]] = whole["facts"].get(profile, {})
        others = [(other.row["car"], other.car) for other in judged if other.row["profile"] == profile]
        elsewhere = [(name, car) for name, car in others if car is not one.car]
        found = {
            frame.can_id: reasons(frame, one.car, facts.get(frame.name, {}), files[profile], elsewhere)
            for frame in one.found.frames
            if frame.rest
        }
        yield one, files[profile], found


def _dash_reasons(one: Verdict) -> dict[str, str]:
    """Return why a decoder reads a value otherwise, by value; empty: judged.yaml says nothing."""
    known = {name: why for several, why in one.row.get("reasons", {}).items() for name in several.split()}
    return {name: known.get(name, "") for name in sorted(one.wrong)}


def page(judged: list[Judged], projects: list[Project], dashes: list[Verdict]) -> str:
    """Return docs/judged.md."""
    told = list(explained(judged))
    kinds = Counter(reason.kind for _, _, found in told for frame in found.values() for reason in frame)
    titles = (
        "profile",
        "car",
        "log",
        "source of the profile",
        "its frames: equal, differing, not heard",
        "counters and checksums right, of those the profile has",
    )
    lines = [
        _HEAD.format(near=100 * NEAR, enough=100 * ENOUGH),
        f"| {' | '.join(titles)} |",
        "|---" * len(titles) + "|",
    ]
    for one in judged:
        verdicts, (right, of) = one.frames(), one.checks()
        log = f"{one.car.frames:,} frames, {one.car.seconds:.0f} s, {one.row['source']}"
        counts = f"{verdicts['equal']}, {verdicts['differs'] + verdicts['in part']}, {verdicts['not heard']}"
        origin = _origin(one.row["profile"], one.row["source"])
        lines.append(f"| {one.row['profile']} | {one.row['car']} | {log} | {origin} | {counts} | {right} of {of} |")
    lines += [
        "",
        f"Of {kinds.total()} bytes that differ: " + ", ".join(f"{_KINDS[one]} {kinds[one]}" for one in KINDS) + ".",
    ]
    for one, databases, found in told:
        lines += ["", f"## {one.row['profile']}: {one.row['car']}", "", f"Names of signals: {databases.words()}.", ""]
        lines += ["| frame | in the car | why |", "|---|---|---|"]
        for frame in one.found.frames:
            if differs := differences(frame):
                words = filter(None, (one.reason(frame), in_words(found.get(frame.can_id, []))))
                lines.append(f"| {identifier(frame.can_id)} {frame.name} | {'; '.join(differs)} | {'; '.join(words)} |")
        lines += ["", f"In the car alone: {' '.join(map(identifier, one.found.strangers)) or 'none'}."]
    titles = (
        "profile",
        "project",
        "source of the profile",
        "identifiers of both",
        "the project's alone",
        "the profile's alone",
    )
    lines += ["", _PROJECTS, f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for each in projects:
        by_reason: dict[str, list[str]] = {}
        for number, why in each.reasons().items():
            by_reason.setdefault(why or "not known", []).append(identifier(number))
        alone = "; ".join(f"{' '.join(ids)}: {why}" for why, ids in by_reason.items()) or "none"
        more = " ".join(map(identifier, sorted(each.ours - each.theirs))) or "none"
        both = len(each.ours & each.theirs)
        origin = _origin(each.row["profile"], each.row["project"])
        lines.append(f"| {each.row['profile']} | {each.row['project']} | {origin} | {both} | {alone} | {more} |")
    lines += [
        "",
        _DASHES,
        "| profile | decoder | source of the profile | values read as the vehicle has them | otherwise |",
        "|---|---|---|---|---|",
    ]
    for dash in dashes:
        equal, _ = dash.words()
        otherwise = "; ".join(f"{name}: {why}" for name, why in _dash_reasons(dash).items()) or "none"
        decoder = f"{dash.row['project']}, {Path(dash.row['file']).name}"
        origin = _origin(dash.row["profile"], dash.row["project"])
        lines.append(f"| {dash.row['profile']} | {decoder} | {origin} | {equal} | {otherwise} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    judged, projects = list(judge(options.folder)), list(beside_projects(options.folder))
    dashes = beside_dashes(options.folder, table()["dashes"])
    text = page(judged, projects, dashes)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")
    unknown = [
        (one.row["car"], frame.name)
        for one in judged
        for frame in one.found.frames
        if one.reason(frame) is None and is_another(frame)
    ]
    for car, frame in unknown:
        print(f"{car}: {frame} differs, and judged.yaml has no word on it", file=sys.stderr)
    missing = [
        (each.row["project"], one) for each in projects for one, why in each.reasons().items() if not why
    ]  # fmt: skip
    for project, one in missing:
        print(f"{project}: {identifier(one)} is not in the profile, and judged.yaml has no word on it", file=sys.stderr)
    otherwise = [(one.row["profile"], name) for one in dashes for name, why in _dash_reasons(one).items() if not why]
    for profile, name in otherwise:
        print(f"{profile}: {name} is read otherwise, and judged.yaml has no word on it", file=sys.stderr)
    return 1 if unknown or missing or otherwise else 0


if __name__ == "__main__":
    sys.exit(main())
