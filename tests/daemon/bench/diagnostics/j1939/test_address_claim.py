"""The 64 bits of a NAME, against can-j1939; claiming, defending and losing an address, by the bytes of SAE J1939-81."""

import j1939  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.j1939.address_claim import Name
from hilbridge.bench.diagnostics.j1939.controller_application import ControllerApplication
from vehiclesim.channels import InputData

from .peers import Frames, Peer, engine

FIELDS = (
    "arbitrary_address_capable",
    "industry_group",
    "vehicle_system_instance",
    "vehicle_system",
    "function",
    "function_instance",
    "ecu_instance",
    "manufacturer_code",
    "identity_number",
)
WIDTHS = (1, 3, 4, 7, 8, 5, 3, 11, 21)


@given(st.tuples(*[st.integers(0, (1 << width) - 1) for width in WIDTHS]))
def test_any_name_has_the_number_and_the_bytes_that_can_j1939_gives_it(fields: tuple[int, ...]) -> None:
    other = j1939.Name(**dict(zip(FIELDS, fields, strict=True)))
    own = Name(bool(fields[0]), *fields[1:])
    assert own.value == other.value
    assert own.data == bytes(other.bytes)


def test_a_name_written_by_hand() -> None:
    """On-highway engine, ECU instance 1, manufacturer 0x123, identity 0x12345: bits 60, 32, 21…31 and 0…20."""
    name = Name(ecu_instance=1, manufacturer=0x123, identity=0x12345)
    assert name.data == bytes.fromhex("45 23 61 24 01 00 00 10")


NAME = "05 00 00 00 00 00 00 10"
LOWER = "04 00 00 00 00 00 00 10"
HIGHER = "06 00 00 00 00 00 00 10"
REQUEST = "18EAFFF9 00 EE 00"

ARBITRARY = Name(arbitrary_address=True, identity=5)
ARBITRARY_NAME = "05 00 00 00 00 00 00 90"


def moves(node: ControllerApplication) -> list[int | None]:
    frames = node._frames
    assert isinstance(frames, Frames)
    return frames.addresses


def test_with_the_ignition_on_the_preferred_address_is_claimed_and_used_at_once() -> None:
    """0…127 need not wait for objections."""
    peer = Peer()
    node = engine(peer)
    assert peer.tick() == [f"18EEFF00 {NAME}"]
    assert (node.address, moves(node)) == (0, [None, 0])


@pytest.mark.parametrize(("address", "waits"), [(127, False), (128, True), (247, True), (248, False), (253, False)])
def test_addresses_of_the_free_range_wait_250_ms_for_objections(address: int, waits: bool) -> None:
    peer = Peer()
    node = engine(peer, preferred=address)
    peer.tick(times=250)
    assert (node.address is None) == waits
    peer.tick()
    assert node.address == address


def test_with_the_ignition_off_nothing_is_said_and_the_address_is_given_up() -> None:
    peer = Peer()
    node = engine(peer)
    peer.tick()
    peer.data.input[InputData.KEY] = -1
    assert peer.tick(times=5) == []
    assert peer.tick(REQUEST, "18EA00F9 EC FE 00", times=5) == []
    assert (node.address, moves(node)) == (None, [None, 0, None])
    peer.data.input[InputData.KEY] = 0
    assert peer.tick() == [f"18EEFF00 {NAME}"]


def test_a_request_to_all_or_to_the_unit_is_answered_with_the_claim() -> None:
    peer = Peer()
    engine(peer)
    peer.tick()
    assert peer.tick(REQUEST) == [f"18EEFF00 {NAME}"]
    assert peer.tick("18EA00FE 00 EE 00") == [f"18EEFF00 {NAME}"]
    assert peer.tick("18EA01F9 00 EE 00") == []


def test_a_contender_with_a_higher_name_loses() -> None:
    peer = Peer()
    node = engine(peer)
    peer.tick()
    assert peer.tick(f"18EEFF00 {HIGHER}", times=300) == [f"18EEFF00 {NAME}"]
    assert node.address == 0


def test_a_contender_with_a_lower_name_wins_and_who_cannot_move_falls_silent() -> None:
    """Cannot Claim under the null address after a delay: the bytes of the NAME add up to 21, 21 · 0.6 ms = 12.6 ms."""
    peer = Peer()
    node = engine(peer)
    peer.tick()
    assert peer.tick(f"18EEFF00 {LOWER}", times=12) == []
    assert peer.tick(times=5) == [f"18EEFFFE {NAME}"]
    assert (node.address, moves(node)) == (None, [None, 0, None])
    assert peer.tick("18EA00F9 EC FE 00", times=20) == []
    assert peer.tick(REQUEST, times=20) == [f"18EEFFFE {NAME}"]


def test_who_can_take_any_address_takes_the_first_free_one_from_128_on() -> None:
    """Addresses that others were heard to claim are not free."""
    peer = Peer()
    node = engine(peer, ARBITRARY)
    peer.tick()
    peer.tick("18EEFF80 01 00 00 00 00 00 00 10", "18EEFF81 01 00 00 00 00 00 00 10")
    assert peer.tick(f"18EEFF00 {LOWER}", times=249) == [f"18EEFF82 {ARBITRARY_NAME}"]
    assert moves(node) == [None, 0, None]
    peer.tick(times=2)
    assert (node.address, moves(node)) == (0x82, [None, 0, None, 0x82])


def test_when_all_free_addresses_are_taken_nothing_can_be_claimed() -> None:
    peer = Peer()
    node = engine(peer, ARBITRARY)
    peer.tick()
    peer.tick(*[f"18EEFF{address:02X} {LOWER}" for address in range(128, 248)])
    peer.tick(f"18EEFF00 {LOWER}", times=200)
    assert peer.heard == [f"18EEFFFE {ARBITRARY_NAME}"]
    assert node.address is None


def test_two_units_of_the_bench_with_one_address_settle_it_among_themselves() -> None:
    peer = Peer()
    first, second = engine(peer, Name(identity=9)), engine(peer, Name(identity=8))
    peer.tick(times=300)
    assert (first.address, second.address) == (None, 0)


def test_a_commanded_address_is_taken_by_the_unit_that_is_named() -> None:
    """PGN 65240, a broadcast of nine bytes: NAME and address."""
    peer = Peer()
    node = engine(peer)
    peer.tick()
    packets = (f"1CEBFFF9 01 {NAME[:20]}", "1CEBFFF9 02 10 2A FF FF FF FF FF")
    peer.tick("1CECFFF9 20 09 00 02 FF D8 FE 00", *packets)
    assert (node.address, moves(node)) == (0x2A, [None, 0, None, 0x2A])
    peer.tick("1CECFFF9 20 09 00 02 FF D8 FE 00", packets[0].replace("01 05", "01 06"), packets[1].replace("2A", "2B"))
    assert node.address == 0x2A


@given(st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=9)), max_size=30))
def test_any_claims_leave_an_address_that_nobody_with_a_lower_name_has_claimed(claims: list[tuple[int, bytes]]) -> None:
    peer = Peer()
    node = engine(peer, ARBITRARY)
    peer.tick()
    peer.tick(*[f"18EEFF{source:02X} {data.hex(' ')}" for source, data in claims], times=300)
    better = {s for s, data in claims if len(data) == 8 and int.from_bytes(data, "little") < ARBITRARY.value}
    assert node.address is not None
    assert node.address not in better
