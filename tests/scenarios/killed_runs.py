"""Runs of the real program that are killed at random moments, and what is left of them.

They record, and a tester writes identifiers and memory and clears trouble codes all the time.
"""

import json
import os
import random
import re
import shutil
import signal
import socket
import threading
import time
from base64 import b64decode
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from hilbridge.base.resources import Kind, find
from hilbridge.bench.stored_state import StoredState
from hilbridge.boundary.record.boundary_records import FRAME
from hilbridge.boundary.record.manifest import FIRST_SEGMENT, read
from hilbridge.boundary.record.recording import Recording
from hilbridge.boundary.record.state import store_state
from hilbridge.boundary.record.state_start import load_state
from hilbridge.commands import (
    cli,
    run,  # noqa: F401 - what each run imports, once for all of them
)
from hilbridge.runs.run.replay import replay
from hilbridge.testing import VirtualBench

from ..program import PATIENCE, until_listening

PACE = "5"
"""Times real time: several runs at once, in the ordinary scheduler class, have room on a small machine."""

LONGEST = "300"
"""[s] of the run, after which it ends by itself, should nobody kill it."""

LATEST = 0.3
"""[s] after the recording was begun: 1.5 s of the run."""

AT_ONCE = 3

CODES: Final = {"engine": "P0301", "transmission": "P0218"}
"""Codes that are stored before each run; the tester clears them by 14 and by service 04."""

MEMORY: Final = 0x3000


class Remains(NamedTuple):
    """What one run has left: frames in its recording, and writings that were answered."""

    frames: int
    answered: int


def kill_and_judge(folder: Path, numbers: Iterable[int]) -> Iterator[Remains]:
    """Kills a run for each number, several at the same time; each number is another moment.

    Nothing that was answered is lost, and the stored state is readable. Every recording opens, lacks nothing in its
    middle, and replays to the byte up to its end, which is not a good one.
    """
    bench = write_bench(folder)
    with ProcessPoolExecutor(AT_ONCE, get_context("spawn")) as pool:
        yield from pool.map(partial(kill_and_judge_one, bench, folder), numbers)


def write_bench(folder: Path) -> dict[str, Any]:
    """The diagnostics bench whose control units are always awake; the state that each run begins with is beside it."""
    bench: dict[str, Any] = yaml.safe_load(find(Kind.BENCH, "diagnostics").read_text(encoding="utf-8"))
    bench |= {"rate": 100, "control": {"enabled": False}, "realtime": {"scheduler": "other"}}
    bench["buses"]["powertrain"]["slcan"] = 0
    bench["diagnostics"].pop("elm327")
    for unit in bench["diagnostics"]["units"].values():
        unit["power"] = "battery"
    bench["diagnostics"]["units"]["engine"]["uds"]["memory"] = [{"address": MEMORY, "data": "00 00", "write": True}]
    file = folder / "bench.yaml"
    file.write_text(yaml.safe_dump(bench, sort_keys=False), encoding="utf-8")
    with VirtualBench(str(file)) as car:
        for ecu in car.parts.wiring.control_units.ecus:
            ecu.store.confirm(CODES[ecu.name], 0)
        store_state(folder / "state.json", StoredState(car.parts).state())
    return bench


def kill_and_judge_one(bench: dict[str, Any], folder: Path, number: int) -> Remains:
    """Kills one run and judges what it has left."""
    directory = folder / f"killed {number}"
    directory.mkdir()
    state = directory / "state.json"
    shutil.copy(folder / "state.json", state)
    file = directory / "bench.yaml"
    file.write_text(yaml.safe_dump(bench | {"state": str(state)}, sort_keys=False), encoding="utf-8")
    tester = Tester()
    recording = killed(file, directory / "recording", number, tester)
    judge_state(load_state(state, _unreadable), tester)
    frames = judge_recording(recording)
    shutil.rmtree(directory)
    return Remains(frames, tester.answers)


def killed(bench: Path, directory: Path, number: int, tester: "Tester") -> Path:
    """The directory, when nobody writes there any more.

    Of three runs one is killed with its observer, one alone, and one after its observer was killed.
    """
    chance = random.Random(number)
    deadline = time.monotonic() + PATIENCE
    log, pid = begin(["run", str(bench), "--pace", PACE, "--record", str(directory), "--duration", LONGEST])
    try:
        port = slcan_port(log)
        while not (directory / FIRST_SEGMENT).exists():
            assert time.monotonic() < deadline, "the run does not begin"
            time.sleep(0.005)
        killer = threading.Thread(target=kill, args=(pid, number, chance, tester.writing))
        killer.start()
        tester.write_until_the_end(port)
        killer.join()
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        log.close()
    while number % 3 == 1 and "missing" not in read(directory):  # the observer writes what there is
        assert time.monotonic() < deadline, "the observer does not end"
        time.sleep(0.01)
    return directory


