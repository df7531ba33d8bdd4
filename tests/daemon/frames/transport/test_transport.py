"""BAM and RTS/CTS in both directions, frame by frame with the times of SAE J1939-21."""

from hypothesis import given
from hypothesis import strategies as st
from tests.daemon.bench.diagnostics.j1939.peers import frame, text

from hilbridge.base.common.units import MILLISECOND
from hilbridge.frames.codec.frame import Frame
from hilbridge.frames.codec.pgn import Identifier, split
from hilbridge.frames.transport.transport import MAX_BROADCASTS, MAX_CONNECTIONS, MAX_RECEPTIONS, Transport

VIN = b"WHB00000000000001*"  # 18 bytes: 3 packets
PACKETS = [
    "01 57 48 42 30 30 30 30",
    "02 30 30 30 30 30 30 30",
    "03 30 30 31 2A FF FF FF",
]


class Station:
    """A transport at address 00; F9 is the other end."""

    def __init__(self) -> None:
        self.out: list[Frame] = []
        self.received: list[tuple[int, int, bytes]] = []
        self.transport = Transport(self.out.append, lambda who, pgn, data, t: self.received.append((who, pgn, data)))
        self.t = 0

    def hear(self, *frames: str) -> list[str]:
        """What is sent at once in answer to frames."""
        for one in map(frame, frames):
            who = split(one.can_id)
            (self.transport.receive_control if who.pgn == 0xEC00 else self.transport.receive_data)(
                who, one.data, self.t
            )
        return self.said()

    def wait(self, milliseconds: int = 1) -> list[str]:
        for _ in range(milliseconds):
            self.t += MILLISECOND
            self.transport.poll(self.t)
        return self.said()

    def said(self) -> list[str]:
        frames, self.out[:] = list(self.out), []
        return [text(one) for one in frames]

    @property
    def idle(self) -> bool:
        transport = self.transport
        return not (transport._broadcasts or transport._transfers or transport._receptions)


def test_a_broadcast_is_announced_and_its_packets_follow_every_50_ms() -> None:
    station = Station()
    assert station.transport.broadcast(0, 0xFEEC, VIN)
    assert station.wait() == ["1CECFF00 20 12 00 03 FF EC FE 00"]
    for packet in PACKETS:
        assert station.wait(49) == []
        assert station.wait() == [f"1CEBFF00 {packet}"]
    assert station.wait(2000) == []
    assert (station.idle, station.transport.statistics.sent) == (True, 1)


def test_broadcasts_go_one_after_the_other_and_one_that_waits_goes_once() -> None:
    station = Station()
    for pgn in (0xFEEC, 0xFEDA, 0xFEEC):
        assert station.transport.broadcast(0, pgn, VIN)
    heard = station.wait(1000)
    assert [line[:13] for line in heard if line.startswith("1CEC")] == ["1CECFF00 20 1", "1CECFF00 20 1"]
    assert len(heard) == 8
    for pgn in range(MAX_BROADCASTS):
        assert station.transport.broadcast(0, 0xFF00 + pgn, VIN)
    assert not station.transport.broadcast(0, 0xFEEC, VIN)


def test_a_connection_sends_what_is_cleared_one_packet_a_tick() -> None:
    station = Station()
    assert station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
    assert station.said() == ["1CECF900 10 12 00 03 FF EC FE 00"]
    assert station.hear("1CEC00F9 11 02 01 FF FF EC FE 00") == []
    assert station.wait(5) == [f"1CEBF900 {packet}" for packet in PACKETS[:2]]
    station.hear("1CEC00F9 11 FF 03 FF FF EC FE 00")
    assert station.wait(5) == [f"1CEBF900 {PACKETS[2]}"]
    assert station.hear("1CEC00F9 13 12 00 03 FF EC FE 00") == []
    assert (station.idle, station.transport.statistics.sent) == (True, 1)


def test_packets_that_were_lost_are_sent_again() -> None:
    station = Station()
    station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
    station.hear("1CEC00F9 11 03 01 FF FF EC FE 00")
    station.wait(5)
    station.hear("1CEC00F9 11 01 02 FF FF EC FE 00")
    assert station.wait(5) == [f"1CEBF900 {PACKETS[1]}"]


