"""What a change of session ends, transition by transition (ISO 14229-1, service 10).

Expectations are those of the standard: events end with every change, security with every one, the scheduler of 2A is
the standard's example of what goes on in another session that supports it.
"""

from collections.abc import Callable
from itertools import pairwise

import pytest

from hilbridge.bench.diagnostics.uds.transitions import TABLE, Transition, transition

from .tester import IDENTIFIERS, Tester

PERIODIC = {
    "F200": {"data": "AA"},
    "F201": {"data": "BB", "read_security": 1},
    "F202": {"data": "CC", "sessions": ["03"]},
}
SESSIONS = {"01": {}, "02": {}, "03": {}, "60": {}, "61": {"services": ["10", "22", "27", "3E"]}}
FAST = "2A 03"


def unit() -> Tester:
    return Tester(identifiers=IDENTIFIERS | PERIODIC, periodic={"most": 8}, sessions=SESSIONS)


def sent(tester: Tester) -> set[str]:
    """The numbers that are sent periodically from now on."""
    return {text[:2] for _, text in tester.wait(120)}


def test_each_change_is_of_one_kind() -> None:
    changes = [transition(before, after) for before, after in pairwise((1, 1, 3, 3, 0x60, 1))]
    change = Transition.CHANGE
    assert changes == [Transition.AGAIN, Transition.LEAVE, change, change, Transition.BACK]
    assert {len(row) for row in TABLE.values()} == {len(Transition)}


@pytest.mark.parametrize(
    ("session", "goes_on"), [("03", {"00", "02"}), ("60", {"00"}), ("02", {"00"}), ("61", set()), ("01", set())]
)
def test_the_scheduler_goes_on_where_it_is_supported(session: str, goes_on: set[str]) -> None:
    """Without what needs the security access that the change has locked, and what the new session has not."""
    tester = unit().unlocked()
    assert tester.ask(f"{FAST} 00 01 02") == "6A"
    assert sent(tester) == {"00", "01", "02"}
    assert tester.ask(f"10 {session}").startswith("50")
    assert sent(tester) == goes_on


def test_the_scheduler_ends_with_s3() -> None:
    tester = unit().extended()
    tester.ask(f"{FAST} 00")
    tester.wait(5000)
    assert sent(tester) == set()


@pytest.mark.parametrize(("session", "ends"), [("03", False), ("02", False), ("60", False), ("01", True)])
@pytest.mark.parametrize(
    ("request_", "is_on"),
    [
        ("85 02", lambda tester: not tester.memory.recording),
        ("28 01 01", lambda tester: tester.communication.switched[-1:] == [False]),
        (
            "31 01 02 01",
            lambda tester: tester.server.session.active == 1 or not tester.ask("31 03 02 01").endswith("24"),
        ),
    ],
)
def test_what_was_switched_goes_on_until_the_default_session(
    request_: str, is_on: Callable[[Tester], bool], session: str, ends: bool
) -> None:
    tester = unit().extended()
    assert not tester.ask(request_).startswith("7F")
    tester.ask(f"10 {session}")
    if ends:
        tester.extended()
    assert is_on(tester) is not ends


@pytest.mark.parametrize("session", ["03", "02", "60", "61", "01"])
def test_security_access_and_its_seed_end_with_every_change(session: str) -> None:
    tester = unit().unlocked()
    tester.ask(f"10 {session}")
    assert tester.server.session.unlocked == 0
    tester = unit().extended()
    seed = bytes.fromhex(tester.ask("27 01"))[2:]
    tester.ask(f"10 {session}")
    tester.extended()
    assert tester.ask(f"27 02 {bytes(byte ^ 0x5B for byte in seed).hex()}") == "7F 27 24"


@pytest.mark.parametrize(("session", "held"), [("03", True), ("60", True), ("02", False), ("01", False)])
def test_a_held_value_goes_on_where_2f_is_supported(session: str, held: bool) -> None:
    tester = unit().extended()
    assert tester.ask("2F 01 10 03 64").startswith("6F")
    tester.ask(f"10 {session}")
    assert bool(tester.holds.held) is held
