"""Services 01, 02, 03, 04, 07 and 0A: their answers, read by python-OBD too."""

import obd  # type: ignore[import-untyped]
import pytest
from obd.protocols.protocol import Message  # type: ignore[import-untyped]

from hilbridge.base.common.units import MILLISECOND
from hilbridge.files.settings.units import ObdSettings

from ..control_units import ENGINE, TRANSMISSION, Bench


def test_up_to_six_pids_are_answered_in_the_order_of_the_request() -> None:
    bench = Bench()
    bench.set(vehicle_EngineRpm=1_726_000, vehicle_Speed=13_889, auxiliary_CoolantTemperature=83_000)
    assert bench.ask("01 0d 05 0c 02 1c 0d") == "41 0d 32 05 7b 0c 1a f8 1c 06"
    assert bench.ask("01 0d 05 0c 02 1c 0d 0c") == "7f 01 12"


def test_masks_by_hand() -> None:
    """A0 of the engine: A4 and A6. 00 of the transmission: 01, 0D, 1C and 20."""
    bench = Bench(ENGINE, TRANSMISSION)
    assert bench.ask("01 a0 0d") == "41 a0 14 00 00 00 0d 00"
    assert bench.ask("01 00", ecu=1) == "41 00 80 08 00 11"


@pytest.mark.parametrize(("failed", "expected"), [(False, "00"), (True, "81")])
def test_pid_01_tells_indicator_and_number_of_codes(*, failed: bool, expected: str) -> None:
    bench = Bench()
    bench.store.report("P2135", failed=failed, t=0)
    assert bench.data_of(0x01)[:1].hex() == expected


def test_pids_01_and_41_tell_readiness_since_clearing_and_of_this_cycle() -> None:
    """B: misfire, fuel system and components are there (0 to 2) and open (4 to 6). C, D: catalyst 0, sensor 5."""
    bench = Bench()
    assert bench.data_of(0x01).hex(" ") == "00 77 21 21"
    bench.set(auxiliary_FuelSystem=2, auxiliary_Lambda=10_000)
    bench.drive_cycle(25)
    assert bench.data_of(0x01).hex(" ") == "00 47 21 01"
    bench.start()
    bench.wait(0.2)
    assert bench.data_of(0x01).hex(" ") == "00 47 21 01"
    assert bench.data_of(0x41).hex(" ") == "00 77 21 21"


def test_a_snapshot_has_what_was_wanted_and_is_answered() -> None:
    bench = Bench()
    bench.set(vehicle_EngineRpm=1_726_000)
    assert bench.obd.current_data.snapshot([0x0C, 0x02, 0x1C]) == {0x0C: b"\x1a\xf8", 0x1C: b"\x06"}


def test_without_a_code_only_the_code_is_told_and_it_is_0() -> None:
    bench = Bench()
    assert bench.ask("02 00 00") == "42 00 00 40 00 00 00"
    assert bench.ask("02 02 00") == "42 02 00 00 00"
    assert bench.ask("02 0c 00") == "7f 02 12"


def test_the_frame_keeps_the_values_of_the_moment() -> None:
    """P0301 at 1726 rpm and 50 km/h; what comes later does not change it. Up to three PIDs at once."""
    bench = Bench()
    bench.set(vehicle_EngineRpm=1_726_000, vehicle_Speed=13_889)
    bench.store.report("P0301", failed=True, t=0)
    bench.set(vehicle_EngineRpm=3_000_000)
    bench.store.report("P0301", failed=True, t=1)
    assert bench.ask("02 02 00 0c 00 0d 00") == "42 02 00 03 01 0c 00 1a f8 0d 00 32"


def test_there_is_one_frame() -> None:
    bench = Bench()
    bench.store.report("P0301", failed=True, t=0)
    assert bench.ask("02 0c 01") == "7f 02 12"
    assert bench.ask("02 0c 01 02 00") == "42 02 00 03 01"


def test_misfire_and_fuel_system_replace_any_other_frame() -> None:
    """The first code counts, but for these two."""
    bench = Bench()
    for code, shown in (("P0217", "02 17"), ("P0562", "02 17"), ("P0171", "01 71"), ("P0300", "01 71")):
        bench.store.report(code, failed=True, t=0)
        assert bench.ask("02 02 00") == f"42 02 00 {shown}"


def test_without_codes_the_count_is_0() -> None:
    """Functionally too: an ECU without codes answers."""
    bench = Bench()
    assert [bench.ask(one, functional=True) for one in ("03", "07", "0a")] == ["43 00", "47 00", "4a 00"]


