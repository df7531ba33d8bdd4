"""Faults of sensors on a running bench: the scan tool reads the wrong value, and the code that the circuit sets."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.testing import VirtualBench

from ..program import CHECKOUT

#  fault of an idling engine              PID   its data    code
CASES = [
    ("CoolantTemperature open", 0x05, "00", "0118"),
    ("CoolantTemperature ground", 0x05, "be", "0117"),
    ("IntakeTemperature open", 0x0F, "00", "0113"),
    ("OilTemperature ground", 0x5C, "dc", "0197"),
    ("IntakePressure open", 0x0B, "00", "0107"),
    ("IntakePressure supply", 0x0B, "ff", "0108"),
    ("AirMassFlow open", 0x10, "00 00", "0102"),
    ("ThrottlePosition supply", 0x11, "f2", "0123"),
    ("ThrottlePosition offset value=0.3", None, "", "0121"),
    ("FuelShare open", 0x2F, "00", "0462"),
    ("EngineRpm open", 0x0C, "00 00", "0335"),
    ("OilPressure ground", None, "", "0522"),
    ("ExhaustTemperature open", 0x78, "01 30 70 00 00 00 00 00 00", "0546"),
]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualBench]:
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    file = tmp_path_factory.mktemp("sensors") / "diagnostics.yaml"
    file.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")
    with VirtualBench(file) as running:
        running.set("input.Key", 1)
        running.advance(2)
        running.set("input.Key", 0)
        running.advance(12)
        yield running


def pending(bench: VirtualBench) -> list[str]:
    answer = bench.uds(b"\x07")
    return [answer[at : at + 2].hex() for at in range(2, len(answer), 2)]


@pytest.mark.parametrize(("fault", "pid", "data", "code"), CASES, ids=[case[0] for case in CASES])
def test_a_circuit_sets_its_code_and_no_other(
    bench: VirtualBench, fault: str, pid: int | None, data: str, code: str
) -> None:
    """Within 5 s; and what the scan tool reads is the sensor's, until the fault is over."""
    assert pending(bench) == []
    before = None if pid is None else bench.obd(pid)
    number = bench.fault(f"sensor {fault}")
    try:
        bench.advance(5)
        assert pending(bench) == [code]
        if pid is not None:
            assert bench.obd(pid) == bytes.fromhex(data) != before
    finally:
        bench.clear(number)
        bench.advance(1)
        bench.uds(b"\x04")


def test_noise_is_that_of_the_seed(tmp_path: Path) -> None:
    """Around the truth, within its width, and the same in each run."""
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    file = tmp_path / "diagnostics.yaml"
    file.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")

    def heard() -> list[float]:
        with VirtualBench(file) as running:
            true = running.read("auxiliary.FuelShare")
            running.fault("sensor FuelShare noise value=0.1")
            values = []
            for _ in range(200):
                running.advance(0.01)
                values.append(running.read("auxiliary.FuelShare") - true)
            return values

    first = heard()
    assert first == heard()
    assert -0.1 <= min(first) < -0.08 < 0.08 < max(first) <= 0.1
    assert abs(sum(first)) / len(first) < 0.02


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("sensor CoolantTemprature open", "did you mean auxiliary.CoolantTemperature"),
        ("sensor Odometer open", "unknown sensor"),
        ("sensor BatteryVoltage supply", "circuit has no such fault"),
        ("sensor OilPressure offset", "needs a value"),
        ("sensor OilPressure open value=3", "belongs to 'effect: offset"),
        ("sensor OilPressure slow value=0", "must be greater than 0"),
    ],
)
def test_what_cannot_be_is_refused(bench: VirtualBench, fault: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        bench.fault(fault)


def test_a_slow_sensor_has_63_percent_after_its_time(bench: VirtualBench) -> None:
    """Of a step: the truth jumps from 5 kPa to that of idle as another fault ends, first in the order of faults."""
    bench.fault("sensor OilPressure stuck value=5", seconds=1)
    bench.fault("sensor OilPressure slow value=2")
    bench.advance(1.0)
    low = bench.read("auxiliary.OilPressure")
    bench.advance(2.02)
    after = bench.read("auxiliary.OilPressure")
    bench.clear()
    bench.advance(0.1)
    true = bench.read("auxiliary.OilPressure")
    assert low == pytest.approx(5.0, abs=0.5)
    assert (after - low) / (true - low) == pytest.approx(0.632, abs=0.02)
