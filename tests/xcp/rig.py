"""A bench in real time with pyxcp as its master."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyxcp import Master
from pyxcp.config import create_application_from_config
from pyxcp.daq_stim import DaqList, DaqOnlinePolicy

from hilbridge.client import Client
from hilbridge.client.talks import UnreachableError
from vehiclesim.channels import UNAVAILABLE_LOAD

from ..program import Program
from ..program import running as run

BENCH = """\
name: measured
rate: 1000
vehicle: compact
control: {{socket: {folder}/control.sock}}
cockpit: {{enabled: false}}
state: none
inputs:
  - {{source: demo-driver}}
xcp:
  port: 0
  {extra}
"""
PATIENCE = 60.0
SECONDS = 3.0
RATE = 1000
NOT_AVAILABLE = {"vehicle.EngineLoad": UNAVAILABLE_LOAD}
"""What stands for `not available`, where that is not -2147483647."""
MOST_STALLED = 0.5
"""Part of the ticks that a busy machine may miss without failing a test of what is measured."""


class Rows(DaqOnlinePolicy):  # type: ignore[misc]  # of a package without types
    """What pyxcp has decoded: time [ns] since the first row, and values, of each row, by list."""

    def initialize(self) -> None:
        self.rows: dict[int, list[tuple[int, list[int]]]] = {}

    def on_daq_list(self, daq_list: int, timestamp0: int, timestamp1: int, payload: list[int]) -> None:
        self.rows.setdefault(daq_list, []).append((timestamp1, payload))


@contextmanager
def running(folder: Path, extra: str, *arguments: object, vehicle: str = "compact") -> Iterator[tuple[Program, int]]:
    """A bench in real time, once its slave answers; with its port."""
    file = folder / "bench.yaml"
    text = BENCH.format(folder=folder, extra=extra)
    file.write_text(text.replace("vehicle: compact", f"vehicle: {vehicle}"), encoding="utf-8")
    with run(file, *arguments) as program:
        port = int(program.wait_for("XCP")["where"].rpartition(":")[2])
        until_served(port, "udp" in extra)
        yield program, port


def until_served(port: int, udp: bool) -> None:
    """Connects and disconnects by hand, once the process of the slave has started."""
    deadline = time.monotonic() + PATIENCE
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM if udp else socket.SOCK_STREAM) as plain:
        plain.connect(("127.0.0.1", port))
        plain.settimeout(PATIENCE)
        plain.sendall(bytes.fromhex("02000000 FF00"))
        assert plain.recv(100)[4] == 0xFF
        plain.sendall(bytes.fromhex("01000100 FE"))
        assert plain.recv(100)[4] == 0xFF
    assert time.monotonic() < deadline


@contextmanager
def master(port: int, protocol: str = "TCP", policy: Any = None) -> Iterator[Any]:
    where = {"host": "127.0.0.1", "port": port, "protocol": protocol, "ipv6": False}
    settings = create_application_from_config(
        {"Transport": {"Eth": where}, "General": {"disable_error_handling": True}}
    )
    settings.transport.timeout = PATIENCE
    with Master("eth", config=settings, policy=policy) as xcp:
        xcp.connect()
        yield xcp
        xcp.disconnect()


def daq_list(name: str, event: int, places: dict[str, int], prescaler: int = 1, *, stim: bool = False) -> DaqList:
    measurements = [(path, address, 0, "I32") for path, address in places.items()]
    return DaqList(
        name=name,
        event_num=event,
        stim=stim,
        enable_timestamps=not stim,
        measurements=measurements,
        priority=0,
        prescaler=prescaler,
    )


@contextmanager
def reached(folder: Path) -> Iterator[Client]:
    """The control socket, once its process answers."""
    deadline = time.monotonic() + PATIENCE
    with Client(folder / "control.sock") as client:
        while True:
            try:
                client.status("inputs")
                break
            except UnreachableError:
                assert time.monotonic() < deadline
        yield client
