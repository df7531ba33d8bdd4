"""Service 06: value and limits of each test, by units and scaling ids."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from obd.UnitsAndScaling import UAS_IDS  # type: ignore[import-untyped]

from hilbridge.bench.diagnostics.obd.monitor_results import scaled
from hilbridge.bench.diagnostics.obd.scaling_units import UNITS

from ..control_units import Bench


def test_results_are_0_until_a_verdict_and_then_tell_value_and_limits() -> None:
    """Misfire in hundredths of a percent: 1.5 % is 150, the limit 2 % is 200; 0.02 % of the bus's 1/10000."""
    bench = Bench()
    assert bench.ask("06 a1") == "46 a1 80 2f 00 00 00 00 00 00"
    bench.start()
    bench.set(fault_Misfire=150)
    bench.wait(11)
    assert bench.ask("06 a1") == "46 a1 80 2f 00 96 00 00 00 c8"


def test_a_limit_that_there_is_not_is_the_end_of_the_range() -> None:
    """Trims of +5 %: at most 20 % for the lean test, at least -20 % for the rich one; signed hundredths."""
    bench = Bench()
    bench.start()
    bench.set(auxiliary_FuelSystem=2, auxiliary_LongFuelTrim=500)
    bench.wait(21)
    assert bench.ask("06 81") == "46 81 80 af 01 f4 80 00 07 d0 81 81 af 01 f4 f8 30 7f ff"


def test_monitors_are_asked_for_one_by_one() -> None:
    bench = Bench()
    assert bench.ask("06 a1 81") == "7f 06 12"
    assert bench.ask("06 00 20") == "46 00 80 00 00 01 20 80 00 00 01"


@pytest.mark.parametrize("unit", UNITS)
@settings(max_examples=10)
@given(value=st.floats(-1e6, 1e6))
def test_scalings_are_those_of_python_obd(unit: int, value: float) -> None:
    """The number means the value to python-OBD too, or it is at the end of its range."""
    number = scaled(unit, value)
    low, high = (-0x8000, 0x7FFF) if unit >= 0x80 else (0, 0xFFFF)
    assert low <= number <= high
    if low < number < high:
        theirs = UAS_IDS[unit]
        step = abs(theirs(bytearray((0, 1))).magnitude - theirs(bytearray((0, 0))).magnitude)
        read = theirs(bytearray((number & 0xFFFF).to_bytes(2, "big"))).to_base_units()
        ours = theirs(bytearray((0, 0))).units
        assert read.to(ours).magnitude == pytest.approx(value * _PER_UNIT.get(unit, 1.0), abs=step, rel=1e-3)


_PER_UNIT = {0x10: 1000.0, 0x90: 1000.0, 0x11: 1000.0, 0x35: 1000.0, 0x34: 1 / 60}
"""python-OBD returns times in milliseconds or minutes, where UNITS has seconds."""
