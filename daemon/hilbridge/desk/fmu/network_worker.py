"""The process of a network unit, which has a bench: reads messages from a socket, and answers each (native/vehicle.h).

    python3 -I -m hilbridge.desk.fmu.network_worker FOLDER DESCRIPTOR

Unlike worker.py it is no file of the unit: it is that of the installed hilbridge, which must be of the version that has
made the unit. In the folder are

    network.json   `version` of hilbridge, and `clock`, the kind of Tx clocks
    bench/         the bench, with all that its files name

Time: the tick of time T is computed by the step that begins at T. So its frames are there in the event at the end of
that step, and what arrives in the event at T is heard in the tick of T: a lockstep client has the same times.

Inputs: one that the importer has set to another value than before is held, as by `hilbridge ctl set`; one that it has
never changed is the bench's own, of its other sources.
"""

import json
import socket
import struct
import sys
from array import array
from pathlib import Path
from typing import Final

from hilbridge import __version__
from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import SECOND
from hilbridge.bench.bench import Bench
from hilbridge.desk.fmu.bus_terminal import COUNTERS, BusTerminal
from hilbridge.desk.fmu.terminals import TRIGGERED
from hilbridge.desk.fmu.variables import Variable, variables
from hilbridge.desk.fmu.worker import refuse, serve
from hilbridge.files.configuration.benchfile import BenchFile, load_bench
from hilbridge.files.configuration.bundle import BENCH
from hilbridge.frames.bus.bus import Bus

FACTS: Final = "network.json"
FOLDER: Final = "bench"

_NEAR: Final = 1e-3
"""Share of a tick by which a time may differ from it: importers add up steps in binary fractions."""
_LONGEST_STEP: Final = 60.0
_NUMBER: Final = struct.Struct("<I")
_SHAPE: Final = struct.Struct("<Id?")


class BenchUnit:
    """A bench whose buses end in terminals, and the values of its variables.

    These are the entries of the data bus (variables.py), and behind them, for each bus, whether it believes
    notifications, and its counters.
    """

    def __init__(self, folder: Path) -> None:
        """ConfigurationError: the bench cannot be built, or another version of hilbridge has made the unit."""
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        if facts["version"] != __version__:
            made = f"the unit was made by hilbridge {facts['version']}, and {__version__} is installed"
            raise ConfigurationError(f"{made} for {sys.executable}: make it again, or install that one")
        self._triggered: Final = facts["clock"] == TRIGGERED
        self._file: Final[BenchFile] = load_bench(str(folder / FOLDER / BENCH))
        self._listed: Final = variables()
        self._build()

    @property
    def variables(self) -> list[Variable]:
        """The entries of the data bus; an input starts with what the bench has before anything is set."""
        return [one._replace(start=start) for one, start in zip(self._listed, self._starts, strict=True)]

    def _build(self) -> None:
        bench = Bench(self._file)
        selections, buses = bench.wiring.plan.selections, self._file.settings.buses
        self.terminals: list[BusTerminal] = []

        def terminal(bus: Bus) -> BusTerminal:
            rates = selections[bus.name]
            self.terminals.append(BusTerminal(bus, rates.bitrate, rates.data_bitrate, fd=buses[bus.name].fd))
            return self.terminals[-1]

        bench.connect(terminal)
        for gate in bench.gates.values():
            gate.armed = True
        self._bench = bench
        self._period = self._file.settings.period
        self._ticks, self._elapsed = 0, 0.0
        self._starts = [bench.vehicle.data.read(one.channel, one.place) for one in self._listed]
        self._held = list(self._starts)
        self._told = b""

    def values(self) -> "array[float]":
        """Return all values; an input has what the importer has given it."""
        read = self._bench.vehicle.data.read
        found = [
            held if one.is_input else read(one.channel, one.place)
            for one, held in zip(self._listed, self._held, strict=True)
        ]
        for terminal in self.terminals:
            found += [terminal.notifications, *(getattr(terminal.statistics, name) for name in COUNTERS)]
        return array("d", found)

    def answer(self, letter: bytes, body: bytes) -> bytes:
        """Do what a message asks for; return the body of the answer. ValueError: what is wrong, for people."""
        if letter == b"n":
            return _SHAPE.pack(len(self.terminals), self._period / SECOND, self._triggered)
        if letter == b"b":
            self._terminal(body).give(body[_NUMBER.size :])
            return b""
        if letter == b"x":
            return self._terminal(body).take()
        if letter == b"r":
            self._build()
        elif letter == b"v":
            self._write(body)
        elif letter == b"s":
            (seconds,) = struct.unpack_from("<d", body)
            self._write(body[8:])
            self._advance(seconds)
        else:
            raise ValueError(f"a bench has no answer to message {letter!r}: its state is neither saved nor restored")
        self._told = self.values().tobytes()
        return self._told

    def _terminal(self, body: bytes) -> BusTerminal:
        number = _NUMBER.unpack_from(body)[0] if len(body) >= _NUMBER.size else len(self.terminals)
        if number >= len(self.terminals):
            raise ValueError("there is no such bus")
        return self.terminals[number]

    def _write(self, body: bytes) -> None:
        """Hold the inputs that the importer has changed, and take its parameters."""
        if body == self._told:
            return
        wanted = array("d", body)
        each = 1 + len(COUNTERS)
        if len(wanted) != len(self._listed) + each * len(self.terminals):
            raise ValueError(f"{len(wanted)} values, which are not those of this unit")
        for place, (one, value) in enumerate(zip(self._listed, wanted, strict=False)):
            held = self._held[place]
            if one.is_input and value != held and not (value != value and held != held):
                try:
                    self._bench.overrides.set(one.entry.path, value)
                except ConfigurationError as error:
                    raise ValueError(f"{one.entry.path}: {error}") from None
                self._held[place] = value
        for number, terminal in enumerate(self.terminals):
            terminal.notifications = wanted[len(self._listed) + each * number] != 0.0

    def _advance(self, seconds: float) -> None:
        """Compute the ticks that begin within the step."""
        if not 0.0 <= seconds <= _LONGEST_STEP:
            raise ValueError(f"a step of {seconds:g} s")
        self._elapsed += seconds
        bench = self._bench
        for tick in range(self._ticks, int(self._elapsed * SECOND / self._period + _NEAR)):
            t = tick * self._period
            bench.sample(t)
            bench.step()
            bench.serve(t)
            bench.publish(t)
            self._ticks = tick + 1


def main() -> None:
    folder, descriptor = Path(sys.argv[1]), int(sys.argv[2])
    with socket.socket(fileno=descriptor) as ours, ours.makefile("rwb") as stream:
        try:
            unit = BenchUnit(folder)
        except (ConfigurationError, OSError, ValueError, KeyError) as error:
            refuse(stream, str(error))
            return
        serve(stream, unit)


if __name__ == "__main__":
    main()
