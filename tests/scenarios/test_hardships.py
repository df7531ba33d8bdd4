"""What a machine may do to a bench that runs for months: each has a bounded consequence, which is seen, and an end."""

import contextlib
import json
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hilbridge.boundary.record.recording import Recording

from ..program import PATIENCE, Program, Record, demo_bench, running

KIBIBYTE = 1024


def own_bench(folder: Path, *replacements: tuple[str, str]) -> Path:
    """The demo bench with a control socket in its folder."""
    return demo_bench(folder, ("rate: 1000 ", f"control: {{socket: {folder}/ctl.sock}}\nrate: 200 "), *replacements)


def resident(program: Program) -> int:
    """[KiB] of the tick process in memory."""
    status = Path(f"/proc/{program.process.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1])


def until(program: Program, holds: Callable[[Record], object]) -> Record:
    """The first statistics of which something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds(found := program.statistics()):
        assert time.monotonic() < deadline, found
        time.sleep(0.1)
    return found


# -- the disk ----------------------------------------------------------------------------------------------------


def test_a_full_disk_costs_records_and_not_the_run(tmp_path: Path) -> None:
    """Told when it begins and when it is over; the recording says how much it lacks, and is whole before and after.

    The observer may write no file beyond some kilobytes: for it, the disk is full.
    """
    directory = tmp_path / "recording"
    with running(own_bench(tmp_path), "--record", directory) as program:
        program.wait_for("ready")
        program.wait_for("status")
        observer = program.child("hilbridge.boundary.observe.observer")
        unlimited = resource.prlimit(observer, resource.RLIMIT_FSIZE)
        size = (directory / "record.000000").stat().st_size
        resource.prlimit(observer, resource.RLIMIT_FSIZE, (size + 4 * KIBIBYTE, unlimited[1]))
        refused = program.wait_for("cannot write the recording")
        before = program.statistics()["ticks"]
        program.wait_for("status")
        assert program.statistics()["ticks"] > before
        resource.prlimit(observer, resource.RLIMIT_FSIZE, unlimited)
        again = program.wait_for("writing the recording again")
        program.wait_for("status")
        os.kill(program.process.pid, 15)
        told = program.wait_for("recording incomplete")
        assert program.process.wait(PATIENCE) == 1
    assert refused["reason"]
    assert again["records_missing"] > 0
    assert f"not written: {again['records_missing']:,} records" in told["missing"]
    recording = Recording(directory)
    crossings = list(recording.records())
    assert recording.gaps > 0  # a short record may find room where a longer one did not
    assert recording.damage == ""
    assert len(crossings) > again["records_missing"] / 100


# -- memory ------------------------------------------------------------------------------------------------------


def test_without_memory_for_the_rings_the_start_is_refused(tmp_path: Path) -> None:
    """One sentence that says what is missing, no traceback, and nothing left open.

    A process that may make no large file gets no large memfd either; how full /dev/shm is does not matter to it.
    """
    command = [sys.executable, "-m", "hilbridge", "run", str(own_bench(tmp_path)), "--duration", "1"]
    limit = (256 * KIBIBYTE, resource.RLIM_INFINITY)
    run = subprocess.run(
        command,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    assert run.stdout == ""
    assert run.stderr.startswith("hilbridge: ")
    assert "shared memory" in run.stderr
    assert run.stderr.count("\n") == 1


# -- descriptors -------------------------------------------------------------------------------------------------


def tools_door(program: Program) -> str:
    """What the port for scan tools calls itself."""
    return next(str(one["port"]) for one in program.records if one["event"] == "scan tool port open")


def test_without_descriptors_nobody_new_comes_in_and_the_tick_goes_on(tmp_path: Path) -> None:
    """Who waits at a door is reported, and is let in when there are descriptors again; who is in stays.

    The control socket, which has a process of its own, takes commands all the while.
    """
    with running(own_bench(tmp_path)) as program, contextlib.ExitStack() as clients:

        def join(port: int) -> socket.socket:
            client = clients.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            client.sendall(b"O\r")
            return client

        slcan = program.slcan_port()
        tools = program.scan_tool_port()
        program.wait_for("ready")
        first = join(slcan)
        assert first.recv(1)
        pid = program.process.pid
        unlimited = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        highest = max(int(entry.name) for entry in Path(f"/proc/{pid}/fd").iterdir())
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (highest + 1, unlimited[1]))
        while len(list(Path(f"/proc/{pid}/fd").iterdir())) <= highest:  # free numbers below the highest
            join(slcan)
            time.sleep(0.05)
        waiting = join(slcan)
        tool = join(tools)
        commander = clients.enter_context(socket.socket(socket.AF_UNIX))
        commander.settimeout(PATIENCE)
        commander.connect(f"{tmp_path}/ctl.sock")
        commander.sendall(b'{"command": "status"}\n')
        assert commander.recv(1)
        doors = {"powertrain", tools_door(program)}
        while doors:
            doors.discard(program.wait_for("clients turned away")["at"])
        told = program.statistics()
        until(program, lambda one: one["ticks"] > told["ticks"] + 50)
        assert first.recv(1)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, unlimited)
        assert waiting.recv(1)
        tool.sendall(b"ATZ\r")
        assert tool.recv(1)
        program.stop()


# -- floods ------------------------------------------------------------------------------------------------------

FLOOD = 3.0
"""[s]"""

LARGEST_GROWTH = 8 * KIBIBYTE
"""[KiB] of all queues together, at most."""


def flood(send: Callable[[bytes], int], content: bytes, ended: threading.Event) -> None:
    """As fast as it is taken, never reading an answer, until nobody takes it or it is enough."""
    rest = content
    with contextlib.suppress(OSError):
        while not ended.is_set():
            try:
                rest = rest[send(rest) :] or content
            except BlockingIOError:
                time.sleep(0.001)


@contextmanager
def flooding(*floods: tuple[Callable[[bytes], int], bytes]) -> Iterator[None]:
    ended = threading.Event()
    threads = [threading.Thread(target=flood, args=(*one, ended), daemon=True) for one in floods]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join(PATIENCE)


def test_floods_from_every_side_take_no_memory_and_no_more_than_their_share(tmp_path: Path) -> None:
    """A board, an SLCAN program, a commander and a scan tool send as fast as they can and read nothing.

    Each is read by the piece, what is wrong in it is counted, the tick goes on, and others are still served.
    """
    with running(own_bench(tmp_path)) as program, contextlib.ExitStack() as stack:

        def connected(family: int, address: Any) -> socket.socket:
            one = stack.enter_context(socket.socket(family))
            one.connect(address)
            one.setblocking(False)
            return one

        slcan = ("127.0.0.1", program.slcan_port())
        board = os.open(program.pedal_port(), os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
        stack.callback(os.close, board)
        tools = ("127.0.0.1", program.scan_tool_port())
        program.wait_for("ready")
        program.wait_for("status")
        before, memory = program.statistics(), resident(program)
        line = json.dumps({"command": "status", "parts": ["statistics"]}).encode() + b"\n"
        with flooding(
            (lambda data: os.write(board, data), b"throttle=100 clutch=0 key=0\nrubbish\n" * 100),
            (connected(socket.AF_INET, slcan).send, b"O\r" + b"t7008%016X\r" % 1 * 100),
            (connected(socket.AF_UNIX, str(tmp_path / "ctl.sock")).send, line * 10),
            (connected(socket.AF_INET, tools).send, b"ATMA\r0100\r" * 100),
        ):
            time.sleep(FLOOD)
            with socket.create_connection(slcan, timeout=PATIENCE) as other:
                other.sendall(b"V\r")
                assert other.recv(1 << 16).startswith(b"V")
            during = program.statistics()
        assert resident(program) - memory < LARGEST_GROWTH
        final = program.stop()
    assert during["ticks"] > before["ticks"]
    assert final["links"]["powertrain"]["received"] > 100
    (port,) = final["ports"].values()
    assert port["received"] > 10_000
    assert final["inputs"]["pty"]["backlog"] > 0
    complaints = [one for one in program.records if one["event"] == "input cannot be used"]
    assert complaints
    assert {one["source"] for one in complaints} == {"pty"}


# -- the clock ---------------------------------------------------------------------------------------------------

STEP = 3600
"""[s]"""

STEPPING = """
import os, time
def stepped(read, unit):
    return lambda: read() + (unit if os.path.exists({switch!r}) else 0)
time.time, time.time_ns = stepped(time.time, {step}), stepped(time.time_ns, {step} * 10**9)
"""


@pytest.mark.nightly("3600")
@pytest.mark.parametrize("step", [STEP, -STEP])
def test_a_step_of_the_wall_clock_moves_nothing_but_the_time_of_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """NTP sets it an hour on, or back: no tick is missed for it, no timer ends early, no time jump is logged.

    Every process of the run believes that its wall clock was set as soon as a file appears.
    """
    switch = tmp_path / "stepped"
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(STEPPING.format(switch=str(switch), step=step), encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(site))
    with running(own_bench(tmp_path), "--record", tmp_path / "recording", "--duration", 4) as program:
        program.wait_for("ready")
        program.wait_for("status")
        switch.touch()
        final = program.wait_for("stopped")
        program.wait_for("recording complete")
        assert program.process.wait(PATIENCE) == 0
    assert final["ticks"] + final["missed_ticks"] == 4 * 200
    assert not [one for one in program.records if one["event"] in ("time jump", "observer restarted")]
    times = [crossing.t for crossing in Recording(tmp_path / "recording").records()]
    assert times == sorted(times)
    assert times[-1] <= 4_000_000_000
