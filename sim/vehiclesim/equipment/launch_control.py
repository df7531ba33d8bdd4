"""Launch control: holds the engine at a speed while the driver stands on brake and accelerator, and then lets go.

    off        at rest, in first gear, brake on, accelerator down    staged
    staged     brake off                                             launching, behind a converter off
    launching  the clutch no longer slips, or it shifts              off
    either     accelerator up; staged: another gear, rolling;
               launching: brake on                                   off

Staged, the engine's speed is bounded by one that rises to `rpm`, with the accelerator down, so that a charger builds up
its boost. A clutch is open; a converter pulls against the brakes, and the bound falls while these do not hold.
Launching, the clutch leads the slip of the driven wheels to that of the highest friction, while the engine stays near
`rpm`, and needs the time FILLING to close:

    T = lead/(i·eta)·[y·sum(mu·N) + m·(a + (s_peak - s)/tau)],    dy/dt = (1 - s/s_peak)/T_y, y in 0 .. 1

lead is the way per turn of the gearbox's output, mu the highest friction of a driven tyre on its road, N its load, m
the driven wheels and shafts as a mass at the rim, a the acceleration of the vehicle, and s [m/s] the slip of the wheel
that slips most; y is below 1 where one axle gets more than its share. A control unit would estimate road and loads;
here they are known. The conditions are those of a workshop manual (Porsche Panamera 970, PDK: standing, brake on,
kick-down; releasing the brake triggers it, and the clutch lets the wheels slip as is best); the times are assumed.
"""

from typing import ClassVar, Final

from vehiclesim.aids.slip import SlipMeter
from vehiclesim.channels import RequestData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.curves import clamp
from vehiclesim.engine.engine import Engine
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.loader import Inputs
from vehiclesim.parameters import DrivelineLayout, LaunchControlSettings, VehicleSettings
from vehiclesim.transmission.automatic_clutch import AutomaticClutch
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.shift_strategy import RELEASED

OFF: Final = 0
STAGED: Final = 1
LAUNCHING: Final = 2

_DOWN: Final = 0.95
"""Travel of the accelerator from which it counts as down: that of the kick-down."""

_RESTING: Final = 0.1
"""[m/s] up to which it stages."""

_HELD: Final = 0.05
"""[m/s] of a driven rim up to which the brakes hold it."""

_CREPT: Final = 2.0
"""[m/s] that a converter may pull through the brake meanwhile."""

_RISING: Final = 1.0
"""[s], in which the bound rises from idle to `rpm`, and falls where the brakes do not hold (assumed)."""

_FILLING: Final = 0.1
"""[s], in which the clutch comes from open to closed (assumed)."""

_LEADING: Final = 0.05
"""tau [s], at least two steps (assumed)."""

_CORRECTING: Final = 0.2
"""T_y [s] (assumed)."""

_UNLIMITED: Final = float("inf")