def test_a_silent_receiver_is_given_up_after_1250_ms_and_after_a_hold_in_1050_ms() -> None:
    """T3 and T4; reason 3."""
    station = Station()
    abort = "1CECF900 FF 03 FF FF FF EC FE 00"
    station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
    station.said()
    assert station.wait(1249) == []
    station.hear("1CEC00F9 11 00 FF FF FF EC FE 00")
    assert station.wait(1049) == []
    assert station.wait() == [abort]
    assert (station.idle, station.transport.statistics.failed) == (True, 1)


def test_a_clearance_that_cannot_be_ends_the_connection() -> None:
    """Reason 4 while packets go; reason 7 for a packet that does not exist."""
    for cleared, reason in (("02 01", None), ("01 00", 7), ("01 04", 7)):
        station = Station()
        station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
        station.said()
        first = station.hear(f"1CEC00F9 11 {cleared} FF FF EC FE 00")
        second = station.hear("1CEC00F9 11 01 01 FF FF EC FE 00")
        assert first + second == [f"1CECF900 FF {reason or 4:02X} FF FF FF EC FE 00"]
        assert station.idle


def test_one_connection_to_an_address_at_a_time_and_an_abort_frees_it() -> None:
    station = Station()
    assert station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
    assert not station.transport.transfer(0, 0xF9, 0xFEDA, VIN, 0)
    assert station.transport.transfer(0, 0xFA, 0xFEDA, VIN, 0)
    station.hear("1CEC00F9 FF 02 FF FF FF EC FE 00")
    assert station.transport.transfer(0, 0xF9, 0xFEDA, VIN, 0)


def test_a_broadcast_is_received_and_a_gap_ends_it() -> None:
    station = Station()
    announced = "1CECFFF9 20 12 00 03 FF EC FE 00"
    assert station.hear(announced, *[f"1CEBFFF9 {packet}" for packet in PACKETS]) == []
    assert station.received == [(0xF9, 0xFEEC, VIN)]
    station.hear(announced, f"1CEBFFF9 {PACKETS[0]}", f"1CEBFFF9 {PACKETS[2]}", f"1CEBFFF9 {PACKETS[1]}")
    assert (station.idle, len(station.received), station.transport.statistics.incomplete) == (True, 1, 1)


def test_a_broadcast_that_stops_is_forgotten_after_750_ms() -> None:
    """T1; no abort is sent."""
    station = Station()
    station.hear("1CECFFF9 20 12 00 03 FF EC FE 00")
    assert station.wait(749) == []
    assert not station.idle
    assert station.wait() == []
    assert station.idle


def test_a_connection_is_received_in_portions_that_both_can_take() -> None:
    """The sender takes 2 packets for one clearance."""
    station = Station()
    assert station.hear("1CEC00F9 10 12 00 03 02 EC FE 00") == ["1CECF900 11 02 01 FF FF EC FE 00"]
    assert station.hear(*[f"1CEB00F9 {packet}" for packet in PACKETS[:2]]) == ["1CECF900 11 01 03 FF FF EC FE 00"]
    assert station.hear(f"1CEB00F9 {PACKETS[2]}") == ["1CECF900 13 12 00 03 FF EC FE 00"]
    assert station.received == [(0xF9, 0xFEEC, VIN)]


def test_a_lost_packet_is_asked_for_again_twice_at_most() -> None:
    """Then reason 5."""
    station = Station()
    station.hear("1CEC00F9 10 12 00 03 FF EC FE 00", f"1CEB00F9 {PACKETS[0]}")
    again = "1CECF900 11 02 02 FF FF EC FE 00"
    assert station.hear(f"1CEB00F9 {PACKETS[2]}") == [again]
    assert station.hear(f"1CEB00F9 {PACKETS[2]}") == [again]
    assert station.hear(f"1CEB00F9 {PACKETS[2]}") == ["1CECF900 FF 05 FF FF FF EC FE 00"]
    assert station.idle


