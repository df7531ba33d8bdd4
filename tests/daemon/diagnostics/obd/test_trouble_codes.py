"""Services 03, 07 and 0A: a count, then the codes."""

import obd  # type: ignore[import-untyped]
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from ..control_units import ENGINE, TRANSMISSION, Bench


def test_without_codes_the_count_is_0() -> None:
    """Functionally too: an ECU without codes answers."""
    bench = Bench()
    assert [bench.ask(one, functional=True) for one in ("03", "07", "0a")] == ["43 00", "47 00", "4a 00"]


def test_pending_then_confirmed_and_permanent() -> None:
    """P2135 needs one driving cycle, P0171 two; the two bytes are 2135 and 0171."""
    bench = Bench()
    store = bench.obd.store
    store.report("P2135", failed=True, t=0)
    store.report("P0171", failed=True, t=0)
    assert bench.ask("03") == "43 01 21 35"
    assert bench.ask("07") == "47 02 01 71 21 35"
    assert bench.ask("0a") == "4a 01 21 35"
    assert bench.data_of(0x01)[0] == 0x81


def test_codes_that_are_not_emission_related_are_kept_from_obd() -> None:
    bench = Bench()
    bench.obd.store.report("P0219", failed=True, t=0)
    assert bench.obd.store.trouble("P0219").confirmed
    assert [bench.ask(one) for one in ("03", "07", "0a")] == ["43 00", "47 00", "4a 00"]
    assert bench.data_of(0x01)[0] == 0x00


def test_each_control_unit_tells_its_own() -> None:
    bench = Bench(ENGINE, TRANSMISSION)
    bench.obd.store.report("P0217", failed=True, t=0)
    assert bench.ask("03", ecu=0) == "43 01 02 17"
    assert bench.ask("03", ecu=1) == "43 00"


def test_python_obd_reads_them() -> None:
    bench = Bench()
    for code in ("P0301", "P2122", "P1219"):
        bench.obd.store.report(code, failed=True, t=0)
    message = Message([])
    message.data = bytearray.fromhex(bench.ask("07") or "")
    assert [code for code, _ in obd.commands.GET_CURRENT_DTC.decode([message])] == ["P2122", "P0301"]
