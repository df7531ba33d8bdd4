"""The runs of a campaign on a Dask cluster, which carries runs and rows, and gives those of a dead worker to another.

What the runs need besides is a plugin of the workers: also one that comes later, in place of one that died, has it.
"""

import os
import shutil
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

from distributed import CancelledError, Client, Worker, WorkerPlugin, get_worker

from hilbridge.campaign.play import line, trouble
from hilbridge.campaign.prepared import Prepared
from hilbridge.campaign.results import FILES, write_files
from hilbridge.campaign.runs import Campaign, Contents
from hilbridge.common.errors import ConfigurationError
from hilbridge.record import manifest

Software = Mapping[str, Any]

_PAUSE: Final = 1.0
"""[s] until a worker that cannot make runs gives one back, so that it does not take all of them from the others."""


class UnfitWorkerError(Exception):
    """The worker of an address cannot make runs, whatever the run: another one is to make it."""

    def __init__(self, address: str, words: str) -> None:
        super().__init__(address, words)
        self.address: Final = address
        self.words: Final = words


class CampaignOnWorker(WorkerPlugin):
    """A campaign on a worker: its files in a folder, and a prepared process for each thread, which makes one run."""

    def __init__(self, files: Mapping[str, Contents], software: Software) -> None:
        self.name = f"hilbridge-campaign-{uuid.uuid4().hex}"
        self._files = dict(files)
        self._software = dict(software)

    def setup(self, worker: Worker) -> None:
        """Write the files; the folder of a worker that was killed is removed by the next one on its machine."""
        self._address = worker.address
        self._folder = Path(worker.local_directory, self.name)
        self._prepared: dict[int, Prepared] = {}
        self._trouble = ""
        if other := _difference(manifest.software(), self._software):
            self._trouble = f"has another build: {other}"
            return
        try:
            write_files(self._folder, self._files)
        except OSError as error:
            self._trouble = f"cannot keep the files of the campaign in {worker.local_directory}: {error.strerror}"

    def teardown(self, worker: Worker) -> None:
        """End the processes and remove the files."""
        for prepared in list(self._prepared.values()):
            prepared.stop()
            prepared.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def row(self, run: Mapping[str, Any]) -> bytes:
        """Make a run. UnfitWorkerError: this worker has other software, or no room for the files."""
        if self._trouble:
            time.sleep(_PAUSE)
            raise UnfitWorkerError(self._address, f"the worker on {os.uname().nodename} {self._trouble}")
        prepared = self._prepared.setdefault(threading.get_ident(), Prepared(self._folder / FILES))
        return prepared.row(run)


def make_on_worker(run: Mapping[str, Any], plugin: str) -> bytes:
    """Make a run of the campaign whose plugin this worker has."""
    campaign: Any = get_worker().plugins[plugin]
    row: bytes = campaign.row(run)
    return row


@contextmanager
def submitted(
    client: Client,
    campaign: Campaign,
    runs: Sequence[Mapping[str, Any]],
    keep: Callable[[bytes | ConfigurationError], None],
) -> Iterator[None]:
    """Have runs made within a block; `keep` gets the row of each, or why no more come, in a thread of the client.

    ConfigurationError: a worker has another build, or cannot take the files.
    """
    _require_equal_builds(client, campaign.software)
    plugin = CampaignOnWorker(campaign.files, campaign.software)
    try:
        client.register_plugin(plugin)
    except Exception as error:
        raise ConfigurationError(f"a worker cannot take the files of the campaign: {error}") from error
    runs_on_cluster = _RunsOnCluster(client, plugin.name, runs, keep)
    try:
        runs_on_cluster.submit(runs)
        yield
    finally:
        with suppress(Exception):  # of a cluster that has gone
            client.unregister_worker_plugin(plugin.name)  # type: ignore[no-untyped-call]


class _RunsOnCluster:
    """The runs that a cluster is asked for. One that a worker gives back, for it can make none, goes to another."""

    def __init__(
        self,
        client: Client,
        plugin: str,
        runs: Sequence[Mapping[str, Any]],
        keep: Callable[[bytes | ConfigurationError], None],
    ) -> None:
        self.futures: Final[list[Any]] = []  # the cluster makes what somebody holds
        self._client = client
        self._plugin = plugin
        self._runs = {run["name"]: run for run in runs}
        self._keep = keep
        self._unfit: dict[str, str] = {}
        self._attempts = count()

    def submit(self, runs: Sequence[Mapping[str, Any]], workers: list[str] | None = None) -> None:
        """Ask for runs, if possible of some workers."""
        # Keys of one group stay with the scheduler until a worker has a free thread: a dead worker had few in its hands
        keys = [(self._plugin, run["name"], next(self._attempts)) for run in runs]
        futures = self._client.map(
            make_on_worker,
            runs,
            plugin=self._plugin,
            key=keys,
            pure=False,
            workers=workers,
            allow_other_workers=workers is not None,
        )
        self.futures.extend(futures)
        for future in futures:
            future.add_done_callback(self._over)  # type: ignore[no-untyped-call]

    def _over(self, future: Any) -> None:
        run = self._runs[future.key[1]]
        try:
            self._keep(future.result())
        except CancelledError:
            words = "the connection to the scheduler is lost"
            self._keep(
                ConfigurationError(f"{words}; the rows that came are kept, and the same command makes the others")
            )
        except UnfitWorkerError as error:
            self._give_to_another(run, error)
        except Exception as error:  # noqa: BLE001 - whatever the cluster says of it is the reason in the row
            self._keep(line(trouble(run, "lost", f"{type(error).__name__}: {error}")))

    def _give_to_another(self, run: Mapping[str, Any], error: UnfitWorkerError) -> None:
        if error.address not in self._unfit:
            sys.stderr.write(f"hilbridge: {error.words}: its runs go to another\n")
        self._unfit[error.address] = error.words
        try:
            if fit := [one for one in self._client.scheduler_info(n_workers=-1)["workers"] if one not in self._unfit]:
                self.submit([run], fit)
                return
            words = "; ".join(sorted(set(self._unfit.values())))
        except Exception as lost:  # noqa: BLE001 - whatever the cluster says: the campaign waits for each of its runs
            words = f"{type(lost).__name__}: {lost}"
        self._keep(ConfigurationError(f"no worker can make the runs: {words}"))


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
