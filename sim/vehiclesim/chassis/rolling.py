"""Pure rolling: wheels and chassis of a vehicle whose tyres never slip, the counterpart of wheel.py and chassis.py."""

from mypy_extensions import mypyc_attr

from vehiclesim.block import Derivative, State
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.steering import Steering
from vehiclesim.chassis.trailer import Trailer
from vehiclesim.chassis.train import TrainChassis
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.curves import clamp
from vehiclesim.parameters import ChassisSettings, TyreSettings, WheelSettings


@mypyc_attr(allow_interpreted_subclasses=True)
class RollingWheel(Wheel):
    """w = lambda·v/R. The wheel reports its part of the vehicle to the driveline, and passes the drive torque on to it.

    It is no inertial block: its speed is that of the chassis.
    """

    def __init__(
        self,
        settings: WheelSettings = WheelSettings(),  # noqa: B008 - frozen
        tyre: TyreSettings = TyreSettings(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__(settings, tyre)
        self.advance: float = 1.0  # lambda, way of the hub per way of the vehicle
        self.shown_inertia: float = settings.inertia  # [kg m²]
        self.reaction: float = 0.0  # of road and air on the shaft [N m]

    def initialize(self) -> None:
        self.set_inputs(1)

    def compute_state_upstream(self) -> None:
        shaft = self._shaft
        if shaft is not None:
            shaft.L = self.shown_inertia * self.spin
            shaft.I = self.shown_inertia
            shaft.Tr = self.reaction

    def evaluate_torque_downstream(self) -> None:
        shaft = self._shaft
        self.drive = shaft.out_td if shaft is not None else 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class RollingChassis(Chassis):
    """A vehicle that follows its steering exactly: one speed v, of the middle of the rear axle, determines all motions.

        M·dv/dt = sum lambda_i·T_i/R_i - F_drag - F_slope - F_friction,  M = m + sum I_i/R_i²
        r = c·v,  v_y = c·b·v

    with the curvature c of the path, and lambda_i the speed of a wheel in its own direction over v. Friction is that
    of all brakes and rolling resistances, boxed as in a wheel. Each driven wheel reports its part of M and of the
    road's force to the driveline. The energy of the yaw motion is neglected.
    """

    def __init__(
        self,
        settings: ChassisSettings,
        body: Body,
        wheels: list[RollingWheel],
        steering: Steering,
        brakes: Brakes,
    ) -> None:
        super().__init__(settings, body, [*wheels], steering, brakes)
        self._rolling_wheels: list[RollingWheel] = wheels
        self._wheelbase: float = settings.wheelbase
        self._effective_mass: float = body.mass  # M [kg]
        self._resistance: float = 0.0  # -F_drag - F_slope [N]
        self._capacity: float = 0.0  # of F_friction [N]
        for wheel in wheels:
            self._effective_mass += wheel.inertia / (wheel.radius * wheel.radius)

    @property
    def sensor_kinetic_energy(self) -> float:
        """½·M·v² [J]."""
        return 0.5 * self._effective_mass * self.sensor_speed * self.sensor_speed

    def _update_wheels(self) -> None:
        """Set load and speed of each wheel, and of each driven one the inertia and reaction that it reports."""
        self._load_wheels()
        steering = self.steering
        c = steering.curvature
        ahead = c * self._wheelbase
        front_left, front_right, rear_left, rear_right = self._rolling_wheels
        front_left.advance = (1.0 - c * self._front_side) * steering.left_cosine + ahead * steering.left_sine
        front_right.advance = (1.0 + c * self._front_side) * steering.right_cosine + ahead * steering.right_sine
        rear_left.advance = 1.0 - c * self._rear_side
        rear_right.advance = 1.0 + c * self._rear_side

        driven = 0.0
        self._capacity = 0.0
        for wheel in self._rolling_wheels:
            wheel.speed_x = wheel.advance * self.sensor_speed
            wheel.spin = wheel.speed_x / wheel.radius
            wheel.limit_friction()
            self._capacity += wheel.capacity * wheel.advance / wheel.radius
            if wheel.inputs[0] is not None:
                driven += wheel.advance
        self._resistance = -self.body.drag_force(self.sensor_speed) - self.body.slope_force()
        reaction = self._resistance + self._stopping(self._resistance)
        for wheel in self._rolling_wheels:
            if wheel.inputs[0] is not None:
                wheel.shown_inertia = self._effective_mass * wheel.radius * wheel.radius / (wheel.advance * driven)
                wheel.reaction = reaction * wheel.radius / driven

    def _stopping(self, force: float) -> float:
        """F_friction = -(M·v/dt + F), which ends the substep at rest, inside ±capacity."""
        stop = -(self._effective_mass * self.sensor_speed / self.step_time.delta_time + force)
        return clamp(stop, -self._capacity, self._capacity)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        """Sum up the drive torques, which all wheels have received by now."""
        substep = self.step_time.delta_time
        force = self._resistance
        for wheel in self._rolling_wheels:
            force += wheel.drive * wheel.advance / wheel.radius
        friction = self._stopping(force)
        self._held = -self._capacity < friction < self._capacity
        start = self.sensor_speed
        end = 0.0 if self._held else start + (force + friction) * substep / self._effective_mass
        mean = 0.5 * (start + end)
        acceleration = (end - start) / substep

        c = self.steering.curvature
        lateral = c * self._to_rear  # v_y/v
        derivative.Fx = self._mass * acceleration
        derivative.Fy = (self._mass * lateral * end - self._momentum_y) / substep
        derivative.T = (self._yaw_inertia * c * end - self._momentum_yaw) / substep
        along = acceleration - c * lateral * mean * mean
        across = lateral * acceleration + c * mean * mean
        self._ground_x = self._mass * along - self._resistance
        self._ground_y = self._mass * across
        self.sensor_acceleration += along
        self.sensor_lateral_acceleration += across
        self.sensor_drag_power += self.body.drag_force(start) * mean
        self.sensor_slope_power += self.body.slope_force() * mean
        share = friction / self._capacity if self._capacity > 0.0 else 0.0
        for wheel in self._rolling_wheels:
            wheel.mean_spin = mean * wheel.advance / wheel.radius
            wheel.book(share * wheel.capacity)
            turning = wheel.inertia * acceleration * wheel.advance / wheel.radius
            wheel.force_x = (wheel.drive + share * wheel.capacity - turning) / wheel.radius
            wheel.force_y = self._ground_y * wheel.load / self.body.normal_force()

    def set_state(self, state: State) -> None:
        super().set_state(state)
        for wheel in self._rolling_wheels:
            wheel.end_step()


def make_wheel(settings: WheelSettings, tyre: TyreSettings) -> Wheel:
    """Make a slipping or rolling wheel, as the tyre's settings say."""
    return Wheel(settings, tyre) if tyre.tyre_dynamics else RollingWheel(settings, tyre)


def make_chassis(
    settings: ChassisSettings,
    body: Body,
    wheels: list[Wheel],
    steering: Steering,
    brakes: Brakes,
    trailer: Trailer | None = None,
) -> Chassis:
    """Make the kind of chassis that fits the wheels; a trailer needs wheels that slip."""
    if trailer is not None:
        return TrainChassis(settings, body, wheels, steering, brakes, trailer)
    rolling = [wheel for wheel in wheels if isinstance(wheel, RollingWheel)]
    if not rolling:
        return Chassis(settings, body, wheels, steering, brakes)
    return RollingChassis(settings, body, rolling, steering, brakes)
