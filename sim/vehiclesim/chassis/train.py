"""The chassis of a vehicle with a trailer: two bodies that share the point of their hitch."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import Derivative, State
from vehiclesim.chassis.body import Body, WheelLoads
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import HYSTERESIS, Chassis
from vehiclesim.chassis.steering import Steering
from vehiclesim.chassis.trailer import Trailer
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.curves import cosine, sine
from vehiclesim.parameters import ChassisSettings
from vehiclesim.state import SavedState

_ROUNDS: Final = 4
"""In which the end of a free turn is found; each leaves a thousandth of the error of the one before."""


class _Moments(WheelLoads):
    """Loads from the moments [N m] of all forces about the centre of gravity, in place of forces at the road."""

    def __init__(self, settings: ChassisSettings) -> None:
        super().__init__(settings)
        self._pitching = 1.0 / settings.wheelbase
        self._front_rolling = settings.front_roll_stiffness / settings.front_track
        self._rear_rolling = (1.0 - settings.front_roll_stiffness) / settings.rear_track


@mypyc_attr(allow_interpreted_subclasses=True)
class TrainChassis(Chassis):
    """Lagrange's equations of two bodies with a hitch, in the speeds u, v, r of the vehicle and r_t of its trailer.

    With the speed V of their common centre of gravity in place of (u, v), the 4 x 4 mass matrix falls into M = m + m_t
    for each direction, and the inertias of the turn about it:

        M·dV/dt = F + F_t - slope,  turned with the vehicle
        | A  B | dr/dt   = Q   - B'·r_t²        A = I + mu·x²,  C = I_t + mu·c²,  mu = m·m_t/M
        | B  C | dr_t/dt = Q_t + B'·r²          B = -mu·x·c·cos(gamma),  B' = dB/dgamma

        Q   = N + x·G_y                         G = (m·F_t - m_t·F)/M
        Q_t = N_t + c·(sin(gamma)·G_x - cos(gamma)·G_y)

    x: hitch before the vehicle's centre of gravity, c: that of the trailer behind the hitch; F, N: force and moment of
    wheels and air on the vehicle, F_t, N_t on the trailer, about their own centres of gravity, all in the axes of the
    vehicle. The hitch's force on the vehicle is what accelerates the trailer otherwise than it should:
    H = G - mu·dw/dt with w = V_trailer - V_vehicle.

    Each substep first gives the impulses of the forces, with the angle held; the work is F times the mean speed,
    exactly. Then the bodies turn freely, by the discrete gradient of their energy, which keeps energy and momenta to
    the last digits (Gonzalez, Time integration and discrete Hamiltonian systems, 1996). Where the bodies hit each
    other they turn on together, as in an inelastic impact, which only takes energy.
    """

    state_vars: ClassVar[tuple[str, ...]] = (*Chassis.state_vars, "trailer", "_pitch_moment", "_roll_moment")

    def __init__(
        self,
        settings: ChassisSettings,
        body: Body,
        wheels: list[Wheel],
        steering: Steering,
        brakes: Brakes,
        trailer: Trailer,
    ) -> None:
        super().__init__(settings, body, wheels, steering, brakes)
        self.trailer: Trailer = trailer
        self.sensor_hitch_x: float = 0.0  # force of the hitch on the vehicle, forward [N], in the last substep
        self.sensor_hitch_y: float = 0.0  # to the left
        self._all_wheels: list[Wheel] = [*wheels, *trailer.wheels]
        self._moments: _Moments = _Moments(settings)
        height = settings.centre_of_gravity_height
        self._height: float = height
        self._lever: float = height - trailer.hitch_height if height > 0.0 else 0.0  # of the hitch's force [m]
        self._hitch: float = trailer.hitch_ahead - self._to_rear  # x [m]
        self._train_mass: float = body.mass + trailer.mass  # M [kg]
        self._weight_ratio: float = trailer.mass / body.mass
        self._share: float = body.mass / self._train_mass  # m/M
        self._trailer_share: float = trailer.mass / self._train_mass
        self._reduced: float = body.mass * self._trailer_share  # mu [kg]
        self._inertia: float = self._yaw_inertia + self._reduced * self._hitch * self._hitch  # A [kg m²]
        self._trailer_inertia: float = trailer.yaw_inertia + self._reduced * trailer.to_centre * trailer.to_centre  # C
        self._coupling: float = self._reduced * self._hitch * trailer.to_centre  # mu·x·c
        self._pitch_moment: float = 0.0  # of road and hitch on the vehicle [N m]
        self._roll_moment: float = 0.0
        self._force_x: float = 0.0  # F + F_t - slope, in this substep [N]
        self._force_y: float = 0.0
        self._turning: float = 0.0  # Q [N m]
        self._trailer_turning: float = 0.0  # Q_t
        self._between_x: float = 0.0  # G [N]
        self._between_y: float = 0.0
        self._trailer_x: float = 0.0  # of the trailer's wheels, in its axes [N]
        self._trailer_y: float = 0.0
        self._drag: float = 0.0  # [N]
        self._trailer_drag: float = 0.0
        self._slope: float = 0.0
        self._apart_x: float = 0.0  # w at the end of a substep, in the axes of its start [m/s]
        self._apart_y: float = 0.0

    @property
    def sensor_kinetic_energy(self) -> float:
        """Kinetic energy of both moving and turning bodies and their wheels [J]."""
        p_x, p_y, r, r_t = self._momentum_x, self._momentum_y, self.sensor_yaw_rate, self.trailer.yaw_rate
        energy = 0.5 * (p_x * p_x + p_y * p_y) / self._train_mass + 0.5 * self._inertia * r * r
        energy += 0.5 * self._trailer_inertia * r_t * r_t - self._coupling * self.trailer.cosine * r * r_t
        for wheel in self._all_wheels:
            energy += 0.5 * wheel.inertia * wheel.spin * wheel.spin
        return energy

    # -- one step ---------------------------------------------------------------------------------------------------

    def pre_step(self) -> None:
        trailer = self.trailer
        trailer.follow(self.brakes.brake_input, self.step_time.delta_time)
        trailer.sensor_stop_power = 0.0
        super().pre_step()

    def _take_over_controls(self) -> None:
        """Do so for the trailer too; the road under its wheels is that under the rear wheels."""
        super()._take_over_controls()
        self.trailer.hold(self.brakes)
        for place, wheel in enumerate(self.trailer.wheels):
            wheel.road_friction = self.wheels[2 + place].road_friction

    def get_state(self, state: State) -> None:
        """Write the momenta of both bodies together, and the angular momentum of each."""
        super().get_state(state)
        state.Lr = self.trailer.momentum

    def set_substep_state(self, state: State) -> None:
        trailer = self.trailer
        trailer.momentum = state.Lr
        if trailer.valves.act:
            trailer.hold(self.brakes)
        super().set_substep_state(state)

    def _move(self, momentum_x: float, momentum_y: float, momentum_yaw: float) -> None:
        trailer = self.trailer
        self._momentum_x = momentum_x
        self._momentum_y = momentum_y
        self._momentum_yaw = momentum_yaw
        r = self.sensor_yaw_rate = momentum_yaw / self._yaw_inertia
        r_t = trailer.yaw_rate = trailer.momentum / trailer.yaw_inertia
        swing = r_t * trailer.to_centre
        share = self._trailer_share
        self.sensor_speed = momentum_x / self._train_mass - share * swing * trailer.sine
        self.sensor_lateral_speed = momentum_y / self._train_mass - share * (r * self._hitch - swing * trailer.cosine)
        self._update_wheels()

    def _load_wheels(self) -> None:
        """Set the loads of the trailer's wheels, and with that of its hitch those of the vehicle's."""
        weight = self._normal_force = self.body.normal_force()
        trailer = self.trailer
        trailer.distribute(weight * self._weight_ratio, -weight)
        hitch = trailer.sensor_hitch_load
        loads = self._moments
        loads.distribute(weight + hitch, self._pitch_moment - hitch * self._hitch, self._roll_moment)
        front_left, front_right, rear_left, rear_right = self.wheels
        front_left.load = loads.front_left
        front_right.load = loads.front_right
        rear_left.load = loads.rear_left
        rear_right.load = loads.rear_right

    def _update_wheels(self) -> None:
        super()._update_wheels()
        self.trailer.move(self.sensor_speed, self.sensor_lateral_speed + self.sensor_yaw_rate * self._hitch)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        """Give the impulses of road, air and slope, stop the angle at its end, hold a stopped train, and turn it."""
        substep = self.step_time.delta_time
        if self.brakes.valves.act:
            self.brakes.valves.advance(substep)
        trailer = self.trailer
        if trailer.valves.act:
            trailer.valves.advance(substep)
        self._sum_train_forces()
        inertia, trailer_inertia, coupling = self._inertia, self._trailer_inertia, -self._coupling * trailer.cosine
        determinant = inertia * trailer_inertia - coupling * coupling
        r_start, r_t_start = self.sensor_yaw_rate, trailer.yaw_rate
        turning, trailer_turning = self._turning, self._trailer_turning
        r = r_start + (trailer_inertia * turning - coupling * trailer_turning) * substep / determinant
        r_t = r_t_start + (inertia * trailer_turning - coupling * turning) * substep / determinant
        mean_r, mean_r_t = 0.5 * (r_start + r), 0.5 * (r_t_start + r_t)
        opening = r_t - r
        stop_power = 0.0
        if trailer.is_held(opening):
            whole = inertia + 2.0 * coupling + trailer_inertia
            r += (trailer_inertia + coupling) * opening / whole
            r_t = r
            stop_power = 0.5 * determinant / whole * opening * opening / substep
        self._held = self._have_stopped(inertia * r + coupling * r_t, coupling * r + trailer_inertia * r_t, substep)
        if self._held:
            self._force_x = -self._momentum_x / substep
            self._force_y = -self._momentum_y / substep
            self._turning = -(inertia * r_start + coupling * r_t_start) / substep
            self._trailer_turning = -(coupling * r_start + trailer_inertia * r_t_start) / substep
            mean_r, mean_r_t, r, r_t, stop_power = 0.5 * r_start, 0.5 * r_t_start, 0.0, 0.0, 0.0
        trailer.sensor_stop_power += stop_power
        self._book(mean_r, mean_r_t, substep)
        c, s = trailer.cosine, trailer.sine
        apart_x = trailer.to_centre * r_t_start * s
        apart_y = self._hitch * r_start - trailer.to_centre * r_t_start * c
        self._turn_freely(r, r_t, substep, derivative)
        self._keep_forces((self._apart_x - apart_x) / substep, (self._apart_y - apart_y) / substep, c, s)

    def _sum_train_forces(self) -> None:
        """Sum up forces [N] in the axes of the vehicle, and the generalised moments Q and Q_t [N m]."""
        trailer, body = self.trailer, self.body
        c, s = trailer.cosine, trailer.sine
        moment = self._sum_road_forces()
        left, right = trailer.wheels
        across = self._trailer_y = left.force_y + right.force_y
        self._trailer_x = left.force_x + right.force_x
        trailer_moment = trailer.side * (right.force_x - left.force_x)
        trailer_moment -= (trailer.to_axle - trailer.to_centre) * across
        speed = 0.5 * (left.speed_x + right.speed_x)
        self._drag = body.drag_force(self.sensor_speed)
        self._trailer_drag = trailer.drag_force(speed + body.wind, body.density_ratio)
        self._slope = body.slope_force() * (1.0 + self._weight_ratio)
        one_x = self._ground_x - self._drag
        one_y = self._ground_y
        along = self._trailer_x - self._trailer_drag
        two_x = along * c - across * s
        two_y = along * s + across * c
        self._between_x = self._share * two_x - self._trailer_share * one_x
        self._between_y = self._share * two_y - self._trailer_share * one_y
        self._force_x = one_x + two_x - self._slope
        self._force_y = one_y + two_y
        self._turning = moment + self._hitch * self._between_y
        self._trailer_turning = trailer_moment + trailer.to_centre * (s * self._between_x - c * self._between_y)

    def _book(self, mean_r: float, mean_r_t: float, substep: float) -> None:
        """Add up the powers of this substep at mean yaw rates [rad/s]; tyres lose what neither body nor air got."""
        trailer = self.trailer
        c, s = trailer.cosine, trailer.sine
        mean_x = (self._momentum_x + 0.5 * self._force_x * substep) / self._train_mass
        mean_y = (self._momentum_y + 0.5 * self._force_y * substep) / self._train_mass
        rims = 0.0
        for wheel in self._all_wheels:
            rims += wheel.force_x * wheel.radius * wheel.mean_spin
        drag = self._drag * (mean_x - self._trailer_share * trailer.to_centre * mean_r_t * s)
        trailer_drag = self._trailer_drag * (mean_x * c + mean_y * s + self._share * self._hitch * mean_r * s)
        slope = self._slope * mean_x
        gain = self._force_x * mean_x + self._force_y * mean_y
        gain += self._turning * mean_r + self._trailer_turning * mean_r_t
        self.sensor_tyre_power += rims - gain - drag - trailer_drag - slope
        self.sensor_drag_power += drag + trailer_drag
        self.sensor_slope_power += slope

    def _keep_forces(self, rate_x: float, rate_y: float, c: float, s: float) -> None:
        """Set accelerations, the hitch's force and the moments for the coming loads, from dw/dt [m/s²]."""
        self.sensor_acceleration += self._force_x / self._train_mass - self._trailer_share * rate_x
        self.sensor_lateral_acceleration += self._force_y / self._train_mass - self._trailer_share * rate_y
        hitch_x = self.sensor_hitch_x = self._between_x - self._reduced * rate_x
        hitch_y = self.sensor_hitch_y = self._between_y - self._reduced * rate_y
        self._pitch_moment = self._height * self._ground_x + self._lever * hitch_x
        self._roll_moment = self._height * self._ground_y + self._lever * hitch_y
        self.trailer.lean(self._trailer_x, self._trailer_y, -hitch_x * c - hitch_y * s, hitch_x * s - hitch_y * c)

    def _have_stopped(self, yaw: float, trailer_yaw: float, substep: float) -> bool:
        """Return whether all wheels stand and what would move the train at the end is within the tyres' hysteresis."""
        for wheel in self._all_wheels:
            if not wheel.is_at_rest():
                return False
        capacity = HYSTERESIS * self.body.normal_force() * (1.0 + self._weight_ratio)
        return (
            abs(self._momentum_x / substep + self._force_x) < capacity
            and abs(self._momentum_y / substep + self._force_y) < capacity
            and abs(yaw / substep) < capacity * self._to_front
            and abs(trailer_yaw / substep) < capacity * self._to_front
        )

    def _turn_freely(self, r: float, r_t: float, substep: float, derivative: Derivative) -> None:
        """Turn both bodies without forces, from the yaw rates [rad/s] behind the impulses.

        With dB the change of B over the turn of gamma, b = dB/turn, means over the turn and m = (r·r_t)_mean:

            | A  B_mean | dr   = | -b·(r_t·(r + r_t) - m) | dt
            | B_mean  C | dr_t = | +b·(r·(r + r_t) - m)   |
        """
        trailer = self.trailer
        inertia, trailer_inertia = self._inertia, self._trailer_inertia
        r_end, r_t_end = r, r_t
        mean_r, turn = r, 0.0
        for _ in range(_ROUNDS):
            mean_r = 0.5 * (r + r_end)
            mean_r_t = 0.5 * (r_t + r_t_end)
            turn = (mean_r_t - mean_r) * substep
            half = 0.5 * turn
            middle = trailer.articulation + half
            slope = self._coupling * sine(middle) * (1.0 - half * half / 6.0)
            coupling = -self._coupling * cosine(middle) * (1.0 - 0.5 * half * half)
            both = mean_r + mean_r_t
            product = 0.5 * (r * r_t + r_end * r_t_end)
            moment = -slope * (mean_r_t * both - product) * substep
            trailer_moment = slope * (mean_r * both - product) * substep
            determinant = inertia * trailer_inertia - coupling * coupling
            r_end = r + (trailer_inertia * moment - coupling * trailer_moment) / determinant
            r_t_end = r_t + (inertia * trailer_moment - coupling * moment) / determinant
        trailer.turn(trailer.articulation + turn)
        end_x = self._momentum_x + self._force_x * substep
        end_y = self._momentum_y + self._force_y * substep
        q = 0.5 * mean_r * substep
        c = (1.0 - q * q) / (1.0 + q * q)
        s = 2.0 * q / (1.0 + q * q)
        derivative.Fx = (c * end_x + s * end_y - self._momentum_x) / substep
        derivative.Fy = (c * end_y - s * end_x - self._momentum_y) / substep
        derivative.T = (self._yaw_inertia * r_end - self._momentum_yaw) / substep
        derivative.Tr = (trailer.yaw_inertia * r_t_end - trailer.momentum) / substep
        apart_x = trailer.to_centre * r_t_end * trailer.sine
        apart_y = self._hitch * r_end - trailer.to_centre * r_t_end * trailer.cosine
        self._apart_x = c * apart_x - s * apart_y
        self._apart_y = s * apart_x + c * apart_y

    def set_state(self, state: State) -> None:
        trailer = self.trailer
        trailer.momentum = 0.0 if self._held else state.Lr
        super().set_state(state)
        trailer.sensor_stop_power /= self.step_time.substeps

    def _set_off(self, speed: float, yaw_rate: float) -> None:
        """Move so that the wheels of the trailer roll without slip too."""
        trailer = self.trailer
        c, s = trailer.cosine, trailer.sine
        rate = (yaw_rate * self._hitch * c - speed * s) / trailer.to_axle
        if trailer.is_held(rate - yaw_rate):
            rate = yaw_rate
        trailer.momentum = trailer.yaw_inertia * rate
        apart_x = trailer.to_centre * rate * s
        apart_y = self._hitch * yaw_rate - trailer.to_centre * rate * c
        mass = self.trailer.mass
        self._move(self._train_mass * speed + mass * apart_x, mass * apart_y, self._yaw_inertia * yaw_rate)
        for wheel in trailer.wheels:
            wheel.turn_with_road()

    def set_state_vars(self, state: SavedState) -> None:
        self.trailer.turn(state["trailer"]["articulation"])
        super().set_state_vars(state)
