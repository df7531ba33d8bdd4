"""The control unit behind a bus is asked by commands, and nothing but reading is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.base.common.units import MILLISECOND
from hilbridge.bench.questioner import TIMEOUT, Questioner
from hilbridge.files.settings.reports import AskedUnit
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.frame import Frame
from hilbridge.testing import VirtualBench

from ..faces.explain.cluster import bmw_cluster, status

CODES = "19 02 FF"


def question(dash: VirtualBench) -> dict[str, object]:
    answer: dict[str, object] = status(dash, "cluster")["cluster"]["dash"]["question"]
    return answer


def test_a_foreign_cluster_answers_in_many_frames(dash: VirtualBench) -> None:
    """Extended addressing, flow control in blocks, and answers that tell to wait first."""
    answer = "59 02 FF " + "D1 01 08 2F " * 30
    dash.attach("dash", bmw_cluster({CODES: answer}, pending=2))
    assert dash.command("ask", bus="dash", request="1902FF") == {"request": 1}
    dash.advance(0.5)
    assert question(dash) == {
        "request": 1,
        "asked": "1902ff",
        "outcome": "answered",
        "answer": bytes.fromhex(answer).hex(),
    }


def test_a_refusal_is_an_answer(dash: VirtualBench) -> None:
    dash.attach("dash", bmw_cluster({}))
    dash.command("ask", bus="dash", request="22F190")
    dash.advance(0.1)
    assert question(dash)["answer"] == "7f2231"


def test_silence_ends_after_the_time_of_the_standard(dash: VirtualBench) -> None:
    """Meanwhile no other question is asked; afterwards one is."""
    dash.command("ask", bus="dash", request="22F190")
    with pytest.raises(ConfigurationError, match="another question is under way"):
        dash.command("ask", bus="dash", request="22F190")
    dash.advance(4.99)
    assert question(dash)["outcome"] == "waiting"
    dash.advance(0.02)
    assert question(dash)["outcome"] == "no answer"
    assert dash.command("ask", bus="dash", request="22F190") == {"request": 2}


@pytest.mark.parametrize("request_", ["14FFFFFF", "1001", "1101", "2701", "2EF190", "310101", "3E00", "04"])
def test_nothing_but_reading_is_asked(dash: VirtualBench, request_: str) -> None:
    """No code is cleared, nothing is written, unlocked, started or reset."""
    with pytest.raises(ConfigurationError, match="they read"):
        dash.command("ask", bus="dash", request=request_)


def test_a_bus_that_is_not_armed_asks_nothing(dash: VirtualBench) -> None:
    """And one that nobody is known behind is refused with its name."""
    dash.command("arm", bus="dash", armed=False)
    with pytest.raises(ConfigurationError, match="hilbridge ctl arm dash"):
        dash.command("ask", bus="dash", request="22F190")
    with pytest.raises(ConfigurationError, match="'other'"):
        dash.command("ask", bus="other", request="22F190")


@given(st.lists(st.tuples(st.sampled_from([0x77E, 0x714]), st.binary(max_size=8)), max_size=40))
def test_no_frame_of_a_stranger_does_harm(frames: list[tuple[int, bytes]]) -> None:
    """Whatever comes under the identifier of the answers, the question ends in time."""
    bus = Bus("dash")
    questioner = Questioner(bus, AskedUnit(request=0x714, answer=0x77E))
    questioner.ask(bytes.fromhex("22F190"), 0)
    for t, (can_id, data) in enumerate(frames, 1):
        bus.transmit(Frame(can_id, data), None)
        bus.exchange(t * MILLISECOND)
        questioner.poll(t * MILLISECOND)
    questioner.poll(2 * TIMEOUT + 100 * MILLISECOND)
    assert questioner.status().outcome in ("answered", "no answer")


def test_an_answer_belongs_to_its_question() -> None:
    """Another tester on the bus may be answered on the same identifier."""
    bus = Bus("dash")
    questioner = Questioner(bus, AskedUnit(request=0x714, answer=0x77E))
    questioner.ask(bytes.fromhex("22F190"), 0)
    for answer in ("04 62 F1 89 31", "03 7F 19 31", "02 7E 00"):
        bus.transmit(Frame(0x77E, bytes.fromhex(answer)), None)
        bus.exchange(MILLISECOND)
        questioner.poll(MILLISECOND)
    assert questioner.status().outcome == "waiting"
    bus.transmit(Frame(0x77E, bytes.fromhex("04 62 F1 90 57")), None)
    bus.exchange(2 * MILLISECOND)
    questioner.poll(2 * MILLISECOND)
    assert questioner.status().answer == "62f19057"
