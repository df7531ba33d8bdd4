"""Every service begins its answer within P2, 50 ms of the ticks; after "response pending" within P2*, 5 s.

ISO 14229-2 and ISO 15765-4, on the whole bench with all its frames. What a tester hears first is a single frame, or the
first frame of a long answer.
"""

from collections.abc import Iterator

import pytest

from hilbridge.testing import VirtualBench

from .asker import P2, P2_STAR, PENDING, Asker, asked_bench

REQUESTS = {
    0x01: ["01 0C", "01 00 01 05 0C 0D 42"],
    0x02: ["02 02 00"],
    0x03: ["03"],
    0x04: ["04"],
    0x06: ["06 00"],
    0x07: ["07"],
    0x08: ["08 00", "08 01"],
    0x09: ["09 00", "09 02", "09 04", "09 06", "09 08", "09 0A"],
    0x0A: ["0A"],
    0x10: ["10 01", "10 03"],
    0x11: ["11 01", "11 03"],
    0x14: ["14 FF FF FF"],
    0x19: [
        "19 01 FF",
        "19 02 FF",
        "19 03",
        "19 04 03 00 00 FF",
        "19 05 02",
        "19 06 03 00 00 FF",
        "19 0A",
        "19 42 33 FF FF",
    ],
    0x22: ["22 F1 90", "22 F1 86 F1 95 F4 0C"],
    0x23: ["23 12 10 00 0B"],
    0x27: ["27 01"],
    0x28: ["28 00 01"],
    0x2E: ["2E F1 99 26 01 31 00"],
    0x2F: ["2F 01 03 03 10", "2F 01 03 00"],
    0x31: ["31 01 02 00", "31 01 02 01", "31 02 02 01", "31 03 02 01"],
    0x3E: ["3E 00"],
    0x85: ["85 02", "85 01"],
}
"""Positive answers of the engine's control unit in its extended session, by service."""

LATER = {"31 01 02 00"}
"""The self-test, which takes some seconds."""

POSITIVE, NEGATIVE = 0x40, 0x7F
NOT_SUPPORTED = 0x11


@pytest.fixture(scope="module")
def asker() -> Asker:
    return Asker()


@pytest.fixture(scope="module")
def car(asker: Asker) -> Iterator[VirtualBench]:
    with asked_bench(asker) as bench:
        yield bench


def asked(car: VirtualBench, asker: Asker, request: str) -> bytes:
    """The beginning of the answer; a long one gets its flow control."""
    content = bytes.fromhex(request)
    asker.ask(f"{len(content):02X} {request}")
    return told(car, asker, P2)


def told(car: VirtualBench, asker: Asker, patience: float) -> bytes:
    frame = asker.answer(car, patience)
    if frame[0] >> 4 == 0:
        return frame[1 : 1 + frame[0]]
    asker.ask("30 00 00")
    car.advance(0.1)
    return frame[2:]


@pytest.mark.parametrize("request_", [one for requests in REQUESTS.values() for one in requests])
def test_an_answer_begins_within_p2(car: VirtualBench, asker: Asker, request_: str) -> None:
    """A positive one; that which takes longer is announced within P2 and comes within P2*."""
    assert asked(car, asker, "10 03")[:2] == b"\x50\x03"
    service = bytes.fromhex(request_)[0]
    answer = asked(car, asker, request_)
    if request_ in LATER:
        assert answer == bytes((NEGATIVE, service)) + PENDING
        answer = told(car, asker, P2_STAR)
    assert answer[0] == service | POSITIVE


def test_every_other_byte_is_refused_within_p2(car: VirtualBench, asker: Asker) -> None:
    """So the table above has all services. Bytes with bit 6 are responses."""
    for service in (byte for byte in range(256) if not byte & POSITIVE and byte not in REQUESTS):
        assert asked(car, asker, f"{service:02X}") == bytes((NEGATIVE, service, NOT_SUPPORTED))
