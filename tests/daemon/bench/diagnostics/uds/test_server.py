"""The rules of ISO 14229-1 for all services: order of checks, silence, answers that come later."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from udsoncan.exceptions import TimeoutException
from udsoncan.Request import Request
from udsoncan.Response import Response

from hilbridge.base.trust.gate import everything_trusted
from hilbridge.bench.diagnostics.refusal import REQUEST_OUT_OF_RANGE, Refusal
from hilbridge.bench.diagnostics.uds.routines import SelfTest

from ..... import user_code
from .tester import IDENTIFIERS, MEMORY, ROUTINES, VIN, Tester, answers

START_SELF_TEST = "31 01 02 00"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("7F", ""),  # an answer of somebody else
        ("01 0C", "11"),  # OBD-II is not this server's
        ("34 00 44", "11"),  # known to the standard, not to this server
        ("BA 01", "11"),
        ("31 01 02 00", "7F"),  # known, not in the default session
        ("31", "7F"),  # and that goes before its length
        ("27 01", "7F"),
        ("28 00 01", "7F"),
        ("2E F1 98 00", "7F"),
        ("2F 01 10 00", "7F"),
        ("23 11 00 01", "7F"),
        ("85 01", "7F"),
        ("10", "13"),  # a sub-function is missing
        ("10 02", "12"),  # nothing to program
        ("10 02 00", "12"),  # the sub-function goes before the length
        ("10 01 00", "13"),
        ("3E 01", "12"),
        ("3E 00 00", "13"),
        ("11 04", "12"),
        ("19 02", "13"),
        ("22", "13"),
    ],
)
def test_requests_are_checked_in_the_order_of_the_standard(request_: str, code: str) -> None:
    """Service 11, session 7F, sub-function there 13, known 12, then the service's own checks."""
    answer = Tester().ask(request_)
    assert answer == (f"7F {request_[:2]} {code}" if code else "")


@pytest.mark.parametrize("service", range(256))
def test_every_byte_is_a_service_a_refusal_or_an_answer_of_somebody_else(service: int) -> None:
    """Identifiers with bit 6 are answers and get none."""
    tester = Tester().extended()
    answer = bytes.fromhex(tester.ask(f"{service:02X} 00 00"))
    if service & 0x40:
        assert answer == b""
    else:
        assert answer[0] in (service | 0x40, 0x7F)


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("01 0C", ""),  # 11
        ("10 02", ""),  # 12
        ("22 00 00", ""),  # 31
        ("31 01 02 00", ""),  # 7F
        ("10", "7F 10 13"),
        ("22 01 02", "7F 22 22"),
        ("3E 00", "7E 00"),
    ],
)
def test_functional_requests_are_not_told_what_is_not_supported(request_: str, answer: str) -> None:
    """11, 12, 31, 7E and 7F are left to others; every other code is said."""
    tester = Tester()
    tester.bus.vehicle[6] = -1  # no load
    assert tester.ask(request_, functional=True) == answer
    assert tester.server.statistics.unsaid == (answer == "")


def test_a_positive_answer_may_be_suppressed_and_a_negative_one_not() -> None:
    """Bit 7 of the sub-function."""
    tester = Tester()
    assert tester.ask("10 83") == ""
    assert tester.ask("22 F1 86") == "62 F1 86 03"
    assert tester.ask("3E 80") == ""
    assert tester.ask("10 82") == "7F 10 12"
    assert tester.ask("3E 80 00") == "7F 3E 13"
    assert tester.server.statistics.suppressed == 2


def test_services_without_sub_function_have_nothing_to_suppress() -> None:
    """Bit 7 of an identifier is part of it."""
    assert Tester().ask("22 F1 90").startswith("62 F1 90")


