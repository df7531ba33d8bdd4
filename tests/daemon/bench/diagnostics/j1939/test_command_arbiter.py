"""Arbitration of commands: which sender prevails, and when a command ends."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.diagnostics.j1939.address_claim import Name
from hilbridge.bench.diagnostics.j1939.command_arbiter import MAX_SENDERS, CommandArbiter
from hilbridge.bench.diagnostics.j1939.commands import CommandDecoder
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import load_database
from hilbridge.frames.codec.frame import EXTENDED, Frame
from vehiclesim.channels import RequestData
from vehiclesim.databus import DataBus

from .peers import frame

DATABASE = load_database(Path(__file__).parents[5] / "dbc" / "j1939.dbc")

RPM, TORQUE, RPM_LIMIT, TORQUE_LIMIT = (
    RequestData.ENGINE_RPM,
    RequestData.ENGINE_TORQUE,
    RequestData.ENGINE_RPM_LIMIT,
    RequestData.ENGINE_TORQUE_LIMIT,
)
SPEED_1500 = "C1 E0 2E FF FD FF FF FF"  # highest priority, every 50 ms
TORQUE_50 = "C2 FF FF AF FD FF FF FF"
LIMIT_25 = "F3 FF FF 96 FD FF FF FF"  # lowest priority, 25 %
DISABLED = "C0 FF FF FF FD FF FF FF"


class Unit:
    def __init__(self, function: int, address: int | None) -> None:
        self.name = Name(function=function)
        self.address = address


class Receiver:
    """Engine at 00, retarder at 10; what is asked of them is in `held`."""

    def __init__(self) -> None:
        self.bus = Bus("truck")
        self.units = [Unit(0, 0x00), Unit(13, 0x10), Unit(9, 0x0D)]
        self.held: dict[int, float] = {}
        self.controls = CommandArbiter(self.bus, self.units, CommandDecoder(DATABASE, DataBus(), 2000.0, 8.0), self)
        self.t = 0

    def set(self, index: int, value: float, t: int) -> None:
        self.held[index] = value

    def release(self, index: int) -> None:
        del self.held[index]

    def tick(self, *sent: str, times: int = 1) -> dict[int, float]:
        for one in sent:
            self.bus.transmit(frame(one), None)
        for _ in range(times):
            self.t += MILLISECOND
            self.bus.exchange(self.t)
            self.controls.serve(self.t)
        return self.held


def test_a_command_stands_until_its_sender_takes_it_back() -> None:
    receiver = Receiver()
    assert receiver.tick(f"0C000027 {SPEED_1500}") == {RPM: 1500.0}
    assert receiver.tick(f"0C000027 {DISABLED}") == {}


@pytest.mark.parametrize(("rate", "milliseconds"), [("FF", 30), ("FE", 60), ("FD", 150), ("F8", 3000)])
def test_a_command_ends_when_three_frames_are_missing(rate: str, milliseconds: int) -> None:
    """By the rate that the sender names; without one every 10 ms."""
    receiver = Receiver()
    receiver.tick(f"0C000027 C1 E0 2E FF {rate} FF FF FF")
    assert receiver.tick(times=milliseconds) == {RPM: 1500.0}
    assert receiver.tick() == {}
    assert receiver.controls.statistics.timed_out == 1


def test_status_frames_end_after_300_ms() -> None:
    receiver = Receiver()
    receiver.tick("18F0010B FF 7D FF FF FF FF FF FF")
    assert receiver.tick(times=300) == {RequestData.BRAKE_RATIO: 0.5}
    assert receiver.tick() == {}


def test_the_destination_tells_engine_from_retarder() -> None:
    receiver = Receiver()
    assert receiver.tick("0C001027 C2 FF FF 4B FD FF FF FF") == {RequestData.RETARDER_RATIO: 0.5}
    assert receiver.tick(f"0C000327 {SPEED_1500}") == {RequestData.RETARDER_RATIO: 0.5}
    assert receiver.tick(f"0C00FF28 {TORQUE_50}") == {RequestData.RETARDER_RATIO: 0.5, TORQUE: 1000.0}


def test_who_has_no_address_takes_no_commands() -> None:
    receiver = Receiver()
    receiver.units[0].address = None
    assert receiver.tick(f"0C000027 {SPEED_1500}", f"0C00FF27 {SPEED_1500}") == {}


def test_while_no_unit_is_awake_nothing_is_a_command() -> None:
    receiver = Receiver()
    for unit in receiver.units:
        unit.address = None
    assert receiver.tick("18F0010B FF 7D FF FF FF FF FF FF") == {}


def test_what_the_bench_s_own_units_send_is_no_command() -> None:
    receiver = Receiver()
    assert receiver.tick("18F00010 F1 55 FF FF FF FF FF FF", f"0C000010 {SPEED_1500}") == {}


def test_of_speed_and_torque_the_higher_priority_wins_and_of_equals_the_first() -> None:
    receiver = Receiver()
    receiver.tick(f"0C000027 {SPEED_1500}", f"0C000028 {TORQUE_50}")
    assert receiver.held == {RPM: 1500.0}
    low = f"0C000027 {SPEED_1500.replace('C1', 'F1')}"
    assert receiver.tick(low) == {TORQUE: 1000.0}


def test_limits_of_all_senders_hold_and_the_lowest_of_each() -> None:
    receiver = Receiver()
    receiver.tick(f"0C000027 {TORQUE_50}", f"0C000028 {LIMIT_25}", "0C000029 C3 40 1F E1 FD FF FF FF")
    assert receiver.held == {TORQUE: 1000.0, TORQUE_LIMIT: 500.0, RPM_LIMIT: 1000.0}


def test_of_all_who_brake_the_strongest_counts() -> None:
    receiver = Receiver()
    receiver.tick("18F0010B FF 7D FF FF 32 FF FF FF", "18F00011 F1 55 FF FF FF FF FF FF")
    assert receiver.held == {RequestData.BRAKE_RATIO: 0.5, RequestData.RETARDER_RATIO: 0.4}


def test_counter_and_checksum_must_be_right_where_there_are_some() -> None:
    """SPN 4207 by hand: bytes 1…7 of 0C000027 C1 E0 2E FF FD FF FF add up to 5C9 hex, the identifier to 33 hex.

    With counter 0: 5FC hex = 1532; (1532 >> 6 & 3) + (1532 >> 3) + 1532 = 3 + 191 + 1532 = 1726, of which 3 bits: 6.
    """
    receiver = Receiver()
    body = "0C000027 C1 E0 2E FF FD FF FF"
    assert receiver.tick(f"{body} 50") == {}
    assert receiver.controls.statistics.wrong_protection == 1
    assert receiver.tick(f"{body} 60") == {RPM: 1500.0}
    assert receiver.tick(f"{body} 60", times=160) == {}


def test_frames_that_are_too_short_are_counted() -> None:
    receiver = Receiver()
    assert receiver.tick("0C000027 C1 E0 2E", "18F0010B FF 7D") == {}
    assert receiver.controls.statistics.wrong_length == 2


def test_a_bounded_number_of_senders_is_heard() -> None:
    receiver = Receiver()
    receiver.tick(*[f"0C0000{source:02X} {SPEED_1500}" for source in range(0x20, 0x20 + MAX_SENDERS + 3)])
    assert receiver.controls.statistics.dropped == 3


@given(
    st.lists(
        st.tuples(st.sampled_from([0x0000, 0x0010, 0x00FF, 0xF000, 0xF001, 0xF004]), st.integers(0, 255), st.binary()),
        max_size=60,
    )
)
def test_any_frames_are_survived_and_leave_nothing_behind(frames: list[tuple[int, int, bytes]]) -> None:
    receiver = Receiver()
    for group, source, data in frames:
        receiver.bus.transmit(Frame(EXTENDED | 0x0C000000 | group << 8 | source, data), None)
        receiver.tick()
    assert receiver.tick(times=3001) == {}
    assert receiver.tick(f"0C000027 {SPEED_1500}") == {RPM: 1500.0}


def xbr(demand: str, source: int, counter: int, *, mode: int = 0xE3, wrong: int = 0, destination: int = 0x0D) -> str:
    """An external brake request with the checksum of SPN 3188: sum of bytes, counter and identifier, folded."""
    identifier = 0x0C040000 | destination << 8 | source
    data = bytes.fromhex(demand) + bytes((mode, 0xFF, 0xFF, 0xFF, 0xFF))
    total = sum(data) + counter + sum(identifier.to_bytes(4, "big"))
    checksum = (total + (total >> 4) + wrong) & 0x0F
    return f"{identifier:08X} {(data + bytes((checksum << 4 | counter,))).hex()}"


GENTLE, HARD = "7F 6D", "7F 5D"
"""-2 and -4 m/s²: a quarter and half of full braking."""

BRAKING = RequestData.BRAKE_RATIO


def braking(held: dict[int, float]) -> float | None:
    return round(held[BRAKING], 3) if BRAKING in held else None


def test_a_brake_request_needs_counter_and_checksum_and_ends_after_three_missed() -> None:
    receiver = Receiver()
    assert braking(receiver.tick(xbr(HARD, 0x2A, 0))) == 0.5
    assert braking(receiver.tick(xbr(GENTLE, 0x2A, 1, wrong=1))) == 0.5
    assert receiver.controls.statistics.wrong_protection == 1
    assert braking(receiver.tick(xbr(GENTLE, 0x2A, 1))) == 0.25
    assert braking(receiver.tick(times=120)) == 0.25
    assert braking(receiver.tick()) is None


def test_a_brake_request_is_for_the_brakes() -> None:
    receiver = Receiver()
    assert braking(receiver.tick(xbr(HARD, 0x2A, 0, destination=0x00))) is None
    assert braking(receiver.tick(xbr(HARD, 0x2A, 0, destination=0xFF))) == 0.5


def test_the_brake_request_of_the_highest_priority_wins_and_the_pedal_of_a_trailer_may_be_more() -> None:
    """Bits 3 and 4 of byte 3: 00 is the highest."""
    receiver = Receiver()
    assert braking(receiver.tick(xbr(HARD, 0x2A, 0, mode=0xEB))) == 0.5
    assert braking(receiver.tick(xbr(GENTLE, 0x2B, 0, mode=0xE3))) == 0.25
    assert braking(receiver.tick("18F0010C FF 7D FF FF FF FF FF FF")) == 0.5
    assert braking(receiver.tick(xbr(GENTLE, 0x2B, 1, mode=0xC3))) == 0.5
