"""The runs of a campaign on a Dask cluster, which carries runs and rows, and gives those of a dead worker to another.

What the runs need besides is a plugin of the workers: also one that comes later, in place of one that died, has it.
"""

import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from distributed import Client, Worker, WorkerPlugin, get_worker

from hilbridge.campaign.play import line, trouble
from hilbridge.campaign.prepared import Prepared
from hilbridge.campaign.results import FILES, write_files
from hilbridge.campaign.runs import Campaign, Contents
from hilbridge.common.errors import ConfigurationError
from hilbridge.record import manifest

Software = Mapping[str, Any]


class CampaignOnWorker(WorkerPlugin):
    """A campaign on a worker: its files in a folder, and a prepared process for each thread, which makes one run."""

    def __init__(self, files: Mapping[str, Contents], software: Software) -> None:
        self.name = f"hilbridge-campaign-{uuid.uuid4().hex}"
        self._files = dict(files)
        self._software = dict(software)

    def setup(self, worker: Worker) -> None:
        """Write the files; the folder of a worker that was killed is removed by the next one on its machine."""
        self._folder = Path(worker.local_directory, self.name)
        self._prepared: dict[int, Prepared] = {}
        self._other = _difference(manifest.software(), self._software)
        write_files(self._folder, self._files)

    def teardown(self, worker: Worker) -> None:
        """End the processes and remove the files."""
        for prepared in list(self._prepared.values()):
            prepared.stop()
            prepared.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def row(self, run: Mapping[str, Any]) -> bytes:
        """Make a run; a worker with other software says so instead."""
        if self._other:
            return line(trouble(run, "lost", f"the worker on {os.uname().nodename} has another build: {self._other}"))
        prepared = self._prepared.setdefault(threading.get_ident(), Prepared(self._folder / FILES))
        return prepared.row(run)


def make_on_worker(run: Mapping[str, Any], plugin: str) -> bytes:
    """Make a run of the campaign whose plugin this worker has."""
    campaign: Any = get_worker().plugins[plugin]
    row: bytes = campaign.row(run)
    return row


@contextmanager
def submitted(
    client: Client, campaign: Campaign, runs: Sequence[Mapping[str, Any]], keep: Callable[[bytes], None]
) -> Iterator[None]:
    """Have runs made within a block; `keep` gets the row of each, in a thread of the client.

    ConfigurationError: a worker has another build, or cannot take the files.
    """
    _require_equal_builds(client, campaign.software)
    plugin = CampaignOnWorker(campaign.files, campaign.software)
    described = {run["name"]: run for run in runs}

    def over(future: Any) -> None:
        try:
            keep(future.result())
        except Exception as error:  # noqa: BLE001 - whatever the cluster says of it is the reason in the row
            keep(line(trouble(described[future.key[1]], "lost", f"{type(error).__name__}: {error}")))

    try:
        client.register_plugin(plugin)
    except Exception as error:
        raise ConfigurationError(f"a worker cannot take the files of the campaign: {error}") from error
    try:
        # Keys of one group stay with the scheduler until a worker has a free thread: a dead worker had few in its hands
        keys = [(plugin.name, name) for name in described]
        futures = client.map(make_on_worker, runs, plugin=plugin.name, key=keys, pure=False)
        for future in futures:
            future.add_done_callback(over)  # type: ignore[no-untyped-call]
        yield
    finally:
        with suppress(Exception):  # of a cluster that has gone
            client.unregister_worker_plugin(plugin.name)  # type: ignore[no-untyped-call]


def _require_equal_builds(client: Client, software: Software) -> None:
    """ConfigurationError: a worker has other software, or none of hilbridge."""
    try:
        answers = client.run(manifest.software)
    except Exception as error:
        raise ConfigurationError(f"a worker cannot tell which hilbridge it has: {error}") from error
    for worker, answer in sorted(answers.items()):
        if other := _difference(answer, software):
            raise ConfigurationError(f"the worker at {worker} has another build: {other}")


def _difference(there: Software, here: Software) -> str:
    """Return in what a worker's software differs from that of the campaign; empty if in nothing."""
    return ", ".join(
        f"{key} {there.get(key)}, not {here.get(key)}"
        for key in sorted({*there, *here})
        if there.get(key) != here.get(key)
    )
