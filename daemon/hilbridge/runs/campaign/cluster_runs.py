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
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

from distributed import CancelledError, Client, Worker, WorkerPlugin, get_worker

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.words import counted
from hilbridge.boundary.record import manifest
from hilbridge.runs.campaign.play import Made, line, trouble
from hilbridge.runs.campaign.prepared import Prepared
from hilbridge.runs.campaign.results import FILES, write_files
from hilbridge.runs.campaign.runs import Campaign, Contents

Software = Mapping[str, Any]

_PAUSE: Final = 1.0
"""[s] until a worker that cannot make runs gives one back, so that it does not take all of them from the others."""

_LOOK: Final = 0.2
"""[s] after which the caller may see that the user wants an end."""

_ARRIVAL: Final = 10.0
"""[s] for a row to come from its worker: so long Ctrl-C waits for one whose worker has died after it made the run."""

_ATTEMPTS: Final = 5
"""How often the workers are asked for what they answer before the first run."""

_LOOK_AT_WORKERS: Final = 2.0
_ALONE: Final = 30.0
"""[s] without any worker after which that is told; the queue of a cluster may take longer."""

_MOST_BARREN: Final = 20
"""Workers that go one after the other without any run, after which the campaign ends."""

_LOST: Final = (
    "the connection to the scheduler is lost; the rows that came are kept, and the same command makes the others"
)


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

    def make(self, run: Mapping[str, Any]) -> Made | None:
        """Make a run. UnfitWorkerError: this worker has other software, or no room for the files."""
        if self._trouble:
            time.sleep(_PAUSE)
            raise UnfitWorkerError(self._address, f"the worker on {os.uname().nodename} {self._trouble}")
        prepared = self._prepared.setdefault(threading.get_ident(), Prepared(self._folder / FILES))
        return prepared.make(run)


def make_on_worker(run: Mapping[str, Any], plugin: str) -> Made | None:
    """Make a run of the campaign whose plugin this worker has."""
    campaign: Any = get_worker().plugins[plugin]
    made: Made | None = campaign.make(run)
    return made


def made_on_cluster(client: Client, campaign: Campaign, runs: Sequence[Mapping[str, Any]]) -> Iterator[Made | None]:
    """Have runs made; yield the outcome of each when it is over, and None now and then, so that the caller may end it.

    ConfigurationError: a worker has another build or cannot take the files, none can make runs, or the scheduler is
    lost.
    """
    _require_equal_builds(client, campaign.software)
    plugin = CampaignOnWorker(campaign.files, campaign.software)
    _tried(partial(client.register_plugin, plugin), "a worker cannot take the files of the campaign")
    try:
        yield from _RunsOnCluster(client, plugin.name, runs).rows()
    finally:
        with suppress(Exception):  # of a cluster that has gone
            client.unregister_worker_plugin(plugin.name)  # type: ignore[no-untyped-call]


