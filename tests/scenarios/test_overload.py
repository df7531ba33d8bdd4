"""What is sent, said and counted when ticks come late: docs/overload.md, level by level."""

import http.client
import json
import os
import signal
import socket
import time
from collections import Counter
from pathlib import Path

import pytest

from hilbridge.base.clock import Clock, StopRequest
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.bench import Bench
from hilbridge.boundary.record.recording import Recording
from hilbridge.files.configuration.benchfile import load_bench
from hilbridge.frames.codec.frame import Frame
from hilbridge.runs import loop
from hilbridge.runs.run.replay import replay

from ..bench.benches import FORTY
from ..program import PATIENCE, demo_bench, running

# -- what is sent ------------------------------------------------------------------------------------------------


class Gaps(Clock):
    """Ticks of a period, of which some are missed: by the time of the tick before them, how many."""

    def __init__(self, period: int, end: int, gaps: dict[int, int]) -> None:
        super().__init__(period, period)
        self._end = end
        self._gaps = gaps

    def wait(self) -> bool:
        self.missed = self._gaps.get(self.t, 0)
        self.t += (1 + self.missed) * self.period
        return self.t < self._end


class Heard:
    """The stages of a bench, and the frames of its buses by time."""

    def __init__(self, bench: Bench) -> None:
        self.sample, self.step, self.serve, self.publish = bench.sample, bench.step, bench.serve, bench.publish
        self.frames: list[tuple[int, int, Frame]] = []
        for bus in bench.buses.values():
            bus.attach_observer(lambda t, bus, _received, frame: self.frames.append((t, bus, frame)))

    def write(self, clock: Clock) -> None:
        """Nothing."""


def heard(file: str, end: int, gaps: dict[int, int]) -> list[tuple[int, int, Frame]]:
    """What a bench puts on its buses: time, bus, frame."""
    settings = load_bench(file)
    bench = Bench(settings)
    bench.connect()
    stages = Heard(bench)
    loop.run(Gaps(settings.settings.period, end, gaps), stages, StopRequest())
    return stages.frames


@pytest.mark.parametrize("name", ["car-network", "pedal-box", "cluster-vw-pq"])
def test_a_gap_of_seconds_is_not_followed_by_a_burst(name: str) -> None:
    """The frames that were due go once, in the first tick; a second later the buses carry what they did before.

    A gateway, the log of a rest bus, and a profile with events are among these benches. The engine runs by then: a
    driver who waits for it would have given up during the gap.
    """
    begin, end = 3 * SECOND, 8 * SECOND
    period = load_bench(name).settings.period
    frames = heard(name, 11 * SECOND, {begin: (end - begin) // period - 1})
    first = Counter((bus, frame.can_id) for t, bus, frame in frames if t == end)
    assert first
    assert max(first.values()) == 1
    assert not [t for t, _, _ in frames if begin < t < end]
    before, after = (
        Counter((bus, frame.can_id) for t, bus, frame in frames if start <= t < start + SECOND)
        for start in (1 * SECOND, 9 * SECOND)
    )
    assert all(abs(after[one] - count) <= max(2, count // 10) for one, count in before.items())


def test_alive_counters_go_on_by_one_however_many_cycles_passed(tmp_path: Path) -> None:
    """A receiver sees a frame that is late, and none that is lost: forty frames with a counter in byte 6.

    Single missed ticks, an overload in which two of three ticks are missed, and a gap of seconds.
    """
    gaps = {tick * MILLISECOND: missed for tick, missed in ((100, 1), (300, 30), (1000, 3000))}
    gaps |= {(4500 + 3 * number) * MILLISECOND: 2 for number in range(300)}
    counters: dict[tuple[int, int], int] = {}
    for _, bus, frame in heard(str(FORTY.write(tmp_path)), 6 * SECOND, gaps):
        counter, before = frame.data[6] >> 4, counters.get((bus, frame.can_id))
        assert before is None or counter == (before + 1) % 16
        counters[bus, frame.can_id] = counter
    assert len(counters) == 40


# -- what is said ------------------------------------------------------------------------------------------------

LATE = """
import os, time
asleep, switch = time.sleep, {switch!r}
def sleep(seconds):
    asleep(seconds + ({seconds} if os.path.exists(switch) else 0.0))
time.sleep = sleep
"""
"""While a file exists, every sleep takes longer: the tick wakes up four periods late, as on a stolen processor."""


def reasons(port: int, path: str) -> list[str]:
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        client.request("GET", path)
        found: list[str] = json.loads(client.getresponse().read())["reasons"]
        return found
    finally:
        client.close()


def until_said(port: int, path: str, words: str | None) -> None:
    """Waits until one of the reasons begins with these words; None: until there is no reason."""
    deadline = time.monotonic() + PATIENCE
    while True:
        found = reasons(port, path)
        if any(one.startswith(words) for one in found) if words else not found:
            return
        assert time.monotonic() < deadline, found
        time.sleep(0.1)


def test_an_overload_is_seen_while_it_lasts_and_a_gap_is_a_time_jump(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the log, the health that monitoring asks for, and the statistics; the recording is replayed to the byte."""
    switch, site = tmp_path / "late", tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(LATE.format(switch=str(switch), seconds=0.04), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(site))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    bench = demo_bench(tmp_path, ("rate: 1000", f"rate: 100\nmetrics: {{port: {port}}}"))
    with running(bench, "--record", tmp_path / "recording") as program:
        program.wait_for("metrics")
        until_said(port, "/readyz", None)

        switch.touch()
        assert program.wait_for("overloaded")["missed_percent"] > 50
        until_said(port, "/readyz", "overloaded: ")
        until_said(port, "/healthz", "fewer than half")
        during = program.statistics()["overload"]
        switch.unlink()
        program.wait_for("on time again")
        until_said(port, "/readyz", None)

        os.kill(program.process.pid, signal.SIGSTOP)
        try:
            until_said(port, "/healthz", "no tick for")
        finally:
            os.kill(program.process.pid, signal.SIGCONT)
        assert program.wait_for("time jump")["skipped_ms"] > 500
        until_said(port, "/healthz", None)
        final = program.stop()
    assert during["percent"] > 50
    assert final["overload"]["times"] >= 1
    assert final["overload"]["seconds"] > 0
    assert final["overload"]["left_out_ms"] > 500
    assert replay(Recording(tmp_path / "recording")).identical
