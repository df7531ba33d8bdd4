"""What floods cost the tick: every attack on every door of a bench, beside cyclictest, in one run.

    python -m tests.bench.floods [--seconds 3]

prints a row for each flood: what was sent; ticks that the daemon missed while it was idle just before, and in the
flood; wake-ups that cyclictest missed at these times on the same processor, in the same class, at the same priority;
and after how long [ms] somebody who behaves well was answered then. A flood in which the daemon missed more than the
machine explains (`WakeUps.bound`) is repeated, twice at most. The last row has all rows together. Exit status 1: a
flood cost ticks each time, or all together did, or a door gave no answer. CAN interfaces and input devices are missing,
for want of these.
"""

import argparse
import os
import re
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from socket import AF_INET, AF_UNIX, SOCK_DGRAM, SOCK_STREAM
from typing import Any, Final, NamedTuple

from hilbridge.runs.benchmarks import cyclictest
from hilbridge.runs.benchmarks.daemon import Daemon
from hilbridge.runs.benchmarks.result import Aim, Quantity, Result, UnavailableError
from hilbridge.runs.benchmarks.rig import FULL, MeasuredBench, Measurement, Rig

from ..awkward_lines import AWKWARD, STATUS
from ..games import GameCar, outgauge
from . import hands
from .attacks import (
    NAP,
    PATIENCE,
    Attack,
    Attackers,
    Door,
    Stream,
    crowding,
    deflate_bomb,
    dripping,
    endless,
    junk,
    message,
    one_of,
    resetting,
    saying,
)
from .load import BUS
from .ports import (
    doip_port,
    free_port,
    game_port,
    page_address,
    pedal_port,
    pseudo_terminals,
    scan_tool_port,
    scan_tool_terminal,
    slcan_port,
    slcan_terminal,
    socketcand_port,
)
from .turns import Missed, WakeUps
from .viewers import Viewer

PRIORITY: Final = 80
"""Of the daemon and of cyclictest."""

ATTACKERS: Final = 2
"""At a time, each in a thread."""

SETTLING: Final = 0.5
"""[s] after a flood, and after the start of one, before ticks are counted."""

REPEATS: Final = 2
NEVER: Final = float("inf")
DEFLATE: Final = "Sec-WebSocket-Extensions: permessage-deflate"
OPEN: Final = b"< open %b >" % BUS.encode()
ACTIVATION: Final = bytes.fromhex("02FD0005000000070E000000000000")
HOST: Final = b"Host: 127.0.0.1\r\n"


def content(folder: Path, adapter: str, metrics: int) -> dict[str, Any]:
    """Return a bench with every door that there is without hardware; `adapter` is the name of a serial port."""
    base = hands.content(folder)
    buses = {name: bus | {"slcan": [0, "pty"], "socketcand": 0} for name, bus in base["buses"].items()}
    units = {name: 0x1001 + number for number, name in enumerate(base["diagnostics"]["units"])}
    buses["adapter"] = {
        "interface": "slcan",
        "channel": adapter,
        "bitrate": 500_000,
        "armed": True,
        "options": {"sleep_after_open": 0.1},
        "raw": {"Alive": {"id": 0x123, "data": "00 01", "period": 10}},
    }
    return base | {
        "buses": buses,
        "control": {"socket": str(folder / "floods.sock")},
        "doip": {"port": 0, "logical_address": 0x1000, "units": units},
        "metrics": {"port": metrics},
        "realtime": {"priority": PRIORITY},
    }


class Question(NamedTuple):
    """What somebody who behaves well asks at a door, and what the answer has in it."""

    asks: bytes
    hears: bytes


class Target(NamedTuple):
    """A door, the question that it answers if there is one, and what is done to it."""

    door: Door
    question: Question | None
    attacks: dict[str, Attack]


