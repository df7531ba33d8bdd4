"""Height and tip-in, as a driver and a scan tool notice them: the engine and its sensors agree."""

from pathlib import Path

import pytest

from hilbridge.testing import VirtualBench

from ..program import CHECKOUT


def slow(vehicle: str, folder: Path) -> Path:
    """The bench with OBD-II, with another vehicle and a hundred ticks a second."""
    text = (CHECKOUT / "config/benches/diagnostics.yaml").read_text(encoding="utf-8")
    bench = folder / "bench.yaml"
    text = text.replace("rate: 1000", "rate: 100").replace("vehicle: compact", f"vehicle: {vehicle}")
    bench.write_text(text, encoding="utf-8")
    return bench


def gain(bench: VirtualBench) -> float:
    """Speed [m/s] that a second of full throttle in third gear gains from 60 km/h on."""
    bench.drive(60, gear=3)
    bench.set("input.Throttle", 1)
    bench.advance(0.5)
    begin = bench.read("vehicle.Speed")
    bench.advance(1.0)
    gained = bench.read("vehicle.Speed") - begin
    bench.release("input.Throttle")
    return gained


def test_a_pass_takes_a_quarter_of_the_torque_and_leaves_idle_alone(tmp_path: Path) -> None:
    """At 2500 m, 74.7 kPa: by SAE J1349 the torque of the burnt charge falls to 0.737, and friction does not."""
    with VirtualBench(slow("compact", tmp_path)) as bench:
        low = gain(bench)
        torque = bench.read("vehicle.EngineTorque")
        bench.set("road.AirPressure", 74.7)
        high = gain(bench)
        friction = 75.0  # Nm, of this engine at 3800 rpm: 20 + 0.1·w + (0.01·w)²
        burnt = 0.737 * (torque + friction)
        assert high / low == pytest.approx((burnt - friction) / torque, abs=0.05)
        bench.advance(0.1)
        assert bench.obd(0x33) == bytes([75])
        for control in ("Throttle", "Clutch", "ManualGear"):
            bench.set(f"input.{control}", 1 if control == "Clutch" else 0)
        bench.advance(5.0)
        assert bench.read("vehicle.EngineRpm") == pytest.approx(1000.0, rel=0.01)
        assert bench.read("auxiliary.IntakePressure") < 74.7


def test_a_diesel_that_is_tipped_in_shows_torque_boost_and_air_rising_together(tmp_path: Path) -> None:
    """320d in fifth gear at 1850 rpm: 90 % of the torque after 0.5 to 3 s, as far as the boost has come by then."""
    with VirtualBench(slow("320d-g20", tmp_path)) as bench:
        bench.drive(60)
        for override in ("MinGearOverride", "MaxGearOverride"):
            bench.set(f"settings.{override}", 5)
        bench.drive(60)
        gear = bench.read("vehicle.GearboxGear")
        bench.set("input.Throttle", 0.9)
        friction = bench.read("auxiliary.FrictionTorque")
        shown: list[tuple[float, float, float]] = []
        while bench.read("vehicle.GearboxGear") == gear and len(shown) < 130:
            bench.advance(0.01)
            torque = bench.read("vehicle.EngineTorque")
            shown.append((torque, bench.read("auxiliary.IntakePressure"), bench.read("auxiliary.AirMassFlow")))
        torques, pressures, flows = zip(*shown, strict=True)
        final = max(torques)
        assert final > 320  # 0.9·(400 + 28) - 28·(360/293)^3.5, its cold friction
        assert 50 <= next(k for k, torque in enumerate(torques) if torque > 0.9 * final) <= 300
        assert list(pressures) == sorted(pressures)
        assert flows[60] > 1.5 * flows[0]
        rising = [(torque, pressure) for torque, pressure, _ in shown if 160 < torque < 0.9 * final]
        ratios = [(torque + friction) / pressure for torque, pressure in rising]
        assert max(ratios) / min(ratios) < 1.03
