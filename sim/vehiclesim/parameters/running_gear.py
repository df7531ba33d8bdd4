"""Parameters of wheels, tyres, brakes and steering."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from vehiclesim.parameters.driveline import AxleEnd
from vehiclesim.parameters.quantity import Quantity, check, ratio_of, torque_of


@dataclass(frozen=True, slots=True)
class TyreSettings:
    """Friction of a tyre over slip; the tables are those of UC-win/Road, and hold for the nominal load.

    Without the load sensitivities and `stiffest_load` all forces are proportional to the load.
    """

    tyre_dynamics: Annotated[bool, "tyres slip; without, they roll purely"] = True
    longitudinal_slip: Annotated[
        tuple[float, ...],
        Quantity("1", "slip ratios of the longitudinal table, ascending", minimum=-10.0, maximum=10.0),
    ] = (-0.30, -0.10, 0.0, 0.10, 0.30)
    longitudinal_friction: Annotated[
        tuple[float, ...], Quantity("1", "coefficient at each of them", minimum=-2.5, maximum=2.5)
    ] = (-0.75, -0.85, 0.0, 0.85, 0.75)
    lateral_slip: Annotated[
        tuple[float, ...], Quantity("1", "slip ratios of the lateral table, ascending", minimum=-10.0, maximum=10.0)
    ] = (-0.30, -0.10, 0.0, 0.10, 0.30)
    lateral_friction: Annotated[
        tuple[float, ...], Quantity("1", "coefficient at each of them", minimum=-2.5, maximum=2.5)
    ] = (-0.75, -0.85, 0.0, 0.85, 0.75)
    relaxation_length: Annotated[
        float, Quantity("m", "way in which the force follows a new slip, at walking speed", minimum=0.1, maximum=5.0)
    ] = 0.3
    lateral_relaxation_length: Annotated[
        float | None,
        Quantity(
            "m",
            "way in which the side force follows a new slip, at any speed; none: as the other, at walking speed",
            minimum=0.1,
            maximum=5.0,
        ),
    ] = None
    nominal_load: Annotated[
        float, Quantity("N", "wheel load for which the tables hold (FNOMIN of tyre files)", minimum=1.0, maximum=1e6)
    ] = 4000.0
    longitudinal_load_sensitivity: Annotated[
        float,
        Quantity(
            "1",
            "share by which the longitudinal coefficients change per nominal load more (pDx2/pDx1)",
            minimum=-0.3,
            maximum=0.0,
        ),
    ] = 0.0
    lateral_load_sensitivity: Annotated[
        float,
        Quantity(
            "1",
            "share by which the lateral coefficients change per nominal load more (pDy2/pDy1)",
            minimum=-0.3,
            maximum=0.0,
        ),
    ] = 0.0
    stiffest_load: Annotated[
        float | None,
        Quantity(
            "1",
            "load of the highest cornering stiffness, in nominal loads (pKy2); none: it grows with the load",
            minimum=0.5,
            maximum=100.0,
        ),
    ] = None

    def __post_init__(self) -> None:
        check(self)
        _check_table("longitudinal", self.longitudinal_slip, self.longitudinal_friction)
        _check_table("lateral", self.lateral_slip, self.lateral_friction)


def _check_table(name: str, slips: tuple[float, ...], coefficients: tuple[float, ...]) -> None:
    """Raise ValueError unless a friction table ascends, passes through zero, and has force in the slip's direction."""
    if len(slips) != len(coefficients):
        raise ValueError(f"{name}_friction: {len(coefficients)} coefficients for {len(slips)} slip ratios")
    for one, two in pairwise(slips):
        if two - one < 0.01:
            raise ValueError(f"{name}_slip: {two} after {one}; each must be at least 0.01 above the one before")
    if 0.0 not in slips or slips[0] == 0.0 or slips[-1] == 0.0:
        raise ValueError(f"{name}_slip: the table needs 0 and slips on both sides of it")
    for slip, coefficient in zip(slips, coefficients, strict=True):
        if coefficient * slip <= 0.0 and not coefficient == slip == 0.0:
            raise ValueError(f"{name}_friction: {coefficient} at slip {slip}; both must have one sign")


@dataclass(frozen=True, slots=True)
class WheelSettings:
    """A wheel with its tyre; all four are alike. Twin tyres and twin axles count as one wheel of their sum."""

    radius: Annotated[float, Quantity("m", "rolling radius", minimum=0.01, maximum=10.0)] = 0.31
    inertia: Annotated[float, Quantity("kg m²", "about the axis of the wheel", minimum=0.001, maximum=1e4)] = 0.9
    rolling_resistance: Annotated[float, Quantity("1", "coefficient at standstill", minimum=0.0, maximum=1.0)] = 0.004
    rolling_resistance_speed: Annotated[float, Quantity("s/m", "what it gains per m/s", minimum=0.0, maximum=0.1)] = (
        9e-5
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class BrakeSettings:
    """The brakes of four wheels; the lag of the valves is that of MathWorks' model of an ABS (sldemo_absdata.m)."""

    max_torque: Annotated[float, torque_of("front plus rear wheel of one side, pedal fully down")] = 2000.0
    front_bias: Annotated[float, ratio_of("share of the front wheel")] = 0.7
    handbrake_torque: Annotated[float, torque_of("each wheel of the handbrake's axle, fully applied")] = 1500.0
    handbrake_axle: Annotated[AxleEnd, "axle that the handbrake holds"] = AxleEnd.REAR
    valve_lag: Annotated[
        float,
        Quantity("s", "time constant of a brake behind the valves of driving aids", minimum=0.001, maximum=0.2),
    ] = 0.01

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class SteeringSettings:
    """Steering gear from the steering wheel to the front wheels."""

    max_angle: Annotated[
        float, Quantity("deg", "angle of a wheel in the middle of the axle, at full lock", minimum=0.0, maximum=60.0)
    ] = 35.0
    wheel_range: Annotated[
        float, Quantity("deg", "turn of the steering wheel from lock to lock", minimum=1.0, maximum=3600.0)
    ] = 600.0
    ackermann: Annotated[float, ratio_of("0: both wheels parallel; 1: about one centre of turn")] = 1.0
    trail: Annotated[
        float, Quantity("m", "of the tyres' side force behind the steering axis (assumed)", minimum=0.0, maximum=0.3)
    ] = 0.04
    assist: Annotated[float, ratio_of("of the torque that the power steering takes over (assumed)")] = 0.7

    def __post_init__(self) -> None:
        check(self)
