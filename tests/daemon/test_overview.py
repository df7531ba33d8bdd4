"""How a bench is, at a glance."""

from hilbridge.app import Bench
from hilbridge.configuration.benchfile import load_bench
from hilbridge.overview import headline, overview
from hilbridge.testing import VirtualBench
from vehiclesim.channels import VehicleData


def test_the_headline_is_one_line_for_a_service_manager() -> None:
    """The engine's speed while it runs, and how many links work."""
    bench = Bench(load_bench("demo"))
    bench.open_nothing()
    links = len(bench.links)
    assert headline(bench, 3) == f"demo: 1000 Hz, 3 missed, engine off, {links} of {links} links up"
    bench.vehicle.data.vehicle[VehicleData.ENGINE_WORKING] = 1
    bench.vehicle.data.vehicle[VehicleData.ENGINE_RPM] = 2_500_000
    assert headline(bench, 0) == f"demo: 1000 Hz, 0 missed, engine 2500 rpm, {links} of {links} links up"


def test_what_the_buses_carried_is_told_from_the_first_question_on() -> None:
    """Identifier, side, number, time [ms] and bytes of the newest; and what became of the frames that are inputs."""
    with VirtualBench("demo") as bench:
        bench.set("input.Key", 0)
        bench.advance(0.1)
        assert overview(bench.parts, ["traffic"])["traffic"]["buses"] == {"powertrain": []}
        bench.advance(0.1)
        bench.inject("powertrain", "DriverInputs", Throttle=40)
        bench.advance(0.0205)
        told = overview(bench.parts, ["traffic"])["traffic"]
    rows = {(can_id, received): rest for can_id, received, *rest in told["buses"]["powertrain"]}
    count, last, data = rows[0x100, False]
    assert (count, last, len(data)) == (12, 210, 16)
    assert rows[0x180, True][0] == 1
    (source,) = told["inputs"]
    assert (source["message"], source["accepted"], source["protected"]) == ("DriverInputs", 1, False)
