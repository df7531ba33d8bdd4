"""XCP on CAN (ASAM MCD-1 XCP, part 3): packets of eight bytes, and a node of its own on the bus."""

import select
import socket
import struct
from collections.abc import Iterator
from typing import Any

import can
import pytest

from hilbridge.bench.xcp.layout import CAN
from hilbridge.bench.xcp.memory_map import encode_sample
from hilbridge.bench.xcp.sample_memory import SampleMemory
from hilbridge.desk.a2l.interface import CanIdentifiers
from hilbridge.faces.xcp import can_port
from hilbridge.faces.xcp.can_port import CanPort
from hilbridge.faces.xcp.samples import Samples
from hilbridge.faces.xcp.session import Session
from hilbridge.faces.xcp.setup import CanPlace
from vehiclesim.channels import VEHICLE, VehicleData
from vehiclesim.databus import DataBus

from .rig import CONNECT, OK, RPM, SPEED, Rig

MS = 1_000_000


def test_a_session_says_how_long_its_packets_are() -> None:
    """CONNECT: MAX_CTO 8, MAX_DTO 8; GET_DAQ_PROCESSOR_INFO: absolute ODT numbers; time stamps of 16 bits in 100 µs."""
    rig = Rig(layout=CAN)
    assert rig.connected == bytes.fromhex("FF 04 80 08 0800 01 01")
    assert rig.ask(0xDA) == bytes.fromhex("FF 93 4000 0300 00 00")
    assert rig.ask(0xD9) == bytes.fromhex("FF 01 FF 01 00 52 0100")


def test_a_list_has_one_entry_in_each_frame() -> None:
    """The number of the ODT among all; the time in the first of a list, from the clock of the bench."""
    rig = Rig(layout=CAN)
    rig.samples.data.write(VEHICLE, VehicleData.SPEED, 12.5)
    rig.allocate([SPEED], [RPM])
    assert rig.ask(0xDE, "BH", 1, 0) == OK + b"\0"
    speed = rig.samples.data.vehicle[0]
    ((first, second),) = rig.tick(7_000 * MS)
    assert first == bytes((0,)) + struct.pack("<Hi", 70_000 & 0xFFFF, speed)
    assert second == bytes((1,)) + struct.pack("<i", rig.samples.data.vehicle[1])
    assert max(map(len, (first, second))) <= 8


def test_the_numbers_of_a_second_list_go_on() -> None:
    rig = Rig(layout=CAN)
    answers = [rig.ask(0xD6), rig.ask(0xD5, "BH", 0, 2), rig.ask(0xD4, "BHB", 0, 0, 3), rig.ask(0xD4, "BHB", 0, 1, 1)]
    answers += [rig.ask(0xD3, "BHBB", 0, number, odt, 1) for number, odt in ((0, 0), (0, 1), (0, 2), (1, 0))]
    for number, odt in ((0, 0), (0, 1), (0, 2), (1, 0)):
        answers.append(rig.ask(0xE2, "BHBB", 0, number, odt, 0))
        answers.append(rig.ask(0xE1, "BBBI", 0xFF, 4, 0, SPEED))
    answers += [rig.ask(0xE0, "BHHBB", 0x10, number, 0, 1, 0) for number in (0, 1)]
    assert set(answers) == {OK}
    assert rig.ask(0xDE, "BH", 2, 0) == OK + b"\0"
    assert rig.ask(0xDE, "BH", 2, 1) == OK + b"\x03"
    assert rig.ask(0xDD, "B", 1) == OK
    assert [[packet[0] for packet in packets] for packets in rig.tick(0)] == [[0, 1, 2], [3]]


def test_an_entry_beside_the_time_has_four_bytes() -> None:
    rig = Rig(layout=CAN)
    rig.allocate([SPEED])
    rig.ask(0xE2, "BHBB", 0, 0, 0, 0)
    assert rig.ask(0xE1, "BBBI", 0xFF, 6, 0, SPEED) == bytes.fromhex("FE2A")
    assert rig.ask(0xE1, "BBBI", 0xFF, 5, 0, SPEED) == OK


def test_a_seed_comes_and_a_key_goes_in_parts() -> None:
    """GET_SEED: what is left of it, and six bytes; mode 1 for the rest."""
    rig = Rig(layout=CAN, key=lambda _resource, seed: seed[::-1])
    answers = [rig.ask(0xF8, "BB", 0, 4), rig.ask(0xF8, "BB", 1, 4), rig.ask(0xF8, "BB", 1, 4)]
    assert [answer[1] for answer in answers] == [16, 10, 4]
    assert max(map(len, answers)) == 8
    assert rig.ask(0xF8, "BB", 1, 4) == bytes.fromhex("FE29")
    key = b"".join(answer[2:] for answer in answers)[::-1]
    assert rig.ask(0xF7, f"B{6}s", 16, key[:6]) == OK + b"\x04"
    assert rig.ask(0xF7, f"B{6}s", 10, key[6:12]) == OK + b"\x04"
    assert rig.ask(0xF7, f"B{4}s", 4, key[12:]) == OK + b"\x00"


