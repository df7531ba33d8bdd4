"""The chassis: a vehicle on four wheels that slip, moving in the plane of the road."""

from math import sqrt
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import Block, Derivative, State
from vehiclesim.chassis.body import Body, Pose, WheelLoads
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.steering import Steering
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.parameters import ChassisSettings
from vehiclesim.state import SavedState

FRONT_LEFT: Final = 0
FRONT_RIGHT: Final = 1
REAR_LEFT: Final = 2
REAR_RIGHT: Final = 3
"""Places of the wheels."""

HYSTERESIS: Final = 1e-4
"""Share of the weight that deflected tyres hold without moving."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Chassis(Block):
    """Momenta in the axes of the vehicle (ISO 8855): x forward, y left, yaw positive to the left.

        dP_x/dt = sum F_x - F_drag - F_slope + r·P_y
        dP_y/dt = sum F_y - r·P_x
        dL/dt   = sum (x_i·F_y - y_i·F_x),  L = I·r,  I = index·m·a·b

    F_x, F_y are the forces of the wheels, turned by their steering angles; x_i, y_i are their places, a and b the
    distances of the axles from the centre of gravity. The block has no shafts: at the start of a substep it sets
    the speed over ground and the load of each wheel, and in the end it takes their forces. Loads follow from the forces
    of the substep before.

    A vehicle whose wheels stand rocks on its tyres for a while. Once the forces that would end this motion within
    the substep are within the tyres' hysteresis, it ends: at rest every speed is exactly zero, on a slope too.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "_momentum_x",
        "_momentum_y",
        "_momentum_yaw",
        "_ground_x",
        "_ground_y",
        "pose",
        "sensor_acceleration",
        "sensor_lateral_acceleration",
        "sensor_tyre_power",
        "sensor_drag_power",
        "sensor_slope_power",
    )

    def __init__(
        self,
        settings: ChassisSettings,
        body: Body,
        wheels: list[Wheel],
        steering: Steering,
        brakes: Brakes,
    ) -> None:
        super().__init__()
        if len(wheels) != 4:
            raise ValueError(f"a chassis has four wheels, not {len(wheels)}")
        self.body: Body = body
        self.wheels: list[Wheel] = wheels  # front left, front right, rear left, rear right
        self.steering: Steering = steering
        self.brakes: Brakes = brakes
        self.pose: Pose = Pose()
        self.sensor_speed: float = 0.0  # forward, of the centre of gravity [m/s], negative backward
        self.sensor_lateral_speed: float = 0.0  # to the left
        self.sensor_yaw_rate: float = 0.0  # [rad/s], positive to the left
        self.sensor_acceleration: float = 0.0  # forward, over ground, mean of the last step [m/s²]
        self.sensor_lateral_acceleration: float = 0.0  # to the left
        self.sensor_tyre_power: float = (
            0.0  # lost in the tyres, slipping and being deflected, mean of the last step [W]
        )
        self.sensor_drag_power: float = 0.0  # of the air drag [W]
        self.sensor_slope_power: float = 0.0  # rise of the potential energy [W]; negative downhill
        self._loads: WheelLoads = WheelLoads(settings)
        self._to_front: float = settings.wheelbase * (1.0 - settings.front_weight)  # a [m]
        self._to_rear: float = settings.wheelbase * settings.front_weight  # b [m]
        self._front_side: float = 0.5 * settings.front_track  # |y_i| [m]
        self._rear_side: float = 0.5 * settings.rear_track
        self._mass: float = body.mass
        self._yaw_inertia: float = settings.yaw_dynamic_index * body.mass * self._to_front * self._to_rear
        self._momentum_x: float = 0.0
        self._momentum_y: float = 0.0
        self._momentum_yaw: float = 0.0
        self._mean_x: float = 0.0  # of the substep, in the directions of its start
        self._mean_y: float = 0.0
        self._mean_yaw_rate: float = 0.0
        self._start_x: float = 0.0  # of the step
        self._start_y: float = 0.0
        self._start_yaw_rate: float = 0.0
        self._ground_x: float = 0.0  # sum of the wheels' forces [N]
        self._ground_y: float = 0.0
        self._normal_force: float = 0.0  # of which the wheel loads are made [N]
        self._wheels_current: bool = False  # loads and speeds of the wheels are those of the present momenta
        self._held: bool = True  # exactly at rest at the end of the substep

    # -- sensors ----------------------------------------------------------------------------------------------------

    @property
    def sensor_ground_speed(self) -> float:
        """Speed of the centre of gravity over ground [m/s], in whatever direction."""
        return sqrt(self.sensor_speed * self.sensor_speed + self.sensor_lateral_speed * self.sensor_lateral_speed)

    @property
    def sensor_kinetic_energy(self) -> float:
        """Kinetic energy of the moving and turning vehicle and its wheels [J]."""
        v_x, v_y, r = self.sensor_speed, self.sensor_lateral_speed, self.sensor_yaw_rate
        energy = 0.5 * self._mass * (v_x * v_x + v_y * v_y) + 0.5 * self._yaw_inertia * r * r
        for wheel in self.wheels:
            energy += 0.5 * wheel.inertia * wheel.spin * wheel.spin
        return energy

    # -- one step ---------------------------------------------------------------------------------------------------

    def initialize(self) -> None:
        self.inertial = True

    def check_connections(self) -> bool:
        """Set the loads of the wheels before the first step; there are no connections."""
        self._update_wheels()
        return True

    def pre_step(self) -> None:
        self._start_x = self.sensor_speed
        self._start_y = self.sensor_lateral_speed
        self._start_yaw_rate = self.sensor_yaw_rate
        self._take_over_controls()
        self.sensor_acceleration = 0.0
        self.sensor_lateral_acceleration = 0.0
        self.sensor_tyre_power = 0.0
        self.sensor_drag_power = 0.0
        self.sensor_slope_power = 0.0

    def _take_over_controls(self) -> None:
        """Turn the wheels as the steering wheel is turned, and pass each the torque that its brake can hold."""
        if self.steering.update() or self.body.normal_force() != self._normal_force:
            self._wheels_current = False
        self._brake()

    def _brake(self) -> None:
        """Pass each wheel the torque that its brake can hold."""
        front_left, front_right, rear_left, rear_right = self.wheels
        (
            front_left.brake_torque,
            front_right.brake_torque,
            rear_left.brake_torque,
            rear_right.brake_torque,
        ) = self.brakes.torques()

    def get_state(self, state: State) -> None:
        state.Px = self._momentum_x
        state.Py = self._momentum_y
        state.L = self._momentum_yaw

    def set_substep_state(self, state: State) -> None:
        """Take over the momenta; the wheels are updated only if they differ from those at the end of the last step."""
        if self.brakes.valves.act:
            self._brake()
        if (
            not self._wheels_current
            or state.Px != self._momentum_x
            or state.Py != self._momentum_y
            or self._momentum_yaw != state.L
        ):
            self._move(state.Px, state.Py, state.L)

    def _move(self, momentum_x: float, momentum_y: float, momentum_yaw: float) -> None:
        self._momentum_x = momentum_x
        self._momentum_y = momentum_y
        self._momentum_yaw = momentum_yaw
        self.sensor_speed = momentum_x / self._mass
        self.sensor_lateral_speed = momentum_y / self._mass
        self.sensor_yaw_rate = momentum_yaw / self._yaw_inertia
        self._update_wheels()

    def _load_wheels(self) -> None:
        loads = self._loads
        self._normal_force = self.body.normal_force()
        loads.distribute(self._normal_force, self._ground_x, self._ground_y)
        front_left, front_right, rear_left, rear_right = self.wheels
        front_left.load = loads.front_left
        front_right.load = loads.front_right
        rear_left.load = loads.rear_left
        rear_right.load = loads.rear_right

    def _update_wheels(self) -> None:
        """Give each wheel its load, and its speed over ground: v + r × (x_i, y_i) in the wheel's directions."""
        self._load_wheels()
        front_left, front_right, rear_left, rear_right = self.wheels
        steering = self.steering
        v_x, v_y, r = self.sensor_speed, self.sensor_lateral_speed, self.sensor_yaw_rate
        turning = r * self._front_side
        side = v_y + r * self._to_front
        ahead = v_x - turning
        cosine, sine = steering.left_cosine, steering.left_sine
        front_left.speed_x = ahead * cosine + side * sine
        front_left.speed_y = side * cosine - ahead * sine
        ahead = v_x + turning
        cosine, sine = steering.right_cosine, steering.right_sine
        front_right.speed_x = ahead * cosine + side * sine
        front_right.speed_y = side * cosine - ahead * sine

        turning = r * self._rear_side
        side = v_y - r * self._to_rear
        rear_left.speed_x = v_x - turning
        rear_left.speed_y = side
        rear_right.speed_x = v_x + turning
        rear_right.speed_y = side
        self._wheels_current = True

    def get_substep_derivative(self, derivative: Derivative) -> None:
        """Sum up forces of road (all wheels have computed theirs), air and slope; hold a stopped vehicle."""
        substep = self.step_time.delta_time
        if self.brakes.valves.act:
            self.brakes.valves.advance(substep)
        moment = self._sum_road_forces()
        drag = self.body.drag_force(self.sensor_speed)
        slope = self.body.slope_force()
        held_x = self._ground_x
        held_y = self._ground_y
        force_x = held_x - drag - slope
        self._held = self._has_stopped(force_x, held_y, moment, substep)
        if self._held:
            force_x = -self._momentum_x / substep
            held_x = force_x + drag + slope
            held_y = -self._momentum_y / substep
            moment = -self._momentum_yaw / substep
        self._advance(force_x, held_y, moment, substep, derivative)

        rims = 0.0
        for wheel in self.wheels:
            rims += wheel.force_x * wheel.radius * wheel.mean_spin
        mean_x = self._mean_x
        self.sensor_tyre_power += rims - held_x * mean_x - held_y * self._mean_y - moment * self._mean_yaw_rate
        self.sensor_drag_power += drag * mean_x
        self.sensor_slope_power += slope * mean_x

    def _sum_road_forces(self) -> float:
        """Sum up the wheels' forces in the axes of the vehicle; return their moment [N m]."""
        steering = self.steering
        front_left, front_right, rear_left, rear_right = self.wheels
        x, y, cosine, sine = front_left.force_x, front_left.force_y, steering.left_cosine, steering.left_sine
        left_x = x * cosine - y * sine
        left_y = y * cosine + x * sine
        x, y, cosine, sine = front_right.force_x, front_right.force_y, steering.right_cosine, steering.right_sine
        right_x = x * cosine - y * sine
        right_y = y * cosine + x * sine
        front_y = left_y + right_y
        rear_y = rear_left.force_y + rear_right.force_y
        self._ground_x = left_x + right_x + rear_left.force_x + rear_right.force_x
        self._ground_y = front_y + rear_y
        self._wheels_current = False  # the loads follow from these forces
        lengthwise = self._front_side * (right_x - left_x) + self._rear_side * (rear_right.force_x - rear_left.force_x)
        return self._to_front * front_y - self._to_rear * rear_y + lengthwise

    def _has_stopped(self, force_x: float, force_y: float, moment: float, substep: float) -> bool:
        """Return whether all wheels stand and the forces for rest at the end are within the tyres' hysteresis."""
        for wheel in self.wheels:
            if not wheel.is_at_rest():
                return False
        capacity = HYSTERESIS * self.body.normal_force()
        return (
            abs(self._momentum_x / substep + force_x) < capacity
            and abs(self._momentum_y / substep + force_y) < capacity
            and abs(self._momentum_yaw / substep + moment) < capacity * self._to_front
        )

    def _advance(self, force_x: float, force_y: float, moment: float, substep: float, derivative: Derivative) -> None:
        """P_end = (P + F·dt) turned by -r·dt, exactly: a turn changes the direction of a momentum, not its size."""
        mass, start_x, start_y = self._mass, self._momentum_x, self._momentum_y
        gain_x = force_x * substep
        gain_y = force_y * substep
        self._mean_x = (start_x + 0.5 * gain_x) / mass
        self._mean_y = (start_y + 0.5 * gain_y) / mass
        mean_yaw_rate = self._mean_yaw_rate = self.sensor_yaw_rate + 0.5 * moment * substep / self._yaw_inertia
        q = 0.5 * mean_yaw_rate * substep
        c = (1.0 - q * q) / (1.0 + q * q)
        s = 2.0 * q / (1.0 + q * q)
        end_x = start_x + gain_x
        end_y = start_y + gain_y
        derivative.Fx = (c * end_x + s * end_y - start_x) / substep
        derivative.Fy = (c * end_y - s * end_x - start_y) / substep
        derivative.T = moment
        self.sensor_acceleration += force_x / mass
        self.sensor_lateral_acceleration += force_y / mass

    def set_state(self, state: State) -> None:
        start_x, start_y, start_yaw_rate = self._start_x, self._start_y, self._start_yaw_rate
        if self._held:
            self._move(0.0, 0.0, 0.0)  # exactly, whatever the rounding of dt·(P/dt) leaves
        else:
            self._move(state.Px, state.Py, state.L)
        self.pose.advance(
            0.5 * (start_x + self.sensor_speed),
            0.5 * (start_y + self.sensor_lateral_speed),
            0.5 * (start_yaw_rate + self.sensor_yaw_rate),
            self.step_time.delta_time,
        )
        substeps = self.step_time.substeps
        if substeps > 1.0:  # sums become means
            self.sensor_acceleration /= substeps
            self.sensor_lateral_acceleration /= substeps
            self.sensor_tyre_power /= substeps
            self.sensor_drag_power /= substeps
            self.sensor_slope_power /= substeps

    def roll(self, speed: float, yaw_rate: float, acceleration: float) -> None:
        """Move at a speed [m/s] without slip, turning at a rate [rad/s], after a step with an acceleration [m/s²].

        The wheels turn with the road; their tyres are at ease.
        """
        self._held = False
        self._set_off(speed, yaw_rate)
        self.sensor_acceleration = acceleration
        self.sensor_lateral_acceleration = yaw_rate * speed
        for wheel in self.wheels:
            wheel.turn_with_road()

    def _set_off(self, speed: float, yaw_rate: float) -> None:
        self._move(self._mass * speed, 0.0, self._yaw_inertia * yaw_rate)

    def set_state_vars(self, state: SavedState) -> None:
        """Restore a saved state, with steering wheel and brakes as they are now."""
        super().set_state_vars(state)
        self._take_over_controls()
        self._move(self._momentum_x, self._momentum_y, self._momentum_yaw)
