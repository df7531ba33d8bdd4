"""The codes of a store as J1939 tells them."""

from hilbridge.diagnostics.dtc.codes import Code
from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.j1939.diagnostic_messages import Fault, Lamps
from hilbridge.diagnostics.j1939.troubles import StoredTroubles
from vehiclesim.databus import DataBus

CODES = {
    "P0301": Code("P0301", "misfire", spn=1323, fmi=11, trips=1),
    "P0217": Code("P0217", "too hot", spn=110, fmi=0, trips=1, emission=False),
    "P0562": Code("P0562", "voltage", trips=1),
    "P0101": Code("P0101", "air mass", spn=132, fmi=2, trips=2),
}


def store() -> TroubleStore:
    return TroubleStore(CODES, DataBus())


def test_confirmed_codes_are_active_while_their_test_fails_and_previously_active_afterwards() -> None:
    codes = store()
    troubles = StoredTroubles(codes)
    codes.report("P0301", True, 0)
    assert (troubles.active(), troubles.previously_active()) == ([Fault(1323, 11, 1)], [])
    codes.report("P0301", False, 1)
    assert (troubles.active(), troubles.previously_active()) == ([], [Fault(1323, 11, 1)])


def test_codes_that_are_pending_or_have_no_spn_do_not_appear() -> None:
    codes = store()
    codes.report("P0101", True, 0)
    codes.report("P0562", True, 0)
    assert StoredTroubles(codes).active() == []


def test_the_malfunction_lamp_is_the_store_s_and_amber_is_for_what_does_not_concern_emissions() -> None:
    codes = store()
    troubles = StoredTroubles(codes)
    assert troubles.lamps() == Lamps()
    codes.report("P0217", True, 0)
    assert troubles.lamps() == Lamps(warning=True)
    codes.report("P0301", True, 1)
    codes.report("P0217", False, 1)
    assert troubles.lamps() == Lamps(malfunction=True)


def test_clearing_takes_the_active_or_the_previous_ones_and_counts_as_a_change() -> None:
    codes = store()
    troubles = StoredTroubles(codes)
    codes.report("P0217", True, 0)
    codes.report("P0301", True, 0)
    codes.report("P0301", False, 1)
    before = troubles.changes
    assert troubles.clear_previously_active(2)
    assert (troubles.active(), troubles.previously_active()) == ([Fault(110, 0, 1)], [])
    assert troubles.clear_active(3)
    assert troubles.active() == []
    assert troubles.changes > before
