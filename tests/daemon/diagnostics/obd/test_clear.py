"""Service 04."""

from ..control_units import Bench


def broken(bench: Bench) -> Bench:
    bench.start()
    bench.obd.store.report("P2135", failed=True, t=0)
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
    bench = broken(Bench(clear_while_running=False))
    assert bench.ask("04") == bench.ask("04", functional=True) == "7f 04 22"
    assert bench.ask("03") == "43 01 21 35"
    bench.stop()
    assert bench.ask("04") == "44"
