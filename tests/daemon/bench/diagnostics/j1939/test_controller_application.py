"""Requests and acknowledgements by the bytes of SAE J1939-21, and the answers of a control unit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.bench.diagnostics.j1939.address_claim import Name
from hilbridge.bench.diagnostics.j1939.controller_application import (
    MAX_REQUESTS,
    Acknowledgement,
    ControllerApplication,
    Identity,
    acknowledgement,
    requested,
)
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import J1939TroubleCode, Lamps
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.frames.codec.frame import ERROR, EXTENDED, FD, REMOTE, Frame

from .peers import Frames, Peer, engine, frame, text


def test_a_request_names_its_group_lowest_byte_first() -> None:
    """What follows is passed over; two bytes are no request."""
    assert requested(bytes.fromhex("EC FE 00")) == 65260
    assert requested(bytes.fromhex("EC FE 00 FF FF FF FF FF")) == 65260
    assert requested(bytes.fromhex("EC FE")) is None


def test_a_negative_acknowledgement_goes_to_all_and_names_the_requester() -> None:
    assert text(acknowledgement(Acknowledgement.NEGATIVE, 65260, 0xF9, 0x00)) == "18E8FF00 01 FF FF FF F9 EC FE 00"
    assert text(acknowledgement(Acknowledgement.POSITIVE, 65235, 0x21, 0x03)) == "18E8FF03 00 FF FF FF 21 D3 FE 00"


PAYLOADS = {0xFEEC: b"WHB00000000000001*", 0xFEDA: b"\x01A1*"}
NACK = "18E8FF00 01 FF FF FF F9"


class Troubles:
    """Two active codes until they are cleared; the previous one cannot be cleared."""

    def __init__(self) -> None:
        self.changes = 0
        self.now = [J1939TroubleCode(1323, 11, 1), J1939TroubleCode(110, 0, 1)]

    def active(self) -> list[J1939TroubleCode]:
        return self.now

    def previously_active(self) -> list[J1939TroubleCode]:
        return [J1939TroubleCode(168, 4, 3)]

    def lamps(self) -> Lamps:
        return Lamps(malfunction=bool(self.now))

    def clear_active(self, t: int) -> bool:
        self.now = []
        self.changes += 1
        return True

    def clear_previously_active(self, t: int) -> bool:
        return False


def awake() -> tuple[Peer, ControllerApplication]:
    """A control unit that has its address."""
    peer = Peer()
    node = engine(peer, payloads=PAYLOADS)
    peer.tick()
    return peer, node


def troubled() -> Peer:
    """The same with trouble codes, after its first DM1."""
    peer = Peer()
    peer.add(ControllerApplication(peer.bus, peer.data, Identity(Name(identity=5), 0, {}), Frames(), Troubles()))
    peer.tick(times=200)
    return peer


def test_a_short_answer_goes_to_all_in_the_tick_of_its_request() -> None:
    peer, _ = awake()
    assert peer.tick("18EA00F9 DA FE 00") == ["18FEDA00 01 41 31 2A"]


def test_a_long_answer_goes_to_him_who_asked_or_as_a_broadcast_if_all_were_asked() -> None:
    peer, _ = awake()
    assert peer.tick("18EA00F9 EC FE 00") == ["1CECF900 10 12 00 03 FF EC FE 00"]
    assert peer.tick("18EAFFF9 EC FE 00") == ["1CECFF00 20 12 00 03 FF EC FE 00"]


def test_who_asks_again_while_his_answer_is_on_its_way_is_told_to_wait() -> None:
    """Control byte 3: cannot respond."""
    peer, node = awake()
    peer.tick("18EA00F9 EC FE 00")
    assert peer.tick("18EA00F9 EC FE 00") == ["18E8FF00 03 FF FF FF F9 EC FE 00"]
    assert node.statistics.busy == 1


def test_a_frame_of_the_plan_is_shown_at_once() -> None:
    peer, node = awake()
    peer.tick("18EA00F9 04 F0 00")
    frames = node._frames
    assert isinstance(frames, Frames)
    assert frames.shown == [peer.t]
    assert node.statistics.answered == 1


def test_what_is_not_supported_is_refused_unless_all_were_asked() -> None:
    peer, _ = awake()
    assert peer.tick("18EA00F9 00 FF 00") == [f"{NACK} 00 FF 00"]
    assert peer.tick("18EAFFF9 00 FF 00") == []
    assert peer.tick("18EA01F9 EC FE 00") == []


def test_active_codes_go_as_a_broadcast_and_on_request() -> None:
    """Two codes: ten bytes."""
    peer = troubled()
    assert peer.tick("18EAFFF9 CA FE 00", times=101) == [
        "1CECFF00 20 0A 00 02 FF CA FE 00",
        "1CEBFF00 01 40 FF 2B 05 0B 01 6E",
        "1CEBFF00 02 00 00 01 FF FF FF FF",
    ]
    assert peer.tick("18EA00F9 CB FE 00") == ["18FECB00 40 FF A8 00 04 03 FF FF"]


def test_codes_are_cleared_on_request_and_it_is_acknowledged() -> None:
    """DM11 with ACK and a DM1 without codes; DM3 is refused here. Who asks all is not answered."""
    peer = troubled()
    assert peer.tick("18EA00F9 D3 FE 00", times=2) == [
        "18E8FF00 00 FF FF FF F9 D3 FE 00",
        "18FECA00 00 FF 00 00 00 00 FF FF",
    ]
    assert peer.tick("18EA00F9 CC FE 00") == [f"{NACK} CC FE 00"]
    assert peer.tick("18EAFFF9 CC FE 00") == []


@pytest.mark.parametrize(("written", "control"), [(True, "00"), (False, "01")])
def test_clearing_is_acknowledged_when_it_is_written(*, written: bool, control: str) -> None:
    """With ACK, or NACK if it cannot be; while 32 wait, more are told that it cannot respond."""
    peer, nvram = Peer(), Nvram()
    nvram.connected = True
    identity = Identity(Name(identity=5), 0, {})
    peer.add(ControllerApplication(peer.bus, peer.data, identity, Frames(), Troubles(), nvram))
    peer.tick(times=200)
    assert [one for one in peer.tick("18EA00F9 D3 FE 00", times=20) if one.startswith("18E8")] == []
    nvram.end(nvram.asked, written=written)
    assert [one for one in peer.tick() if one.startswith("18E8")] == [f"18E8FF00 {control} FF FF FF F9 D3 FE 00"]
    peer.tick(*["18EA00F9 D3 FE 00"] * MAX_REQUESTS)
    assert peer.tick("18EA00F9 D3 FE 00") == ["18E8FF00 03 FF FF FF F9 D3 FE 00"]


def test_a_flood_of_requests_costs_a_bounded_number_of_answers_a_tick() -> None:
    peer, node = awake()
    assert len(peer.tick(*["18EA00F9 DA FE 00"] * 100)) == MAX_REQUESTS
    assert node.statistics.dropped == 100 - MAX_REQUESTS
    assert peer.tick() == []


def test_frames_of_11_bits_remote_requests_errors_and_can_fd_are_not_heard() -> None:
    peer, _ = awake()
    good = frame("18EA00F9 DA FE 00")
    for bad in (
        Frame(good.can_id & ~EXTENDED, good.data),
        Frame(good.can_id | REMOTE, good.data),
        Frame(good.can_id | ERROR, good.data),
        Frame(good.can_id, good.data, FD),
    ):
        peer.bus.transmit(bad, peer)
    assert peer.tick() == []


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0xEA00, 0xEA9F, 0xEAFF, 0xEC00, 0xECFF, 0xEB00, 0xEBFF, 0xEEFF, 0xE8FF, 0x0000, 0xF004]),
            st.integers(0, 255),
            st.binary(max_size=10),
        ),
        max_size=60,
    )
)
def test_after_any_frames_the_next_good_request_is_answered(frames: list[tuple[int, int, bytes]]) -> None:
    """From the unit that keeps the address: an arbitrary address capable unit always has one."""
    peer = Peer()
    node = engine(peer, Name(arbitrary_address=True, identity=5), payloads=PAYLOADS)
    peer.tick()
    for group, source, data in frames:
        peer.bus.transmit(Frame(EXTENDED | 0x18000000 | group << 8 | source, data), peer)
    peer.tick(times=300)
    assert f"18FEDA{node.address:02X} 01 41 31 2A" in peer.tick(f"18EA{node.address:02X}F9 DA FE 00")
