"""The demo driver on every packaged bench that has one, and in every packaged vehicle."""

from pathlib import Path

import pytest
import yaml

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.testing import VirtualBench
from vehiclesim.channels import VEHICLE, VehicleData

CONFIG = Path(__file__).parents[4] / "config"


def benches_with_a_driver() -> list[str]:
    """The packaged benches, one of those that have vehicle and inputs in common: the driver knows no more of them."""
    found: dict[str, str] = {}
    for path in sorted((CONFIG / "benches").glob("*.yaml"), reverse=True):
        bench = yaml.safe_load(path.read_text(encoding="utf-8"))
        if any(one["source"] == "demo-driver" for one in bench.get("inputs", ())):
            found[str((bench["vehicle"], bench["inputs"]))] = path.stem
    return sorted(found.values())


BENCHES = benches_with_a_driver()

VEHICLES = sorted(path.stem for path in (CONFIG / "vehicles").glob("*.yaml"))


def check_loop(bench: VirtualBench) -> None:
    """The vehicle reaches 50 km/h and comes to rest, and its engine is off at the end of the loop."""
    speeds = []
    while bench.time < 60.0:
        bench.advance(0.5)
        speeds.append(bench.data.read(VEHICLE, VehicleData.SPEED))
    assert max(speeds) * 3.6 > 50.0
    bench.advance_until("input.Key == -1", timeout=24.0)
    assert bench.time == pytest.approx(75.0, abs=3.0)
    bench.advance(3.0)
    assert bench.data.vehicle[VehicleData.SPEED] == 0
    assert bench.data.vehicle[VehicleData.ENGINE_WORKING] == 0
    bench.advance_until("input.Key == 0", timeout=5.0)


@pytest.mark.nightly("game", "hybrid", "car-network", "cluster-alfa-giulia-body", "cluster-bmw-e9x")
@pytest.mark.parametrize("name", BENCHES)
def test_the_vehicle_of_a_bench_is_driven(name: str) -> None:
    with VirtualBench(name, demo_driver=True) as bench:
        check_loop(bench)


@pytest.mark.nightly("awd-estate")
@pytest.mark.parametrize("name", VEHICLES)
def test_a_vehicle_is_driven_on_the_demo_bench(name: str, tmp_path: Path) -> None:
    """At 100 Hz, which takes a tenth of the time and is as often as the driver acts."""
    settings = yaml.safe_load((CONFIG / "benches/demo.yaml").read_text(encoding="utf-8"))
    settings |= {"vehicle": name, "rate": 100}
    (tmp_path / "bench.yaml").write_text(yaml.safe_dump(settings))
    with VirtualBench(tmp_path / "bench.yaml", demo_driver=True) as bench:
        check_loop(bench)


def test_a_bench_whose_vehicle_the_demo_driver_cannot_stop_is_refused_at_the_input(tmp_path: Path) -> None:
    """With the line of the bench file that asks for the driver."""
    vehicle = yaml.safe_load((CONFIG / "vehicles/compact.yaml").read_text(encoding="utf-8"))
    vehicle["brakes"] = {**vehicle.get("brakes", {}), "max_torque": 0}
    (tmp_path / "coaster.yaml").write_text(yaml.safe_dump(vehicle))
    (tmp_path / "bench.yaml").write_text("name: coaster\nvehicle: coaster.yaml\ninputs:\n  - {source: demo-driver}\n")
    with pytest.raises(ConfigurationError, match=r"bench\.yaml:4: inputs\[0\]: the demo driver cannot drive: .*brakes"):
        VirtualBench(tmp_path / "bench.yaml", demo_driver=True)
