"""A connection takes its own frames only, works in both directions at once, and survives every input."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.connection import IsoTpConnection
from hilbridge.bench.diagnostics.isotp.parameters import IsoTpParameters
from hilbridge.frames.codec.frame import ERROR, EXTENDED, FD, REMOTE, Frame

from .test_sender import counted
from .wires import ENGINE, Wire, request

ASYMMETRIC = Address(0x6F1, 0x612, 0x6F1, b"\x12", b"\xf1", b"\xdf")


def connected(parameters: IsoTpParameters | None = None, address: Address = ENGINE) -> tuple[IsoTpConnection, Wire]:
    wire = Wire()
    return IsoTpConnection(address, wire, parameters or IsoTpParameters()), wire


@pytest.mark.parametrize(
    "foreign",
    [
        request("02 3e 00", 0x7E1),
        request("02 3e 00", 0x7E8),
        request("02 3e 00", 0x7DF),
        request("02 3e 00", 0x7E0 | EXTENDED),
        request("02 3e 00", 0x7E0 | REMOTE),
        request("02 3e 00", 0x7E0 | ERROR),
    ],
)
def test_frames_of_others_are_passed_over(foreign: Frame) -> None:
    """Other identifiers, other formats, remote requests and error reports; not even counted."""
    connection, wire = connected()
    assert connection.receive(foreign, 0) is None
    assert connection.receive_functional(request("02 3e 00", 0x7E0), 0) is None
    assert (wire.frames, counted(connection.statistics)) == ([], {})


def test_a_prefix_belongs_to_the_address() -> None:
    """Target 12 hears 12, and DF as functional; its answers and flow control begin with the tester's F1."""
    connection, wire = connected(address=ASYMMETRIC)
    assert connection.receive(request("12 02 3e 00", 0x6F1), 0) == b"\x3e\x00"
    assert connection.receive(request("13 02 3e 00", 0x6F1), 0) is None
    assert connection.receive(request("df 02 3e 00", 0x6F1), 0) is None
    assert connection.receive_functional(request("df 02 3e 00", 0x6F1), 0) == b"\x3e\x00"
    assert connection.receive_functional(request("12 02 3e 00", 0x6F1), 0) is None
    connection.receive(request("12 10 08 01 02 03 04 05", 0x6F1), 0)
    assert connection.receive(request("12 21 06 07 08", 0x6F1), 0) == bytes(range(1, 9))
    assert connection.send(bytes(6), 0)
    assert wire.hex() == ["f1 30 00 00 cc cc cc cc", "f1 06 00 00 00 00 00 00"]
    assert counted(connection.statistics) == {}


def test_it_sends_and_receives_at_the_same_time() -> None:
    """A long request arrives while a long answer leaves."""
    connection, wire = connected()
    connection.send(bytes(20), 0)
    connection.receive(request("10 0d 01 02 03 04 05 06"), 0)
    connection.receive(request("30 01 00"), 0)
    assert connection.receive(request("21 07 08 09 0a 0b 0c 0d"), 0) == bytes(range(1, 14))
    connection.receive(request("30 00 00"), 0)
    assert [frame.data[0] for frame in wire.take()] == [0x10, 0x30, 0x21, 0x22]
    assert not connection.busy


def test_a_functional_request_does_not_disturb_a_longer_physical_one() -> None:
    """It is complete at once, and the other one continues."""
    connection, _ = connected()
    connection.receive(request("10 0d 01 02 03 04 05 06"), 0)
    assert connection.receive_functional(request("02 3e 80", 0x7DF), 0) == b"\x3e\x80"
    assert connection.receive(request("21 07 08 09 0a 0b 0c 0d"), 0) == bytes(range(1, 14))


