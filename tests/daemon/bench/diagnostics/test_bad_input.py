"""After 10,000 bad inputs of whatever kind the next good request is answered in time, on the whole bench.

ISO 14229-2 and ISO 15765-4: an answer begins within P2, 50 ms; after "response pending" within P2*, 5 s. Time is that
of the ticks. Before the good request 2 s pass, in which ISO-TP gives up what bad frames have begun (N_Bs, N_Cr: 1 s).
"""

import random
from collections.abc import Callable, Iterator

import pytest

from hilbridge.frames.codec.frame import EXTENDED, Frame
from hilbridge.testing import VirtualBench

from .asker import ANSWER, BUS, FUNCTIONAL, P2, P2_STAR, PENDING, PHYSICAL, Asker, asked_bench

BAD, PER_TICK = 10_000, 4
QUIET = 2.0
"""[s]"""

IDENTIFIERS = (PHYSICAL, FUNCTIONAL, 0x7E1, ANSWER, 0x18DA10F1 | EXTENDED, 0x18DB33F1 | EXTENDED, 0x18DA18F1 | EXTENDED)

GOOD = {"02 01 0C": "04 41 0C", "02 09 02": "10 14 49 02 01", "02 10 03": "06 50 03 00 32 01 F4"}
"""Requests, and how their answers begin; the last one announces P2 and P2*."""

START_SELF_TEST, SELF_TEST_STARTED = "04 31 01 02 00", bytes.fromhex("71 01 02")


def any_frame(chance: random.Random) -> bytes:
    """Whatever ISO-TP may see: every kind of frame in every state, lengths that are none, no bytes at all."""
    return chance.randbytes(chance.randrange(9))


def a_request(services: bytes) -> Callable[[random.Random], bytes]:
    """A single frame with a service of the list and any content, of any length that fits."""

    def made(chance: random.Random) -> bytes:
        rest = chance.randbytes(chance.randrange(7))
        return bytes((1 + len(rest), chance.choice(services))) + rest

    return made


OBD = bytes(range(0x01, 0x0B))
UDS = bytes.fromhex("10 14 19 22 23 27 2E 2F 31 3E 85 34 36 BA")
"""All but ECUReset and CommunicationControl, which act on the request, and some that do not exist."""


@pytest.fixture
def asker() -> Asker:
    return Asker()


@pytest.fixture
def car(asker: Asker) -> Iterator[VirtualBench]:
    with asked_bench(asker) as bench:
        yield bench


@pytest.mark.parametrize("bad", [any_frame, a_request(OBD), a_request(UDS)], ids=["ISO-TP", "OBD", "UDS"])
def test_the_next_good_request_is_answered_within_p2(
    car: VirtualBench, asker: Asker, bad: Callable[[random.Random], bytes]
) -> None:
    """Engine speed and VIN by OBD-II, a session by UDS; a routine of some seconds is announced, then reported."""
    chance = random.Random(15765)
    for _ in range(BAD // PER_TICK):
        for _ in range(PER_TICK):
            car.send(BUS, Frame(chance.choice(IDENTIFIERS), bad(chance)))
        car.advance(0.001)
    car.advance(QUIET)
    for request, answer in GOOD.items():
        car.advance(QUIET)
        asker.ask(request)
        assert asker.answer(car, P2).startswith(bytes.fromhex(answer)), request
    asker.ask(START_SELF_TEST)
    assert asker.answer(car, P2)[:4] == b"\x03\x7f\x31" + PENDING
    assert asker.answer(car, P2_STAR)[1:4] == SELF_TEST_STARTED


def test_after_bad_lines_an_elm327_passes_the_answer_on_within_p2(car: VirtualBench) -> None:
    """Lines of random characters, some of them requests; a reset, and then one that counts its answers."""
    chance = random.Random(327)
    (adapters,) = car.parts.adapters
    elm = adapters.plug_in()
    for _ in range(BAD // PER_TICK):
        for _ in range(PER_TICK):
            elm.feed(chance.randbytes(chance.randrange(12)) + b"\r", round(car.time * 1e9))
        car.advance(0.001)
        elm.output.clear()
    for line in (b"\r", b"ATZ\r", b"ATE0\r", b"ATSP6\r"):
        elm.feed(line, round(car.time * 1e9))
        car.advance(QUIET)
    elm.output.clear()
    asked = car.time
    elm.feed(b"010C1\r", round(asked * 1e9))
    while not elm.output.endswith(b">") and car.time < asked + 1.0:
        car.advance(0.001)
    assert elm.output.startswith(b"41 0C")
    assert car.time - asked <= P2
