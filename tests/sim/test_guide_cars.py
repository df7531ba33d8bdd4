"""The cars of docs/guides/cars turn as cars do, by the rules of docs/guides/car.md for tyres and axles."""

from pathlib import Path

import pytest

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import TyreSettings, VehicleSettings
from vehiclesim.chassis.tyre import Tyre

from .steady_turn import GRAVITY, understeer_gradient
from .yaw_step import response_time

CARS = sorted(
    path
    for path in (Path(__file__).parents[2] / "docs" / "guides" / "cars").glob("*.yaml")
    if not path.stem.endswith("-engine")
)


def settings(path: Path) -> VehicleSettings:
    """A car without its engine, which has no part in how it turns."""
    return load_vehicle(str(path)).settings


@pytest.mark.parametrize("path", CARS, ids=lambda path: path.stem)
def test_the_cars_of_the_guide_turn_as_cars_do(path: Path) -> None:
    """1 to 4 deg/g of understeer (ISO 4138), and 200 to 350 ms to 90 % of the yaw rate (ISO 7401)."""
    car = settings(path)
    understeer = understeer_gradient(car, 0.05, 0.3)
    assert 1.0 < understeer < 4.0
    assert 0.2 < response_time(car, understeer) < 0.35


@pytest.mark.parametrize("path", CARS, ids=lambda path: path.stem)
def test_their_tyres_are_as_stiff_as_tyre_files_say(path: Path) -> None:
    """15 to 22 N/N/rad across the wheel, as PAC2002 tyre files have, at the load of each axle."""
    car = settings(path)
    for share in (car.chassis.front_weight, 1.0 - car.chassis.front_weight):
        load = 0.5 * share * car.body.mass * GRAVITY
        assert 15.0 < _stiffness(car.tyre, load) < 22.0


def _stiffness(settings: TyreSettings, load: float) -> float:
    """Side force over load and slip angle of a wheel that turns freely [1/rad]."""
    tyre, slip = Tyre(settings), 0.005
    tyre.bear(load)
    for _ in range(4000):
        tyre.roll(0.0, slip * 20.0, 20.0, load, 0.001)
        tyre.deflection_x += tyre.rate_x() * 0.001
        tyre.deflection_y += tyre.rate_y() * 0.001
    return abs(tyre.force_y) / load / slip
