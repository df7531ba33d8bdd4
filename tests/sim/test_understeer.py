"""How cars turn: understeer and lateral load transfer against the bicycle model and the statics of a car."""

from dataclasses import replace
from math import degrees, radians, tan

import numpy as np
import pytest
from scipy.optimize import fsolve

from hilbridge.files.configuration.vehiclefile import load_vehicle
from vehiclesim import BodySettings, ChassisSettings, TyreSettings, VehicleSettings

from .steady_turn import GRAVITY, steady_turn, understeer_gradient

NOMINAL, SENSITIVITY, PEAK = 4000.0, -0.146, 2.13
TYRE = TyreSettings(
    lateral_slip=(-0.4, -0.1, 0.0, 0.1, 0.4),
    lateral_friction=(-1.0, -1.0, 0.0, 1.0, 1.0),
    nominal_load=NOMINAL,
    lateral_load_sensitivity=SENSITIVITY,
    stiffest_load=PEAK,
)
CHASSIS = ChassisSettings(front_weight=0.6, front_roll_stiffness=0.6, front_track=1.5, rear_track=1.45)
CAR = VehicleSettings(tyre=TYRE, chassis=CHASSIS, body=BodySettings(drag_area=0.0))
WEIGHT = CAR.body.mass * GRAVITY


def cornering_stiffness(load: float, slope: float = 10.0) -> float:
    """Side force over slip [N] of one tyre: the Magic Formula's, `slope`·F_z at the nominal load."""
    peak = slope * NOMINAL / np.sin(2.0 * np.arctan(1.0 / PEAK))
    return float(peak * np.sin(2.0 * np.arctan(load / (PEAK * NOMINAL))))


def compliance(load: float, axle: float = 0.0, slope: float = 10.0) -> float:
    """Slip angle of an axle over lateral acceleration [deg/g], of two tyres with this load each."""
    return degrees(load / cornering_stiffness(load, slope)) + axle


@pytest.mark.parametrize("front_weight", [0.4, 0.5, 0.6])
@pytest.mark.parametrize(("front", "rear"), [(0.0, 0.0), (1.5, 0.5)])
def test_the_understeer_gradient_is_that_of_the_bicycle_model(front_weight: float, front: float, rear: float) -> None:
    """K = W_f/C_f - W_r/C_r, with the compliances of the axles: from -0.6 to 1.6 deg/g, within 0.06.

    Lateral load transfer is left out by a centre of gravity on the ground.
    """
    chassis = replace(
        CHASSIS,
        front_weight=front_weight,
        centre_of_gravity_height=0.0,
        front_cornering_compliance=front,
        rear_cornering_compliance=rear,
    )
    loads = 0.5 * WEIGHT * front_weight, 0.5 * WEIGHT * (1.0 - front_weight)
    expected = compliance(loads[0], front) - compliance(loads[1], rear)
    assert understeer_gradient(replace(CAR, chassis=chassis)) == pytest.approx(expected, abs=0.06)


def test_tyres_of_an_axle_may_be_others() -> None:
    """Rear tyres that are stiffer by a quarter take their share of the slip away."""
    stiffer = replace(TYRE, lateral_slip=(-0.4, -0.08, 0.0, 0.08, 0.4))
    chassis = replace(CHASSIS, centre_of_gravity_height=0.0)
    loads = 0.3 * WEIGHT, 0.2 * WEIGHT
    expected = compliance(loads[0]) - compliance(loads[1], slope=12.5)
    found = understeer_gradient(replace(CAR, chassis=chassis, rear_tyre=stiffer))
    assert found == pytest.approx(expected, abs=0.06)


@pytest.mark.parametrize("front_roll_stiffness", [0.3, 0.6, 0.9])
def test_load_transfer_and_steering_are_those_of_the_statics(front_roll_stiffness: float) -> None:
    """Each axle carries its share of h·m·a over its track; slips follow from the tyres' loads, the angle from them.

    Solved for both slips, which balance force and moment, at 0.4 to 0.7 times the acceleration of gravity.
    """
    chassis = replace(CHASSIS, front_roll_stiffness=front_roll_stiffness)
    steer = degrees(2.6 * 0.5 * GRAVITY / 25.0**2 + radians(0.4)) / CAR.steering.max_angle
    turn = steady_turn(replace(CAR, chassis=chassis), steer)
    acceleration = turn.lateral_acceleration
    assert 0.4 * GRAVITY < acceleration < 0.7 * GRAVITY
    moment = chassis.centre_of_gravity_height * CAR.body.mass * acceleration
    front = front_roll_stiffness * moment / chassis.front_track
    rear = (1.0 - front_roll_stiffness) * moment / chassis.rear_track
    assert (turn.front_transfer, turn.rear_transfer) == pytest.approx((front, rear), rel=0.01)

    def balance(slips: np.ndarray) -> list[float]:
        sums = []
        for slip, share, transfer in ((slips[0], 0.6, front), (slips[1], 0.4, rear)):
            stiffness = sum(cornering_stiffness(0.5 * share * WEIGHT + side * transfer) for side in (-1.0, 1.0))
            sums.append(stiffness * slip - share * CAR.body.mass * acceleration)
        return sums

    slips = fsolve(balance, [0.05, 0.05])
    assert turn.excess == pytest.approx(float(np.degrees(slips[0] - slips[1])), abs=0.06)


def test_more_roll_stiffness_in_front_makes_a_car_understeer() -> None:
    """Tyres lose more on the outer side than they gain on the inner one."""
    steer = tan(radians(1.0)) * 0.5
    excess = [
        steady_turn(replace(CAR, chassis=replace(CHASSIS, front_roll_stiffness=share)), steer * 3.0).excess
        for share in (0.2, 0.5, 0.8)
    ]
    assert excess[0] < excess[1] < excess[2]


@pytest.mark.parametrize("name", ["compact", "mx5-nd", "320d-g20", "awd-estate", "truck"])
def test_shipped_vehicles_understeer_as_data_sheets_say(name: str) -> None:
    """1 to 4 deg/g."""
    assert 1.0 < understeer_gradient(load_vehicle(name).settings, 0.05, 0.25) < 4.0
