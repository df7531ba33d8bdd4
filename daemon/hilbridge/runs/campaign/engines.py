"""Where the runs of a campaign are made: on the processors of this machine, or by the workers of a Dask cluster.

Either way a run is made by a process that a prepared one has forked, so that its row is the same everywhere.
"""

import os
import threading
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.remedies import extra_remedy
from hilbridge.runs.campaign.play import Made
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.campaign.results import FILES
from hilbridge.runs.campaign.runs import Campaign, CampaignRun

_CLUSTERS: Final = {
    "dask": ("distributed",),
    "slurm": ("distributed", "dask_jobqueue", "cryptography"),
    "ssh": ("distributed", "cryptography"),
}
"""The packages that each kind of cluster needs, as they are imported."""

_LOOK: Final = 0.2
"""[s] after which the caller may see that the user wants an end."""


def described(campaign: Campaign, run: CampaignRun) -> dict[str, Any]:
    """Return a run as the processes that make it get it."""
    figures = {name: figure.model_dump() for name, figure in campaign.settings.figures.items()}
    limits = {"time_limit": campaign.settings.time_limit, "memory_limit": campaign.settings.memory_limit}
    return {**run._asdict(), "figures": figures, **limits, "trusted": campaign.trusted}


def rows(
    campaign: Campaign, runs: Sequence[CampaignRun], folder: Path, on: str, workers: int | None
) -> Generator[Made | None, None, None]:
    """Yield the outcome of each run when it is over, and None now and then, so that the caller may end it.

    `folder`: the results, whose files the runs use here; `on`: `local`, or a cluster (clusters.py); `workers`: runs at
    a time, where that is for us to say.

    ConfigurationError: no such engine, or what it needs is missing or does not answer.
    """
    if on == "local":
        return _local(campaign, runs, folder / FILES, workers or os.cpu_count() or 1)
    kind, _, place = on.partition(":")
    if kind not in _CLUSTERS or not place:
        raise ConfigurationError(f"--on is local, dask://HOST:PORT, slurm:FILE or ssh:HOST,HOST, not {on!r}")
    for package in _CLUSTERS[kind]:
        if find_spec(package) is None:
            raise ConfigurationError(f"--on {kind}: needs the package {package}: {extra_remedy('campaign')}")
    return _cluster(campaign, runs, folder, kind, place, workers)


def _local(
    campaign: Campaign, runs: Sequence[CampaignRun], files: Path, workers: int
) -> Generator[Made | None, None, None]:
    """Make the runs here: a thread for each prepared process, which does nothing but wait for it."""
    waiting: SimpleQueue[CampaignRun] = SimpleQueue()
    for run in runs:
        waiting.put(run)
    done: SimpleQueue[Made] = SimpleQueue()
    prepared = [Prepared(files) for _ in range(min(workers, len(runs)))]

    def work(process: Prepared) -> None:
        with closing(process), suppress(Empty):
            while made := process.make(described(campaign, waiting.get_nowait())):
                done.put(made)

    threads = [threading.Thread(target=work, args=(process,), daemon=True) for process in prepared]
    for thread in threads:
        thread.start()
    try:
        left = len(runs)
        while left:
            try:
                made = done.get(timeout=_LOOK)
            except Empty:
                yield None
                continue
            yield made
            left -= 1
    finally:
        for process in prepared:
            process.stop()
        for thread in threads:
            thread.join()


def _cluster(
    campaign: Campaign, runs: Sequence[CampaignRun], folder: Path, kind: str, place: str, workers: int | None
) -> Generator[Made | None, None, None]:
    """Have the runs made by a cluster."""
    from hilbridge.runs.campaign.cluster_runs import made_on_cluster
    from hilbridge.runs.campaign.clusters import connected

    with connected(kind, place, folder, workers) as client:
        yield from made_on_cluster(client, campaign, [described(campaign, run) for run in runs])
