"""Misfires by cylinder, by hand: at 1200 rpm a cylinder fires ten times a second."""

import json

import obd  # type: ignore[import-untyped]
import pytest
from obd import decoders

from ..control_units import Bench

NAMES = ("mean", "present")


def counts(bench: Bench, cylinder: int) -> dict[str, float]:
    """What python-OBD reads of service 06: the mean of the last driving cycles, and the present one."""
    answer = bytes.fromhex(bench.ask(f"06 {0xA1 + cylinder:02x}") or "")
    tests = [decoders.parse_monitor_test(bytearray(answer[i : i + 9]), None) for i in (1, 10)]
    assert [test.tid for test in tests] == [0x0B, 0x0C]
    assert all(test.value.units == obd.Unit.count and test.passed for test in tests)
    return dict(zip(NAMES, (test.value.magnitude for test in tests), strict=True))


def run(bench: Bench, seconds: float, share: float) -> None:
    bench.start()
    bench.wait(0.1)  # the cycle begins
    bench.set(vehicle_EngineRpm=1_200_000, fault_Misfire=round(share * 10_000))
    bench.wait(seconds)
    bench.set(fault_Misfire=0)


def stop(bench: Bench) -> None:
    bench.stop()
    bench.wait(0.2)


def test_misfires_are_spread_over_the_cylinders() -> None:
    """5 % of ten combustions a second, in 40 s: 20 of each cylinder."""
    bench = Bench()
    run(bench, 40, 0.05)
    assert [counts(bench, cylinder)["present"] for cylinder in (1, 2, 3, 4)] == [20] * 4


def test_those_with_a_failing_code_misfire_alone() -> None:
    """5 % of all combustions are 20 % of cylinder 2; never more than it fires."""
    bench = Bench()
    bench.store.hold("P0302", 0)
    run(bench, 40, 0.05)
    assert [counts(bench, cylinder)["present"] for cylinder in (1, 2, 3, 4)] == [0, 80, 0, 0]
    run(bench, 10, 0.9)
    assert counts(bench, 2)["present"] == 80 + 100


def test_the_cylinder_that_the_fault_names_misfires_alone() -> None:
    """5 % of all combustions are 20 % of cylinder 3: 80 in 40 s; one that does not exist is any."""
    bench = Bench()
    bench.set(fault_MisfireCylinder=3)
    run(bench, 40, 0.05)
    assert [counts(bench, cylinder)["present"] for cylinder in (1, 2, 3, 4)] == [0, 0, 80, 0]
    bench.set(fault_MisfireCylinder=24)
    run(bench, 40, 0.05)
    assert [counts(bench, cylinder)["present"] for cylinder in (1, 2, 3, 4)] == [20, 20, 100, 20]


def test_the_mean_takes_a_tenth_of_each_driving_cycle() -> None:
    bench = Bench()
    for expected in (0.1 * 200, 0.9 * 20 + 20):
        run(bench, 40, 0.5)
        stop(bench)
        assert counts(bench, 1) == {"mean": round(expected), "present": 200}
    bench.start()
    bench.wait(1)
    assert counts(bench, 1) == {"mean": 38, "present": 0}


def test_clearing_forgets_them_and_a_restart_keeps_the_mean() -> None:
    bench = Bench()
    run(bench, 40, 0.5)
    stop(bench)
    other = Bench()
    other.store.restore(json.loads(json.dumps(bench.store.export())))
    assert counts(other, 1) == {"mean": 20, "present": 0}
    other.ask("04")
    assert counts(other, 1) == {"mean": 0, "present": 0}


def test_cylinders_without_a_code_are_no_monitors() -> None:
    """The mask of A0: A1, the share of all, and A2 to A5."""
    bench = Bench()
    assert bench.ask("06 a6") == "7f 06 12"
    assert (bench.ask("06 a0") or "")[6:] == "f8 00 00 01"


@pytest.mark.parametrize("identifier", [0xF6A2, 0xF6A5])
def test_uds_reads_them_too(identifier: int) -> None:
    """SAE J1979-2: the same without the number of the monitor."""
    assert Bench().obd.read_identifier(identifier) == bytes.fromhex("0B 24 0000 0000 FFFF 0C 24 0000 0000 FFFF")
