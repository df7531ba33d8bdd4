"""Workers of a cluster that die early, seen through a client that is none: told, and bounded."""

from collections.abc import Callable, Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.boundary.record import manifest
from hilbridge.runs.campaign import cluster_runs
from hilbridge.runs.campaign.play import Made


class Workers:
    """Answers of a scheduler: at each look other workers, and runs that never end."""

    def __init__(self, looks: Iterator[set[str]], breaks: int = 0) -> None:
        self._looks = looks
        self._breaks = breaks
        self.given = 0

    def run(self, function: Callable[[], Any]) -> dict[str, Any]:
        return {"tcp://a": function()}

    def register_plugin(self, plugin: object) -> None:
        self.given += 1
        if self.given <= self._breaks:
            raise OSError("in <TCP (closed)>: Stream is closed")

    def unregister_worker_plugin(self, name: str) -> None: ...

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
        return {"workers": dict.fromkeys(next(self._looks))}

    def map(self, *_: object, key: list[Any], **__: object) -> list[Any]:
        return [SimpleNamespace(key=one, add_done_callback=lambda _: None) for one in key]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_PAUSE", "_LOOK_AT_WORKERS", "_ALONE"):
        monkeypatch.setattr(cluster_runs, name, 0.0)
    monkeypatch.setattr(cluster_runs, "_LOOK", 0.001)


def made(workers: Workers) -> Iterator[Made | None]:
    campaign: Any = SimpleNamespace(files={}, software=manifest.software())
    client: Any = workers
    return cluster_runs.made_on_cluster(client, campaign, [{"name": "x"}])


def test_workers_that_never_live_long_enough_end_the_campaign() -> None:
    workers = Workers({f"tcp://{number}"} for number in count())
    with pytest.raises(ConfigurationError, match="20 workers have gone before one of them has made a run"):
        for _ in made(workers):
            pass


def test_a_cluster_without_workers_is_waited_for_and_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    rows = made(Workers(iter([{"tcp://a"}, *[set[str]()] * 30, {"tcp://b"}, {"tcp://b"}])))
    assert [next(rows) for _ in range(20)] == [None] * 20
    told = "hilbridge: no worker has been there for 0 s; 1 worker came and went: still waiting for one\n"
    assert capfd.readouterr().err == told


def test_a_worker_that_dies_with_the_files_is_passed_over(capfd: pytest.CaptureFixture[str]) -> None:
    workers = Workers(iter([{"tcp://a"}] * 50), breaks=2)
    assert next(made(workers)) is None
    assert workers.given == 3
    assert capfd.readouterr().err.count("a worker has gone before the first run") == 2


def test_workers_that_all_die_with_the_files_end_the_campaign() -> None:
    with pytest.raises(ConfigurationError, match="cannot take the files of the campaign, tried 5 times: in <TCP"):
        next(made(Workers(iter(()), breaks=99)))
