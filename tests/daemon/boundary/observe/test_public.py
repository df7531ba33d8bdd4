"""What everybody on this machine may ask of a run: read by an ordinary HTTP client."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from hilbridge.base.common.rows import layout_of
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.rows import BusRow
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About, MetricsWay, Snapshot
from hilbridge.boundary.observe.notices import ObserverWork
from hilbridge.boundary.observe.public import ProcessHealth, PublicPort
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from vehiclesim.databus import DataBus

BUS = {
    "down_s": 0.0,
    "received": 1,
    "transmitted": 0,
    "lost": 0,
    "armed": True,
    "gate": {},
    "counters": {},
    "id_conflicts": {},
}


class Run:
    """A run, and its public port on an observer's clock of the test's."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        about = About("demo", "1", 1000, 0, layouts={"buses": layout_of(BusRow, "bus").plain()})
        self.rings = Rings.create(about.encode(), SNAPSHOT_LAYOUT.size, 1 << 14)
        self.reporter = Reporter(self.rings, DataBus())
        self.events = self.rings.event_reader()
        self.now = 0
        self.public = self.fresh()

    def fresh(self) -> PublicPort:
        return PublicPort(MetricsWay("127.0.0.1", self.port), self.rings, self.now, lambda: ObserverWork(0, None))

    def look(self, after: int = 0) -> list[str]:
        self.now += after
        for event in self.events.read():
            self.public.take(event)
        return [record.event for record in self.public.poll(self.now)]

    def ask(self, path: str) -> tuple[int, bytes]:
        """The client runs in a thread of its own, for the port never waits."""
        answers: list[tuple[int, bytes]] = []

        def client() -> None:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            connection.request("GET", path)
            response = connection.getresponse()
            answers.append((response.status, response.read()))
            connection.close()

        thread = threading.Thread(target=client)
        thread.start()
        wait_for(lambda: self.look() == [] and bool(answers))
        thread.join()
        return answers[0]

    def verdict(self, path: str) -> tuple[int, Any]:
        status, body = self.ask(path)
        return status, json.loads(body)["reasons"]


def wait_for(done: Callable[[], bool]) -> None:
    for _ in range(10_000):
        if done():
            return
        time.sleep(0.002)
    raise AssertionError


@contextmanager
def started() -> Iterator[Run]:
    run = Run()
    try:
        yield run
    finally:
        run.public.close()
        run.rings.close()


def test_health_and_readiness() -> None:
    """503 with the reason before the first tick, for a bus that is down, and when the ticks stand still."""
    with started() as run:
        assert run.look() == ["metrics"]
        assert run.verdict("/healthz") == (503, ["no tick was done yet"])
        run.reporter.snapshot(0, 0, 0)
        run.reporter.part_status(0, "buses", {"can": BUS | {"trouble": "down"}})
        run.look(SECOND // 2)
        assert run.verdict("/healthz") == (200, [])
        assert run.verdict("/readyz") == (503, ["bus can: down"])
        run.reporter.part_status(0, "buses", {"can": BUS | {"trouble": ""}})
        run.look()
        assert run.verdict("/readyz") == (200, [])
        run.look(2 * SECOND)
        assert run.verdict("/healthz") == run.verdict("/readyz") == (503, ["no tick for 2 s"])


def test_metrics_show_what_was_told() -> None:
    with started() as run:
        run.reporter.snapshot(0, 0, 0)
        run.reporter.part_status(0, "buses", {"can": BUS | {"trouble": ""}})
        run.rings.answer_time.record(5_000)
        run.look()
        status, body = run.ask("/metrics")
        assert status == 200
        assert b'hilbridge_bus_frames_total{bus="can",direction="received"} 1.0' in body
        assert b"hilbridge_answer_seconds_count 1.0" in body
        assert run.ask("/secrets")[0] == 404


def test_an_observer_that_takes_over_has_the_port_again() -> None:
    """What the one before it had received is sent again within a second."""
    with started() as run:
        run.look()
        run.reporter.snapshot(0, 0, 0)
        assert run.ask("/metrics")[0] == 200
        run.public.close()
        run.public = run.fresh()
        assert run.look() == ["metrics"]
        assert run.ask("/metrics")[0] == 200


def test_two_benches_with_the_same_port_both_run() -> None:
    """The second one warns once."""
    with started() as run, socket.create_server(("127.0.0.1", run.port)):
        assert run.look() == ["metrics not open"]
        assert run.look(60 * SECOND) == []


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_names_do_not_depend_on_a_query(path: str) -> None:
    with started() as run:
        run.look()
        assert run.ask(f"{path}?x=1")[0] != 404


def snapshot(ticks: int, missed: int = 0, overload: int = 0) -> Snapshot:
    return Snapshot(0, ticks, missed, 0, 0, 0, 0, 0, overload, ())


def test_before_the_first_tick_a_run_is_neither() -> None:
    signs = ProcessHealth(0, MILLISECOND)
    signs.update(0, None)
    assert signs.health_problems() == signs.obstacles({}) == ["no tick was done yet"]
    signs.update(1, snapshot(1))
    assert signs.health_problems() == []


def test_a_run_that_stands_still_is_ill_after_a_second_and_well_when_it_goes_on() -> None:
    signs = ProcessHealth(0, MILLISECOND)
    signs.update(0, snapshot(5))
    for now in (SECOND // 2, SECOND - 1):
        signs.update(now, snapshot(5))
        assert signs.health_problems() == []
    signs.update(3 * SECOND, snapshot(5))
    assert signs.health_problems() == ["no tick for 3 s"]
    signs.update(4 * SECOND, snapshot(1005))
    signs.update(5 * SECOND, snapshot(2005))
    assert signs.health_problems() == []


def test_a_run_that_misses_more_than_it_does_is_ill() -> None:
    """Of what was due since the last judgement, a second before."""
    signs = ProcessHealth(0, MILLISECOND)
    signs.update(SECOND, snapshot(1000))
    signs.update(2 * SECOND, snapshot(1400, missed=600))
    assert signs.health_problems() == ["fewer than half of the ticks are done"]
    signs.update(3 * SECOND, snapshot(2000, missed=1000))
    assert signs.health_problems() == []


def test_an_overloaded_run_is_healthy_and_not_ready() -> None:
    """As long as half of the ticks are done, a service manager leaves it alone; a test waits for it to be ready."""
    signs = ProcessHealth(0, MILLISECOND)
    signs.update(0, snapshot(800, missed=200, overload=20))
    assert (signs.health_problems(), signs.obstacles({})) == ([], ["overloaded: 20 % of the ticks are missed"])
    signs.update(1, snapshot(1800, missed=200))
    assert signs.obstacles({}) == []


def test_slow_ticks_are_waited_for() -> None:
    """A bench that ticks once in two seconds of the clock stands still after six."""
    signs = ProcessHealth(0, 2 * SECOND)
    signs.update(0, snapshot(1))
    signs.update(5 * SECOND, snapshot(1))
    assert signs.health_problems() == []
    signs.update(6 * SECOND, snapshot(1))
    assert signs.health_problems() == ["no tick for 6 s"]


def test_what_is_not_open_stands_in_the_way() -> None:
    """By name and reason; the run is healthy all the same."""
    signs = ProcessHealth(0, MILLISECOND)
    signs.update(0, snapshot(1))
    part_status = {
        "buses": {"a": {"trouble": ""}, "b": {"trouble": "down"}},
        "ports": {"pedal port 1": {"trouble": "gone"}},
    }
    assert signs.obstacles(part_status) == ["bus b: down", "pedal port 1: gone"]
    assert signs.health_problems() == []
