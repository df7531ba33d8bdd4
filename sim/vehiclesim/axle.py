"""The driven axle, which carries the whole vehicle: final drive, wheels that do not slip, brakes."""

from typing import NamedTuple

from mypy_extensions import mypyc_attr

from vehiclesim.block import W_TO_RPM, Block, Connection, Derivative, State
from vehiclesim.body import Body
from vehiclesim.curves import clamp
from vehiclesim.parameters import AxleSettings


class AxleState(NamedTuple):
    """What an Axle must know to go on exactly."""

    momentum: float


@mypyc_attr(allow_interpreted_subclasses=True)
class Axle(Block):
    """One mass that turns with the wheels: I = n·I_wheel + m·R², w = v/R.

    I·dw/dt = i·T_drive - R·(F_drag + F_slope) - T_friction, where i is the final drive.

    Friction is brakes plus rolling resistance. It is solved for the end of the substep and boxed: it takes the value
    that brings the wheels to rest, at most its capacity. It can stop the vehicle and hold it, but never turn it back.
    """

    _shaft: Connection

    def __init__(self, settings: AxleSettings, body: Body) -> None:
        super().__init__()
        self.body: Body = body
        self.brake_input: float = 0.0  # pedal, 0 = released .. 1 = fully down
        self.handbrake_input: float = 0.0  # 0 = released .. 1 = fully applied
        self._final_drive: float = settings.final_drive
        self._radius: float = settings.wheel_radius
        self._inertia: float = settings.wheel_count * settings.wheel_inertia + body.mass * self._radius * self._radius
        self._max_brake_torque: float = settings.max_brake_torque
        self._max_handbrake_torque: float = settings.handbrake_torque
        self._brake_torque: float = 0.0  # capacity of the brakes in this step [N m]
        self._momentum: float = 0.0  # [N m s]
        self._road_torque: float = 0.0  # of air and slope [N m]
        self._capacity: float = 0.0  # of brakes and rolling resistance in this substep [N m]
        self._torque: float = 0.0  # dL/dt [N m]
        self._at_rest: bool = True

    @property
    def sensor_speed(self) -> float:
        """Speed of the vehicle [m/s], negative backward."""
        return self._momentum / self._inertia * self._radius

    @property
    def sensor_rpm(self) -> float:
        """Speed of the wheels [1/min], negative backward."""
        return self._momentum / self._inertia * W_TO_RPM

    def initialize(self) -> None:
        self.set_inputs(1)
        self.inertial = True

    def check_connections(self) -> bool:
        shaft = self.inputs[0]
        if shaft is None:
            return False
        self._shaft = shaft
        return True

    def pre_step(self) -> None:
        brake = clamp(self.brake_input, 0.0, 1.0) * self._max_brake_torque
        self._brake_torque = brake + clamp(self.handbrake_input, 0.0, 1.0) * self._max_handbrake_torque

    def get_state(self, state: State) -> None:
        state.L = self._momentum

    def set_substep_state(self, state: State) -> None:
        self._momentum = state.L

    def compute_state_upstream(self) -> None:
        """Reports the axle as seen through the final drive, with the friction that it has without drive torque."""
        shaft = self._shaft
        body = self.body
        speed = self._momentum / self._inertia * self._radius
        self._road_torque = -self._radius * (body.drag_force(speed) + body.slope_force())
        self._capacity = self._brake_torque + self._radius * body.rolling_force(speed)
        ratio = self._final_drive
        shaft.L = self._momentum / ratio
        shaft.I = self._inertia / (ratio * ratio)
        shaft.Tr = (self._road_torque + self._friction(self._road_torque)) / ratio

    def evaluate_torque_downstream(self) -> None:
        torque = self._road_torque + self._shaft.out_td * self._final_drive
        friction = self._friction(torque)
        self._at_rest = -self._capacity < friction < self._capacity
        self._torque = torque + friction

    def _friction(self, torque: float) -> float:
        """T_friction = -(L/dt + T), which ends the substep at rest, inside ±capacity."""
        stop = -(self._momentum / self.step_time.delta_time + torque)
        return clamp(stop, -self._capacity, self._capacity)

    def get_substep_derivative(self, derivative: Derivative) -> None:
        derivative.T = self._torque

    def set_state(self, state: State) -> None:
        # at rest means exactly at rest, whatever the rounding of dt·(L/dt) leaves
        self._momentum = 0.0 if self._at_rest else state.L

    def get_state_vars(self) -> AxleState:
        """The state, to be given back to `set_state_vars`."""
        return AxleState(self._momentum)

    def set_state_vars(self, state: AxleState) -> None:
        """Goes on from a saved state."""
        self._momentum = state.momentum
