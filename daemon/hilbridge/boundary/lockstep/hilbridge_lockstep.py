r"""hilbridge_lockstep.py: a control unit's CAN driver on a bench of hilbridge, whose virtual clock waits for it.

SPDX-License-Identifier: MIT
Python 3.10 and newer on Linux; no dependencies. The twin of hilbridge_lockstep.h, for a `program` of the bench file.

    bench = Lockstep()
    while bench.tick():                       # it is bench.time now
        for frame in bench.buses[0].receive():    # what was on the bus since the last tick
            bench.buses[0].send(Frame(0x5A0, b"\x01"))  # is on the bus in this tick
        bench.drive("lamp", bench.pins["key"])    # pins of its board, as numbers of the board protocol
"""

import os
import socket
from typing import NamedTuple

_LENGTHS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64)
_CLASSIC = 8
_KINDS = {"t": (False, False, False), "r": (True, False, False), "d": (False, True, False), "b": (False, True, True)}


class Frame(NamedTuple):
    """A frame. `length`: of a remote request; `brs`, of CAN FD: the data faster; `time` [ns] when it was on the bus."""

    id: int
    data: bytes = b""
    extended: bool = False
    remote: bool = False
    fd: bool = False
    brs: bool = False
    length: int = 0
    time: int = 0

    def line(self) -> str:
        """Return it as a line of SLCAN. ValueError: no controller could send it."""
        length = self.length if self.remote else len(self.data)
        most = _LENGTHS[-1] if self.fd else _CLASSIC
        if length not in _LENGTHS or length > most or not 0 <= self.id < (1 << 29 if self.extended else 1 << 11):
            raise ValueError(f"no controller could send {self}")
        if (self.remote and (self.fd or self.data)) or (self.brs and not self.fd):
            raise ValueError(f"no controller could send {self}")
        kind = "r" if self.remote else "b" if self.brs else "d" if self.fd else "t"
        head = f"{kind.upper()}{self.id:08X}" if self.extended else f"{kind}{self.id:03X}"
        return f"{head}{_LENGTHS.index(length):X}{self.data.hex().upper()}"


def parse(line: str) -> Frame:
    """Return the frame of a line `T FRAME`."""
    time, text = line.split(" ")
    remote, fd, brs = _KINDS[text[0].lower()]
    digits = 8 if text[0].isupper() else 3
    length = _LENGTHS[int(text[1 + digits], 16)]
    data = bytes.fromhex(text[2 + digits :])
    return Frame(int(text[1 : 1 + digits], 16), data, digits == 8, remote, fd, brs, length, int(time))


class Bus:
    """A bus of the bench. `name`: in the bench file; `interval` [ns] from a tick to the next."""

    def __init__(self, connection: socket.socket) -> None:
        self._lines = connection.makefile("r", encoding="ascii", newline="\n")
        self._answer = connection.makefile("w", encoding="ascii", newline="\n")
        connection.close()  # when both are
        words = self._lines.readline().split()
        if words[:2] != ["lockstep", "1"]:
            raise OSError("the bench speaks another version of the protocol than 1")
        self.name = words[3]
        self.interval = int(words[4])
        self.pins: dict[str, int] = {}
        self.driven: set[str] = set()
        for _ in range(int(words[5]) if words[5:] else 0):
            self._take_pin(*self._lines.readline().split())
        self._heard: list[Frame] = []

    def receive(self) -> list[Frame]:
        """Return the frames that came since the last call, the oldest first."""
        heard, self._heard = self._heard, []
        return heard

    def send(self, frame: Frame) -> None:
        """Send a frame in this tick. ValueError: no controller could."""
        self._answer.write(frame.line() + "\n")

    def _take_pin(self, word: str, name: str, number: str) -> None:
        self.pins[name] = int(number)
        if word == "drive":
            self.driven.add(name)

    def drive(self, name: str, value: int) -> None:
        """Drive a pin from this tick on. ValueError: the bench does not measure it."""
        if name not in self.driven:
            raise ValueError(f"the bench does not measure pin {name!r}")
        if self.pins[name] != value:
            self.pins[name] = value
            self._answer.write(f"drive {name} {value}\n")

    def finish(self, time: int) -> None:
        """End the turn of this time [ns]."""
        self._answer.write(f"done {time}\n")
        self._answer.flush()

    def wait(self) -> int:
        """Return the time of the next turn [ns]; -1: the run is over, or the bench has gone."""
        for line in self._lines:
            first, _, rest = line.rstrip("\n").partition(" ")
            if first == "done":
                return int(rest)
            if first == "end":
                return -1
            if first == "read":
                self._take_pin(first, *rest.split())
                continue
            self._heard.append(parse(line.rstrip("\n")))
        return -1


class Lockstep:
    """The bench. `buses`: in the order of the bench file; `time` [ns] since the start of the run.

    `pins`: by name what is there, as the board protocol has it: 0 and 1, 0..65535; those that `drive` moves too.
    """

    def __init__(self, *paths: str) -> None:
        """Connect to the bench that has started this program, or to the sockets of one that waits. OSError."""
        if paths:
            connections = [socket.socket(socket.AF_UNIX) for _ in paths]
            for connection, path in zip(connections, paths, strict=True):
                connection.connect(path)
        elif "HILBRIDGE_LOCKSTEP" in os.environ:
            connections = [socket.socket(fileno=int(one)) for one in os.environ["HILBRIDGE_LOCKSTEP"].split(",")]
        else:
            raise OSError("no bench has started this program: HILBRIDGE_LOCKSTEP is not set")
        self.buses = [Bus(connection) for connection in connections]
        self.pins = self.buses[0].pins
        self.drive = self.buses[0].drive
        self.time = -1

    def tick(self) -> bool:
        """End this tick, and wait for the next; return whether there is one."""
        if self.time >= 0:
            for bus in self.buses:
                bus.finish(self.time)
        times = [bus.wait() for bus in self.buses]
        if -1 in times:
            return False
        self.time = times[0]
        return True
