"""The cycles of installed packages, driven whole. For the compiled model, with the extra `cycles` installed."""

import pytest

from hilbridge.configuration.vehiclefile import load_vehicle
from hilbridge.drive.cycles import find_cycle
from hilbridge.drive.simulation import drive

LENGTHS = {"nedc": 11_013.0, "wltc": 23_266.0, "udds": 11_990.0, "hwfet": 16_510.0}
"""[m], as published."""


@pytest.mark.parametrize("name", LENGTHS)
def test_the_table_has_its_published_length(name: str) -> None:
    assert find_cycle(name).distance == pytest.approx(LENGTHS[name], rel=3e-4)


@pytest.mark.parametrize("name", LENGTHS)
def test_the_compact_car_drives_it_whole(name: str) -> None:
    """Inside ±2 km/h and ±1 s all the way, and the energy ledger closes to 1e-6 of the throughput."""
    driven = drive(load_vehicle("compact").settings, find_cycle(name))
    assert driven.time_outside == 0.0
    assert driven.distance == pytest.approx(LENGTHS[name], rel=2e-3)
    assert driven.energy is not None
    assert abs(driven.energy.residual) < 1e-6 * driven.energy.throughput
    assert all(loss >= 0.0 for loss in driven.energy.losses.values())


def test_the_nedc_is_driven_in_its_own_gears_within_2_km_per_hour() -> None:
    driven = drive(load_vehicle("compact").settings, find_cycle("nedc"), ledger=False)
    assert abs(driven.largest_deviation) < 2.0 / 3.6
