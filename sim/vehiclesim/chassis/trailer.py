"""A trailer: its place at the hitch, the loads of its wheels, its brakes and its air drag."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.chassis.brakes import Brakes, Valves
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.curves import clamp, cosine, sine
from vehiclesim.parameters import AIR_DENSITY, TrailerSettings, TyreSettings, VehicleSettings
from vehiclesim.state import Stateful

LEFT: Final = 0
RIGHT: Final = 1
"""Places of its wheels."""

_FOLLOWED: Final = 1e-6
"""Share of a full pedal within which the brakes are where it is: a lag alone would move them for 36 time constants."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Trailer(Stateful):
    """A body on one axle behind a hitch, in its own axes: x forward, y left, gamma its angle to the vehicle.

        F_hitch,z = (F_z·(l - c) - h·F_x - (h - h_k)·K_x)/l,    F_axle,z = F_z - F_hitch,z
        left, right wheel = F_axle,z/2 -+ (h·F_y + (h - h_k)·K_y)/track

    c, l: distances of centre of gravity and axle behind the hitch; h, h_k: heights of centre of gravity and hitch;
    F_x, F_y: sums of its wheels' forces, K_x, K_y: force of the vehicle on its hitch [N]. The hitch passes no roll
    moment. A ball holds its socket, so its load may be negative. Air drag acts at the centre of gravity.

    Brakes: T = x·T_max of each side, x' = (pedal - x)/lag, or what valves of its own hold, on top of those of the
    vehicle; handbrake and driving aids do not act on them.
    """

    state_vars: ClassVar[tuple[str, ...]] = (
        "wheels",
        "articulation",
        "momentum",
        "brake",
        "held",
        "valves",
        "hitch_shift",
        "roll_moment",
        "sensor_stop_power",
    )

    def __init__(self, settings: TrailerSettings, tyre: TyreSettings) -> None:
        self.wheels: list[Wheel] = [Wheel(settings.wheels, tyre), Wheel(settings.wheels, tyre)]
        self.brake_loss: float = 0.0  # input: share of the brakes that fails, 1 with its lines unplugged
        self.mass: float = settings.mass  # [kg]
        self.yaw_inertia: float = settings.yaw_inertia  # [kg m²]
        self.hitch_ahead: float = settings.hitch_ahead  # of the vehicle's rear axle [m]
        self.to_centre: float = settings.hitch_to_centre  # c [m]
        self.to_axle: float = settings.hitch_to_axle  # l [m]
        self.side: float = 0.5 * settings.track  # [m]
        self.hitch_height: float = settings.hitch_height  # h_k [m]
        self.articulation: float = 0.0  # gamma [rad], positive with the trailer turned to the left
        self.cosine: float = 1.0  # of gamma
        self.sine: float = 0.0
        self.momentum: float = 0.0  # angular, about its centre of gravity [N m s]
        self.yaw_rate: float = 0.0  # over ground [rad/s]
        self.brake: float = 0.0  # x
        self.held: list[float] = [0.0, 0.0]  # what valves hold [N m]
        self.valves: Valves = Valves()
        self.hitch_shift: float = 0.0  # what its moments add to the load of the hitch [N]
        self.roll_moment: float = 0.0  # [N m]
        self.sensor_at_stop: bool = False  # turned as far as the bodies let it
        self.sensor_stop_power: float = 0.0  # lost where the bodies hit each other, mean of the last step [W]
        self.sensor_hitch_load: float = 0.0  # on the vehicle, downwards [N]
        self._height: float = settings.centre_of_gravity_height
        self._lever: float = settings.centre_of_gravity_height - settings.hitch_height if self._height > 0.0 else 0.0
        self._drag: float = 0.5 * AIR_DENSITY * settings.drag_area  # [kg/m]
        self._lag: float = settings.brake_lag  # [s]
        self._brake_torque: float = settings.brake_torque  # [N m]
        self._most: float = settings.most_articulation * DEGREE

    def turn(self, articulation: float) -> None:
        """Take over the angle to the vehicle [rad]."""
        self.articulation = articulation
        self.cosine = cosine(articulation)
        self.sine = sine(articulation)
        self.sensor_at_stop = not -self._most < articulation < self._most

    def is_held(self, rate: float) -> bool:
        """Return whether the bodies stop the angle from growing at a rate [rad/s]."""
        return self.sensor_at_stop and self.articulation * rate > 0.0

    def drag_force(self, air_speed: float, density_ratio: float) -> float:
        """½·ρ·cd·A·|u|·u at a speed against the air [m/s]."""
        return self._drag * density_ratio * air_speed * (air_speed if air_speed > 0.0 else -air_speed)

    def follow(self, pedal: float, delta_time: float) -> None:
        """Let the brakes follow the pedal (0 .. 1) for a step [s]."""
        pedal = clamp(pedal, 0.0, 1.0)
        gap = pedal - self.brake
        self.brake = pedal if -_FOLLOWED < gap < _FOLLOWED else self.brake + gap * delta_time / (self._lag + delta_time)

    def asked(self) -> float:
        """Return the torque that the pedal asks for at each side [N m]."""
        return self.brake * (1.0 - clamp(self.brake_loss, 0.0, 1.0)) * self._brake_torque

    def hold(self, brakes: Brakes) -> None:
        """Pass its wheels the torque that their brakes can hold."""
        act, asked = self.valves.act, self.asked()
        for place, wheel in enumerate(self.wheels):
            wheel.brake_torque = 0.0 if brakes.released else self.held[place] if act else asked

    def lean(self, ground_x: float, ground_y: float, pull_x: float, pull_y: float) -> None:
        """Keep the moments [N m] of its wheels' forces and of the hitch's [N], in its axes, for the coming loads."""
        self.hitch_shift = -(self._height * ground_x + self._lever * pull_x) / self.to_axle
        self.roll_moment = self._height * ground_y + self._lever * pull_y

    def distribute(self, weight: float, least: float) -> None:
        """Set the loads of hitch and wheels from the part of its weight across the road [N].

        `least`: the lowest load of the hitch, with which the vehicle stands on its own wheels.
        """
        hitch = weight * (1.0 - self.to_centre / self.to_axle) + self.hitch_shift
        hitch = self.sensor_hitch_load = clamp(hitch, least, weight)
        half = 0.5 * (weight - hitch)
        shift = clamp(0.5 * self.roll_moment / self.side, -half, half)
        left, right = self.wheels
        left.load = half - shift
        right.load = half + shift

    def move(self, hitch_x: float, hitch_y: float) -> None:
        """Give its wheels their speeds over ground from that of the hitch [m/s], in the axes of the vehicle."""
        c, s, turning = self.cosine, self.sine, self.yaw_rate * self.side
        ahead = hitch_x * c + hitch_y * s
        left, right = self.wheels
        left.speed_x = ahead - turning
        right.speed_x = ahead + turning
        left.speed_y = right.speed_y = hitch_y * c - hitch_x * s - self.yaw_rate * self.to_axle


def make_trailer_body(settings: VehicleSettings) -> Trailer:
    """Return the trailer of a vehicle; its tyres are those of the vehicle's rear axle unless it has its own."""
    trailer = settings.trailer
    return Trailer(trailer, trailer.tyre or settings.rear_tyre or settings.tyre)
