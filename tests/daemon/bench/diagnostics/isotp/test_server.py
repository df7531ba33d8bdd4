"""The server answers in the tick that reads a request, one answer at a time on each address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.isotp.parameters import OBD, IsoTpParameters, WhileBusy
from hilbridge.bench.diagnostics.isotp.server import MAXIMUM_REQUESTS, MAXIMUM_WAITING, IsoTpServer
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import BRS, EXTENDED, FD, Frame

from .test_sender import counted
from .wires import ENGINE, GEARBOX, request

ENGINE_29BIT = Address.normal_fixed_29bit(0xF1, 0x10)
LONG = bytes(range(1, 21))


class Ecu:
    """An ECU with given answers; `later` are the answers that it gives later."""

    def __init__(self, answers: dict[bytes, bytes] | None = None) -> None:
        self.answers = {b"\x3e\x00": b"\x7e\x00", b"\x09\x02": LONG} if answers is None else answers
        self.asked: list[tuple[bytes, bool, int]] = []
        self.later: list[bytes] = []
        self.answering = False

    def request(self, payload: bytes, functional: bool, t: int) -> bytes | None:
        self.asked.append((payload, functional, t))
        return self.answers.get(payload)

    def poll(self, t: int) -> bytes | None:
        return self.later.pop(0) if self.later else None

    def keep_alive(self, t: int) -> None:
        pass

    @property
    def idle(self) -> bool:
        return False


class Bench:
    """A bus with a server and a tester, in ticks of a millisecond."""

    def __init__(
        self, *ecus: tuple[Address, Ecu], parameters: IsoTpParameters | None = None, first: Ecu | None = None
    ) -> None:
        self.bus = Bus("powertrain")
        self.ecu = first or Ecu()
        self.awake = True
        self.server = IsoTpServer(
            self.bus, ecus or [(ENGINE, self.ecu)], parameters or IsoTpParameters(), lambda _t: self.awake
        )
        self.heard: list[Frame] = []
        self.bus.attach(self)
        self.t = -MILLISECOND

    def receive(self, frame: Frame, t: int) -> None:
        self.heard.append(frame)

    def tick(self, *frames: Frame) -> list[str]:
        """What is heard in the tick in which these frames arrive: identifier and bytes."""
        self.t += MILLISECOND
        for frame in frames:
            self.bus.transmit(frame, self)
        self.bus.exchange(self.t)
        self.server.poll(self.t)
        self.bus.exchange(self.t)
        heard, self.heard = self.heard, []
        return [f"{frame.identifier:X} {frame.data.hex(' ')}" for frame in heard]


PRESENT = request("02 3e 00")
PRESENT_ALL = request("02 3e 00", 0x7DF)
VIN = request("02 09 02")
CONTINUE = request("30 00 00")
STILL_PRESENT = "7E8 02 7e 00 cc cc cc cc cc"
VIN_BEGINS = "7E8 10 14 01 02 03 04 05 06"
VIN_GOES_ON = ["7E8 21 07 08 09 0a 0b 0c 0d", "7E8 22 0e 0f 10 11 12 13 14"]


def test_an_answer_begins_in_the_tick_that_reads_its_request() -> None:
    """Single frame or not; the application gets the time of the tick and how it was asked."""
    bench = Bench()
    assert bench.tick(PRESENT) == [STILL_PRESENT]
    assert bench.tick(PRESENT_ALL) == [STILL_PRESENT]
    assert bench.tick(VIN) == [VIN_BEGINS]
    assert bench.tick(CONTINUE) == VIN_GOES_ON
    assert bench.ecu.asked == [
        (b"\x3e\x00", False, 0),
        (b"\x3e\x00", True, MILLISECOND),
        (b"\x09\x02", False, 2 * MILLISECOND),
    ]
    assert bench.server.answered_after == [3] + [0] * 15
    assert counted(bench.server.statistics) == {"requests": 3, "answers": 3}


@pytest.mark.parametrize("size", [8, 64])
def test_an_answer_has_the_format_of_its_request(size: int) -> None:
    """Classic, CAN FD, with the bit rate switch, and classic again; physical and functional, flow control too."""
    bench = Bench(parameters=IsoTpParameters(frame_size=size, flags=FD if size > 8 else 0))
    sent: list[Frame] = []
    bench.bus.attach_observer(lambda _t, _bus, _received, frame: sent.append(frame))
    for flags in (0, FD, FD | BRS, 0):
        sent.clear()
        for asked in (PRESENT, PRESENT_ALL, VIN, CONTINUE, request("10 14 01 02 03 04 05 06")):
            bench.tick(asked._replace(flags=flags))
        answers = [frame for frame in sent if frame.can_id == ENGINE.response_id]
        assert {frame.flags for frame in answers} == {flags}
        assert max(len(frame.data) for frame in answers) == (24 if flags and size == 64 else 8)


def test_answers_that_have_just_begun_are_told_for_a_tick() -> None:
    """With how many ticks they took; in the next tick they are old."""
    bench = Bench()
    bench.tick(PRESENT)
    assert bench.server.begun == [0]
    bench.tick()
    assert bench.server.begun == []


def test_a_long_request_is_answered_in_the_tick_of_its_last_frame() -> None:
    bench = Bench(first=Ecu({LONG: b"\x6e\xf1\x90"}))
    assert bench.tick(request("10 14 01 02 03 04 05 06")) == ["7E8 30 00 00 cc cc cc cc cc"]
    assert bench.tick(request("21 07 08 09 0a 0b 0c 0d")) == []
    assert bench.tick(request("22 0e 0f 10 11 12 13 14")) == ["7E8 03 6e f1 90 cc cc cc cc"]


def test_silence_is_an_answer() -> None:
    """None and empty alike; nothing is begun."""
    for nothing in ({}, {b"\x3e\x00": b""}):
        bench = Bench(first=Ecu(nothing))
        assert bench.tick(PRESENT) == []
        assert counted(bench.server.statistics) == {"requests": 1}
        assert sum(bench.server.answered_after) == 0


def test_each_ecu_answers_on_its_own_address() -> None:
    """To all: in the order in which they were named. Physical: the one that is meant."""
    engine, gearbox = Ecu(), Ecu({b"\x3e\x00": b"\x7f\x3e\x11"})
    bench = Bench((ENGINE, engine), (GEARBOX, gearbox))
    assert bench.tick(PRESENT_ALL) == [STILL_PRESENT, "7E9 03 7f 3e 11 cc cc cc cc"]
    assert bench.tick(request("02 3e 00", 0x7E1)) == ["7E9 03 7f 3e 11 cc cc cc cc"]
    assert len(engine.asked) == 1


def test_long_answers_of_several_ecus_go_side_by_side() -> None:
    """Each with flow control of its own."""
    bench = Bench((ENGINE, Ecu()), (GEARBOX, Ecu()))
    assert bench.tick(request("02 09 02", 0x7DF)) == [VIN_BEGINS, VIN_BEGINS.replace("7E8", "7E9")]
    heard = bench.tick(request("30 00 00", 0x7E1), CONTINUE)
    assert [line[:6] for line in heard] == ["7E9 21", "7E9 22", "7E8 21", "7E8 22"]


def test_an_ecu_with_two_addresses_answers_on_the_one_it_was_asked_on() -> None:
    """Later answers too."""
    ecu = Ecu()
    bench = Bench((ENGINE, ecu), (ENGINE_29BIT, ecu))
    assert bench.tick(request("02 3e 00", 0x18DA10F1 | EXTENDED)) == ["18DAF110 02 7e 00 cc cc cc cc cc"]
    ecu.later = [b"\x51\x01"]
    assert bench.tick() == ["18DAF110 02 51 01 cc cc cc cc cc"]
    assert bench.tick(PRESENT) == [STILL_PRESENT]
    ecu.later = [b"\x51\x01"]
    assert bench.tick() == ["7E8 02 51 01 cc cc cc cc cc"]


def test_two_ecus_cannot_have_the_same_request_address() -> None:
    """On the same identifier they can, if their prefixes differ."""
    with pytest.raises(ConfigurationError, match="7E0"):
        Bench((ENGINE, Ecu()), (ENGINE, Ecu()))
    engine, gearbox = (Address(0x6F1, 0x600 + ecu, 0x6F1, bytes((ecu,)), b"\xf1", b"\xdf") for ecu in (0x12, 0x18))
    bench = Bench((engine, Ecu()), (gearbox, Ecu()))
    assert bench.tick(request("18 02 3e 00", 0x6F1)) == ["618 f1 02 7e 00 cc cc cc cc"]
    assert len(bench.tick(request("df 02 3e 00", 0x6F1))) == 2


# -- later ----------------------------------------------------------------------------------------------------------


def test_an_answer_may_come_later() -> None:
    """Response pending in the tick of the request, the final answer when it is ready; one request was answered."""
    bench = Bench(first=Ecu({b"\x31\x01": b"\x7f\x31\x78"}))
    assert bench.tick(request("02 31 01")) == ["7E8 03 7f 31 78 cc cc cc cc"]
    assert bench.tick() == []
    bench.ecu.later = [b"\x71\x01"]
    assert bench.tick() == ["7E8 02 71 01 cc cc cc cc cc"]
    assert counted(bench.server.statistics) == {"requests": 1, "answers": 2}
    assert bench.server.answered_after[:3] == [1, 0, 0]


def test_ticks_are_counted_until_an_answer_begins() -> None:
    """Up to 15, beyond it is the same."""
    for pause, place in ((1, 1), (2, 2), (14, 14), (15, 15), (40, 15)):
        bench = Bench(first=Ecu({}))
        bench.tick(PRESENT)
        for _ in range(pause - 1):
            bench.tick()
        bench.ecu.later = [b"\x7e\x00"]
        assert bench.tick() == [STILL_PRESENT]
        assert bench.server.answered_after[place] == sum(bench.server.answered_after) == 1


def test_a_request_that_was_read_after_the_poll_of_its_tick_is_answered_a_tick_later() -> None:
    """And says so."""
    bench = Bench()
    bench.tick()
    bench.bus.transmit(PRESENT, bench)
    bench.bus.exchange(bench.t)
    bench.heard.clear()
    assert bench.tick() == [STILL_PRESENT]
    assert bench.server.answered_after[:2] == [0, 1]


def test_an_answer_that_is_ready_too_early_waits_its_turn() -> None:
    """In the order in which they became ready; the next begins in the tick after the last frame."""
    bench = Bench()
    bench.tick(VIN)
    bench.ecu.later = [b"\x51\x01", b"\x51\x02"]
    assert bench.tick() == bench.tick() == []
    assert bench.tick(CONTINUE) == [*VIN_GOES_ON, "7E8 02 51 01 cc cc cc cc cc", "7E8 02 51 02 cc cc cc cc cc"]


def test_answers_that_wait_are_bounded() -> None:
    bench = Bench()
    bench.tick(VIN)
    bench.ecu.later = [b"\x51\x01"] * (MAXIMUM_WAITING + 3)
    for _ in range(MAXIMUM_WAITING + 3):
        bench.tick()
    assert counted(bench.server.statistics)["dropped"] == 3
    assert len(bench.tick(CONTINUE)) == len(VIN_GOES_ON) + MAXIMUM_WAITING


# -- busy -----------------------------------------------------------------------------------------------------------


def test_while_an_answer_is_under_way_requests_are_ignored() -> None:
    """Physical and functional; once it is out, the next one is answered."""
    bench = Bench()
    assert bench.tick(VIN, PRESENT) == [VIN_BEGINS]
    assert bench.tick(PRESENT) == bench.tick(PRESENT_ALL) == []
    assert bench.tick(CONTINUE, PRESENT) == [*VIN_GOES_ON, STILL_PRESENT]
    assert counted(bench.server.statistics) == {"requests": 2, "answers": 2, "ignored": 3}


def test_while_an_answer_is_under_way_requests_are_refused_where_wanted() -> None:
    """Negative response 21, behind the answer."""
    bench = Bench(parameters=IsoTpParameters(while_busy=WhileBusy.REFUSE))
    assert bench.tick(VIN, PRESENT) == [VIN_BEGINS]
    assert bench.tick(CONTINUE) == [*VIN_GOES_ON, "7E8 03 7f 3e 21 cc cc cc cc"]
    assert counted(bench.server.statistics) == {"requests": 1, "answers": 2, "refused": 1}


def test_the_keep_alive_of_a_session_is_heard_while_an_answer_is_under_way() -> None:
    """ISO 14229-2: functional tester present without answer; nothing else gets through."""
    bench = Bench()
    bench.tick(VIN)
    bench.tick(request("02 3e 80", 0x7DF), request("02 3e 80"), request("02 3e 00", 0x7DF))
    assert [payload for payload, _, _ in bench.ecu.asked] == [b"\x09\x02", b"\x3e\x80"]


def test_a_functional_request_is_answered_while_a_long_physical_one_arrives() -> None:
    """Which is then answered too."""
    bench = Bench(first=Ecu({LONG: b"\x6e\xf1\x90", b"\x3e\x00": b"\x7e\x00"}))
    bench.tick(request("10 14 01 02 03 04 05 06"))
    assert bench.tick(PRESENT_ALL) == [STILL_PRESENT]
    bench.tick(request("21 07 08 09 0a 0b 0c 0d"))
    assert bench.tick(request("22 0e 0f 10 11 12 13 14")) == ["7E8 03 6e f1 90 cc cc cc cc"]


def test_an_answer_that_nobody_fetches_ends_and_the_next_request_is_answered() -> None:
    """After N_Bs: 75 ms for OBD."""
    bench = Bench(parameters=OBD)
    bench.tick(VIN)
    for _ in range(75):
        assert bench.tick() == []
    assert bench.tick(PRESENT) == [STILL_PRESENT]
    assert counted(bench.server.statistics) == {"requests": 2, "answers": 2, "n_bs_timeout": 1}


def test_requests_of_a_tick_are_bounded() -> None:
    bench = Bench()
    assert len(bench.tick(*[PRESENT] * (MAXIMUM_REQUESTS + 5))) == MAXIMUM_REQUESTS
    assert counted(bench.server.statistics)["dropped"] == 5


# -- asleep ---------------------------------------------------------------------------------------------------------


def test_asleep_nothing_is_heard_and_nothing_said() -> None:
    """What was under way, in either direction, is forgotten."""
    bench = Bench()
    bench.tick(VIN, request("10 14 01 02 03 04 05 06"))
    bench.awake = False
    bench.ecu.later = [b"\x51\x01"]
    assert bench.tick(CONTINUE, PRESENT, PRESENT_ALL) == []
    bench.ecu.later = []
    bench.awake = True
    assert bench.tick(CONTINUE) == []
    assert bench.tick(PRESENT) == [STILL_PRESENT]


# -- any frames -----------------------------------------------------------------------------------------------------

anything = st.builds(
    Frame,
    st.sampled_from([0x7E0, 0x7DF, 0x7E8, 0x18DA10F1 | EXTENDED, 0x18DB33F1 | EXTENDED]) | st.integers(0, 0xFFFFFFFF),
    st.binary(max_size=8) | st.binary(max_size=64) | st.sampled_from([VIN.data, PRESENT.data, CONTINUE.data]),
    st.sampled_from([0, FD]),
)


@given(st.lists(st.lists(anything, max_size=8), max_size=30), st.sampled_from(WhileBusy))
def test_after_any_frames_the_next_good_request_is_answered(ticks: list[list[Frame]], while_busy: WhileBusy) -> None:
    """In its tick, when what was under way has ended by N_Bs."""
    ecu = Ecu()
    bench = Bench(
        (ENGINE, ecu),
        (ENGINE_29BIT, ecu),
        parameters=IsoTpParameters(while_busy=while_busy, functional_flow_control=True),
    )
    for frames in ticks:
        bench.tick(*frames)
    for _ in range(3):
        bench.t += 2 * SECOND
        bench.tick()
    assert bench.tick(PRESENT) == [STILL_PRESENT]
    assert bench.tick(request("02 3e 00", 0x18DA10F1 | EXTENDED)) == ["18DAF110 02 7e 00 cc cc cc cc cc"]
