"""DM1 and DM2 by the bytes of SAE J1939-73, when DM1 is sent, and the codes of a store on J1939."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from j1939.diagnostic_messages import DTC  # type: ignore[import-untyped]

from hilbridge.base.common.units import MILLISECOND, SECOND
from hilbridge.bench.diagnostics.dtc.codes import TroubleCode
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import (
    ActiveCodes,
    J1939TroubleCode,
    Lamps,
    StoreSource,
    message,
)
from vehiclesim.databus import DataBus

MISFIRE = J1939TroubleCode(1323, 11, 1)
HOT = J1939TroubleCode(110, 0, 2)


class Troubles:
    """Codes that a test sets."""

    def __init__(self) -> None:
        self.changes = 0
        self.now: list[J1939TroubleCode] = []

    def become(self, *faults: J1939TroubleCode) -> None:
        self.now = list(faults)
        self.changes += 1

    def active(self) -> Sequence[J1939TroubleCode]:
        return self.now

    def previously_active(self) -> Sequence[J1939TroubleCode]:
        return []

    def lamps(self) -> Lamps:
        return Lamps(malfunction=bool(self.now))

    def clear_active(self, t: int) -> bool:
        return False

    def clear_previously_active(self, t: int) -> bool:
        return False


class Schedule:
    """When DM1 goes [ms]."""

    def __init__(self) -> None:
        self.troubles = Troubles()
        self.times: list[int] = []
        self.t = 0
        self.codes = ActiveCodes(self.troubles, lambda _: self.times.append(self.t))
        self.codes.start()

    def until(self, milliseconds: int) -> list[int]:
        self.times.clear()
        while self.t < milliseconds:
            self.codes_at(self.t + 1)
        return self.times

    def codes_at(self, t: int) -> None:
        self.t = t
        self.codes.poll(t * MILLISECOND)


@pytest.mark.parametrize(
    ("lamps", "faults", "expected"),
    [
        (Lamps(), [], "00 FF 00 00 00 00 FF FF"),
        (Lamps(malfunction=True), [MISFIRE], "40 FF 2B 05 0B 01 FF FF"),
        (Lamps(stop=True, warning=True, protect=True), [HOT], "15 FF 6E 00 00 02 FF FF"),
        (Lamps(malfunction=True), [MISFIRE, HOT], "40 FF 2B 05 0B 01 6E 00 00 02"),
        (Lamps(), [J1939TroubleCode(0x7FFFF, 31, 300)], "00 FF FF FF FF 7E FF FF"),
    ],
)
def test_lamps_and_codes_have_the_bytes_of_the_standard(
    lamps: Lamps, faults: list[J1939TroubleCode], expected: str
) -> None:
    """MIL in bits 7 and 6; SPN 1323 = 052B hex, FMI 11; the highest SPN takes three bits of the FMI's byte."""
    assert message(lamps, faults) == bytes.fromhex(expected)


@given(st.integers(0, 0x7FFFF), st.integers(0, 31), st.integers(0, 126))
def test_can_j1939_reads_the_same_code(spn: int, fmi: int, count: int) -> None:
    other = DTC(dtc=int.from_bytes(J1939TroubleCode(spn, fmi, count).data, "little"))
    assert (other.spn, other.fmi, other.oc) == (spn, fmi, count)


def test_the_longest_message_fits_into_the_transport_protocol() -> None:
    assert len(message(Lamps(), [MISFIRE] * 1000)) <= 1785


def test_dm1_goes_once_a_second_with_and_without_codes() -> None:
    assert Schedule().until(3500) == [1, 1001, 2001, 3001]


def test_a_code_that_comes_or_goes_is_told_at_once_and_the_second_begins_anew() -> None:
    schedule = Schedule()
    schedule.until(300)
    schedule.troubles.become(MISFIRE)
    assert schedule.until(2000) == [301, 1301]
    schedule.troubles.become()
    assert schedule.until(3500) == [2001, 3001]


def test_a_code_that_flickers_makes_one_further_message_a_second_and_others_are_told_besides() -> None:
    schedule = Schedule()
    schedule.until(100)
    times: list[int] = []
    for step in range(50):
        schedule.troubles.become(*[MISFIRE] * (step % 2 == 0))
        times += schedule.until(102 + 2 * step)
    assert times == [101]
    schedule.troubles.become(HOT)
    assert schedule.until(300) == [201]


def test_a_change_that_is_none_of_the_active_codes_waits() -> None:
    schedule = Schedule()
    schedule.until(100)
    schedule.troubles.become()
    assert schedule.until(1500) == [1001]


def test_without_an_address_nothing_is_told() -> None:
    schedule = Schedule()
    schedule.until(100)
    schedule.codes.stop()
    schedule.troubles.become(MISFIRE)
    assert schedule.until(3 * SECOND // MILLISECOND) == []


CODES = {
    "P0301": TroubleCode("P0301", "misfire", spn=1323, fmi=11, trips=1),
    "P0217": TroubleCode("P0217", "too hot", spn=110, fmi=0, trips=1, emission=False),
    "P0562": TroubleCode("P0562", "voltage", trips=1),
    "P0101": TroubleCode("P0101", "air mass", spn=132, fmi=2, trips=2),
}


def store() -> TroubleStore:
    return TroubleStore(CODES, DataBus())


def test_confirmed_codes_are_active_while_their_test_fails_and_previously_active_afterwards() -> None:
    codes = store()
    troubles = StoreSource(codes)
    codes.report("P0301", True, 0)
    assert (troubles.active(), troubles.previously_active()) == ([J1939TroubleCode(1323, 11, 1)], [])
    codes.report("P0301", False, 1)
    assert (troubles.active(), troubles.previously_active()) == ([], [J1939TroubleCode(1323, 11, 1)])


def test_codes_that_are_pending_or_have_no_spn_do_not_appear() -> None:
    codes = store()
    codes.report("P0101", True, 0)
    codes.report("P0562", True, 0)
    assert StoreSource(codes).active() == []


def test_the_malfunction_lamp_is_the_store_s_and_amber_is_for_what_does_not_concern_emissions() -> None:
    codes = store()
    troubles = StoreSource(codes)
    assert troubles.lamps() == Lamps()
    codes.report("P0217", True, 0)
    assert troubles.lamps() == Lamps(warning=True)
    codes.report("P0301", True, 1)
    codes.report("P0217", False, 1)
    assert troubles.lamps() == Lamps(malfunction=True)


def test_clearing_takes_the_active_or_the_previous_ones_and_counts_as_a_change() -> None:
    codes = store()
    troubles = StoreSource(codes)
    codes.report("P0217", True, 0)
    codes.report("P0301", True, 0)
    codes.report("P0301", False, 1)
    before = troubles.changes
    assert troubles.clear_previously_active(2)
    assert (troubles.active(), troubles.previously_active()) == ([J1939TroubleCode(110, 0, 1)], [])
    assert troubles.clear_active(3)
    assert troubles.active() == []
    assert troubles.changes > before
