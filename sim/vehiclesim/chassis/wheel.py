"""The wheel: the balance of drive torque, brake, rolling resistance and the tyre's force."""

from typing import ClassVar, Final, TypeAlias

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM, Block, Connection, Derivative, State
from vehiclesim.chassis.tyre import Tyre
from vehiclesim.curves import clamp
from vehiclesim.parameters import TyreSettings, WheelSettings

STANDSTILL: Final = 1e-6
"""[m/s]. Rim speed below which a wheel stands."""


Situation: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
"""All values that determine the report of a wheel to the driveline."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Wheel(Block):
    """I·dw/dt = T_drive - T_friction - R·F_x, where F_x is the tyre's force for the speed at the end of the substep.

    The tyre is stiff: it may settle within a fraction of a substep. F_x therefore is F_0 + k·R·(w_end - w), and

        (I + k·R²·dt)·(w_end - w) = (T_drive - T_friction - R·F_0)·dt

    The bracket is the inertia that the wheel reports to the driveline. It is that of the wheel at speed, where a tyre
    slips easily, and grows with the stiffness of the tyre's contact. With it, L = bracket·w and
    Tr = -R·F_0 - T_friction, a clutch solves exactly for the end of the substep.

    Friction is brake plus rolling resistance (c0 + c1·|v|)·F_z·R, boxed: it takes the value that stops the wheel, at
    most its capacity. Braking never reverses a wheel, and a braked wheel stands until more than that pulls.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "spin",
        "force_x",
        "force_y",
        "sensor_drive_power",
        "sensor_brake_power",
        "sensor_rolling_power",
        "tyre",
    )

    _shaft: Connection | None

    def __init__(
        self,
        settings: WheelSettings = WheelSettings(),  # noqa: B008 - frozen
        tyre: TyreSettings = TyreSettings(),  # noqa: B008 - frozen
    ) -> None:
        super().__init__()
        self.brake_torque: float = 0.0  # input: what the brake can hold [N m]
        self.road_friction: float = 1.0  # input: of the road under this wheel, as a share of the tables', 0 .. 2
        self.speed_x: float = 0.0  # state: of the hub over ground, along the wheel [m/s]
        self.speed_y: float = 0.0  # state: to the left of it [m/s]
        self.load: float = 0.0  # state: F_z [N]
        self.tyre: Tyre = Tyre(tyre)
        self.radius: float = settings.radius  # [m]
        self.inertia: float = settings.inertia  # [kg m²]
        self.tyre.rim_mass = settings.inertia / (settings.radius * settings.radius)
        self.spin: float = 0.0  # w in this substep [rad/s], positive forward
        self.mean_spin: float = 0.0  # mean of w over the substep [rad/s]
        self.capacity: float = 0.0  # of brake and rolling resistance [N m]
        self.force_x: float = 0.0  # of the road on the vehicle, along the wheel [N]
        self.force_y: float = 0.0  # to the left of it [N]
        self.sensor_drive_power: float = 0.0  # through the shaft, mean of the last step [W]
        self.sensor_brake_power: float = 0.0  # heat of the brake [W]
        self.sensor_rolling_power: float = 0.0  # heat of the rolling resistance [W]
        self._rolling: float = settings.rolling_resistance
        self._rolling_speed: float = settings.rolling_resistance_speed
        self._shaft = None
        self._stopped: bool = True  # by friction, at the end of the substep
        self._shown_inertia: float = settings.inertia
        self._change: float = 0.0  # of w in this substep [rad/s]
        self.drive: float = 0.0  # torque from the shaft in this substep [N m]
        self._friction: float = 0.0  # torque on the wheel in this substep [N m]
        self._situation: Situation = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        self._rolled: bool = False  # in that situation, with the tyre unchanged since

    # -- sensors ----------------------------------------------------------------------------------------------------

    @property
    def sensor_rpm(self) -> float:
        """Speed [1/min], negative backward."""
        return self.spin * W_TO_RPM

    @property
    def sensor_slip_speed(self) -> float:
        """w·R - v [m/s]: positive when driving, negative when braking."""
        return self.spin * self.radius - self.speed_x

    @property
    def sensor_slip(self) -> float:
        """(w·R - v)/max(|v|, v_e), v_e being the speed below which the tyre acts as a spring with a damper."""
        return self.sensor_slip_speed / max(abs(self.speed_x), self.tyre.damping_speed)

    @property
    def sensor_spinning(self) -> bool:
        """True if the tyre slips, driving or braking, by more than the slip of its highest force."""
        return self.tyre.is_past_peak(self.sensor_slip)

    @property
    def sensor_load(self) -> float:
        """F_z [N]."""
        return self.load

    # -- one step ---------------------------------------------------------------------------------------------------

    def initialize(self) -> None:
        self.set_inputs(1)
        self.inertial = True

    def check_connections(self) -> bool:
        """Accept a wheel without shaft: it is not driven."""
        self._shaft = self.inputs[0]
        return True

    def pre_step(self) -> None:
        self.sensor_drive_power = 0.0
        self.sensor_brake_power = 0.0
        self.sensor_rolling_power = 0.0

    def get_state(self, state: State) -> None:
        """Write L, and the deflections of the tyre as Px and Py, because the chassis holds the linear momenta."""
        state.L = self.spin * self.inertia
        state.Px = self.tyre.deflection_x
        state.Py = self.tyre.deflection_y

    def set_substep_state(self, state: State) -> None:
        self.spin = state.L / self.inertia
        self.tyre.deflection_x = state.Px
        self.tyre.deflection_y = state.Py

    def compute_state_upstream(self) -> None:
        """Roll the tyre, and report the wheel with the friction that it has without drive torque.

        A step mostly begins in the situation in which the last one has ended; its results are then reused.
        """
        tyre = self.tyre
        substep = self.step_time.delta_time
        spin, speed, side, load, road = self.spin, self.speed_x, self.speed_y, self.load, self.road_friction
        situation = (spin, speed, side, load, road, self.brake_torque, tyre.deflection_x, tyre.deflection_y, substep)
        if self._rolled and situation == self._situation:
            return
        self._situation = situation
        self._rolled = True
        radius = self.radius
        grip = load * (road if 0.0 < road < 2.0 else clamp(road, 0.0, 2.0))
        if tyre.load_sensitive:
            tyre.bear(load)
        tyre.roll(spin * radius - speed, -side, speed, grip, substep)
        self.limit_friction()
        inertia = self._shown_inertia = self.inertia + tyre.stiffness * radius * radius * substep
        shaft = self._shaft
        if shaft is not None:
            reaction = -radius * tyre.force_x
            shaft.L = inertia * spin
            shaft.I = inertia
            shaft.Tr = reaction + self._stopping(reaction, inertia)

    def limit_friction(self) -> None:
        """Set the capacity of brake and rolling resistance [N m] at this speed and load."""
        brake = self.brake_torque if self.brake_torque > 0.0 else 0.0
        self.capacity = brake + self.rolling_force(self.speed_x, self.load) * self.radius

    def rolling_force(self, speed: float, load: float) -> float:
        """(c0 + c1·|v|)·F_z: the rolling resistance [N]; a limit while at rest."""
        return (self._rolling + self._rolling_speed * (speed if speed >= 0.0 else -speed)) * load

    def evaluate_torque_downstream(self) -> None:
        """Solve for the end of the substep; a tyre that breaks away keeps its force, which decouples the wheel."""
        substep = self.step_time.delta_time
        radius = self.radius
        tyre = self.tyre
        shaft = self._shaft
        drive = self.drive = shaft.out_td if shaft is not None else 0.0
        change = self._solve(drive - radius * tyre.force_x, self._shown_inertia, substep)
        self._rolled = False
        if not tyre.follow(change * radius):
            change = self._solve(drive - radius * tyre.force_x, self.inertia, substep)
        tyre.slide_x += change * radius
        self.force_x = tyre.force_x
        self.force_y = tyre.force_y
        self.mean_spin = self.spin + 0.5 * change
        self._change = change

    def _solve(self, torque: float, inertia: float, substep: float) -> float:
        """Return the change of w [rad/s] under a torque [N m] and the friction."""
        capacity = self.capacity
        friction = self._friction = self._stopping(torque, inertia)
        self._stopped = -capacity < friction < capacity
        return -self.spin if self._stopped else (torque + friction) * substep / inertia

    def _stopping(self, torque: float, inertia: float) -> float:
        """T_friction = -(I·w/dt + T), which ends the substep at rest, inside ±capacity."""
        stop = -(inertia * self.spin / self.step_time.delta_time + torque)
        capacity = self.capacity
        return stop if -capacity < stop < capacity else clamp(stop, -capacity, capacity)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        tyre = self.tyre
        derivative.T = self.inertia * self._change / self.step_time.delta_time
        derivative.Fx = tyre.rate_x()
        derivative.Fy = tyre.rate_y()
        self.book(self._friction)

    def book(self, friction: float) -> None:
        """Add up the powers of this substep: of the shaft, and of brake and rolling resistance by a friction [N m]."""
        spin, brake_torque = self.mean_spin, self.brake_torque
        self.sensor_drive_power += self.drive * spin
        loss = -friction * spin
        if loss > 0.0:  # else the other torques stopped the wheel, and friction only held it
            brake = brake_torque / self.capacity if brake_torque > 0.0 else 0.0
            self.sensor_brake_power += loss * brake
            self.sensor_rolling_power += loss * (1.0 - brake)

    def is_at_rest(self) -> bool:
        """Return whether the wheel is at rest at the end of the substep."""
        return abs(self.spin + self._change) * self.radius < STANDSTILL

    def turn_with_road(self) -> None:
        """Turn without slip, with a tyre at ease."""
        self.spin = self.speed_x / self.radius
        self.tyre.deflection_x = 0.0
        self.tyre.deflection_y = 0.0

    def set_state(self, state: State) -> None:
        # at rest means exactly at rest, whatever the rounding of dt·(I·w/dt) leaves
        self.spin = 0.0 if self._stopped else state.L / self.inertia
        self.tyre.deflection_x = state.Px
        self.tyre.deflection_y = state.Py
        if self.step_time.substeps > 1.0:
            self.end_step()

    def end_step(self) -> None:
        """Divide the sums of powers by the number of substeps, which gives means."""
        substeps = self.step_time.substeps
        self.sensor_drive_power /= substeps
        self.sensor_brake_power /= substeps
        self.sensor_rolling_power /= substeps
