"""can-j1939, another implementation of J1939, as a control unit on the same bus.

It has threads and a clock of its own, so its frames come through a queue; each test ends after a bounded number of
ticks. Its addresses are F9 (a service tool) or what it gets when it loses.
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import j1939  # type: ignore[import-untyped]
import pytest

from hilbridge.base.common.run_seed import RunSeed
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.j1939.address_claim import Name
from hilbridge.bench.diagnostics.j1939.controller_application import ControllerApplication, Identity
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import J1939TroubleCode, Lamps
from hilbridge.frames.codec.frame import EXTENDED, EXTENDED_MASK, Frame

from .memories import memory
from .peers import Frames, Peer

VIN = b"WHB00000000000001*"
MOST_TICKS = 20_000
CLAIMED = j1939.ControllerApplication.State.NORMAL


class Troubles:
    """Two active codes, the malfunction indicator on."""

    changes = 0

    def active(self) -> list[J1939TroubleCode]:
        return [J1939TroubleCode(1323, 11, 1), J1939TroubleCode(520192, 31, 126)]

    def previously_active(self) -> list[J1939TroubleCode]:
        return []

    def lamps(self) -> Lamps:
        return Lamps(malfunction=True)

    def clear_active(self, t: int) -> bool:
        return True

    def clear_previously_active(self, t: int) -> bool:
        return True


class Other(Peer):
    """A control unit of can-j1939; `told` has what its application got: PGN, source, data."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple[int, int, bytes]] = []
        self._sent: queue.SimpleQueue[Frame] = queue.SimpleQueue()
        self.ecu = j1939.ElectronicControlUnit(send_message=self._send)

    def add_application(self, identity: int, address: int, *, arbitrary: bool = True) -> Any:
        name = j1939.Name(arbitrary_address_capable=arbitrary, industry_group=1, identity_number=identity)
        application = self.ecu.add_ca(name=name, device_address=address)
        application.subscribe(lambda _priority, pgn, source, _time, data: self.told.append((pgn, source, bytes(data))))
        application.start()
        return application

    def receive(self, one: Frame, t: int) -> None:
        super().receive(one, t)
        self.ecu.notify(one.can_id & EXTENDED_MASK, bytearray(one.data), 0.0)

    def run_until(self, done: Callable[[], bool]) -> None:
        for _ in range(MOST_TICKS):
            while not self._sent.empty():
                self.bus.transmit(self._sent.get(), self)
            self.t += MILLISECOND
            self.bus.exchange(self.t)
            for node in self.nodes:
                node.serve(self.t)
            self.bus.exchange(self.t)
            if done():
                return
            time.sleep(0.0005)
        pytest.fail("it did not happen")

    def _send(self, can_id: int, _extended: bool, data: Any, _fd: bool = False) -> None:
        self._sent.put(Frame(EXTENDED | can_id, bytes(data)))


@pytest.fixture
def other() -> Iterator[Other]:
    peer = Other()
    yield peer
    peer.ecu.stop()


def own(other: Other, name: Name, troubles: Troubles | None = None) -> ControllerApplication:
    """A control unit that wants address 0."""
    return other.add(
        ControllerApplication(other.bus, other.data, Identity(name, 0, {0xFEEC: lambda: VIN}), Frames(), troubles)
    )


def test_the_lower_name_keeps_the_address_and_the_other_one_moves(other: Other) -> None:
    """Ours has the lower number: theirs claims another address."""
    node = own(other, Name(identity=1))
    application = other.add_application(9, 0)
    other.run_until(lambda: application.state == CLAIMED)
    assert node.address == 0
    assert application.device_address != 0


def test_ours_moves_when_theirs_is_lower(other: Other) -> None:
    node = own(other, Name(arbitrary_address=True, identity=9))
    other.run_until(lambda: node.address == 0)
    application = other.add_application(1, 0, arbitrary=False)
    other.run_until(lambda: application.state == CLAIMED and node.address == 128)
    assert application.device_address == 0


def test_its_request_is_answered_in_a_connection(other: Other) -> None:
    """It clears one packet at a time."""
    node = own(other, Name(identity=1))
    application = other.add_application(9, 0xF9)
    other.run_until(lambda: application.state == CLAIMED)
    application.send_request(0, 0xFEEC, 0)
    other.run_until(lambda: (0xFEEC, 0, VIN) in other.told)
    other.run_until(lambda: node.transport.statistics.sent == 1)


def test_its_request_to_all_is_answered_with_a_broadcast(other: Other) -> None:
    own(other, Name(identity=1))
    application = other.add_application(9, 0xF9)
    other.run_until(lambda: application.state == CLAIMED)
    application.send_request(0, 0xFEEC, 0xFF)
    other.run_until(lambda: (0xFEEC, 0, VIN) in other.told)


def test_it_reads_the_active_codes_and_lamps(other: Other) -> None:
    """Two codes: a broadcast; 520192 is the first proprietary SPN and needs all 19 bits."""
    own(other, Name(identity=1), Troubles())
    application = other.add_application(9, 0xF9)
    messages: list[Any] = []
    dm1 = j1939.Dm1(application)
    dm1.subscribe(lambda _source, lamps, codes, _time: messages.append((lamps, codes)))
    other.run_until(lambda: bool(messages))
    lamps, codes = messages[0]
    assert lamps["mil"] == j1939.DtcLamp.ON
    assert [(code["spn"], code["fmi"], code["oc"]) for code in codes] == [(1323, 11, 1), (520192, 31, 126)]


@pytest.mark.parametrize("destination", [0x00, 0xFF])
def test_its_long_messages_are_received(other: Other, destination: int) -> None:
    """In a connection, and as a broadcast (of a group that is not used)."""
    node = own(other, Name(identity=1))
    application = other.add_application(9, 0xF9)
    other.run_until(lambda: application.state == CLAIMED)
    application.send_pgn(0, 0xEF, destination, 6, list(range(100)))
    other.run_until(lambda: node.transport.statistics.received == 1)


@pytest.mark.parametrize(("address", "length"), [(0x1001, 3), (0x1000, 10), (0x2000, 2)])
def test_its_memory_query_reads(other: Other, address: int, length: int) -> None:
    """In one frame and in a connection; of a place that wants a key for its seed, too."""
    node = own(other, Name(identity=1))
    shown = memory()
    node.show_memory(shown, lambda level, seed: (seed + level) & 0xFFFF, RunSeed(1).generator)
    application = other.add_application(9, 0xF9)
    other.run_until(lambda: application.state == CLAIMED)
    query = j1939.Dm14Query(application)
    query._seed_from_key = lambda seed: (seed + 1) & 0xFFFF
    read: list[bytes] = []

    def ask() -> None:
        with contextlib.suppress(queue.Empty):  # it waits for a second at most
            read.append(bytes(query.read(0, 1, address, length, return_raw_bytes=True)))

    for _ in range(5):
        thread = threading.Thread(target=ask)
        thread.start()
        other.run_until(lambda thread=thread: not thread.is_alive())  # type: ignore[misc]  # bound now
        if read:
            break
    assert read == [shown.find(address, length).region.read(address & 0xFFF, length)]