class _RunsOnCluster:
    """The runs that a cluster is asked for. One that a worker gives back, for it can make none, goes to another.

    The client's own threads put what is over into a queue and do nothing else: a question to the cluster from there
    would never be answered, nor the program end, once the client is closed.
    """

    def __init__(self, client: Client, plugin: str, runs: Sequence[Mapping[str, Any]]) -> None:
        self._client = client
        self._plugin = plugin
        self._runs = {run["name"]: run for run in runs}
        self._awaited: Final[dict[Any, Any]] = {}  # futures by key: the cluster makes, and keeps, what is held here
        self._over: Final[SimpleQueue[Any]] = SimpleQueue()
        self._unfit: dict[str, str] = {}
        self._attempts = count()

    def rows(self) -> Iterator[Made | None]:
        """Ask for all runs; yield their outcomes, and None while there is none."""
        self._submit(list(self._runs.values()))
        left, arrivals = len(self._runs), _Arrivals(self._client)
        while left:
            try:
                made = self._made(self._over.get(timeout=_LOOK))
            except Empty:
                made = None
            if made is None:
                arrivals.look()
            else:
                left -= 1
                arrivals.made()
            yield made

    def _submit(self, runs: Sequence[Mapping[str, Any]], workers: list[str] | None = None) -> None:
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
        for future in futures:
            self._awaited[future.key] = future
            future.add_done_callback(self._over.put)  # type: ignore[no-untyped-call]

    def _made(self, future: Any) -> Made | None:
        """Return the outcome of a run that is over; None if it is not here yet, for another worker is to make it.

        A future that has answered is let go. Otherwise its row would stay on the worker that made it, and each worker
        that died would have all of its rows made again.
        """
        run = self._runs[future.key[1]]
        made: Made | None = None
        try:
            made = future.result(timeout=_ARRIVAL) or Made(line(trouble(run, "lost", "its worker has ended")))
        except CancelledError:
            raise ConfigurationError(_LOST) from None
        except UnfitWorkerError as error:
            self._give_to_another(run, error)
        except Exception as error:  # noqa: BLE001 - whatever the cluster says of it is the reason in the row
            if future.status != "error":
                self._over.put(future)  # the run is being made again: its worker died with the row
                return None
            made = Made(line(trouble(run, "lost", f"{type(error).__name__}: {error}")))
        self._awaited.pop(future.key).release()
        return made

    def _give_to_another(self, run: Mapping[str, Any], error: UnfitWorkerError) -> None:
        """Ask a fit worker for a run. ConfigurationError: there is none."""
        if error.address not in self._unfit:
            sys.stderr.write(f"hilbridge: {error.words}: its runs go to another\n")
        self._unfit[error.address] = error.words
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except Exception as lost:
            raise ConfigurationError(_LOST) from lost
        if fit := [one for one in workers if one not in self._unfit]:
            self._submit([run], fit)
        else:
            words = "; ".join(sorted(set(self._unfit.values())))
            raise ConfigurationError(f"no worker can make the runs: {words}")


def _tried(action: Callable[[], Any], otherwise: str) -> Any:
    """Return what the workers answer, asked again where one has died of it. ConfigurationError: that goes on."""
    for attempt in count(1):
        try:
            return action()
        except OSError as error:  # CommClosedError: a worker has died meanwhile, and with it the answers of all
            if attempt == _ATTEMPTS:
                raise ConfigurationError(f"{otherwise}, tried {attempt} times: {error}") from error
            sys.stderr.write("hilbridge: a worker has gone before the first run: the others are asked again\n")
            time.sleep(_PAUSE)
        except Exception as error:
            raise ConfigurationError(f"{otherwise}: {error}") from error
    raise AssertionError


class _Arrivals:
    """The watch over workers that come and go without making a run, and over clusters without any."""

    def __init__(self, client: Client) -> None:
        self._client: Final = client
        self._there: set[str] = set()
        self._gone: set[str] = set()
        self._next = time.monotonic()
        self._alone = self._next
        self._told = False

    def made(self) -> None:
        """Note that a run has been made."""
        self._gone.clear()
        self._alone, self._told = time.monotonic(), False

    def look(self) -> None:
        """Look who is there, now and then. ConfigurationError: the scheduler is lost, or no one lives long enough."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _LOOK_AT_WORKERS
        try:
            there = set(self._client.scheduler_info(n_workers=-1)["workers"])
        except Exception as lost:
            raise ConfigurationError(_LOST) from lost
        self._gone |= self._there - there
        self._there = there
        if len(self._gone) >= _MOST_BARREN:
            raise ConfigurationError(f"{len(self._gone)} workers have gone before one of them has made a run")
        if there:
            self._alone = now
        elif now - self._alone > _ALONE and not self._told:
            self._told = True
            gone = f"; {counted(len(self._gone), 'worker')} came and went" if self._gone else ""
            sys.stderr.write(f"hilbridge: no worker has been there for {_ALONE:g} s{gone}: still waiting for one\n")


def _require_equal_builds(client: Client, software: Software) -> None:
    """ConfigurationError: a worker has other software, or none of hilbridge."""
    answers = _tried(partial(client.run, manifest.software), "a worker cannot tell which hilbridge it has")
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
