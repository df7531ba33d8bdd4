"""The teeth of crank and cam of every shipped combustion car: in step, even while it is well, and else by name."""

import math
from dataclasses import replace
from functools import cache

import pytest

from hilbridge.bench.outputs.wheels import levels
from hilbridge.files.configuration.vehiclefile import load_vehicle
from hilbridge.files.settings.boards import BoardChannel
from vehiclesim import FAULT, FaultData, InputData, Vehicle
from vehiclesim.engine.pulses import firing_order

from .crank import Teeth, edges, misfires, synchronised

CARS = ("compact", "mx5-nd", "320d-g20", "awd-estate", "truck")
CAM = 30


def channel(**more: object) -> BoardChannel:
    return BoardChannel.model_validate({"kind": "wheel", "pin": 1, **more})


@cache
def angles(car: str, cylinder: int) -> tuple[list[float], list[float], Vehicle]:
    """Return times [s] and angles [°] of two seconds at warm idle, which do not go back."""
    settings = load_vehicle(car).settings
    vehicle = Vehicle(replace(settings, engine=replace(settings.engine, firing_pulses=True)))
    vehicle.auxiliaries.warm_up()
    controls = vehicle.data.input
    controls[InputData.CLUTCH] = controls[InputData.BRAKE] = 10_000
    controls[InputData.AUTOMATIC_GEAR] = 1
    controls[InputData.KEY] = 1
    for k in range(3000):
        if k == 2000:
            controls[InputData.KEY] = 0
            vehicle.data.fault[FaultData.MISFIRE_CYLINDER] = cylinder
            share = 1.0 / settings.engine.cylinders if cylinder else 0.0
            vehicle.data.write(FAULT, FaultData.MISFIRE, share)
        vehicle.step(0.001)
    times, found, turns = [], [], 0.0
    before = vehicle.engine.sensor_crank_angle
    for k in range(2500):
        vehicle.step(0.001)
        angle = vehicle.engine.sensor_crank_angle
        turns += angle < before
        before = angle
        times.append(k * 0.001)
        found.append(math.degrees(angle) + 720.0 * turns)
    return times, found, vehicle


def teeth(car: str, cylinder: int = 0, cam_ahead: float = 0.0, **crank: object) -> Teeth:
    times, found, _ = angles(car, cylinder)
    wheel = levels(channel(**({"pattern": "60-2"} | crank)))
    cam = levels(channel(pattern="1" * 20 + "0" * 100, per="cycle", offset=(cam_ahead - 174.0) % 720.0))
    return Teeth(edges(times, found, wheel, 360.0), edges(times, found, cam, 720.0))


@pytest.mark.parametrize("car", [pytest.param(car, marks=[] if car == "compact" else pytest.mark.long) for car in CARS])
def test_the_teeth_of_a_healthy_engine_store_nothing(car: str) -> None:
    """In step, and no cylinder rough."""
    found = teeth(car)
    assert list(synchronised(found, CAM)) == []
    assert list(misfires(found, firing_order(angles(car, 0)[2].settings.engine))) == []


@pytest.mark.long
@pytest.mark.parametrize("car", CARS)
def test_the_teeth_name_a_dead_cylinder(car: str) -> None:
    """The last one of the firing order, none of whose combustions succeed."""
    order = firing_order(load_vehicle(car).settings.engine)
    found = teeth(car, order[-1])
    assert list(synchronised(found, CAM)) == []
    assert list(misfires(found, order)) == [f"P03{order[-1]:02d}"]


@pytest.mark.parametrize(
    ("code", "cam_ahead", "crank"),
    [
        ("P0336", 0.0, {"missing": [20]}),
        ("P0336", 0.0, {"doubled": [20]}),
        ("P0335", 0.0, {"pattern": "0" * 119 + "1"}),
        ("P0016", 18.0, {}),
    ],
)
def test_a_wrong_wheel_is_named(code: str, cam_ahead: float, crank: dict[str, object]) -> None:
    """A tooth that is away or split, a wheel with one tooth, a belt that has jumped three teeth."""
    assert list(synchronised(teeth("compact", 0, cam_ahead, **crank), CAM)) == [code]


def test_a_cam_without_signal_is_named() -> None:
    assert list(synchronised(teeth("compact")._replace(cam=[]), CAM)) == ["P0340"]