def targets(daemon: Daemon, folder: Path, adapter: int, metrics: int) -> list[Target]:
    """Return all doors of the running bench; `adapter` is the far end of its serial port."""
    page = page_address(daemon)
    host, _, number = re.sub(r"^http://|/.*$", "", page).rpartition(":")
    display, board = pseudo_terminals(daemon, "output port open")
    socket_of = Door.of_socket
    return [
        Target(
            socket_of("control socket", AF_UNIX, str(folder / "floods.sock")),
            Question(STATUS + b"\n", b"\n"),
            {
                "connections": crowding(),
                "a line without end": endless(b'{"command": "'),
                "junk": saying(junk),
                "awkward lines": saying(one_of(*(line + b"\n" for line in AWKWARD.values()))),
                "questions, never read": saying(one_of((STATUS + b"\n") * 100), reads=False),
                "reset": resetting(STATUS + b"\n"),
            },
        ),
        Target(
            socket_of("page", AF_INET, (host, int(number))),
            Question(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n", b"HTTP/1.1 "),
            {
                "connections": crowding(),
                "drip": dripping(b"GET / HTTP/1.1\r\nX: " + b"x" * 200),
                "a header without end": endless(b"GET / HTTP/1.1\r\nX: "),
                "junk": saying(junk),
                "a body without end": saying(
                    one_of(b"10000\r\n" + bytes(1 << 16) + b"\r\n"),
                    hello=b"POST / HTTP/1.1\r\n" + HOST + b"Transfer-Encoding: chunked\r\n\r\n",
                ),
                "reset": resetting(b"GET / HTTP/1.1\r\n" + HOST + b"\r\n"),
            },
        ),
        Target(
            Door("WebSocket of the page", lambda: Stream(Viewer(page, DEFLATE).socket)),
            None,
            {
                "commands": saying(one_of(message(b'{"id": 1, "command": {"command": "release"}}'))),
                "deflate bomb": saying(one_of(message(deflate_bomb(256 << 20), first=0xC1))),
                "a message without end": saying(one_of(bytes(1 << 16)), hello=message(b"", announced=1 << 40)),
                "deaf viewers": crowding(),
            },
        ),
        Target(
            socket_of("metrics", AF_INET, ("127.0.0.1", metrics)),
            Question(b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n", b"HTTP/1.1 200"),
            {
                "connections": crowding(),
                "scrapes": saying(one_of(b"GET /metrics HTTP/1.1\r\n" + HOST + b"\r\n")),
                "junk": saying(junk),
            },
        ),
        Target(
            socket_of("SLCAN", AF_INET, ("127.0.0.1", slcan_port(daemon, BUS))),
            Question(b"V\r", b"V"),
            {
                "connections": crowding(b"O\r"),
                "a line without end": endless(b"O\rt"),
                "junk": saying(junk, hello=b"O\r"),
                "short lines, never read": saying(one_of(b"V\r" * 1000), hello=b"O\r", reads=False),
                "random identifiers": saying(
                    lambda chance: b"".join(b"T%08X8%016X\r" % (chance.getrandbits(29), n) for n in range(100)),
                    hello=b"O\r",
                ),
                "FD and remote frames": saying(one_of(b"d1008" + b"00" * 8 + b"\rr1008\r"), hello=b"O\r"),
                "reset": resetting(b"O\rt1000\r"),
                "drip": dripping(b"O\rt10081122334455667788\r" * 10),
            },
        ),
        Target(
            socket_of("socketcand", AF_INET, ("127.0.0.1", socketcand_port(daemon, BUS))),
            Question(b"< echo >", b"< hi >"),
            {
                "connections": crowding(OPEN),
                "a command without end": endless(OPEN + b"< send 123 "),
                "junk": saying(junk, hello=OPEN),
                "short commands, never read": saying(one_of(b"< echo >" * 1000), hello=OPEN, reads=False),
                "jobs and subscriptions": saying(
                    lambda chance: b"".join(
                        b"< add 0 1 %03X 0 >< subscribe 0 1 %03X >" % (chance.getrandbits(11), chance.getrandbits(11))
                        for _ in range(100)
                    ),
                    hello=OPEN,
                ),
                "reset": resetting(OPEN + b"< rawmode >"),
            },
        ),
        Target(
            socket_of("DoIP", AF_INET, ("127.0.0.1", doip_port(daemon))),
            Question(ACTIVATION, b"\x02\xfd\x00\x06"),
            {
                "connections": crowding(),
                "a message without end": saying(one_of(bytes(1 << 16)), hello=b"\x02\xfd\x80\x01\xff\xff\xff\xff"),
                "junk": saying(junk),
                "unknown messages, never read": saying(one_of(b"\x02\xfd\x12\x34\0\0\0\0" * 1000), reads=False),
                "activations of one source": saying(one_of(ACTIVATION * 100)),
                "reset": resetting(ACTIVATION),
                "drip": dripping(ACTIVATION),
            },
        ),
        Target(
            socket_of("DoIP, UDP", AF_INET, ("127.0.0.1", doip_port(daemon)), SOCK_DGRAM),
            Question(b"\x02\xfd\x00\x01\0\0\0\0", b"\x02\xfd\x00\x04"),
            {
                "junk": saying(lambda chance: chance.randbytes(chance.randrange(1, 1400))),
                "who is there": saying(one_of(b"\x02\xfd\x00\x01\0\0\0\0")),
            },
        ),
        Target(
            Door.of_terminal("SLCAN, pty", slcan_terminal(daemon, BUS)),
            None,
            {"junk": saying(junk), "frames": saying(one_of(b"O\r" + b"t10081122334455667788\r" * 100))},
        ),
        Target(
            socket_of("ELM327", AF_INET, ("127.0.0.1", scan_tool_port(daemon))),
            Question(b"ATI\r", b">"),
            {
                "connections": crowding(),
                "junk": saying(junk),
                "a line without end": endless(),
                "everything, never read": saying(one_of(b"ATMA\r0100\r" * 100), reads=False),
                "reset": resetting(b"ATZ\r"),
            },
        ),
        Target(
            Door.of_terminal("ELM327, pty", scan_tool_terminal(daemon)),
            None,
            {"junk": saying(junk), "requests": saying(one_of(b"0100\r", b"010C\r"))},
        ),
        Target(
            Door.of_terminal("pedals, pty", pedal_port(daemon)),
            None,
            {
                "junk": saying(junk),
                "a line without end": endless(b"brake="),
                "lines": saying(one_of(b"brake=100\n" * 40, b"brake=200\n" * 40)),
            },
        ),
        Target(
            socket_of("game, UDP", AF_INET, ("127.0.0.1", game_port(daemon)), SOCK_DGRAM),
            None,
            {
                "junk": saying(lambda chance: chance.randbytes(chance.randrange(1, 1400))),
                "huge datagrams": saying(one_of(bytes(60_000))),
                "telemetry": saying(one_of(outgauge(GameCar(throttle=0.2, gear=1)))),
            },
        ),
        Target(Door.of_terminal("display, pty", display), None, {"junk": saying(junk)}),
        Target(Door.of_terminal("board, pty", board), None, {"junk": saying(junk), "endless": endless()}),
        Target(
            Door.of_line("SLCAN adapter", adapter),
            None,
            {"frames": saying(one_of(b"t10081122334455667788\r" * 100)), "junk, which loses it": saying(junk)},
        ),
    ]


class Slice(NamedTuple):
    """Ticks of the daemon that were missed, those that were due, and cyclictest's wake-ups meanwhile."""

    missed: int = 0
    due: int = 0
    machine: WakeUps = WakeUps()

    def together(self, other: "Slice") -> "Slice":
        """Return both as one."""
        return Slice(self.missed + other.missed, self.due + other.due, self.machine.together(other.machine))

    @property
    def share(self) -> float:
        """Missed ticks [%]."""
        return 100 * self.missed / self.due

    @property
    def is_beyond(self) -> bool:
        """Whether more was missed than the machine explains."""
        return self.machine.due > 0 and self.missed > self.machine.bound(self.due)

    def __str__(self) -> str:
        theirs = f"{self.machine.missed:>5} /{self.machine.due:>6}" if self.machine.due else "            -"
        return f"{self.missed:>6} /{self.due:>6}  {theirs}"


class Flood(NamedTuple):
    """What came of one flood; `answer` [s]: None at a door that answers nobody, infinity where it gave none."""

    door: str
    name: str
    again: int
    """How often it has been repeated."""
    connections: int
    bytes: int
    idle: Slice
    under: Slice
    answer: float | None

    def __str__(self) -> str:
        answer = "" if self.answer is None else f"{1000 * self.answer:.0f}"
        sent = f"{self.connections:>7}  {self.bytes / 1e6:>7.2f}"
        name = f"{self.name}{', again' * bool(self.again)}"
        return f"{self.door:22} {name:32} {sent}  {self.idle}  {self.under}  {answer:>6}".rstrip()

    @property
    def is_costly(self) -> bool:
        """Whether it cost ticks each time."""
        return self.again == REPEATS and self.under.is_beyond

    @property
    def is_unanswered(self) -> bool:
        """Whether the door gave no answer afterwards."""
        return self.answer == NEVER


class Floods:
    """The bench, all attacks on it one after the other, and how long each of them lasts."""

    def __init__(self, rig: Rig, resources: ExitStack) -> None:
        self._folder: Final = rig.folder
        self.trouble = ""
        """Why cyclictest cannot run here."""
        adapter, other = os.openpty()
        for end in (adapter, other):
            resources.callback(os.close, end)
        os.set_blocking(adapter, False)
        metrics = free_port(SOCK_STREAM)
        bench = MeasuredBench("floods", partial(content, adapter=os.ttyname(other), metrics=metrics))
        self._daemon: Final = rig.daemon(rig.default, bench)
        there = os.sched_getaffinity(0)
        with self._daemon.paused():
            self._daemon.pin(max(there))
        self._others: Final = there - {max(there)} or there
        self._conditions: Final = self._daemon.conditions()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        resources.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self._targets: Final = targets(self._daemon, self._folder, adapter, metrics)

    def run(self, seconds: float) -> Iterator[Flood]:
        """Yield what came of each flood of so many seconds, which follows an idle time as long."""
        for target in self._targets:
            for name in target.attacks:
                for again in range(1 + REPEATS):
                    flood = self._flood(target, name, again, seconds)
                    yield flood
                    if not flood.under.is_beyond:
                        break

    def _flood(self, target: Target, name: str, again: int, seconds: float) -> Flood:
        door = target.door
        idle = self._slice(seconds)
        door.connections = door.bytes = 0
        attackers = Attackers(door, target.attacks[name], ATTACKERS, self._others)
        try:
            time.sleep(SETTLING)
            under = self._slice(seconds)
        finally:
            attackers.end()
        sent = door.connections, door.bytes
        time.sleep(SETTLING)
        answer = None if target.question is None else _time_of_answer(door, target.question)
        return Flood(door.name, name, again, *sent, idle, under, answer)

    def _slice(self, seconds: float) -> Slice:
        before = Missed.read(self._daemon)
        machine = WakeUps()
        try:
            if not self.trouble:
                report = cyclictest.report(self._conditions, self._daemon.period, seconds, self._folder)
                machine = WakeUps.read(report, self._daemon.period)
        except UnavailableError as reason:
            self.trouble = str(reason)
        if self.trouble:
            time.sleep(seconds)
        after = Missed.read(self._daemon)
        return Slice(after.ticks - before.ticks, after.due - before.due, machine)


def _time_of_answer(door: Door, question: Question) -> float:
    """Return the time from the connection to the answer [s]; infinity if there is none in time."""
    begun = time.monotonic()
    while time.monotonic() < begun + PATIENCE:
        try:
            line = door.connect()
        except OSError:
            time.sleep(NAP)
            continue
        heard = b""
        try:
            line.send(question.asks)
            while question.hears not in heard and time.monotonic() < begun + PATIENCE:
                heard += line.drain()
                time.sleep(NAP)
        except OSError:
            continue
        finally:
            line.close()
        if question.hears in heard:
            return time.monotonic() - begun
    return NEVER


_UNDER: Final = Quantity("floods_missed", "missed ticks, all floods", "%")
_IDLE: Final = Quantity("floods_missed_none", "missed ticks, idle between them", "%")
_BEYOND: Final = Quantity("floods_missed_beyond", "missed ticks, floods - idle", "%", Aim("at most", 0.0))
_COSTLY: Final = Quantity("floods_costly", "floods that cost ticks three times", "", Aim("at most", 0))
_UNANSWERED: Final = Quantity("floods_unanswered", "doors without an answer afterwards", "", Aim("at most", 0))


def _measure(rig: Rig) -> Iterator[Result]:
    with ExitStack() as resources:
        try:
            floods = Floods(rig, resources)
            rows = list(floods.run(rig.effort.slice))
        except OSError as error:
            raise UnavailableError(f"not every door can be reached: {error}") from error
    under, idle = ([each.share for each in slices] for slices in ([r.under for r in rows], [r.idle for r in rows]))
    yield _UNDER.median(under)
    yield _IDLE.median(idle)
    yield _BEYOND.median([more - less for more, less in zip(under, idle, strict=True)])
    yield _COSTLY.median([sum(row.is_costly for row in rows)], len(rows), floods.trouble)
    yield _UNANSWERED.median([sum(row.is_unanswered for row in rows)], len(rows))


MEASUREMENT: Final = Measurement("floods of every door", (_UNDER, _IDLE, _BEYOND, _COSTLY, _UNANSWERED), _measure)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.floods", description="what floods cost the tick")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each flood, and of the idle time before it")
    args = parser.parse_args()
    head = f"{'door':22} {'flood':32} {'connec-':>7}  {'sent':>7}  {'idle: missed':>14}  {'cyclictest':>13}"
    print(f"{head}  {'flood: missed':>14}  {'cyclictest':>13}  {'answer':>6}")
    print(f"{'':55} {'tions':>7}  {'MB':>7}  {'of ticks':>14}  {'':13}  {'of ticks':>14}  {'':13}  {'ms':>6}")
    idle = under = Slice()
    failed = 0
    with Rig(FULL) as rig, ExitStack() as resources:
        floods = Floods(rig, resources)
        for row in floods.run(args.seconds):
            print(row, flush=True)
            idle, under = idle.together(row.idle), under.together(row.under)
            failed += row.is_costly + row.is_unanswered
    print(f"{'all':73}{idle}  {under}")
    if floods.trouble:
        print(f"not compared with cyclictest: {floods.trouble}")
    return int(bool(failed) or under.is_beyond)


if __name__ == "__main__":
    sys.exit(main())
