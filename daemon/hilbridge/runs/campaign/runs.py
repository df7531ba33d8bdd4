"""The runs of a campaign and their names.

A name is a hash of all that a run is made of: the files of bench and scenario, the values put into them, the seed, the
figures that are asked for, and the software that computes it. So a run that is in the results need not be made again,
and one whose files or program have changed is another run.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from hilbridge.base.common.bundle_files import BundleError, check_names, read_source
from hilbridge.base.common.errors import ConfigurationError, InvalidFileError
from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.trust import gate
from hilbridge.boundary.record import manifest
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.files.configuration.bundle import bundle
from hilbridge.files.configuration.campaignfile import CampaignFile
from hilbridge.files.configuration.changes import Changes
from hilbridge.files.configuration.scenariofile import ScenarioFile, load_scenario
from hilbridge.files.settings.campaign import MOST_RUNS, CampaignSettings
from hilbridge.runs.campaign.design import combinations, count
from hilbridge.runs.run.build import build

_LENGTH: Final = 16
"""Hexadecimal digits of a name: among a million runs two are alike with a chance of 3 in 10⁸."""

Contents = Mapping[str, bytes]
"""The files of a bench or of a scenario by their names."""


class CampaignRun(NamedTuple):
    """A run. `bench_files`, `scenario_files`: names of `Campaign.files`; `keys`: what the campaign file says of it.

    `recording`, `picture`: paths of a folder and a file (SVG) that it is to make here beside its row; "": none.
    """

    name: str
    bench_files: str
    scenario_files: str
    keys: Mapping[str, Any]
    recording: str = ""
    picture: str = ""


class Campaign(NamedTuple):
    """A campaign that can be run: its runs in order, the files of all of them by their hashes, and the software.

    `trusted`: the digests of the user's code in those files, which is trusted here and so where they are run.
    """

    file: CampaignFile
    runs: list[CampaignRun]
    files: Mapping[str, Contents]
    software: Mapping[str, Any]
    trusted: Sequence[str]

    @property
    def settings(self) -> CampaignSettings:
        """The settings of the file."""
        return self.file.settings


def plan_campaign(file: CampaignFile) -> Campaign:
    """Return the campaign of a file, with benches and scenarios as they are now.

    ConfigurationError: a file is missing or wrong, names code that is not trusted, two runs are the same, or there are
    too many.
    """
    files: dict[str, Contents] = {}
    known: dict[tuple[str, str | None], str] = {}
    runs: dict[str, CampaignRun] = {}
    software = manifest.software()
    figures = {name: figure.model_dump() for name, figure in file.settings.figures.items()}
    for keys in _bounded(file):
        bench, scenario = (keys["bench"], keys["vehicle"]), (keys["scenario"], None)
        if bench not in known:
            known[bench] = _add(files, _bench(file, *bench, keys["set"]))
        if scenario not in known:
            known[scenario] = _add(files, _scenario(file, keys["scenario"], keys["set"]))
        parts = {"bench": known[bench], "scenario": known[scenario], "set": keys["set"], "seed": keys["seed"]}
        name = _hash({"software": software, "figures": figures, **parts})
        if name in runs:
            raise InvalidFileError([file.file.problem(("vary",), f"two runs have the same values: {keys}")])
        runs[name] = CampaignRun(name, known[bench], known[scenario], keys)
    return Campaign(file, [*runs.values()], files, software, sorted(code.digest for code in gate.passed()))


def command(keys: Mapping[str, Any], file: CampaignFile) -> str:
    """Return the command that makes a run at the desk, with its log and, with --record, its recording."""
    bench, scenario = file.beside(keys["bench"]), file.beside(keys["scenario"])
    changes = _vehicle(file, keys["vehicle"]) | keys["set"]
    values = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    words = ["hilbridge", "run", bench, "--clock", "virtual", "--scenario", scenario]
    return shlex.join([*words, *values, "--seed", str(keys["seed"])])


def _bounded(file: CampaignFile) -> Iterator[Mapping[str, Any]]:
    """Yield what makes each run. InvalidFileError: they are too many, or a key has a place of its own in the file."""
    settings = file.settings
    benches = len(settings.bench) * len(settings.vehicle or [None]) * len(settings.scenario)
    whole = benches * count(settings) * len(settings.seed_list)
    if whole > MOST_RUNS:
        raise InvalidFileError([file.file.problem(("vary",), f"{whole:,} runs; a campaign has {MOST_RUNS:,} at most")])
    for key, own in (("bench.vehicle", "vehicle"), ("bench.seed", "seeds")):
        if key in settings.vary:
            raise InvalidFileError([file.file.problem(("vary", key), f"is the campaign's own key {own!r}")])
    return combinations(settings)


def _bench(file: CampaignFile, bench: str, vehicle: str | None, values: Mapping[str, Any]) -> Contents:
    """Return the files of a bench, without the values of a run. ConfigurationError: it cannot be read with them."""
    own = _vehicle(file, vehicle)
    name = file.beside(bench)
    file_of_bench = load_bench(name, Changes.of({**own, **values}))
    for client, one in file_of_bench.settings.lockstep.items():
        if one.socket is not None:
            words = f"{name}: nobody connects to lockstep client {client} in each run: let it be a 'program'"
            raise ConfigurationError(words)
    build(file_of_bench)
    return bundle(load_bench(name, Changes.of(own)), runs=True)


def _vehicle(file: CampaignFile, name: str | None) -> dict[str, Any]:
    """Return the change of a bench that gives it a vehicle of the campaign's."""
    return {} if name is None else {"bench.vehicle": file.beside(name)}


def _scenario(file: CampaignFile, name: str, values: Mapping[str, Any]) -> Contents:
    """Return a scenario file, and the speed traces that it names.

    ConfigurationError: it cannot be read, or a trace lies neither beside it nor in a folder there.
    """
    scenario = load_scenario(file.beside(name), Changes.of(values).scenario)
    traces = sorted({str(PurePosixPath(trace)) for trace in _traces(scenario)})
    try:
        check_names([scenario.path.name, *traces])
    except BundleError as error:
        words = "files of a campaign lie beside the scenario that names them, or in a folder there"
        raise ConfigurationError(f"{scenario.path}: {error}: {words}") from None
    return {each: read_source(scenario.path.parent / each) for each in (scenario.path.name, *traces)}


def _traces(scenario: ScenarioFile) -> Iterator[str]:
    """Yield the names of the files of speed traces beside a scenario."""
    for step in scenario.settings.steps:
        cycle = None if step.drive is None else step.drive.cycle
        if cycle is not None and is_file(scenario.path.parent / cycle):
            yield cycle


def _add(files: dict[str, Contents], contents: Contents) -> str:
    name = _hash({file: sha256(content).hexdigest() for file, content in contents.items()})
    files[name] = contents
    return name


def _hash(content: Mapping[str, Any]) -> str:
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:_LENGTH]