def test_a_silent_sender_is_given_up_after_1250_ms() -> None:
    """T2 after a clearance."""
    station = Station()
    station.hear("1CEC00F9 10 12 00 03 FF EC FE 00")
    assert station.wait(1249) == []
    assert station.wait() == ["1CECF900 FF 03 FF FF FF EC FE 00"]


def test_requests_to_send_that_cannot_be_are_refused_with_the_reason() -> None:
    """1 connected already, 2 no room, 9 longer than 1785 bytes, 250 length and packets contradict each other."""
    station = Station()
    for request, reason in (("FA 06 FF", 9), ("12 00 04", 250), ("08 00 02", 250)):
        answer = station.hear(f"1CEC00F9 10 {request} FF EC FE 00")
        assert answer == [f"1CECF900 FF {reason:02X} FF FF FF EC FE 00"]
    station.hear("1CEC00F9 10 12 00 03 FF EC FE 00")
    assert station.hear("1CEC00F9 10 12 00 03 FF DA FE 00") == ["1CECF900 FF 01 FF FF FF DA FE 00"]
    for source in range(1, MAX_CONNECTIONS):
        station.hear(f"1CEC00{source:02X} 10 12 00 03 FF EC FE 00")
    assert station.hear("1CEC0080 10 12 00 03 FF EC FE 00") == ["1CEC8000 FF 02 FF FF FF EC FE 00"]


def test_a_repeated_request_to_send_begins_anew() -> None:
    station = Station()
    opening = "1CEC00F9 10 12 00 03 FF EC FE 00"
    station.hear(opening, f"1CEB00F9 {PACKETS[0]}")
    assert station.hear(opening) == ["1CECF900 11 03 01 FF FF EC FE 00"]
    station.hear(*[f"1CEB00F9 {packet}" for packet in PACKETS])
    assert station.received == [(0xF9, 0xFEEC, VIN)]


@given(st.binary(min_size=9, max_size=1785), st.integers(1, 255), st.data())
def test_what_one_transport_sends_another_receives_whatever_portions_it_takes(
    payload: bytes, window: int, data: st.DataObject
) -> None:
    """Both directions at once, with packets that get lost now and then."""
    ends = {0x00: Station(), 0xF9: Station()}
    losses = data.draw(st.sets(st.integers(1, 600), max_size=2))
    for here, there in ((0x00, 0xF9), (0xF9, 0x00)):
        assert ends[here].transport.transfer(here, there, 0xEF00, payload, 0)
    count = 0
    for _ in range(2000):
        for address, station in ends.items():
            other = ends[0xF9 - address]
            for line in station.wait():
                count += 1
                if count not in losses:
                    is_request = line.startswith("1CEC") and line[9:11] == "10"
                    told = f"{line[:21]}{window:02X}{line[23:]}" if is_request else line
                    other.out += map(frame, other.hear(told))
        if all(station.idle for station in ends.values()):
            break
    for address, station in ends.items():
        if not losses:
            assert station.received == [(0xF9 - address, 0xEF00, payload)]
        assert station.idle
        assert all(received == (0xF9 - address, 0xEF00, payload) for received in station.received)


@given(st.lists(st.tuples(st.sampled_from([0xEC00, 0xEB00]), st.integers(0, 255), st.binary(max_size=9)), max_size=80))
def test_any_frames_leave_a_bounded_number_of_sessions_that_all_end(frames: list[tuple[int, int, bytes]]) -> None:
    """And the next good message is received."""
    station = Station()
    station.transport.transfer(0, 0xF9, 0xFEEC, VIN, 0)
    for pgn, source, data in frames:
        who = Identifier(7, pgn, 0 if source % 2 else 255, source)
        (station.transport.receive_control if pgn == 0xEC00 else station.transport.receive_data)(who, data, station.t)
        station.wait()
        assert len(station.transport._receptions) <= MAX_RECEPTIONS
    station.wait(4000)
    assert station.idle
    before = len(station.received)
    station.hear("1CEC00F9 10 12 00 03 FF EC FE 00", *[f"1CEB00F9 {packet}" for packet in PACKETS])
    assert station.received[before:] == [(0xF9, 0xFEEC, VIN)]