def test_an_answer_that_takes_longer_is_announced_within_p2() -> None:
    """50 ms; then it comes within P2*, 5 s."""
    tester = Tester().extended()
    assert tester.ask(START_SELF_TEST) == ""
    heard = tester.wait(7000)
    assert [text for _, text in heard] == ["7F 31 78", "71 01 02 00 01 01"]
    assert heard[0][0] <= 50
    assert heard[1][0] == 2000
    assert tester.server.statistics.pending == 1


def test_udsoncan_waits_as_long_as_the_server_says() -> None:
    """Its time for an answer is P2, after 78 it is P2*, as announced by service 10."""
    tester = Tester()
    client = tester.client(request_timeout=None)
    timing = answers(client.change_session, 3)
    assert (timing.p2_server_max, timing.p2_star_server_max) == (0.05, 5.0)
    assert answers(client.start_routine, 0x0200).routine_status_record == b"\x01\x01"


def test_an_announced_answer_is_given_to_whoever_wanted_silence() -> None:
    """The suppress bit and functional silence end with 78."""
    tester = Tester().extended()
    assert tester.ask("31 81 02 00", functional=True) == ""
    assert [text for _, text in tester.wait(3000)] == ["7F 31 78", "71 01 02 00 01 01"]


@pytest.mark.parametrize(("announced", "answer"), [(0, []), (100, [(1, "7F 31 31")])])
def test_a_refusal_after_78_is_said_to_everybody(
    monkeypatch: pytest.MonkeyPatch, announced: int, answer: list[tuple[int, str]]
) -> None:
    """After "response pending" the final answer is sent, also to a functional request that would get none otherwise."""
    known = [True]

    def later(t: int) -> bytes | None:
        if not known:
            raise Refusal(REQUEST_OUT_OF_RANGE)
        return None

    monkeypatch.setattr(SelfTest, "start", lambda self, option, t: later)
    tester = Tester().extended()
    tester.ask(START_SELF_TEST, functional=True)
    tester.wait(announced)
    known.clear()
    assert tester.wait(10) == answer


def test_other_requests_meanwhile_are_busy_but_for_tester_present() -> None:
    """21 means: ask again."""
    tester = Tester().extended()
    tester.ask(START_SELF_TEST)
    assert tester.ask("22 F1 90") == "7F 22 21"
    assert tester.ask("3E 80", functional=True) == ""
    tester.wait(3000)
    assert tester.ask("22 F1 86") == "62 F1 86 03"
    assert tester.server.statistics.busy == 1


def test_what_is_being_worked_on_may_be_refused_later() -> None:
    """The vehicle starts to move during the self-test: 88."""
    tester = Tester().extended()
    tester.ask(START_SELF_TEST)
    tester.wait(1000)
    tester.bus.vehicle[0] = 5000
    assert tester.wait(10) == [(1, "7F 31 88")]
    assert tester.ask("3E 00") == "7E 00"


def test_a_restart_forgets_session_and_work() -> None:
    """As when the supply is lost."""
    tester = Tester().extended()
    tester.ask(START_SELF_TEST)
    tester.server.restart()
    assert tester.wait(3000) == []
    assert tester.ask("22 F1 86") == "62 F1 86 01"


def test_an_answer_longer_than_iso_tp_carries_is_refused() -> None:
    """14 where service, numbers and data are more than 4095 bytes."""
    wide = {f"{number:04X}": {"text": "A" * 256} for number in range(0x0200, 0x0220)}
    tester = Tester(identifiers=wide, memory=[])
    assert tester.ask("22" + "".join(list(wide)[:16])) == "7F 22 14"
    assert len(tester.ask("22" + "".join(list(wide)[:15])).split()) == 1 + 15 * 258


def test_counters_tell_what_became_of_requests() -> None:
    """Each request is answered, suppressed, unsaid, busy or being worked on."""
    tester = Tester().extended()
    for request in ("22 F1 90", "3E 80", "10 02", "BA"):
        tester.ask(request)
    tester.ask("BA", functional=True)
    tester.ask("7E 00")
    counts = tester.server.statistics
    assert (counts.requests, counts.positive, counts.suppressed, counts.negative, counts.unsaid) == (6, 2, 1, 2, 1)
    assert counts.ignored == 1


