"""Parameters of driving aids: anti-lock brakes, traction and stability control, anti-spin regulation, steering aids.

Bounds of slip and yaw rate are those of the driving aids of Vehicle Physics Pro; assumed values say so. Slip is a speed
here, |w·R - v| [m/s] beyond the slip at which the wheel's tyre has its highest friction.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated

from vehiclesim.parameters.quantity import Quantity, check, ratio_of, torque_of


def _slip_of(text: str) -> Quantity:
    return Quantity("m/s", text, minimum=0.0, maximum=20.0)


def _from_speed(text: str) -> Quantity:
    return Quantity("m/s", text, minimum=0.0, maximum=100.0)


def _check_range(name: str, minimum: float, other: str, maximum: float) -> None:
    """Raise ValueError unless an aid acts fully at more than where it begins."""
    if maximum <= minimum:
        raise ValueError(f"{other}: {maximum} is not above {name} {minimum}")


@dataclass(frozen=True, slots=True)
class AbsSettings:
    """Anti-lock braking system; its valves fill, hold and empty the brakes (`brakes.valve_lag`)."""

    enabled: Annotated[bool, "works unless it is overridden"] = False
    minimum_slip: Annotated[
        float, _slip_of("beyond the tyre's peak, and 0.4 of the peak's more: the brake is emptied")
    ] = 0.3
    deceleration: Annotated[
        float,
        Quantity(
            "m/s²",
            "of the rim, beyond the vehicle's: it is emptied from the peak on (assumed)",
            minimum=5.0,
            maximum=500.0,
        ),
    ] = 60.0
    select_low: Annotated[bool, "both rear brakes get what the wheel with less grip can hold"] = True
    minimum_speed: Annotated[float, _from_speed("of the vehicle; below it wheels may lock")] = 1.5

    def __post_init__(self) -> None:
        check(self)


class TcsMode(Enum):
    """Slip that traction control allows."""

    STREET = "street"
    SPORT = "sport"
    CUSTOM = "custom"


@dataclass(frozen=True, slots=True)
class TcsSettings:
    """Traction control system: limits the engine."""

    enabled: Annotated[bool, "works unless it is overridden"] = False
    mode: Annotated[TcsMode, "slip allowed beyond the tyre's peak: 0.3 m/s, 1.5 m/s, or custom_slip"] = TcsMode.STREET
    custom_slip: Annotated[float, _slip_of("custom: beyond the tyre's peak (assumed: midway)")] = 0.9
    ratio: Annotated[float, ratio_of("how much of the reduction the engine follows; 1: all")] = 1.0
    throttle_factor: Annotated[
        float, ratio_of("highest share of the engine's torque while wheels slip; 1: no other bound")
    ] = 1.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class EscSettings:
    """Electronic stability control: brakes a single wheel and closes the throttle."""

    enabled: Annotated[bool, "works unless it is overridden"] = False
    minimum_yaw_excess: Annotated[
        float, Quantity("rad/s", "yaw rate beyond the wanted one: begins to act (assumed)", minimum=0.01, maximum=10.0)
    ] = 0.07
    maximum_yaw_excess: Annotated[
        float, Quantity("rad/s", "yaw rate beyond the wanted one: acts fully (assumed)", minimum=0.01, maximum=10.0)
    ] = 0.35
    minimum_yaw_error: Annotated[
        float, Quantity("rad/s", "yaw rate short of the wanted one: begins to act", minimum=0.01, maximum=10.0)
    ] = 0.74
    maximum_yaw_error: Annotated[
        float, Quantity("rad/s", "yaw rate short of the wanted one: acts fully", minimum=0.01, maximum=10.0)
    ] = 1.74
    yaw_speed: Annotated[float, _from_speed("above it the yaw rate counts (FMVSS 126: 20 km/h)")] = 5.0
    minimum_slip_angle: Annotated[
        float, Quantity("deg", "of the rear axle: begins to act", minimum=0.1, maximum=80.0)
    ] = 6.0
    maximum_slip_angle: Annotated[float, Quantity("deg", "of the rear axle: acts fully", minimum=0.1, maximum=80.0)] = (
        10.0
    )
    slip_angle_speed: Annotated[float, _from_speed("above it the slip angle counts")] = 5.0
    torque: Annotated[float, torque_of("on the braked wheel, fully (assumed: as anti-spin regulation)")] = 1000.0

    def __post_init__(self) -> None:
        check(self)
        _check_range("minimum_yaw_excess", self.minimum_yaw_excess, "maximum_yaw_excess", self.maximum_yaw_excess)
        _check_range("minimum_yaw_error", self.minimum_yaw_error, "maximum_yaw_error", self.maximum_yaw_error)
        _check_range("minimum_slip_angle", self.minimum_slip_angle, "maximum_slip_angle", self.maximum_slip_angle)


@dataclass(frozen=True, slots=True)
class AsrSettings:
    """Anti-spin regulation: brakes the faster wheel of a driven axle."""

    enabled: Annotated[bool, "works unless it is overridden"] = False
    minimum_difference: Annotated[
        float, Quantity("rpm", "between left and right: begins to brake", minimum=1.0, maximum=10_000.0)
    ] = 100.0
    maximum_difference: Annotated[
        float, Quantity("rpm", "between left and right: brakes fully", minimum=1.0, maximum=10_000.0)
    ] = 400.0
    torque: Annotated[float, torque_of("on the faster wheel, fully")] = 1000.0
    maximum_speed: Annotated[float, _from_speed("of the vehicle; the wheels are left alone above (20 km/h)")] = 5.556

    def __post_init__(self) -> None:
        check(self)
        _check_range("minimum_difference", self.minimum_difference, "maximum_difference", self.maximum_difference)


@dataclass(frozen=True, slots=True)
class SteeringAidsSettings:
    """Steering aids between the driver's steering wheel and the front wheels."""

    limit: Annotated[bool, "front wheels turn no further than their tyres can use"] = False
    limit_ratio: Annotated[float, ratio_of("0: no limit .. 1: the tyres' limit")] = 1.0
    limit_proportionality: Annotated[
        float, ratio_of("1: the steering wheel's whole way leads to the limit; 0: it ends at the limit")
    ] = 0.9
    help: Annotated[bool, "turns the front wheels against a skid of the rear ones"] = False
    help_ratio: Annotated[float, ratio_of("share of the rear wheels' excess slip angle that is steered against")] = 1.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class SpeedLimiterSettings:
    """A speed limiter: closes the throttle around a speed, from half a metre per second below to as much above."""

    speed: Annotated[
        float, Quantity("m/s", "that is held with half of the throttle; 0: no limiter", minimum=0.0, maximum=200.0)
    ] = 0.0

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True, slots=True)
class AidsSettings:
    """All driving aids; a vehicle has those that are enabled."""

    abs: AbsSettings = field(default_factory=AbsSettings)
    tcs: TcsSettings = field(default_factory=TcsSettings)
    esc: EscSettings = field(default_factory=EscSettings)
    asr: AsrSettings = field(default_factory=AsrSettings)
    steering: SteeringAidsSettings = field(default_factory=SteeringAidsSettings)
    speed_limiter: SpeedLimiterSettings = field(default_factory=SpeedLimiterSettings)
