"""Other parameters for the engine that runs, by commands."""

import json
from typing import Any

import pytest

from hilbridge.files.configuration.vehiclefile import engine_of, load_vehicle
from hilbridge.testing import VirtualBench
from vehiclesim.engine.engine import Engine


def full_torque(bench: VirtualBench, rpm: float) -> float:
    return bench.parts.vehicle.engine.calculate_torque(rpm)


def tune(bench: VirtualBench, values: dict[str, Any]) -> Any:
    return json.loads(bench.obey(json.dumps({"command": "tune-engine", "values": values}).encode()))


def idling(bench: VirtualBench) -> None:
    bench.set("input.Clutch", 1)
    bench.set("input.Key", 1)
    bench.advance(3)
    bench.set("input.Key", 0)
    bench.advance(3)


def test_the_engine_that_runs_has_the_curve_of_such_an_engine() -> None:
    """That of one built with the values from the start; what the file says comes back with no values."""
    with VirtualBench("demo") as bench:
        before = full_torque(bench, 4000)
        section = load_vehicle("compact").file.data["engine"]
        tune(bench, {"peak_rpm_torque": 250.0})
        assert full_torque(bench, 4000) == Engine(engine_of(section | {"peak_rpm_torque": 250.0})).calculate_torque(
            4000
        )
        assert full_torque(bench, 4000) > before + 30
        tune(bench, {})
        assert full_torque(bench, 4000) == before


def test_it_takes_another_idle_speed_and_limiter_without_a_jump() -> None:
    """The speed of the moment stays; from there the engine goes to its new idle, and no further than its limiter."""
    with VirtualBench("demo") as bench:
        idling(bench)
        rpm = bench.read("vehicle.EngineRpm")
        tune(bench, {"idle_rpm": 1400.0, "rpm_limiter": True, "rpm_limiter_max": 3000.0, "inertia": 0.3})
        bench.advance(0.001)
        assert bench.read("vehicle.EngineRpm") == pytest.approx(rpm, abs=5)
        bench.advance(4)
        assert bench.read("vehicle.EngineRpm") == pytest.approx(1400, abs=30)
        bench.set("input.Throttle", 1)
        bench.advance(3)
        assert 2500 < bench.read("vehicle.EngineRpm") < 3150


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"max_rpm": 4000.0}, "values.max_rpm: 4000 is not above peak_rpm 4200"),
        ({"pistons": 4}, "values.pistons: unknown key"),
        ({"inertia": -1.0}, "values.inertia:"),
    ],
)
def test_an_engine_that_cannot_be_is_refused_and_the_running_one_stays(values: dict[str, Any], reason: str) -> None:
    with VirtualBench("demo") as bench:
        before = full_torque(bench, 3000)
        assert tune(bench, values)["error"].startswith(reason)
        assert full_torque(bench, 3000) == before
        assert bench.parts.engine_tuning.changes == {}
