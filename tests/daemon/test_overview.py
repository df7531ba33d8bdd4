"""How a bench is, at a glance."""

from hilbridge.app import Bench
from hilbridge.configuration.benchfile import load_bench
from hilbridge.overview import headline
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
