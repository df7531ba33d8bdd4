"""A script that waits for the engine and lets it misfire from that tick on gets the code, not a stalled engine."""

from pathlib import Path

import pytest

from hilbridge.testing import VirtualBench

from ..program import CHECKOUT


@pytest.mark.parametrize("share", [0.08, 0.25])
def test_misfires_from_the_first_tick_of_the_engine_are_found(share: float, tmp_path: Path) -> None:
    """P0300 is pending within 10 s (the monitor needs 5), and idle speed is reached; one of four cylinders is 25 %."""
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    slower = tmp_path / "diagnostics.yaml"
    slower.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")
    with VirtualBench(slower) as bench:
        bench.set("input.Key", 1)
        while not bench.read("vehicle.EngineWorking"):
            bench.advance(0.01)
            assert bench.time < 5
        bench.set("input.Key", 0)
        bench.fault(f"physics fault.Misfire value={share}")
        bench.advance(10)
        assert bench.obd(0x0C) > bytes((0x0E, 0x00))  # 896 1/min
        assert bench.uds(b"\x07") == bytes.fromhex("47 01 03 00")