def test_pending_then_confirmed_and_permanent() -> None:
    """P2135 needs one driving cycle, P0171 two; the two bytes are 2135 and 0171."""
    bench = Bench()
    store = bench.store
    store.report("P2135", failed=True, t=0)
    store.report("P0171", failed=True, t=0)
    assert bench.ask("03") == "43 01 21 35"
    assert bench.ask("07") == "47 02 01 71 21 35"
    assert bench.ask("0a") == "4a 01 21 35"
    assert bench.data_of(0x01)[0] == 0x81


def test_codes_that_are_not_emission_related_are_kept_from_obd() -> None:
    bench = Bench()
    bench.store.report("P0219", failed=True, t=0)
    assert bench.store.trouble("P0219").confirmed
    assert [bench.ask(one) for one in ("03", "07", "0a")] == ["43 00", "47 00", "4a 00"]
    assert bench.data_of(0x01)[0] == 0x00


def test_each_control_unit_tells_its_own() -> None:
    bench = Bench(ENGINE, TRANSMISSION)
    bench.store.report("P0217", failed=True, t=0)
    assert bench.ask("03", ecu=0) == "43 01 02 17"
    assert bench.ask("03", ecu=1) == "43 00"


def test_python_obd_reads_them() -> None:
    bench = Bench()
    for code in ("P0301", "P2122", "P1219"):
        bench.store.report(code, failed=True, t=0)
    message = Message([])
    message.data = bytearray.fromhex(bench.ask("07") or "")
    assert [code for code, _ in obd.commands.GET_CURRENT_DTC.decode([message])] == ["P2122", "P0301"]


def broken(bench: Bench) -> Bench:
    bench.start()
    bench.store.report("P2135", failed=True, t=0)
    return bench


def test_everything_is_forgotten_but_permanent_codes() -> None:
    bench = broken(Bench())
    bench.set(auxiliary_Odometer=5_000_000)
    bench.wait(121)
    assert bench.data_of(0x4E) == b"\x00\x02"
    assert bench.ask("04", functional=True) == "44"
    assert [bench.ask(one) for one in ("03", "07", "0a", "02 02 00")] == [
        "43 00", "47 00", "4a 01 21 35", "42 02 00 00 00",
    ]  # fmt: skip
    assert bench.data_of(0x01)[0] == 0
    assert bench.data_of(0x4E) == b"\x00\x00"
    assert bench.ask("06 a1") == "46 a1 80 2f 00 00 00 00 00 00"


def test_readiness_begins_anew() -> None:
    """Misfire, fuel system and components are incomplete: bits 4 to 6 of B."""
    bench = Bench()
    bench.start()
    bench.set(auxiliary_CoolantTemperature=90_000, auxiliary_BatteryVoltage=14_000, vehicle_EngineLoad=300)
    bench.wait(12)
    assert bench.data_of(0x01)[1] & 0x70 == 0x60
    bench.ask("04")
    assert bench.data_of(0x01)[1] & 0x70 == 0x70


def test_while_the_engine_runs_it_may_be_refused_to_all() -> None:
    """7F 04 22: conditions not correct. With the engine off it is done."""
    bench = broken(Bench(ENGINE.model_copy(update={"obd": ObdSettings(role="engine", clear_while_running=False)})))
    assert bench.ask("04") == bench.ask("04", functional=True) == "7f 04 22"
    assert bench.ask("03") == "43 01 21 35"
    bench.stop()
    assert bench.ask("04") == "44"


def test_clearing_is_answered_when_it_is_written() -> None:
    """Response pending within 50 ms and again within 5 s; other requests are busy meanwhile."""
    bench = Bench()
    bench.nvram.connected = True
    bench.store.report("P0301", failed=True, t=0)
    ecu = bench.ecus[0]
    assert ecu.idle
    assert bench.ask("04", functional=True) is None
    assert not ecu.idle
    said = {tick: answer.hex(" ") for tick in range(1, 6000) if (answer := ecu.poll(tick * MILLISECOND))}
    first, second, third = said
    assert set(said.values()) == {"7f 04 78"}
    assert first <= 50
    assert max(second - first, third - second) <= 5000
    assert bench.ask("03") == "7f 03 21"
    bench.nvram.end(1, written=True)
    assert ecu.poll(bench.t) == b"\x44"
    assert ecu.idle
    assert bench.ask("03") == "43 00"


def test_clearing_that_cannot_be_written_is_refused() -> None:
    """With 22, conditions not correct, which is counted; a unit that loses its supply answers nothing more."""
    bench = Bench()
    bench.nvram.connected = True
    bench.ask("04")
    bench.nvram.end(1, written=False)
    assert bench.ecus[0].poll(bench.t) == b"\x7f\x04\x22"
    assert bench.obd.statistics.not_written == 1
    bench.ask("04")
    bench.ecus[0].restart()
    bench.nvram.end(2, written=True)
    assert bench.ecus[0].poll(bench.t) is None
