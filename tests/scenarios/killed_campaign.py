"""A campaign on a cluster whose workers are killed at random, for the tests and for `make soak`."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from hilbridge.files.configuration.campaignfile import load_campaign
from hilbridge.runs.campaign.engines import described
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.campaign.results import FILES, write_files
from hilbridge.runs.campaign.runs import CampaignRun, plan_campaign

from ..cluster import Cluster, cluster
from ..program import PATIENCE

BENCH = """
name: small
vehicle: compact
rate: 100
buses:
  powertrain: {interface: embedded, database: powertrain.dbc, transmit: [HILBRIDGE]}
"""

SCENARIO = """
parameters: {throttle: 0}
steps:
  - set: {input.Key: 1, input.Throttle: "${throttle}"}
  - after: 0.1
    expect: "vehicle.EngineRpm < 120"
"""

CAMPAIGN = """
bench: small.yaml
scenario: short.yaml
vary:
  vehicle.body.mass: {from: 900, to: 2400}
  vehicle.engine.inertia: {from: 0.3, to: 0.7}
  throttle: {from: 0, to: 1}
design: {kind: sobol, runs: POINTS}
seeds: 2
recordings: none
figures:
  rpm: {of: vehicle.EngineRpm}
"""

SEEDS = 2
WORKERS = 2
KILLING = 0.01
"""Share of the runs that kill a worker."""

LONGEST_RUN = 2.0
"""[s] of the wall clock, with its share of new workers; more is a campaign that hangs."""


class Disturbed(NamedTuple):
    """What was seen: runs with a row, workers killed, rows that were compared, and seconds until all were there."""

    runs: int
    kills: int
    compared: int
    seconds: float


def disturb(folder: Path, points: int, every: int) -> Disturbed:
    """Run a campaign of two runs for each point on two workers, of which one is killed in a hundred runs.

    AssertionError: a run is lost or doubled, or the row of one of `every` so many is not that of a process that nothing
    disturbs.
    """
    runs = SEEDS * points
    for name, text in (("small", BENCH), ("short", SCENARIO), ("starts", CAMPAIGN.replace("POINTS", str(points)))):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    results = folder / "results"
    began = time.monotonic()
    with cluster(folder, workers=WORKERS) as workers:
        words = ["campaign", str(folder / "starts.yaml"), "--into", str(results), "--on", f"dask://{workers.address}"]
        with (folder / "campaign.log").open("wb") as log:
            program = subprocess.Popen(
                [sys.executable, "-m", "hilbridge", *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            try:
                kills = _kill_workers(workers, program, results / "rows.jsonl", runs)
                assert program.wait(PATIENCE) == 1, "some fail"
            finally:
                program.kill()
                program.wait()
    seconds = time.monotonic() - began
    rows = (results / "rows.jsonl").read_bytes().splitlines(keepends=True)
    made = [json.loads(row) for row in rows]
    assert len({row["run"] for row in made}) == len(made) == runs
    assert {row["verdict"] for row in made} == {"passed", "failed"}
    assert made[0]["frames"] > 0
    compared = _undisturbed(folder, every)
    assert compared == rows[::every]
    return Disturbed(len(made), kills, len(compared), seconds)


def _kill_workers(workers: Cluster, program: "subprocess.Popen[bytes]", rows: Path, runs: int) -> int:
    """Kill a worker, and start another, after each run on which the dice fall so, until all runs are over."""
    random = Random(1)
    seen = kills = offset = 0
    until = time.monotonic() + PATIENCE + LONGEST_RUN * runs
    while seen < runs and program.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.02)
        if not rows.is_file():
            continue
        with rows.open("rb") as file:
            file.seek(offset)
            coming = file.read()
        offset += len(coming)
        for _ in range(coming.count(b"\n")):
            seen += 1
            if random.random() < KILLING:
                workers.replace_worker(random.randrange(WORKERS))
                kills += 1
    return kills


def _undisturbed(folder: Path, every: int) -> list[bytes]:
    """Rows of one of `every` so many runs, made here without a cluster."""
    campaign = plan_campaign(load_campaign(folder / "starts.yaml"))
    write_files(folder / "here", campaign.files)

    def made(runs: Sequence[CampaignRun]) -> list[bytes]:
        with closing(Prepared(folder / "here" / FILES)) as prepared:
            coming = [prepared.make(described(campaign, run)) for run in runs]
            return [one.row for one in coming if one is not None]

    runs = campaign.runs[::every]
    middle = len(runs) // 2
    with ThreadPoolExecutor(2) as processes:
        return [row for rows in processes.map(made, (runs[:middle], runs[middle:])) for row in rows]
