"""The shipped benches of an electric vehicle and of a hybrid: what frames and control unit say while they drive."""

import json
from pathlib import Path

import can
import pytest

from hilbridge.bench.stored_state import StoredState
from hilbridge.testing import VirtualBench

from ..program import CHECKOUT, database, decoded


def message(data: bytes) -> can.Message:
    return can.Message(arbitration_id=0x200, is_extended_id=False, data=data)


def slower(name: str, folder: Path) -> Path:
    """The shipped bench with a hundred ticks in a second."""
    text = (CHECKOUT / f"config/benches/{name}.yaml").read_text(encoding="utf-8")
    file = folder / f"{name}.yaml"
    file.write_text(text.replace("rate: 1000", "rate: 100"), encoding="utf-8")
    return file


def switch_on(bench: VirtualBench) -> None:
    """In P by the key, then in D without the brake."""
    bench.set("input.AutomaticGear", 1)
    bench.set("input.Brake", 0.5)
    bench.set("input.Key", 1)
    bench.advance(0.3)
    assert bench.read("electric.DriveReady") == 1
    bench.set("input.Key", 0)
    bench.set("input.AutomaticGear", 4)
    bench.advance(0.5)
    bench.set("input.Brake", 0)


def test_frames_and_control_unit_show_motor_and_battery(tmp_path: Path) -> None:
    """Full pedal in D: positive power; then overrun: the gauge goes negative. The rev counter stays at 0.

    PID 5B is the charge as SAE J1979 has it, A * 100 / 255; 9A has voltage and current, which is negative in overrun.
    """
    motor = database("electric").get_message_by_name("ElectricDrive")
    with VirtualBench(slower("electric", tmp_path)) as bench:
        switch_on(bench)
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
        battery = bench.obd(0x9A)
        assert int.from_bytes(battery[2:4]) / 64 == pytest.approx(bench.read("electric.TractionVoltage"), abs=1)
        assert int.from_bytes(battery[4:6], signed=True) / 10 < -5
        (charge,) = bench.obd(0x5B)
        assert charge * 100 / 255 == pytest.approx(100 * bench.read("electric.TractionCharge"), abs=0.4)


def test_a_hybrid_shows_its_engine_at_rest_and_its_charge(tmp_path: Path) -> None:
    """Under a light foot: READY, power, 0 rpm on the bus and as PID 0C, the charge as PID 5B; then the engine runs."""
    powertrain, electric = database("powertrain"), database("electric")
    with VirtualBench(slower("hybrid", tmp_path)) as bench:
        switch_on(bench)
        bench.set("input.Throttle", 0.15)
        bench.advance(4)
        engine = powertrain.get_message_by_name("EngineData1")
        motor = electric.get_message_by_name("ElectricDrive")
        shown = decoded(motor, message(bench.frames("electric", "ElectricDrive")[-1].data))
        assert (shown["DriveReady"], shown["PowerShare"] > 0) == (1.0, True)
        frame = message(bench.frames("powertrain", "EngineData1")[-1].data)
        assert decoded(engine, frame)["EngineRpm"] == 0
        assert bench.obd(0x0C) == bytes(2)
        (charge,) = bench.obd(0x5B)
        assert charge * 100 / 255 == pytest.approx(100 * bench.read("electric.TractionCharge"), abs=0.4)
        bench.set("input.Throttle", 1)
        bench.advance(2)
        assert int.from_bytes(bench.obd(0x0C)) / 4 == pytest.approx(bench.read("vehicle.EngineRpm"), rel=0.05)
        assert bench.read("vehicle.EngineRpm") > 1000


def test_energies_and_charge_outlive_the_run(tmp_path: Path) -> None:
    """What a run stores, through JSON, is where the next one begins; what is damaged is told and left out."""
    file = slower("electric", tmp_path)
    paths = ("electric.EnergyUsed", "electric.EnergyRecuperated", "electric.TractionCharge")
    with VirtualBench(file) as bench:
        switch_on(bench)
        bench.set("input.Throttle", 1)
        bench.advance(8)
        bench.set("input.Throttle", 0)
        bench.advance(4)
        driven = [bench.read(path) for path in paths]
        kept = json.loads(json.dumps(StoredState(bench.parts).state()))
    assert min(driven) > 0.01
    with VirtualBench(file) as bench:
        StoredState(bench.parts).restore(kept, pytest.fail)
        bench.advance(0.1)
        assert [bench.read(path) for path in paths] == pytest.approx(driven, abs=2e-3)
        warnings: list[str] = []
        StoredState(bench.parts).restore({"electric": {"used": "much"}}, warnings.append)
        assert len(warnings) == 1
        assert "electric drive" in warnings[0]
