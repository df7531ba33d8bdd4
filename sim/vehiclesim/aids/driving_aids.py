"""Driving aids: control between the driver's inputs and brakes, engine and steering. Read this first.

Once before each step they evaluate wheels and chassis at the end of the last step, and set

    brakes.valves       whether the valves of the brakes act        ABS, ESC, ASR
    brakes.added        additional brake torque [N m]              ESC, ASR
    engine.tcs_*        highest engine speed                       TCS
    engine.throttle_input                                          ESC; before them the speed limiter
    steering.steer_input                                           steering limit and help
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.aids.abs import AntiLock
from vehiclesim.aids.asr import AntiSpin
from vehiclesim.aids.esc import StabilityControl
from vehiclesim.aids.slip import SlipMeter
from vehiclesim.aids.steering import SteeringAids
from vehiclesim.aids.tcs import TractionControl
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.rolling import RollingChassis
from vehiclesim.curves import clamp
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import GRAVITY
from vehiclesim.parameters.aids import AidsSettings
from vehiclesim.state import Stateful

_FORCED: Final = 1
_OFF: Final = 2
"""Overrides of the Settings channel."""

_NONE: Final[list[float]] = [0.0, 0.0, 0.0, 0.0]
"""Added torques of brakes without intervention."""

_FADED: Final = 1.0
"""[N m]. What is left of a brake torque below which it is over."""


@mypyc_attr(allow_interpreted_subclasses=True)
class DrivingAids(Stateful):
    """ABS, TCS, ESC, ASR and steering aids of a vehicle on four wheels, of which the places in `driven` are driven.

    Each aid is on as the settings have it, unless its override says otherwise: 0 = none, 1 = on, 2 = off. Steering
    aids ignore 1. Aids that are off do not change a bit of the vehicle's state, nor do any on tyres that never slip.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "_stability",
        "sensor_abs_engaged",
        "sensor_esc_engaged",
        "sensor_asr_engaged",
    )

    def __init__(self, settings: AidsSettings, chassis: Chassis, engine: Engine, driven: Sequence[int]) -> None:
        self.steer_input: float = 0.0  # the driver's steering wheel, -1 = full left .. 1 = full right
        self.throttle_input: float = 0.0  # pedal, 0 = released .. 1 = fully down
        self.brake_input: float = 0.0  # the same
        self.motor_rpm: float = -1.0  # of the electric motor that drives in place of the engine; negative: none
        self.abs_override: int = 0
        self.tcs_override: int = 0
        self.esc_override: int = 0
        self.asr_override: int = 0
        self.steering_aids_override: int = 0

        meters = [SlipMeter(wheel) for wheel in chassis.wheels]
        self._meters: list[SlipMeter] = meters
        self.chassis: Chassis = chassis
        self.engine: Engine = engine
        self._slipping: bool = not isinstance(chassis, RollingChassis)
        self._abs_enabled: bool = settings.abs.enabled
        self._tcs_enabled: bool = settings.tcs.enabled
        self._esc_enabled: bool = settings.esc.enabled
        self._asr_enabled: bool = settings.asr.enabled
        self._brakes: Brakes = chassis.brakes
        self._anti_lock: AntiLock = AntiLock(settings.abs, meters, chassis.brakes)
        chassis.brakes.valves = self._anti_lock
        self._traction: TractionControl = TractionControl(settings.tcs, chassis, [meters[place] for place in driven])
        self._stability: StabilityControl = StabilityControl(settings.esc, chassis, meters[0])
        self._anti_spin: AntiSpin = AntiSpin(settings.asr, meters, driven)
        self._steering: SteeringAids = SteeringAids(settings.steering, chassis, meters)
        self._road: tuple[float, float, float, float] = (-1.0, -1.0, -1.0, -1.0)  # friction under the wheels
        self._held: float = 0.0  # lateral acceleration that the tyres can hold on it [m/s²]
        self._asked: list[float] = [0.0] * 4  # of the brakes by ESC and ASR [N m]
        self._limit: float = settings.speed_limiter.speed  # [m/s]
        self.limits_speed: bool = self._limit > 0.0
        self.sensor_abs_engaged: bool = False  # the valves of a brake hold torque back
        self.sensor_esc_engaged: bool = False  # a wheel is braked, and the throttle closed, for stability
        self.sensor_asr_engaged: bool = False  # a spinning wheel is braked

    def limit_speed(self) -> None:
        """Close the throttle in the metre per second around the limit of the speed."""
        self.engine.throttle_input *= clamp(self._limit + 0.5 - self.chassis.sensor_speed, 0.0, 1.0)

    # -- one step ---------------------------------------------------------------------------------------------------

    def step(self, delta_time: float) -> None:
        """Set brakes, engine and steering for the coming step [s].

        The vehicle has set engine.tcs_* to the requests from outside, or to none, and the throttle to the pedal.
        """
        chassis, asked = self.chassis, self._asked
        asked[:] = _NONE
        esc = self.is_on(self._esc_enabled, self.esc_override)
        asr = self.is_on(self._asr_enabled, self.asr_override)
        self.sensor_esc_engaged = esc and self._stability.brake(asked, self._grip(), delta_time)
        self.sensor_asr_engaged = asr and self._anti_spin.brake(asked, chassis.sensor_speed, self.throttle_input)
        if self.sensor_esc_engaged:
            self.engine.throttle_input *= 1.0 - self._stability.demand
        self._work_brakes(self.is_on(self._abs_enabled, self.abs_override), delta_time)

        if self.is_on(self._tcs_enabled, self.tcs_override):
            self._traction.hold(self.engine, self.engine.sensor_rpm if self.motor_rpm < 0.0 else self.motor_rpm)

        steering = self._steering
        aided = self._slipping and self.steering_aids_override != _OFF and (steering.limits or steering.helps)
        chassis.steering.steer_input = steering.correct(self.steer_input, self._grip()) if aided else self.steer_input

    def _work_brakes(self, anti_lock: bool, delta_time: float) -> None:
        """Let the added torques follow what is asked for with the lag of the valves, and ABS work the valves."""
        brakes, asked, valves = self._brakes, self._asked, self._anti_lock
        added = brakes.added
        braking = anti_lock and self.brake_input > 0.0
        for place in range(4):
            if asked[place] > 0.0 or added[place] > 0.0:
                share = delta_time / (brakes.valve_lag + delta_time)
                torque = added[place] + (asked[place] - added[place]) * share
                added[place] = torque if torque > _FADED else asked[place]
                braking = True
        speed = self.chassis.sensor_speed
        if braking and self._slipping and not -valves.minimum_speed < speed < valves.minimum_speed:
            valves.all_wheels = anti_lock
            valves.begin()
        else:
            valves.act = False
        self.sensor_abs_engaged = valves.act and anti_lock and self.brake_input > 0.0 and valves.engaged

    def is_on(self, enabled: bool, override: int) -> bool:
        """Return whether an aid works that the vehicle has, or has not, under its override."""
        return self._slipping and override != _OFF and (enabled or override == _FORCED)

    def _grip(self) -> float:
        """Return the lateral acceleration that the tyres can hold [m/s²]: g times the mean of their coefficients."""
        front_left, front_right, rear_left, rear_right = self.chassis.wheels
        before = self._road
        if (
            front_left.road_friction != before[0]
            or front_right.road_friction != before[1]
            or rear_left.road_friction != before[2]
            or rear_right.road_friction != before[3]
        ):
            self._road = (
                front_left.road_friction,
                front_right.road_friction,
                rear_left.road_friction,
                rear_right.road_friction,
            )
            total = 0.0
            for meter in self._meters:
                total += meter.lateral_friction()
            self._held = 0.25 * GRAVITY * total
        return self._held
