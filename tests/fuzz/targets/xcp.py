"""Bytes that an XCP master sends over TCP, to a slave that may be written, with a tick after each piece.

The first byte says how many bytes come at once; its highest bit connects before, so that commands get through.
"""

import contextlib
import struct
from collections.abc import Mapping
from typing import Any

from hilbridge.bench.xcp.event_channels import event_channels
from hilbridge.bench.xcp.layout import CAN, ETHERNET
from hilbridge.bench.xcp.memory_map import MemoryMap, encode_sample
from hilbridge.bench.xcp.parameter_map import ParameterMap
from hilbridge.faces.xcp.calibration import Calibration
from hilbridge.faces.xcp.daq import MOST_STIMULATED, DaqLists
from hilbridge.faces.xcp.framing import FramingError, Stream
from hilbridge.faces.xcp.packets import FIRST_COMMAND, Command
from hilbridge.faces.xcp.pages import Pages
from hilbridge.faces.xcp.slave import Identity, Slave
from hilbridge.faces.xcp.writing import Writing
from vehiclesim.databus import DataBus
from vehiclesim.entries import STANDARD


class _Bench:
    """Takes every command."""

    def exchange(self, command: dict[str, Any]) -> Mapping[str, Any]:
        assert command["command"] in ("set", "give-back", "tune-engine", "status")
        assert len(command.get("also", ())) < MOST_STIMULATED
        return {}


class _Stream(_Bench):
    """Takes every command too, and has every second one refused."""

    def __init__(self) -> None:
        self._sent = 0

    def send(self, command: dict[str, Any]) -> bool:
        self._sent += 1
        return not self.exchange(command)

    def refusals(self) -> int:
        return self._sent % 2

    def settle(self) -> None:
        """Everything is."""


class _Samples:
    def __init__(self) -> None:
        self.sample = encode_sample(0, DataBus().channels)

    def newest(self) -> bytes:
        return self.sample

    def await_next(self) -> None:
        """There is one already."""


class _Counters:
    def count(self, cell: str, number: int = 1) -> None:
        """Nothing looks at them."""


_SAMPLES = _Samples()
_MAP = MemoryMap(STANDARD)
_ENGINE = {"idle_rpm": 800.0, "rpm_limiter": False, "table_rpm": [500.0, 6000.0], "table_torque": [100.0, 0.0]}


def _framed(*packets: str) -> bytes:
    return b"".join(struct.pack("<HH", len(bytes.fromhex(one)), 0) + bytes.fromhex(one) for one in packets)


_ALLOCATION = ("D6", "D5000100", "D400000001", "D30000000001", "E20000000000", "E1FF040000000200")

SEEDS = [
    b"\xff" + _framed("FF00", "FD", "FB", "FA00", "F504", "F404000004000200", "FE"),
    b"\xff" + _framed(*_ALLOCATION, "E010000000000100", "DE010000"),
    b"\xff" + _framed("F600000004000100", "F00488130000", "ED0400000400010010270000"),
    b"\xff" + _framed("F80001", "F710" + 16 * "00", "C701FF04000002000000"),
    b"\x80" + bytes(40),
    b"\xbf" + _framed(*_ALLOCATION[:-1], "E1FF040004000100", "E002000000000100", "DE010000", "000010270000"),
    b"\xbf" + _framed("EB0300" + "01", "EA0100", "E9", "E800000100", "E700" + "0001", "E400010000"),
    b"\xbf" + _framed("F600000000000001", "F00400004844", "F50C", "F600000000000001", "F30000000C000000"),
]


def one_input(data: bytes) -> None:
    first = data[0] if data else 0
    identity = Identity("fuzzed", lambda: b"a2l")
    layout = CAN if first & 0x20 else ETHERNET
    slave = Slave(
        _MAP,
        _SAMPLES,
        DaqLists(_MAP, event_channels(1000), layout, stim=True),
        identity,
        _Counters(),
        writing=Writing(Calibration(_Bench(), stream=_Stream()), Pages(ParameterMap(_ENGINE), _Bench())),
        key=(lambda _resource, seed: seed) if first & 0x40 else None,
    )
    if first & 0x80:
        slave.connect("fuzz")
    stream, size = Stream(), (first & 0x3F) + 1
    with contextlib.suppress(FramingError):
        for start in range(1, min(len(data), 1000), size):
            for packet in stream.packets(data[start : start + size]):
                if packet[0] == Command.CONNECT:
                    slave.connect("fuzz")
                elif slave.connected and packet[0] < FIRST_COMMAND:
                    slave.stimulate(packet)
                elif slave.connected:
                    assert 0 < len(slave.answer(packet)) <= layout.most_command
            slave.renew()
            for packets in slave.sample(encode_sample(start * 1_000_000, DataBus().channels)):
                assert all(len(one) <= layout.most_data for one in packets)
    slave.end()
