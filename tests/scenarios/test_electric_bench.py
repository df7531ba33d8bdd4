"""The shipped bench of an electric vehicle: what its frames and its control unit say while it drives."""

from pathlib import Path

import can
import pytest

from hilbridge.testing import VirtualBench

from ..program import CHECKOUT, database, decoded


def message(data: bytes) -> can.Message:
    return can.Message(arbitration_id=0x200, is_extended_id=False, data=data)


def test_frames_and_control_unit_show_motor_and_battery(tmp_path: Path) -> None:
    """Full pedal in D: positive power; then overrun: the gauge goes negative. The rev counter stays at 0.

    PID 5B is the charge as SAE J1979 has it, A * 100 / 255.
    """
    text = (CHECKOUT / "config/benches/electric.yaml").read_text(encoding="utf-8")
    slower = tmp_path / "electric.yaml"
    slower.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")
    motor = database("electric").get_message_by_name("ElectricDrive")
    with VirtualBench(slower) as bench:
        bench.set("input.AutomaticGear", 1)
        bench.set("input.Brake", 0.5)
        bench.set("input.Key", 1)
        bench.advance(0.3)
        assert bench.read("electric.DriveReady") == 1
        bench.set("input.Key", 0)
        bench.set("input.AutomaticGear", 4)
        bench.advance(0.5)
        bench.set("input.Brake", 0)
        bench.set("input.Throttle", 1)
        bench.advance(6)
        full = decoded(motor, message(bench.frames("powertrain", "ElectricDrive")[-1].data))
        assert full["PowerShare"] > 50
        assert full["MotorPower"] == pytest.approx(bench.read("electric.MotorPower"), abs=1)
        assert bench.read("vehicle.Speed") > 15
        assert bench.obd(0x0C) == bytes(2)
        bench.set("input.Throttle", 0)
        bench.advance(2)
        assert decoded(motor, message(bench.frames("powertrain", "ElectricDrive")[-1].data))["PowerShare"] < -10
        (charge,) = bench.obd(0x5B)
        assert charge * 100 / 255 == pytest.approx(100 * bench.read("electric.TractionCharge"), abs=0.4)
