"""Frames of the plan that have two masters: UDS service 28 and the address claim of J1939, on one bus."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.bench.diagnostics.j1939.address_claim import ADDRESS_CLAIMED
from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.frames.codec.pgn import split
from hilbridge.testing import VirtualBench

BENCH = """
name: two-masters
rate: 1000
vehicle: truck
buses:
  can:
    interface: embedded
    database: j1939.dbc
    transmit: [ENGINE, TRANSMISSION]
    source_address: {ENGINE: 0x00, TRANSMISSION: 0x03}
diagnostics:
  units:
    engine: {unit: engine, bus: can, addresses: [{address: 0x00}], uds: {}}
    transmission: {unit: gearbox, bus: can, addresses: [{address: 0x03}], uds: {}}
  j1939:
    bus: can
    nodes:
      ENGINE: {function: 0, arbitrary_address: true}
      TRANSMISSION: {function: 3, arbitrary_address: false}
"""

ENGINE, TRANSMISSION = 0x00, 0x03
MOVED = range(0x80, 0xF8)
"""The addresses that a node may take when it loses its own (SAE J1939-81)."""

SESSION, SILENCE, SEND = b"\x10\x03", b"\x28\x01\x01", b"\x28\x00\x01"
SPEED, GEAR = 0xF004, 0xF005
"""PGN of EEC1, the engine's, and of ETC2, the transmission's."""


class Truck:
    """The bench with its ignition on, after the addresses have been claimed."""

    def __init__(self, bench: VirtualBench) -> None:
        self.bench = bench
        bench.set("input.Key", 0)
        bench.advance(0.5)

    def senders(self, pgn: int) -> set[int]:
        """The source addresses under which a parameter group comes within 0.3 s."""
        before = len(self.bench.frames("can"))
        self.bench.advance(0.3)
        sent = [split(one.frame.can_id) for one in self.bench.frames("can")[before:] if one.frame.is_extended]
        return {one.source for one in sent if one.pgn == pgn}

    def contend(self, address: int) -> None:
        """Another control unit with a lower NAME claims an address, and wins it."""
        claim = 6 << 26 | ADDRESS_CLAIMED << 8 | 0xFF << 8 | address
        self.bench.send("can", Frame(EXTENDED | claim, bytes(8)))
        self.bench.advance(0.5)

    def ask(self, ecu: str, *requests: bytes) -> None:
        """UDS requests that are answered positively."""
        for request in requests:
            assert self.bench.uds(request, ecu=ecu)[0] == request[0] + 0x40


@pytest.fixture
def truck(tmp_path: Path) -> Iterator[Truck]:
    file = tmp_path / "bench.yaml"
    file.write_text(BENCH)
    with VirtualBench(file) as bench:
        yield Truck(bench)


def test_both_units_send_under_their_addresses(truck: Truck) -> None:
    assert (truck.senders(SPEED), truck.senders(GEAR)) == ({ENGINE}, {TRANSMISSION})


def test_a_new_address_does_not_end_the_silence_of_service_28(truck: Truck) -> None:
    """Only 28 00 does; the frames come under the new address then."""
    truck.ask("engine", SESSION, SILENCE)
    truck.contend(ENGINE)
    assert truck.senders(SPEED) == set()
    truck.ask("engine", SEND)
    (address,) = truck.senders(SPEED)
    assert address in MOVED


def test_service_28_lets_no_unit_send_that_has_no_address(truck: Truck) -> None:
    """The transmission lost its address and may take no other; the engine has one and sends again."""
    truck.contend(TRANSMISSION)
    truck.ask("engine", SESSION, SILENCE, SEND)
    assert (truck.senders(SPEED), truck.senders(GEAR)) == ({ENGINE}, set())


def test_the_silence_of_two_control_units_is_counted_for_each(truck: Truck) -> None:
    """Frames are sent again when the last of them allows it."""
    truck.ask("engine", SESSION, SILENCE)
    truck.ask("transmission", SESSION, SILENCE)
    assert truck.senders(SPEED) == set()
    truck.ask("engine", SEND)
    assert truck.senders(SPEED) == set()
    truck.ask("transmission", SEND)
    assert truck.senders(SPEED) == {ENGINE}


def test_the_end_of_a_session_ends_only_its_own_silence(truck: Truck) -> None:
    """The default session of one control unit does not let the other's tester down."""
    truck.ask("engine", SESSION, SILENCE)
    truck.ask("transmission", SESSION, SILENCE, b"\x10\x01")
    assert truck.senders(SPEED) == set()
    truck.ask("engine", b"\x10\x01")
    assert truck.senders(SPEED) == {ENGINE}


def test_a_unit_that_is_a_node_silences_that_nodes_frames_alone(tmp_path: Path) -> None:
    """A node that sends nothing is told with its key."""
    engine = "engine: {unit: engine, bus: can, "
    (tmp_path / "bench.yaml").write_text(BENCH.replace(engine, engine + "node: ENGINE, "))
    with VirtualBench(tmp_path / "bench.yaml") as bench:
        truck = Truck(bench)
        truck.ask("engine", SESSION, SILENCE)
        assert (truck.senders(SPEED), truck.senders(GEAR)) == (set(), {TRANSMISSION})
    (tmp_path / "bench.yaml").write_text(BENCH.replace(engine, engine + "node: ENGIN, "))
    with pytest.raises(ConfigurationError, match=r"units.engine.node: .*did you mean ENGINE"):
        VirtualBench(tmp_path / "bench.yaml")
