"""The observer as a process of its own."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hilbridge.base.process.child_process import DAEMON_SIGNALS
from hilbridge.boundary.observe import process as process_module
from hilbridge.boundary.observe.events import SNAPSHOT_LAYOUT, About
from hilbridge.boundary.observe.process import ObserverError, ObserverProcess
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.boundary.record import manifest
from hilbridge.boundary.record.boundary import Boundary
from hilbridge.frames.codec.frame import Frame
from vehiclesim.databus import DataBus

PROGRAM = Path(__file__).with_name("small_run.py")


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(PROGRAM), *map(str, arguments)]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_piped_run_prints_records(tmp_path: Path) -> None:
    """Log and status as JSON lines, then the end; the recording is complete; nothing on the error output."""
    done = subprocess.run(command(2000, "finish", tmp_path), capture_output=True, text=True, timeout=30, check=True)
    assert done.stderr == ""
    events = [line["event"] for line in lines(done.stdout)]
    assert events[0] == "started"
    assert events[-2:] == ["stopped", "recording complete"]
    facts = manifest.read(tmp_path)
    assert (facts["complete"], facts["frames"], facts["duration"]) == (True, 2000, 2.0)


def test_run_outlives_its_reader(tmp_path: Path) -> None:
    """When nobody reads the output any more the run and its recording go on; the error output says it once."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        command(300, "finish", tmp_path), stdout=writer, stderr=subprocess.PIPE, text=True, timeout=30, check=True
    )
    os.close(writer)
    assert done.stderr == "hilbridge: nothing more is printed: Broken pipe\n"
    assert manifest.read(tmp_path)["complete"] is True


@pytest.mark.parametrize("streams", ["<&- >&- 2>&-", ">/dev/full"])
def test_run_without_standard_streams(tmp_path: Path, streams: str) -> None:
    """Closed streams and a full disk behind the standard output cost the log, not the run."""
    shell = ["sh", "-c", f'exec "$@" {streams}', "sh", *command(300, "finish", tmp_path)]
    subprocess.run(shell, timeout=30, check=True)
    facts = manifest.read(tmp_path)
    assert (facts["complete"], facts["frames"]) == (True, 300)