class LaunchControl(Equipment):
    """Conditions, engine speed and clutch of a launch; `phase` is one of the above."""

    state_vars: ClassVar[tuple[str, ...]] = ("phase", "share", "correction", "held")

    _requests: Inputs
    _engine: Engine
    _gearbox: Gearbox
    _chassis: Chassis
    _driven: list[SlipMeter]

    def __init__(self, settings: LaunchControlSettings, idle_rpm: float, share_of_force: float, mass: float) -> None:
        """Take the idle speed [1/min], the share of the clutch's torque per force at the rims [1/N], and m [kg]."""
        self.phase: int = OFF
        self.share: float = 0.0  # of its torque that the clutch carries
        self.correction: float = 1.0  # y
        self._share_of_force: float = share_of_force
        self._mass: float = mass
        self.held: float = idle_rpm  # speed that bounds the engine [1/min]
        self._idle: float = idle_rpm
        self._rise: float = settings.rpm - idle_rpm

    def join(self, car: Car) -> None:
        self._requests, self._engine = car.loader.requests, car.aids.engine
        self._gearbox, self._chassis = car.gearbox, car.aids.chassis
        self._driven = [SlipMeter(wheel) for wheel in car.aids.chassis.wheels if wheel.inputs[0] is not None]

    def feed(self, delta_time: float) -> None:
        """Follow the conditions, and bound the engine's speed."""
        before = self.phase
        self.phase = self._next(before)
        if self.phase == LAUNCHING:
            self._carry(delta_time)
        else:
            self.share, self.correction = 0.0, 1.0
        if self.phase == OFF:
            self.held = self._idle
        elif self.phase == STAGED:
            way = self._rise * delta_time / _RISING
            bound = self.held + (way if self._brakes_hold() else -way)
            self.held = clamp(bound, self._idle, self._idle + self._rise)
        if self.phase != OFF or before != OFF:
            self._hold()

    def act(self, delta_time: float) -> None:
        """Open the clutch as far as the wheels slip."""
        if self.phase != OFF and self._clutch is not None:
            self._engine.clutch_input *= self.share

    def restore(self) -> None:
        self._hold()
        self.act(0.0)

    @property
    def _clutch(self) -> AutomaticClutch | None:
        """The clutch that it works; behind a converter there is none."""
        return self._gearbox.automatic_clutch

    def _next(self, phase: int) -> int:
        """Return the phase that follows."""
        engine, gearbox, speed = self._engine, self._gearbox, self._chassis.sensor_speed
        if engine.throttle_input < _DOWN or not engine.sensor_working or gearbox.sensor_gear != 1:
            return OFF
        braking = self._chassis.brakes.brake_input > RELEASED
        if phase == LAUNCHING:
            sticks = self.share > 0.0 and engine.sensor_clutch_lock >= 1.0
            return OFF if braking or sticks or gearbox.sensor_shifting else LAUNCHING
        if phase == STAGED and not braking:
            return LAUNCHING if self._clutch is not None else OFF
        limit = _CREPT if phase == STAGED else _RESTING
        return STAGED if braking and -limit < speed < limit else OFF

    def _brakes_hold(self) -> bool:
        """Return whether all driven wheels stand."""
        for meter in self._driven:
            rim = meter.wheel.spin * meter.wheel.radius
            if not -_HELD < rim < _HELD:
                return False
        return True

    def _carry(self, delta_time: float) -> None:
        """Follow grip and slip of the driven tyres with the clutch."""
        grip, least, peak = 0.0, _UNLIMITED, 1.0
        for meter in self._driven:
            wheel = meter.wheel
            grip += wheel.tyre.driving.peak * wheel.load * clamp(wheel.road_friction, 0.0, 2.0)
            left = meter.driving_peak() - meter.driving()
            if left < least:
                least, peak = left, meter.driving_peak()
        time = 2.0 * delta_time if 2.0 * delta_time > _LEADING else _LEADING
        self.correction = clamp(self.correction + least / peak * delta_time / _CORRECTING, 0.0, 1.0)
        force = self.correction * grip + self._mass * (self._chassis.sensor_acceleration + least / time)
        filled = self.share + delta_time / _FILLING
        wanted = clamp(self._share_of_force * force, 0.0, 1.0)
        self.share = wanted if wanted < filled else filled

    def _hold(self) -> None:
        """Bound the engine's speed, below what a control unit asks for, and raise that at which the clutch closes."""
        asked = self._requests.request(RequestData.ENGINE_RPM_LIMIT, _UNLIMITED)
        held = self.phase != OFF and self.held < asked
        self._engine.rpm_limit = self.held if held else asked
        if self._clutch is not None:
            self._clutch.close_at(self.held if self.phase != OFF else 0.0)


def make_launch_control(settings: VehicleSettings, _engine: Engine, _brakes: Brakes) -> Equipment | None:
    """Return the launch control of a vehicle that has it."""
    if not settings.launch_control.enabled:
        return None
    gearbox, wheels = settings.gearbox, settings.wheels
    leverage = gearbox.ratios[0] * settings.driveline.total_ratio / wheels.radius  # [1/m]
    carried = settings.clutch.max_torque_transfer * leverage * gearbox.efficiency
    driven = 2.0 if settings.driveline.layout in (DrivelineLayout.FRONT, DrivelineLayout.REAR) else 4.0
    mass = (
        driven * wheels.inertia / (wheels.radius * wheels.radius) + settings.input_shaft_inertia * leverage * leverage
    )
    share_of_force = 1.0 / carried if carried > 0.0 else 0.0
    return LaunchControl(settings.launch_control, settings.engine.idle_rpm, share_of_force, mass)
