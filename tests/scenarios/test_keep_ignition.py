"""A scan tool does not lose the car of the packaged benches: the demo driver keeps the ignition on for it."""

from pathlib import Path

import pytest

from hilbridge.testing import VirtualBench

from ..program import CHECKOUT


@pytest.mark.parametrize(("name", "seconds"), [("demo", 80), ("diagnostics", 160)])
def test_a_request_a_second_is_always_answered(name: str, seconds: int, tmp_path: Path) -> None:
    """Loops of the demo driver, which without a tester turns the key off after 76 s and after 157 s.

    At 100 Hz: what the key does is no matter of the rate.
    """
    text = (CHECKOUT / "config/benches" / f"{name}.yaml").read_text(encoding="utf-8")
    bench = tmp_path / f"{name}.yaml"
    bench.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")
    with VirtualBench(bench, demo_driver=True) as car:
        car.advance(0.5)
        for _ in range(seconds):
            assert car.obd(0x00)
            car.advance(1.0)
