"""Service 02: what the engine did when a fault was found."""

from ..control_units import Bench


def test_without_a_code_only_the_code_is_told_and_it_is_0() -> None:
    bench = Bench()
    assert bench.ask("02 00 00") == "42 00 00 40 00 00 00"
    assert bench.ask("02 02 00") == "42 02 00 00 00"
    assert bench.ask("02 0c 00") == "7f 02 12"


def test_the_frame_keeps_the_values_of_the_moment() -> None:
    """P0301 at 1726 rpm and 50 km/h; what comes later does not change it. Up to three PIDs at once."""
    bench = Bench()
    bench.set(vehicle_EngineRpm=1_726_000, vehicle_Speed=13_889)
    bench.obd.store.report("P0301", failed=True, t=0)
    bench.set(vehicle_EngineRpm=3_000_000)
    bench.obd.store.report("P0301", failed=True, t=1)
    assert bench.ask("02 02 00 0c 00 0d 00") == "42 02 00 03 01 0c 00 1a f8 0d 00 32"


def test_there_is_one_frame() -> None:
    bench = Bench()
    bench.obd.store.report("P0301", failed=True, t=0)
    assert bench.ask("02 0c 01") == "7f 02 12"
    assert bench.ask("02 0c 01 02 00") == "42 02 00 03 01"


def test_misfire_and_fuel_system_replace_any_other_frame() -> None:
    """The first code counts, but for these two."""
    bench = Bench()
    for code, shown in (("P0217", "02 17"), ("P0562", "02 17"), ("P0171", "01 71"), ("P0300", "01 71")):
        bench.obd.store.report(code, failed=True, t=0)
        assert bench.ask("02 02 00") == f"42 02 00 {shown}"
