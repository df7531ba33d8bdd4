"""The real program in a process of its own: `hilbridge run` with a bench file, its log as records, its recording."""

import json
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import can
import cantools
from cantools.database.can import Database, Message

from .prepared import Forked, read

CHECKOUT = Path(__file__).parents[1]
DEMO = CHECKOUT / "config/benches/demo.yaml"
PATIENCE = 60.0
LONGEST_COMMAND = 300.0
"""[s]"""

DEMO_DRIVER = """  - source: demo-driver
    keep_ignition: 30           # s; a scan tool does not lose the car
"""
"""The input of the demo bench that drives by itself."""

Record = dict[str, Any]


def database(name: str = "powertrain") -> Database:
    """A packaged database, as cantools reads it."""
    content = cantools.database.load_file(CHECKOUT / f"dbc/{name}.dbc")
    assert isinstance(content, Database)
    return content


def decoded(message: Message, frame: can.Message) -> dict[str, float]:
    """The physical values of a frame, by cantools."""
    values = message.decode(bytes(frame.data), decode_choices=False)
    assert isinstance(values, dict)
    return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}


def demo_bench(folder: Path, *replacements: tuple[str, str]) -> Path:
    """The packaged demo bench with a free SLCAN port and further replacements in its text."""
    text = DEMO.read_text(encoding="utf-8")
    for old, new in (("slcan: 29536", "slcan: 0"), ("ways: [35000, pty]", "ways: [0, pty]"), *replacements):
        assert old in text
        text = text.replace(old, new)
    file = folder / "bench.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def until_listening(port: int) -> int:
    """The port, once the kernel lets connections to it in: from the first tick on."""
    deadline = time.monotonic() + PATIENCE
    while not any(
        own.endswith(f":{port:04X}") and state == "0A"  # TCP_LISTEN
        for _, own, _, state, *_ in map(str.split, Path("/proc/net/tcp").read_text(encoding="ascii").splitlines())
    ):
        assert time.monotonic() < deadline, f"port {port} does not listen"
        time.sleep(0.005)
    return port


def hilbridge(
    *arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return Forked(arguments, cwd, env).completed(LONGEST_COMMAND)


def record(bench: Path, directory: Path, seconds: float) -> list[can.Message]:
    """The frames of a run on the virtual clock."""
    run = hilbridge("run", bench, "--clock", "virtual", "--duration", seconds, "--record", directory)
    assert run.returncode == 0, run.stdout + run.stderr
    return list(can.BLFReader(directory / "frames.blf"))


class Program:
    """A running `hilbridge run`: `wait_for` reads its log, `stop` ends it and gives the final statistics."""

    def __init__(self, process: Forked) -> None:
        self.process = process
        self.records: list[Record] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with self.process.stdout as stream:
            for line in stream:
                self._lines.put(line)
        self._lines.put(None)

    def wait_for(self, event: str, **fields: Any) -> Record:
        """The first record of that event with these fields, from those not yet waited for."""
        deadline = time.monotonic() + PATIENCE
        while True:
            line = self._lines.get(timeout=max(0.01, deadline - time.monotonic()))
            assert line is not None, f"the program ended without {event!r}: {self.records[-3:]}"
            record: Record = json.loads(line)
            self.records.append(record)
            if record["event"] == event and fields.items() <= record.items():
                return record

    def latest(self, event: str) -> Record | None:
        """The newest record of that event that has come so far, without waiting."""
        found = None
        while not self._lines.empty():
            line = self._lines.get()
            assert line is not None, f"the program ended: {self.records[-3:]}"
            self.records.append(json.loads(line))
            if self.records[-1]["event"] == event:
                found = self.records[-1]
        return found

    def children(self, module: str) -> list[int]:
        """The child processes that run a module now, by their command lines."""
        pid, found = self.process.pid, []
        for word in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split():
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                if module in Path(f"/proc/{word}/cmdline").read_text(encoding="utf-8").split("\0"):
                    found.append(int(word))
        return found

    def child(self, module: str) -> int:
        """The one child process that runs a module."""
        (pid,) = self.children(module)
        return pid

    def statistics(self) -> Record:
        """The statistics as they are now."""
        os.kill(self.process.pid, signal.SIGUSR1)
        return self.wait_for("statistics")

    def slcan_port(self) -> int:
        """The loopback port of the embedded bus; waits until it listens."""
        return self._port("bus open", "link")

    def pedal_port(self) -> str:
        """The name of the pseudo terminal for pedals."""
        return str(self.wait_for("pedal port open")["port"].split()[-1])

    def scan_tool_port(self) -> int:
        """The loopback port of the ELM327; waits until it listens."""
        return self._port("scan tool port open", "port")

    def _port(self, event: str, field: str) -> int:
        found = re.search(r"127\.0\.0\.1:(\d+)", self.wait_for(event)[field])
        assert found
        return until_listening(int(found[1]))

    def stop(self, number: int = signal.SIGTERM) -> Record:
        """Ends the program with a signal; the record of its final statistics."""
        os.kill(self.process.pid, number)
        record = self.wait_for("stopped")
        assert self.process.wait(PATIENCE) == 0
        return record


@contextmanager
def running(bench: Path | str, *arguments: object, page: bool = False) -> Iterator[Program]:
    """Starts `hilbridge run BENCH` in real time; it is gone afterwards, and has written no traceback."""
    process = Forked(["run", bench, *arguments, *([] if page else ["--no-web"])])
    try:
        yield Program(process)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        assert read(process.stderr) == ""


@contextmanager
def slcan_client(port: int) -> Iterator[can.BusABC]:
    """A python-can program that joins the embedded bus."""
    bus = can.Bus(interface="slcan", channel=f"socket://127.0.0.1:{port}", sleep_after_open=0, bitrate=500000)
    try:
        yield bus
    finally:
        bus.shutdown()
