"""A slave without a transport or a tick: samples are made by hand, commands of the bench are noted."""

import struct
from collections.abc import Mapping
from typing import Any, Final

from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.layout import ETHERNET, PacketLayout
from hilbridge.bench.xcp.memory_map import MemoryMap, encode_sample
from hilbridge.bench.xcp.parameter_map import ParameterMap
from hilbridge.client.talks import UnreachableError
from hilbridge.faces.xcp.access import KeyFunction
from hilbridge.faces.xcp.calibration import Calibration
from hilbridge.faces.xcp.daq import DaqLists
from hilbridge.faces.xcp.pages import Pages
from hilbridge.faces.xcp.slave import Identity, Slave
from hilbridge.faces.xcp.writing import Writing
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD

CONNECT: Final = bytes((0xFF, 0))
DISCONNECT: Final = bytes((0xFE,))
OK: Final = bytes((0xFF,))
THROTTLE: Final = 0x10004
SPEED: Final = 0x20000
RPM: Final = 0x20004


class Bench:
    """The control socket: it takes every command but those about `refused`, and none while it is silent."""

    def __init__(self) -> None:
        self.commands: list[dict[str, Any]] = []
        self.refused = ""
        self.is_silent = False
        self.changes: dict[str, Any] = {}
        """Of the engine."""
        self.impossible: str | None = None
        """A parameter of which the engine can have no other value."""

    def exchange(self, command: dict[str, Any]) -> Mapping[str, Any]:
        if self.is_silent:
            raise UnreachableError("no answer")
        if command["command"] == "status":
            return {"engine": {"changes": self.changes}}
        self.commands.append(command)
        if command["command"] == "tune-engine":
            if self.impossible in command["values"]:
                return {"error": "no"}
            self.changes = command["values"]
        return {"error": "no"} if self.refused in (command.get("entry"), *command.get("also", ())) else {}


class Stream:
    """The way of commands without answers; it takes none while it is busy."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.is_busy = False
        self.settled = 0
        self.refused = 0

    def send(self, command: dict[str, Any]) -> bool:
        if self.is_busy or self._bench.is_silent:
            return False
        self.refused += int("error" in self._bench.exchange(command))
        return True

    def settle(self) -> None:
        self.settled += 1

    def refusals(self) -> int:
        refused, self.refused = self.refused, 0
        return refused


class Samples:
    """The newest sample, that of a bus."""

    def __init__(self) -> None:
        self.data = DataBus()
        self.t = 0
        self.waited = 0

    def newest(self) -> bytes | None:
        return encode_sample(self.t, self.data.channels)

    def await_next(self) -> None:
        self.waited += 1


class Counters(dict[str, int]):
    """The counters by name."""

    def count(self, cell: str, number: int = 1) -> None:
        self[cell] = self.get(cell, 0) + number


class Rig:
    """A slave that is connected, and what is around it."""

    def __init__(
        self,
        *,
        write: bool = False,
        key: KeyFunction | None = None,
        rate: int = 1000,
        layout: PacketLayout = ETHERNET,
        engine: Mapping[str, Any] | None = None,
    ) -> None:
        """`engine`: the parameters of the calibration segment."""
        self.bench = Bench()
        self.samples = Samples()
        self.counters = Counters()
        self.said: list[str] = []
        self.described = 0
        self.stream = Stream(self.bench)
        pages = None if engine is None else Pages(ParameterMap(engine), self.bench, self.said.append)
        self.slave = Slave(
            MemoryMap(STANDARD),
            self.samples,
            DaqLists(MemoryMap(STANDARD), event_channels(rate), layout, stim=write),
            Identity("rig", self.describe),
            self.counters,
            writing=Writing(Calibration(self.bench, stream=self.stream), pages) if write else None,
            key=key,
            say=self.said.append,
        )
        self.connected = self.slave.connect("127.0.0.1:1")

    def describe(self) -> bytes:
        self.described += 1
        return b"the A2L file"

    def ask(self, code: int, layout: str = "", *fields: int | bytes) -> bytes:
        """The answer to a command with fields behind its code."""
        return self.slave.answer(bytes((code,)) + struct.pack(f"<{layout}", *fields))

    def allocate(self, *odts: list[int], event: int = 0, prescaler: int = 1, mode: int = 0x10) -> None:
        """One DAQ list with these addresses of four bytes in its ODTs, as a master does it."""
        answers = [self.ask(0xD6), self.ask(0xD5, "BH", 0, 1), self.ask(0xD4, "BHB", 0, 0, len(odts))]
        answers += [self.ask(0xD3, "BHBB", 0, 0, odt, len(entries)) for odt, entries in enumerate(odts)]
        for odt, entries in enumerate(odts):
            answers.append(self.ask(0xE2, "BHBB", 0, 0, odt, 0))
            answers += [self.ask(0xE1, "BBBI", 0xFF, 4, 0, address) for address in entries]
        answers.append(self.ask(0xE0, "BHHBB", mode, 0, event, prescaler, 0))
        assert set(answers) == {OK}

    def tick(self, t: int) -> list[list[bytes]]:
        """What DAQ lists send for a tick."""
        self.samples.t = t
        sample = self.samples.newest()
        assert sample is not None
        return list(self.slave.sample(sample))