def test_daemon_that_was_killed(tmp_path: Path) -> None:
    """Its observer takes what is left in the rings, ends the recording, says so, and ends by itself."""
    done = subprocess.run(command(1000, "die", tmp_path), capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [line["event"] for line in lines(done.stdout)][-2:] == [
        "the daemon died",
        "recording incomplete",
    ]
    facts = manifest.read(tmp_path)
    assert (facts["complete"], facts["frames"]) == (False, 1000)


class Bench:
    """A run of this process with a real observer."""

    def __init__(self, record: Path | None = None, *, virtual: bool = True, capacity: int = 1 << 18) -> None:
        if record:
            manifest.create(record, {"bench": "demo", "vehicle": "compact", "buses": ["powertrain"]})
        about = About("demo", "1", 1000, None, ("powertrain",), str(record) if record else None)
        self.rings = Rings.create(about.encode(), SNAPSHOT_LAYOUT.size, capacity)
        self.reporter = Reporter(self.rings, DataBus())
        self.boundary = Boundary()
        self.boundary.put = self.reporter.events.put
        self.process = ObserverProcess(self.rings, self.reporter.events)
        if virtual:
            self.reporter.events.make_room = self.process.make_room

    def frames(self, count: int, first: int = 0) -> None:
        for number in range(first, first + count):
            self.boundary.frame(number * 100_000, 0, False, Frame(1, number.to_bytes(8, "little")))

    def wait_for_observer(self) -> None:
        """Until it has taken what is in the ring."""
        released = self.reporter.events.released
        self.reporter.info(0, "ping")
        for _ in range(5000):
            self.process.poll(time.monotonic_ns())
            if self.reporter.events.released != released:
                return
            time.sleep(0.002)
        raise AssertionError

    def finish(self) -> bool:
        return self.process.finish(lambda: self.reporter.end(0, {}), timeout=10.0)


def test_killed_observer_is_started_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On the virtual clock the run waits for the next observer and loses nothing; every line is printed."""
    bench = Bench(tmp_path, capacity=1 << 16)
    bench.process.start()
    bench.wait_for_observer()
    for part in range(3):
        bench.frames(4000, first=4000 * part)
        bench.reporter.info(0, f"part {part}")
        if part < 2:
            assert bench.process.pid is not None
            os.kill(bench.process.pid, signal.SIGKILL)
    assert bench.finish()
    assert bench.process.restarts == 2
    facts = manifest.read(tmp_path)
    assert (facts["complete"], facts["frames"], bench.reporter.events.lost) == (True, 12_000, 0)
    printed = [line["event"] for line in lines(capfd.readouterr().out)]
    assert [event for event in printed if event.startswith("part")] == ["part 0", "part 1", "part 2"]
    assert printed[-1] == "recording complete"


def test_real_time_never_waits() -> None:
    """Without an observer events are counted as lost once the ring is full; an observer that comes later says so."""
    bench = Bench(virtual=False, capacity=1 << 14)
    bench.frames(2000)
    assert bench.reporter.events.lost > 0
    bench.process.start()
    assert bench.finish()


def test_observer_killed_at_the_end_is_replaced() -> None:
    """Also between the END event and its work being done."""
    bench = Bench()
    bench.process.start()
    bench.wait_for_observer()
    assert bench.process.pid is not None
    os.kill(bench.process.pid, signal.SIGKILL)
    assert bench.finish()
    assert bench.process.restarts == 1


def test_signals_for_the_daemon_do_not_reach_the_observer() -> None:
    """Ctrl-C, a service manager's SIGTERM, a closed terminal: the observer ends when the run does."""
    bench = Bench()
    bench.process.start()
    pid = bench.process.pid
    assert pid is not None
    for number in DAEMON_SIGNALS:
        os.kill(pid, number)
    bench.wait_for_observer()
    for number in DAEMON_SIGNALS:
        os.kill(pid, number)
    assert bench.finish()
    assert bench.process.restarts == 0


def test_observer_is_an_ordinary_process() -> None:
    """Whatever the tick process is, its observer runs in SCHED_OTHER, and inherits no descriptor but the rings."""
    reader, writer = os.pipe()
    bench = Bench()
    bench.process.start()
    bench.wait_for_observer()
    pid = bench.process.pid
    assert pid is not None
    assert os.sched_getscheduler(pid) == os.SCHED_OTHER
    inherited = {entry.readlink() for entry in Path(f"/proc/{pid}/fd").iterdir()}
    assert Path(f"/proc/self/fd/{reader}").readlink() not in inherited
    assert not os.get_inheritable(bench.rings.descriptor)
    assert bench.finish()
    os.close(reader)
    os.close(writer)


def test_observer_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """The virtual run gives up with a clear error; starting is tried less and less often."""
    monkeypatch.setattr(process_module, "MOST_NAPS", 50)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    bench = Bench(capacity=4096)
    bench.process.start()
    with pytest.raises(ObserverError, match="has not taken any event"):
        bench.frames(1000)
    assert not bench.process.finish(lambda: bench.reporter.end(0, {}), timeout=0.05)
    assert bench.process.restarts <= 3


@pytest.mark.nightly
def test_an_observer_that_stands_still_at_the_end_is_replaced() -> None:
    """`finish` kills it, and another one does what is left."""
    bench = Bench()
    bench.process.start()
    bench.wait_for_observer()
    pid = bench.process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    assert bench.finish()
    assert bench.process.restarts == 1
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_observers_that_stand_still_are_given_up() -> None:
    """Also the second one."""
    bench = Bench()
    bench.process.start()
    bench.wait_for_observer()
    assert bench.process.pid is not None
    os.kill(bench.process.pid, signal.SIGSTOP)
    assert not bench.process.finish(lambda: bench.reporter.end(0, {}), timeout=0.01)


def test_an_observer_that_gets_no_processor_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """On the virtual clock, many times longer than a run waits without one; nothing is lost, and the wait is told."""
    monkeypatch.setattr(process_module, "MOST_NAPS", 5)
    monkeypatch.setattr(process_module, "_LOOK", 20)
    bench = Bench(tmp_path, capacity=1 << 16)
    bench.process.start()
    bench.wait_for_observer()
    pid = bench.process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(0.5, os.kill, (pid, signal.SIGCONT)).start()
    bench.frames(4000)
    assert bench.finish()
    assert bench.process.restarts == 0
    assert (manifest.read(tmp_path)["frames"], bench.reporter.events.lost) == (4000, 0)
    assert f"waiting for the observer (process {pid}), which has taken no event for 5 s" in capfd.readouterr().err


def test_a_second_signal_ends_the_wait_for_the_observer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_module, "_LOOK", 20)
    bench = Bench(capacity=1 << 16)
    bench.process.start()
    bench.wait_for_observer()
    assert bench.process.pid is not None
    os.kill(bench.process.pid, signal.SIGSTOP)
    bench.process.wants_end = lambda: True
    with pytest.raises(ObserverError, match="ended while it waited for the observer"):
        bench.frames(4000)
    assert not bench.process.finish(lambda: False, 0.0)


def test_an_observer_that_works_in_vain_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it does is not seen, but that it takes the processor and no event."""
    monkeypatch.setattr(process_module, "_LOOK", 20)
    monkeypatch.setattr(process_module, "_MOST_WORK", -1.0)
    bench = Bench(capacity=1 << 16)
    bench.process.start()
    bench.wait_for_observer()
    assert bench.process.pid is not None
    os.kill(bench.process.pid, signal.SIGSTOP)
    with pytest.raises(ObserverError, match="has not taken any event"):
        bench.frames(4000)
    assert not bench.process.finish(lambda: False, 0.0)