EVERYTHING: dict[str, Any] = {
    "memory": [
        *MEMORY,
        {"address": 0x8000, "length": 0x40, "flash": True},
        {"address": 0x9000, "length": 0x40, "write": True},
    ],
    "programming": {"erase_time": 20, "check": {}, "bootloader": True},
    "identifiers": IDENTIFIERS | {"F200": {"data": "01"}},
    "routines": ROUTINES,
    "periodic": {},
    "dynamic": True,
    "events": {"interval": 10},
    "authentication": {"function": f"{user_code.__file__}:refuse"},
}
"""Settings of a server that has all services; its authentication refuses always."""


SERVICES = st.sampled_from(bytes.fromhex("10 11 14 19 22 23 27 28 29 2A 2C 2E 2F 31 34 35 36 37 3D 3E 85 86"))
_HEADS = """
    1001 1002 1003 2F0110 2F0111 2E0120 3101 1904 2711 3101FF00 3101FF01 31010202 340022 34002280000010
    34002290000010 350022 3601 3602 37 3D22900000 2C01F2 2C02F200 2A03 2A0100 8603020101 860502 8601 2905
"""
HEADS = st.sampled_from([bytes.fromhex(head) for head in _HEADS.split()])
REQUESTS = st.one_of(
    st.binary(max_size=12),
    st.builds(lambda sid, rest: bytes((sid,)) + rest, SERVICES, st.binary(max_size=8)),
    st.builds(bytes.__add__, HEADS, st.binary(max_size=5)),
)


@settings(max_examples=200)
@given(st.lists(st.tuples(REQUESTS, st.booleans(), st.integers(0, 300)), min_size=50, max_size=60))
def test_whatever_is_sent_the_next_good_request_is_answered(requests: list[tuple[bytes, bool, int]]) -> None:
    """200 × 50 requests without sense to a server with all services, in all sessions.

    No exception, answers are well-formed, what is said unasked is a message, and then the VIN is read.
    """
    with everything_trusted():
        tester = Tester(**EVERYTHING)
    for payload, functional, pause in requests:
        answer = tester.server.request(payload, functional, tester.t)
        if answer is not None:
            assert answer[0] == payload[0] | 0x40 or answer[:2] == bytes((0x7F, payload[0]))
            response = Response.from_payload(answer)
            # udsoncan does not know all services, and of 2A and 86 no more than that they are there
            assert response.valid or response.service is None or payload[0] in (0x2A, 0x86)
        tester.wait(pause // 30)
        tester.t += pause * 1_000_000
    tester.wait(2100)
    tester.ask("10 01")
    tester.ask("86 06 02")
    assert bytes.fromhex(tester.ask("22 F1 90"))[3:] == VIN.encode()


def test_udsoncan_reads_every_refusal_as_such() -> None:
    """A code of the standard for each, by udsoncan's table."""
    tester = Tester()
    for request in ("34 00 44", "10 02", "3E", "22 00 00", "2E F1 98 00"):
        response = Response.from_payload(bytes.fromhex(tester.ask(request)))
        assert response.valid
        assert not response.positive
        assert response.code_name in {
            "ServiceNotSupported",
            "SubFunctionNotSupported",
            "IncorrectMessageLengthOrInvalidFormat",
            "RequestOutOfRange",
            "ServiceNotSupportedInActiveSession",
        }


def test_udsoncan_hears_nothing_where_nothing_is_said() -> None:
    """A request of length 0 is none."""
    tester = Tester()
    assert tester.ask("") == ""
    client = tester.client()
    with pytest.raises(TimeoutException):
        client.conn.wait_frame(timeout=0.1, exception=True)
    assert Request.from_payload(b"").service is None
