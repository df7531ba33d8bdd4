"""Requests that are answered, refused, or not answered."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..control_units import ENGINE, TRANSMISSION, Bench

BENCH = Bench(ENGINE, TRANSMISSION)


@pytest.fixture
def bench() -> Bench:
    return Bench(ENGINE, TRANSMISSION)


def announced(bench: Bench, service: str, ecu: int) -> set[int]:
    """The numbers that the masks of a service name, followed from 00 as a scan tool does it."""
    found, base = {0x00}, 0x00
    while base in found and base < 0x100:
        answer = bytes.fromhex(bench.ask(service.format(base), ecu=ecu) or "")
        assert answer[0] != 0x7F, f"mask {base:02X}"
        mask = int.from_bytes(answer[-4:], "big")
        found |= {base + 1 + bit for bit in range(32) if mask >> (31 - bit) & 1}
        base += 0x20
    return found


@pytest.mark.parametrize("frozen", [False, True], ids=["no codes", "a frozen code"])
@pytest.mark.parametrize("ecu", [0, 1], ids=["engine", "transmission"])
@pytest.mark.parametrize("service", ["01{:02x}", "02{:02x}00", "06{:02x}", "09{:02x}"])
def test_the_masks_say_exactly_what_is_answered(bench: Bench, service: str, ecu: int, *, frozen: bool) -> None:
    """All 256 numbers are asked for, of every service and control unit, physically and functionally."""
    if frozen:
        for one, code in zip(bench.ecus, ("P0301", "P0218"), strict=True):
            one.store.report(code, failed=True, t=0)
    physical = {n for n in range(256) if (bench.ask(service.format(n), ecu=ecu) or "7f")[:2] != "7f"}
    functional = {n for n in range(256) if bench.ask(service.format(n), functional=True, ecu=ecu) is not None}
    assert announced(bench, service, ecu) == physical == functional


@pytest.mark.parametrize("request_", ["01 02", "01", "01 0c 0d 05 04 11 2f 46", "02 0c", "02 0c 01", "03 00", "04 00"])
def test_what_is_not_supported_is_silent_or_physically_refused_with_12(bench: Bench, request_: str) -> None:
    assert bench.ask(request_, functional=True) is None
    assert bench.ask(request_) == f"7f {request_[:2]} 12"


@pytest.mark.parametrize("service", ["05", "08", "22", "3e", "85", "bf"])
def test_an_unknown_service_is_silent_or_physically_refused_with_11(bench: Bench, service: str) -> None:
    assert bench.ask(f"{service} 00", functional=True) is None
    assert bench.ask(f"{service} 00") == f"7f {service} 11"


@pytest.mark.parametrize("request_", ["", "41 0c", "7f 01 12", "c1 00"])
def test_an_answer_is_no_request(bench: Bench, request_: str) -> None:
    assert bench.ask(request_) is None


@given(st.lists(st.integers(0, 255), min_size=1, max_size=6))
def test_of_any_pids_those_that_are_answered_come_back_once_in_the_order_of_the_request(pids: list[int]) -> None:
    single = {pid: bytes.fromhex(BENCH.ask(f"01{pid:02x}") or "") for pid in pids}
    expected = b"".join(answer[1:] for answer in single.values() if answer[0] == 0x41)
    answer = bytes.fromhex(BENCH.ask("01" + bytes(pids).hex()) or "")
    assert answer == (b"\x41" + expected if expected else b"\x7f\x01\x12")


@given(st.binary(max_size=64), st.booleans())
def test_no_bytes_raise_and_every_answer_is_one(payload: bytes, functional: bool) -> None:
    for ecu in BENCH.ecus:
        answer = ecu.request(payload, functional, 0)
        if answer is not None:
            assert answer[0] == payload[0] | 0x40 or answer[:2] == bytes((0x7F, payload[0]))


def test_after_ten_thousand_bad_requests_the_next_good_one_is_answered(bench: Bench) -> None:
    randomness = random.Random(15031)
    for _ in range(10_000):
        payload = randomness.randbytes(randomness.choice((0, 1, 2, 3, 7, 8, 20)))
        bench.ecus[0].request(payload, functional=bool(randomness.getrandbits(1)), t=0)
    assert bench.ask("01 0d") == "41 0d 00"


def test_statistics_count_answers_refusals_and_silence(bench: Bench) -> None:
    for request in ("01 0d", "01 02", "0a"):
        bench.ask(request)
        bench.ask(request, functional=True)
    statistics = bench.obd.statistics
    assert (statistics.answered, statistics.refused, statistics.unsupported) == (4, 1, 1)