def begin(arguments: list[str]) -> tuple[Any, int]:
    """Starts the program as a copy of this process, which has imported it, in a group of its own: log and pid."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return os.fdopen(reading, encoding="utf-8"), pid
    os.setsid()
    os.dup2(writing, 1)
    os._exit(cli.main([*arguments, "--no-web", "--log", "json"]))


def slcan_port(log: Iterable[str]) -> int:
    """The port of the embedded bus, which the log names."""
    for line in log:
        record = json.loads(line)
        if record["event"] == "bus open":
            found = re.search(r"127\.0\.0\.1:(\d+)", record["link"])
            assert found
            return until_listening(int(found[1]))
    raise AssertionError("the run has ended")


def kill(pid: int, number: int, chance: random.Random, writing: threading.Event) -> None:
    """Kills a run at a random moment, of two runs one after the tester has begun to write.

    Of three one dies with its observer, one alone, one after its observer.
    """
    if number % 2:
        writing.wait(PATIENCE)
    time.sleep(chance.uniform(0.0, LATEST))
    manner = number % 3
    if manner == 2:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        os.kill(int(children[0]), signal.SIGKILL)
        time.sleep(chance.uniform(0.0, LATEST))
    if manner == 1:
        os.kill(pid, signal.SIGKILL)
    else:
        os.killpg(pid, signal.SIGKILL)


class Tester:
    """A tester without a memory for anything but what it has asked, and what of that was answered.

    `writing` is set when it begins. `identifier` and `memory`: the highest number that it wrote, and the highest whose
    writing was answered; `cleared`: control units that were asked to clear their codes, and whether they have said so.
    """

    def __init__(self) -> None:
        self.identifier = self.memory = (0, 0)
        self.cleared: dict[str, bool] = {}
        self.answers = 0
        self.writing = threading.Event()
        self._heard = b""

    def write_until_the_end(self, port: int) -> None:
        """Write and clear until the run is dead."""
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)) as bus:
            bus.settimeout(PATIENCE)
            bus.sendall(b"S6\rO\r")
            self._ask(bus, 0x7E0, "10 03")
            self.writing.set()
            for number in count(1):
                self.identifier = number, self.identifier[1]
                self._ask(bus, 0x7E0, f"2E F1 99 {number:08X}")
                self.identifier = number, number
                self.memory = number, self.memory[1]
                self._ask(bus, 0x7E0, f"3D 12 {MEMORY:04X} 02 {number:04X}")
                self.memory = number, number
                if number == 2:
                    self._clear(bus, "engine", 0x7E0, "14 FF FF FF")
                    self._clear(bus, "transmission", 0x7E1, "04")

    def _clear(self, bus: socket.socket, unit: str, identifier: int, request: str) -> None:
        self.cleared[unit] = False
        self._ask(bus, identifier, request)
        self.cleared[unit] = True

    def _ask(self, bus: socket.socket, identifier: int, request: str) -> None:
        """Wait for the positive answer to a request of one frame. ConnectionError: the run is dead."""
        data = bytes.fromhex(request)
        bus.sendall(f"t{identifier:03X}8{len(data):02X}{data.ljust(7, bytes(1)).hex()}\r".encode())
        head = f"t{identifier + 8:03X}8".encode()
        while True:
            line = self._line(bus).upper().replace(b"T", b"t")
            if not line.startswith(head):
                continue
            answer = bytes.fromhex(line[len(head) :].decode())
            if answer[1:4] != bytes((0x7F, data[0], 0x78)):
                assert answer[1] == data[0] | 0x40, (request, answer.hex())
                self.answers += 1
                return

    def _line(self, bus: socket.socket) -> bytes:
        while b"\r" not in self._heard:
            heard = bus.recv(4096)
            if not heard:
                raise ConnectionResetError
            self._heard += heard
        line, _, self._heard = self._heard.partition(b"\r")
        return line.lstrip(b"zZ\x07")


def _unreadable(reason: str) -> None:
    raise AssertionError(reason)


def judge_state(state: dict[str, Any], tester: Tester) -> None:
    """What was answered is there; what was asked for and not answered may be."""
    written = state["identifiers"]["engine"].get("F199", "")
    piece = state.get("memory_pieces", {}).get("engine", {}).get(f"{MEMORY:010X}", 0)
    content = bytes((piece, piece)) if isinstance(piece, int) else b64decode(piece)
    found = {"identifier": int(written or "0", 16), "memory": int.from_bytes(content)}
    for kind, (asked, answered) in (("identifier", tester.identifier), ("memory", tester.memory)):
        assert answered <= found[kind] <= asked, (kind, found[kind], answered, asked)
    for unit, code in CODES.items():
        confirmed = state["trouble_codes"][unit]["troubles"][code]["confirmed"]
        if unit not in tester.cleared or tester.cleared[unit]:
            assert confirmed is (unit not in tester.cleared), (unit, code, confirmed)


def judge_recording(directory: Path) -> int:
    """How many frames are in the recording."""
    recording = Recording(directory)
    frames = sum(crossing.kind == FRAME for crossing in recording.records())
    outcome = replay(recording)
    assert recording.gaps == 0
    assert (outcome.identical, outcome.frames) == (True, frames), (directory, outcome)
    assert outcome.end
    return frames