def test_functional_frames_are_single_frames() -> None:
    """Segmented functional messages are not allowed: no ECU could answer with flow control."""
    connection, wire = connected()
    for text in ("10 0d 01 02 03 04 05 06", "21 07 08 09 0a 0b 0c 0d"):
        assert connection.receive_functional(request(text, 0x7DF), 0) is None
    assert connection.receive_functional(request("08", 0x7DF), 0) is None
    assert wire.frames == []
    assert counted(connection.statistics) == {"unexpected": 2, "malformed": 1}


@pytest.mark.parametrize("allowed", [False, True])
def test_flow_control_on_the_functional_identifier_is_taken_where_allowed(allowed: bool) -> None:
    """Scapy and the kernel's ISO-TP socket send it to where they sent the request."""
    connection, wire = connected(IsoTpParameters(functional_flow_control=allowed))
    connection.send(bytes(20), 0)
    connection.receive_functional(request("30 00 00", 0x7DF), 0)
    assert len(wire.frames) == (3 if allowed else 1)
    assert connection.sending != allowed


def test_it_is_busy_until_both_directions_are_done() -> None:
    connection, _ = connected()
    assert not connection.busy
    connection.receive(request("10 0d 01 02 03 04 05 06"), 0)
    assert (connection.busy, connection.sending) == (True, False)
    connection.send(bytes(20), 0)
    assert (connection.busy, connection.sending) == (True, True)
    connection.poll(SECOND)
    assert connection.busy
    connection.poll(SECOND + 1)
    assert not connection.busy
    assert counted(connection.statistics) == {"n_bs_timeout": 1, "n_cr_timeout": 1}


# -- any frames -----------------------------------------------------------------------------------------------------

likely = st.builds(
    lambda head, tail: bytes((head,)) + tail,
    st.sampled_from([0x00, 0x02, 0x07, 0x10, 0x11, 0x1F, *range(0x20, 0x30), *range(0x30, 0x34), 0x40, 0xFF]),
    st.binary(max_size=7) | st.binary(min_size=7, max_size=7),
)
frames = st.builds(
    Frame,
    st.sampled_from([0x7E0, 0x7DF, 0x7E8, 0x123]),
    likely | st.binary(max_size=8) | st.binary(max_size=64),
    st.sampled_from([0, FD]),
)
steps = st.lists(st.tuples(frames, st.sampled_from([0, MILLISECOND, 100 * MILLISECOND, 2 * SECOND])), max_size=60)


@given(steps, st.binary(min_size=1, max_size=200), st.sampled_from([0, 1, 3]))
def test_any_frames_in_any_order_leave_a_connection_that_works(
    traffic: list[tuple[Frame, int]], message: bytes, block_size: int
) -> None:
    """While an answer is sent or not. N_Bs later at the latest, a message arrives whole and one goes out whole."""
    longest = 256
    connection, wire = connected(IsoTpParameters(block_size=block_size, longest=longest))
    t = 0
    for frame, pause in traffic:
        t += pause
        connection.poll(t)
        for payload in (connection.receive(frame, t), connection.receive_functional(frame, t)):
            assert payload is None or 0 < len(payload) <= longest
            if payload:
                connection.send(message, t)
        assert len(connection.receiver._message) <= longest
    for _ in range(2):  # a message of which flow control allowed all is sent to its end
        t += 30 * SECOND
        connection.poll(t)
    while connection.sending:
        t += SECOND
        connection.poll(t)
    wire.take()
    heard = []
    tester = IsoTpConnection(
        ENGINE.mirrored(), lambda frame: heard.append(connection.receive(frame, t)), IsoTpParameters()
    )
    assert tester.send(message, t)
    for _ in range(100):
        t += MILLISECOND
        for frame in wire.take():
            tester.receive(frame, t)
        tester.poll(t)
        connection.poll(t)
    assert [one for one in heard if one is not None] == [message]
    assert connection.send(message, t)
    answers = []
    for _ in range(100):
        t += MILLISECOND
        answers += [tester.receive(frame, t) for frame in wire.take()]
        tester.poll(t)
        connection.poll(t)
    assert [one for one in answers if one is not None] == [message]
