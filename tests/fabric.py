"""Benches on the fabric without a tick: rings, a control socket, and the process that the program starts for them.

Zenoh has threads, so none of it is in the process of a test: what looks at the fabric is a program too.
"""

import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hilbridge.boundary.observe.events import LOG, SNAPSHOT_LAYOUT, About, LogRecord
from hilbridge.boundary.observe.reporter import Reporter
from hilbridge.boundary.observe.rings import Rings
from hilbridge.faces.fabric.process import FabricProcess
from hilbridge.faces.fabric.setup import Setup
from vehiclesim.databus import DataBus

from .control_door import ControlDoor
from .program import PATIENCE

STRANGER = Path(__file__).parent / "fabric_stranger.py"


def free_port() -> int:
    """A TCP port of the loopback address that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


class StandIn:
    """What a tick process is to its fabric process. `commands`: those that have come; `poll` supervises."""

    def __init__(self, folder: Path, port: int, name: str, *allow: str, config: Path | None = None) -> None:
        self.commands: list[dict[str, Any]] = []
        self.data = DataBus()
        self.rings = Rings.create(About(name, "1", 1000, 0, ("can",)).encode(), SNAPSHOT_LAYOUT.size, 1 << 16)
        self.reporter = Reporter(self.rings, self.data)
        self.reporter.snapshot(0, 0, 0)
        self._door = ControlDoor(folder / f"{name}{os.urandom(4).hex()}.sock")
        path = None if config is None else str(config)
        self.process = FabricProcess(
            self.rings, self.reporter, Setup(name, "car", str(self._door.path), port, path, 50, allow)
        )
        self._log = self.rings.event_reader()
        self._t = 0
        self.process.start()

    def poll(self) -> None:
        """A tenth of a second of the run: supervision, commands."""
        self._t += 100_000_000
        self.process.poll(self._t)
        self.reporter.snapshot(self._t, 0, 0)
        self._door.turn(self._answer)

    def told(self) -> list[LogRecord]:
        """The lines of the log since the last call."""
        return [LogRecord.decode(event.payload) for event in self._log.read() if event.kind == LOG]

    def close(self) -> None:
        self.process.close()
        self._door.close()
        self.rings.close()

    def _answer(self, line: bytes) -> bytes:
        self.commands.append(json.loads(line))
        return b'{"time": 1.5, "page": "http://127.0.0.1/?token=0123456789abcdef"}'


class Lab:
    """Stand-ins that are polled by a thread until the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.benches: dict[str, StandIn] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def add(self, name: str, *allow: str) -> StandIn:
        bench = StandIn(self.folder, self.port, name, *allow)
        with self._lock:
            self.benches[f"{name}{len(self.benches)}"] = bench
        return bench

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        for bench in self.benches.values():
            bench.close()

    def _run(self) -> None:
        while not self._ended.wait(0.01):
            with self._lock:
                benches = [*self.benches.values()]
            for bench in benches:
                bench.poll()


class Watch:
    """A running `hilbridge lab watch`; `lines`: all that it has printed so far."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.lines: list[str] = []
        self._new: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def wait_for(self, *words: str) -> None:
        """Read until each of the words, such as `desk  gone`, was in a line from now on."""
        missing = set(words)
        while missing:
            line = self._new.get(timeout=10 * PATIENCE)
            assert line, self.lines
            missing = {word for word in missing if word not in line}

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(line)
            self._new.put(line)
        self._new.put("")


@contextmanager
def watching(port: int) -> Iterator[Watch]:
    command = [sys.executable, "-m", "hilbridge", "lab", "--port", str(port), "watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Watch(process)
        finally:
            process.kill()


def stranger(*arguments: object) -> Any:
    """What a program that knows Zenoh alone hears: see fabric_stranger.py."""
    command = [sys.executable, str(STRANGER), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return json.loads(done.stdout)


@contextmanager
def answering(port: int, key: str, content: bytes) -> Iterator[None]:
    """A program of somebody else that answers questions at a key, whatever they are."""
    command = [sys.executable, str(STRANGER), str(port), "answer", key]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(content)
            process.stdin.close()
            assert process.stdout.readline() == b"ready\n"
            yield
        finally:
            process.kill()


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
