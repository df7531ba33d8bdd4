"""tshark dissects what a listener has recorded of OBD, UDS and J1939 traffic, and finds nothing malformed."""

import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import can
import isotp
import j1939  # type: ignore[import-untyped]  # it has no types
import pytest

from ..program import slcan_client
from .testers import ENGINE_11, VIN, diagnostics_bench, shipped_bench, start_engine, started, uds_client, wait_for

SOCKETCAN = 227
"""Link type of a capture."""

EXTENDED = 0x8000_0000

BEGIN, END = 0x7FE, 0x7FF
"""A frame before and one after all others: who has heard both has heard everything."""

VI, PACKETS, DM1 = 0xFEEC, 0x1CEBFF00, 0x18FECA00
"""Vehicle identification, and identifiers: its packets in a broadcast, active trouble codes of the engine."""


class Listener(can.Listener):
    """Keeps what is on the bus."""

    def __init__(self) -> None:
        self.frames: list[can.Message] = []

    def on_message_received(self, msg: can.Message) -> None:
        self.frames.append(msg)

    def count(self, identifier: int) -> int:
        return sum(frame.arbitration_id == identifier for frame in self.frames)


@contextmanager
def listening(port: int) -> Iterator[Listener]:
    """A client of its own, as a logger is."""
    with slcan_client(port) as bus:
        notifier = can.Notifier(bus, [listener := Listener()], timeout=0.01)
        try:
            yield listener
        finally:
            notifier.stop()


def write_capture(file: Path, frames: list[can.Message]) -> None:
    """pcap, microseconds."""
    with file.open("wb") as capture:
        capture.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 0xFFFF, SOCKETCAN))
        for frame in frames:
            data = bytes(frame.data)
            identifier = frame.arbitration_id | (EXTENDED if frame.is_extended_id else 0)
            packet = struct.pack(">IB3x", identifier, len(data)) + data
            seconds = int(frame.timestamp)
            microseconds = int(1e6 * (frame.timestamp - seconds))
            capture.write(struct.pack("<IIII", seconds, microseconds, len(packet), len(packet)) + packet)


def dissected(file: Path, *decoders: str) -> list[str]:
    """The frames as tshark prints them in full. Nothing of it is malformed."""
    command = ["tshark", "-r", str(file), *(word for decoder in decoders for word in ("-d", decoder))]
    malformed = subprocess.run(
        [*command, "-Y", "_ws.malformed"], capture_output=True, text=True, check=True, timeout=60
    )
    assert malformed.stdout == ""
    run = subprocess.run([*command, "-V"], capture_output=True, text=True, check=True, timeout=60)
    return run.stdout.splitlines()


def has(lines: list[str], *words: str) -> bool:
    return any(all(word in line for word in words) for line in lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    bench = diagnostics_bench(folder, ("transmit: [HILBRIDGE]", "transmit: []"))
    with started(bench) as (_, number):
        start_engine(folder)
        yield number


def has_heard(listener: Listener, first: can.BusABC) -> bool:
    """Whether the listener has heard a BEGIN; sends another one."""
    first.send(can.Message(arbitration_id=BEGIN, is_extended_id=False))
    return listener.count(BEGIN) > 0


def asked(port: int, requests: list[bytes], address: isotp.Address = ENGINE_11) -> list[can.Message]:
    """What was on the bus while a tester asked these requests."""
    with listening(port) as listener:
        with slcan_client(port) as first:  # until the listener's channel is open, which nothing else tells
            wait_for(lambda: has_heard(listener, first))
        with uds_client(port, address) as client:
            for request in requests:
                client.conn.send(request)
                assert client.conn.wait_frame(timeout=5) is not None, request.hex()
        with slcan_client(port) as last:
            last.send(can.Message(arbitration_id=END, is_extended_id=False))
            wait_for(lambda: listener.count(END))
    return [frame for frame in listener.frames if frame.arbitration_id in (0x7E0, 0x7E8)]


def test_obd(port: int, tmp_path: Path) -> None:
    """Every supported PID one by one, six at once, and the long answers of services 06 and 09."""
    pids = [0x00, 0x01, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0x1F, 0x20, 0x2F, 0x33]
    requests = [bytes((1, pid)) for pid in (*pids, 0x40, 0x42, 0x46, 0x5E)]
    requests += [bytes((3,)), bytes((7,)), bytes((0x0A,)), bytes((9, 2)), bytes((9, 4)), bytes((9, 0x0A))]
    frames = asked(port, requests)
    write_capture(tmp_path / "obd.pcap", frames)
    lines = dissected(tmp_path / "obd.pcap", "can.subdissector,iso15765", "iso15765.subdissector,obd-ii")
    assert sum(line.startswith("OBD-II PID") for line in lines) >= len(requests)
    assert has(lines, VIN)
    assert has(lines, "Engine RPM")


def test_uds(port: int, tmp_path: Path) -> None:
    """Sessions, identifiers, security, trouble codes, a refusal, and an answer of several frames."""
    requests = (
        "10 03;3E 00;22 F1 90;22 F1 95 F1 8C;27 01;19 02 FF;19 0A;2E F1 98 00;31 01 02 01;31 03 02 01;85 01;10 01"
    )
    frames = asked(port, [bytes.fromhex(request) for request in requests.split(";")])
    write_capture(tmp_path / "uds.pcap", frames)
    lines = dissected(tmp_path / "uds.pcap", "can.subdissector,iso15765", "iso15765.subdissector,uds")
    for service in ("Diagnostic Session Control", "Read Data By Identifier", "Security Access", "Routine Control"):
        assert has(lines, service), service
    assert has(lines, VIN) or has(lines, VIN.encode().hex())


@pytest.mark.nightly
def test_j1939(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    """All parameter groups of the truck, a claim, a request, and its answer as a broadcast."""
    folder = tmp_path_factory.mktemp("truck")
    with started(shipped_bench("truck", folder, ("slcan: 29539", "slcan: 0"), ("[35002, pty]", "[0]"))) as (_, port):
        start_engine(folder)
        with listening(port) as listener:
            ecu = j1939.ElectronicControlUnit()
            way = f"socket://127.0.0.1:{port}"
            ecu.connect(interface="slcan", channel=way, bitrate=250000, sleep_after_open=0)
            try:
                tool = ecu.add_ca(name=j1939.Name(industry_group=1, identity_number=1), device_address=0xF9)
                tool.start()
                wait_for(lambda: tool.state == j1939.ControllerApplication.State.NORMAL)
                tool.send_request(0, VI, 0xFF)
                wait_for(lambda: listener.count(PACKETS) >= 3 and listener.count(DM1) >= 1)
            finally:
                ecu.stop()
                ecu.disconnect()
    write_capture(tmp_path / "truck.pcap", listener.frames)
    lines = dissected(tmp_path / "truck.pcap", "can.subdissector,j1939")
    assert has(lines, "PGN", "61444")
    assert has(lines, "PGN", "65226")