class Wire(can.BusABC):
    """A bus of two ends in this process, of which a program sees one."""

    def __init__(self, *, channel: Any = None, **_keys: Any) -> None:
        self.inside, self.outside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.full = False
        self.gone = False
        super().__init__(channel)

    def send(self, msg: can.Message, timeout: float | None = None) -> None:
        if self.gone:
            raise can.CanOperationError("network is down")
        if self.full:
            raise can.CanOperationError("Transmit buffer full")
        self.inside.send(struct.pack(">I", msg.arbitration_id) + bytes(msg.data))

    def _recv_internal(self, timeout: float | None) -> tuple[can.Message | None, bool]:
        if self.gone:
            raise can.CanOperationError("network is down")
        if not select.select([self.inside], [], [], timeout)[0]:
            return None, True
        data = self.inside.recv(100)
        return can.Message(arbitration_id=int.from_bytes(data[:4], "big"), is_extended_id=False, data=data[4:]), True

    def fileno(self) -> int:
        return self.inside.fileno()


class Node:
    """The port of a slave on such a bus, and what a master hears there."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.buses: list[Wire] = []
        self.said: list[str] = []
        monkeypatch.setattr(can, "Bus", self.opened)
        monkeypatch.setattr(can_port, "AGAIN", 0.0)
        self.memory = SampleMemory.create()
        self.memory.write("armed", 1)
        slave = Rig(layout=CAN).slave
        slave.end()
        self.session = Session(slave, self.memory, Samples(self.memory, 0.001))
        place = CanPlace("socketcan", "can0", CanIdentifiers(0x7E5, 0x7ED, extended=False, bitrate=None))
        self.port = CanPort(place, self.session, self.memory, self.said.append)
        self.port.poll(0)

    def opened(self, **keys: Any) -> Wire:
        self.buses.append(Wire(channel=keys["channel"]))
        return self.buses[-1]

    def ask(self, packet: bytes, can_id: int = 0x7E5) -> bytes | None:
        """The answer on the bus; None: there is none."""
        outside = self.buses[-1].outside
        outside.send(struct.pack(">I", can_id) + packet)
        self.memory.ring.put(encode_sample(0, DataBus().channels))
        self.port.poll(0)
        self.port.flush()
        if not select.select([outside], [], [], 0)[0]:
            return None
        data = outside.recv(100)
        assert data[:4] == struct.pack(">I", 0x7ED)
        return data[4:]


@pytest.fixture
def node(monkeypatch: pytest.MonkeyPatch) -> Iterator[Node]:
    one = Node(monkeypatch)
    yield one
    one.port.close()
    for bus in one.buses:
        bus.inside.close()
        bus.outside.close()
    one.memory.close()


def test_the_identifier_of_the_master_is_answered_and_no_other(node: Node) -> None:
    assert node.ask(CONNECT) == bytes.fromhex("FF 04 80 08 0800 01 01")
    assert node.ask(bytes((0xFD,)), 0x7E6) is None
    assert node.ask(b"") is None
    answer = node.ask(bytes((0xFD,)))
    assert answer is not None
    assert answer[0] == 0xFF


def test_a_bus_that_is_not_armed_hears_nothing_and_ends_the_session(node: Node) -> None:
    node.memory.write("armed", 0)
    assert node.ask(CONNECT) is None
    assert node.memory.read("ignored") == 1
    node.memory.write("armed", 1)
    assert node.ask(CONNECT) is not None
    assert node.memory.read("wanted") == 1
    node.memory.write("armed", 0)
    node.port.flush()
    assert node.memory.read("wanted") == 0
    assert not node.port.send(OK)


def test_a_frame_that_the_queue_does_not_take_is_lost_and_the_session_goes_on(node: Node) -> None:
    node.ask(CONNECT)
    node.buses[-1].full = True
    assert not node.port.send(OK)
    node.buses[-1].full = False
    assert node.ask(bytes((0xFD,))) is not None
    assert (len(node.buses), node.said) == (1, [])


def test_a_bus_that_is_lost_ends_the_session_and_is_opened_again(node: Node) -> None:
    node.ask(CONNECT)
    node.buses[-1].gone = True
    node.port.poll(0)
    node.port.flush()
    assert node.memory.read("wanted") == 0
    assert node.said == ["bus is lost: 'network is down'"]
    node.port.poll(0)
    assert node.ask(CONNECT) is not None
    assert len(node.buses) == 2


def test_a_bus_that_cannot_be_had_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_keys: Any) -> Wire:
        raise OSError("no such device")

    monkeypatch.setattr(can_port, "AGAIN", 0.0)
    monkeypatch.setattr(can, "Bus", refused)
    said: list[str] = []
    memory = SampleMemory.create()
    session = Session(Rig(layout=CAN).slave, memory, Samples(memory, 0.001))
    port = CanPort(
        CanPlace("socketcan", "can9", CanIdentifiers(1, 2, extended=False, bitrate=None)), session, memory, said.append
    )
    port.poll(0)
    port.poll(0)
    assert said == ["bus cannot be had: 'OSError: no such device'"]
    memory.close()
