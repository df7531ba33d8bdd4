"""Service 01."""

import pytest

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
    bench.obd.store.report("P2135", failed=failed, t=0)
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
