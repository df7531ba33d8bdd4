"""The terminal of a bus: what it hands over, what it believes, and how its node gets off the bus and back."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.desk.fmu.bus_operations import Status as State
from hilbridge.desk.fmu.bus_operations import format_error, status, transmit
from hilbridge.desk.fmu.bus_terminal import LONGEST, MOST, BusTerminal
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import FD, Frame

FRAME = Frame(0x123, b"\x01\x02")
RATE = 500_000
RECOVERY = 128 * 11 * 1_000_000_000 // RATE
"""[ns] ISO 11898-1: 128 times 11 recessive bits."""


class Heard:
    def __init__(self) -> None:
        self.frames: list[Frame] = []

    def receive(self, frame: Frame, t: int) -> None:
        self.frames.append(frame)


def error(identifier: int = 0x123, *, code: int = 1, primary: bool = True, sender: bool = True) -> bytes:
    return struct.pack("<IIIBBB", 0x31, 15, identifier, code, 1 if primary else 2, sender)


def confirm(identifier: int = 0x123) -> bytes:
    return struct.pack("<III", 0x20, 12, identifier)


def lost(identifier: int = 0x123) -> bytes:
    return struct.pack("<III", 0x30, 12, identifier)


@pytest.fixture
def bus() -> Bus:
    return Bus("powertrain")


def terminal_of(bus: Bus, *, notifications: bool = True, fd: bool = False) -> BusTerminal:
    one = BusTerminal(bus, RATE, None, fd=fd)
    one.notifications = notifications
    one.take()
    bus.attach_link(one)
    return one


def test_the_first_that_it_sends_is_the_configuration(bus: Bus) -> None:
    one = BusTerminal(bus, RATE, 2_000_000, fd=False)
    one.receive(FRAME, 0)
    rate = bytes.fromhex("40000000 0d000000 01 20a10700 40000000 0a000000 04 01")
    assert one.take() == rate + transmit(FRAME)
    assert one.take() == b""


def test_frames_are_on_the_bus_in_their_order(bus: Bus) -> None:
    one, heard = terminal_of(bus), Heard()
    bus.attach(heard)
    frames = [Frame(number, bytes((number,))) for number in (3, 1, 2)]
    one.give(b"".join(map(transmit, frames)))
    one.poll(0)
    bus.exchange(0)
    assert heard.frames == frames
    assert (one.statistics.received, one.take()) == (3, b"")


def test_what_is_no_operation_is_answered_and_the_rest_is_heard(bus: Bus) -> None:
    one, wrong = terminal_of(bus), bytes.fromhex("99000000 08000000")
    one.give(wrong + transmit(FRAME))
    one.poll(0)
    assert (one.take(), one.statistics.errors, one.statistics.received) == (format_error(wrong), 1, 1)


def test_a_format_error_is_answered_by_none(bus: Bus) -> None:
    one = terminal_of(bus)
    one.give(format_error(b"??") + bytes.fromhex("01000000 0a000000 ffff"))
    assert (one.take(), one.statistics.errors) == (b"", 2)


@pytest.mark.parametrize("frame", [Frame(1, bytes(12), FD), None])
def test_what_the_bus_cannot_carry_is_counted(bus: Bus, frame: Frame | None) -> None:
    one = terminal_of(bus)
    one.give(transmit(frame) if frame else bytes.fromhex("12000000 17000000 01000000 00000300 00000000 0100 7f"))
    one.poll(0)
    assert (one.statistics.refused, one.statistics.received, one.take()) == (1, 0, b"")


def test_a_bus_with_can_fd_hears_it(bus: Bus) -> None:
    one = terminal_of(bus, fd=True)
    one.give(transmit(Frame(1, bytes(12), FD)))
    one.poll(0)
    assert one.statistics.received == 1


def test_without_notifications_none_is_believed(bus: Bus) -> None:
    one = terminal_of(bus, notifications=False)
    one.receive(FRAME, 0)
    one.take()
    for _ in range(40):
        one.give(error() + lost() + confirm())
    assert (one.take(), one.node.state, one.accepts(0x123)) == (b"", State.ERROR_ACTIVE, True)


def test_a_lost_arbitration_sends_the_frame_again(bus: Bus) -> None:
    one = terminal_of(bus)
    one.receive(FRAME, 0)
    one.take()
    one.give(lost() + lost(0x124))
    assert one.take() == transmit(FRAME)
    one.give(confirm() + lost())
    assert one.take() == b""


def test_a_sender_goes_passive_and_off_the_bus_and_comes_back(bus: Bus) -> None:
    """16 errors of 8 are 128: passive; 32 are 256: off (ISO 11898-1)."""
    one, told = terminal_of(bus), []
    one.receive(FRAME, 0)
    for number in range(1, 33):
        one.take()
        one.give(error())
        if (sent := one.take()) != transmit(FRAME):
            told.append((number, sent))
    assert told == [(16, status(State.ERROR_PASSIVE) + transmit(FRAME)), (32, status(State.BUS_OFF))]
    assert not one.accepts(0x123)
    one.receive(FRAME, 0)
    one.give(transmit(FRAME))
    assert (one.take(), one.statistics.refused, one.statistics.bus_off) == (b"", 2, 1)
    one.poll(1000)
    one.poll(1000 + RECOVERY - 1)
    assert (one.take(), one.accepts(0x123)) == (b"", False)
    one.poll(1000 + RECOVERY)
    assert (one.take(), one.accepts(0x123)) == (status(State.ERROR_ACTIVE), True)


def test_a_passive_sender_without_an_acknowledge_stays_on_the_bus(bus: Bus) -> None:
    one = terminal_of(bus)
    for _ in range(100):
        one.give(error(code=5))
    assert (one.node.state, one.node.transmit) == (State.ERROR_PASSIVE, 128)
    one.give(confirm())
    assert one.node.state is State.ERROR_ACTIVE


def test_a_receiver_goes_passive_and_is_well_after_a_frame(bus: Bus) -> None:
    one = terminal_of(bus)
    for _ in range(128):
        one.give(error(sender=False, primary=False))
    one.give(error(sender=False))
    assert (one.node.receive, one.node.state) == (137, State.ERROR_PASSIVE)
    one.give(transmit(FRAME))
    assert (one.node.receive, one.node.state) == (127, State.ERROR_ACTIVE)


def test_what_no_clock_takes_is_bounded_and_counted(bus: Bus) -> None:
    one = terminal_of(bus)
    for _ in range(LONGEST // len(transmit(FRAME)) + 10):
        one.receive(FRAME, 0)
    assert len(one.take()) <= LONGEST
    assert 10 <= one.statistics.dropped <= 11


def test_what_arrives_is_bounded_and_counted(bus: Bus) -> None:
    one = terminal_of(bus)
    for _ in range(3):
        one.give(transmit(FRAME) * (MOST // 2))
    one.poll(0)
    assert (one.statistics.received, one.statistics.dropped) == (MOST, MOST // 2)
    with pytest.raises(ValueError, match="more than"):
        one.give(bytes(LONGEST + 1))


@given(st.lists(st.binary(max_size=200), max_size=20), st.booleans())
def test_any_bytes_are_survived(given_bytes: list[bytes], notifications: bool) -> None:
    bus = Bus("powertrain")
    one = terminal_of(bus, notifications=notifications)
    for number, data in enumerate(given_bytes):
        one.give(data)
        one.poll(number * 1_000_000)
        bus.exchange(number * 1_000_000)
        assert len(one.take()) <= LONGEST
