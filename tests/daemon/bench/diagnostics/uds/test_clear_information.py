"""Service 14."""

import pytest

from hilbridge.bench.diagnostics.uds.clear_information import ClearDiagnosticInformation
from hilbridge.bench.diagnostics.uds.service import DiagnosticSession

from ..control_units import Bench
from .tester import Tester, answers


@pytest.mark.parametrize(
    ("group", "cleared"),
    [
        (0xFFFFFF, ["P0301", "P0420", "U0100"]),
        (0xFFFF33, ["P0301", "P0420"]),
        (0x030107, ["P0301"]),
        (0xC10000, ["U0100"]),
    ],
)
def test_a_group_or_a_code_is_cleared(group: int, cleared: list[str]) -> None:
    """All, the emission-related ones, one."""
    tester = Tester()
    answers(tester.client().clear_dtc, group)
    assert tester.memory.cleared == [cleared]


@pytest.mark.parametrize("group", [None, "FF FF FF", "FF FF 33"])
def test_the_emission_codes_are_cleared_as_service_04_does(group: str | None) -> None:
    """Readiness (PID 01), distance, time and warm-ups (21, 30, 31, 4D, 4E); without a group: service 04."""
    bench = Bench()
    bench.set(auxiliary_Odometer=1_000_000_000, auxiliary_CoolantTemperature=20_000)
    bench.start()
    bench.store.confirm("P2135", bench.t)
    bench.wait(1)
    bench.set(auxiliary_Odometer=1_007_000_000, auxiliary_CoolantTemperature=90_000)
    bench.wait(200)
    used = ["07", "01", "07", "03", "03"]
    counters = (0x21, 0x30, 0x31, 0x4D, 0x4E)
    assert [bench.data_of(pid)[-1:].hex() for pid in counters] == used
    before = bench.data_of(0x01)
    if group is None:
        bench.ask("04")
    else:
        ClearDiagnosticInformation(DiagnosticSession({}), bench.store).answer(0, bytes.fromhex(group), 0)
    assert [bench.data_of(pid)[-1] for pid in counters] == [0] * 5
    assert before[0] == 0x81
    assert bench.data_of(0x01)[0] == 0
    assert bench.data_of(0x01)[1] == before[1] | before[1] << 4 & 0x70  # all that is supported is not complete


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ("14 FF FF", "13"),
        ("14 FF FF FF 00 00", "13"),
        ("14 FF FF FF 18", "31"),  # no such memory
        ("14 03 01 00", "31"),  # another failure type than the code has
        ("14 12 34 56", "31"),
    ],
)
def test_what_cannot_be_cleared_is_refused(request_: str, code: str) -> None:
    """Length before group."""
    tester = Tester()
    assert tester.ask(request_) == f"7F 14 {code}"
    assert tester.memory.cleared == []


@pytest.mark.parametrize(("group", "cleared"), [("C0 00 00", ["U0100"]), ("40 00 00", None), ("80 00 00", None)])
def test_groups_of_the_edition_of_2006_are_systems(group: str, cleared: list[str] | None) -> None:
    """SAE J2012: the first two bits of a code; a group without a code is none of this unit."""
    tester = Tester()
    assert tester.ask(f"14 {group}") == ("54" if cleared else "7F 14 31")
    assert tester.memory.cleared == ([cleared] if cleared else [])
