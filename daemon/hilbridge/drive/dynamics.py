"""The vehicle's equations solved for the pedals: which throttle or brake gives a wanted acceleration."""

from typing import Final

from hilbridge.common.errors import ConfigurationError
from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.electric.accelerator import Accelerator
from vehiclesim.electric.motor import Motor
from vehiclesim.engine.full_load import FullLoad, specify
from vehiclesim.engine.management import PedalMap
from vehiclesim.engine.torque_curve import make_curve
from vehiclesim.parameters import ElectricTopology, MotorSettings, VehicleSettings

_SCAN: Final = 20.0
"""[1/min], in which the speed of the highest power is looked for."""

_CEILING: Final = 0.95
"""Share of the engine's highest speed that a driver stays below."""


class InverseVehicle:
    """F = m_g·a + F_drag + F_rolling on a level road, with no slip of the tyres.

    m_g = m + 4·I_w/R² + (I_in + I_e)·(N_g·i/R)²: in gear g, everything that turns counts as mass. A torque at the input
    of the gearbox becomes F = η·T·N_g·i/R when it drives the vehicle and T·N_g·i/(η·R) on overrun. In a vehicle without
    an engine its motor stands for engine and clutch.
    """

    def __init__(self, settings: VehicleSettings) -> None:
        curve = make_curve(settings.engine)
        gearbox, wheels = settings.gearbox, settings.wheels
        self.gearbox_type = gearbox.type
        self._full_load = FullLoad(curve, settings.engine)
        self.idle_rpm = settings.engine.idle_rpm
        self.electric = settings.electric.topology is ElectricTopology.BATTERY_ELECTRIC
        limiter = settings.engine.rpm_limiter_max if settings.engine.rpm_limiter else settings.engine.max_rpm
        self.limit_rpm = min(limiter, settings.engine.max_rpm)
        self.highest_rpm = _CEILING * self.limit_rpm
        self.rated_rpm = specify(self._full_load, 0.0, _SCAN).max_power_rpm
        self.gears = len(gearbox.gears)
        self.clutch_capacity = settings.clutch.max_torque_transfer  # [N m]
        self.engine_inertia = settings.engine.inertia  # [kg m²]
        self._body = Body(settings.body)
        self._wheel = Wheel(wheels)
        self._pedal_map = PedalMap(settings.engine, curve)
        self._efficiency = gearbox.efficiency
        self._gear_inertia = gearbox.inertia
        self._ratios = gearbox.gears
        self._least_share = gearbox.ratios[-1] / gearbox.ratios[0] if gearbox.gears != gearbox.ratios else 1.0
        electric = settings.electric
        lead = wheels.radius / settings.driveline.total_ratio  # [m/rad]
        self._leverages = [ratio / lead for ratio in gearbox.gears]  # [1/m]
        self._mass = settings.body.mass + 4.0 * wheels.inertia / (wheels.radius * wheels.radius)
        self._accelerator = Accelerator(Motor(electric.motor), self._mass, electric.overrun_deceleration)
        self._brake_force = 2.0 * settings.brakes.max_torque / wheels.radius
        if self.electric:
            self._take_motor(settings.electric.motor)
        if self._brake_force <= 0.0:
            raise ConfigurationError("a vehicle without brakes follows no speed trace", ("brakes", "max_torque"))

    def _take_motor(self, settings: MotorSettings) -> None:
        """Put the motor of a vehicle without engine in the place of its engine."""
        self.idle_rpm = self.engine_inertia = 0.0
        self.limit_rpm = self.highest_rpm = settings.max_rpm
        self.rated_rpm = min(settings.max_rpm, settings.max_power * 1e3 / settings.max_torque / RPM_TO_W)
        self._leverages = [leverage * settings.ratio for leverage in self._leverages]
        self._gear_inertia = self._gear_inertia / (settings.ratio * settings.ratio) + settings.inertia

    def ratio(self, gear: int) -> float:
        """Return input speed over output speed of the gearbox in a forward gear."""
        return self._ratios[gear - 1]

    def ratio_share(self, rpm: float, output_rpm: float) -> float:
        """Return the present ratio of a continuous gearbox as a share of its shortest one; of others 1."""
        if self._least_share >= 1.0 or output_rpm <= 0.0:
            return 1.0
        return max(self._least_share, min(rpm / (output_rpm * self._ratios[0]), 1.0))

    def engine_rpm(self, speed: float, gear: int) -> float:
        """Return the engine speed [1/min] with the clutch closed, at a speed of the vehicle [m/s]."""
        return speed * self._leverages[gear - 1] / RPM_TO_W

    def force(self, acceleration: float, speed: float) -> float:
        """Return the force at the wheels [N], without the inertia of what turns with the gearbox."""
        rolling = self._wheel.rolling_force(speed, self._body.normal_force())
        return self._mass * acceleration + self._body.drag_force(speed) + rolling

    def input_torque(self, force: float, acceleration: float, gear: int) -> float:
        """Return the torque at the input of the gearbox [N m] for a force [N] at the wheels."""
        leverage = self._leverages[gear - 1]
        torque = force / leverage
        torque = torque / self._efficiency if torque > 0.0 else torque * self._efficiency
        return torque + self._gear_inertia * leverage * acceleration

    def engine_torque(self, force: float, acceleration: float, gear: int) -> float:
        """Return the torque at the flywheel [N m] with the clutch closed, for a force [N] at the wheels."""
        spin = self.engine_inertia * self._leverages[gear - 1] * acceleration
        return self.input_torque(force, acceleration, gear) + spin

    def overrun_force(self, torque: float, gear: int) -> float:
        """Return the force at the wheels [N] for a torque [N m] of an engine that they drive."""
        return torque * self._leverages[gear - 1] / self._efficiency

    def torque(self, rpm: float, share: float) -> float:
        """Return the torque of the engine at the flywheel [N m] with a share of its combustion torque."""
        if self.electric:
            return self._accelerator.torque(share, rpm * RPM_TO_W / self._leverages[0], self._leverages[0])
        return self._full_load.torque(rpm, share)

    def throttle(self, rpm: float, torque: float) -> float:
        """Return the pedal 0 .. 1 that gives a torque [N m] at the flywheel at a speed [1/min], as near as it can."""
        if self.electric:
            return self._accelerator.position(torque, rpm * RPM_TO_W / self._leverages[0], self._leverages[0])
        lowest, highest = self.torque(rpm, 0.0), self.torque(rpm, 1.0)
        if torque <= lowest or highest <= lowest:
            return 0.0
        return self._pedal_map.position(min((torque - lowest) / (highest - lowest), 1.0), rpm * RPM_TO_W)

    def brake(self, force: float) -> float:
        """Return the pedal 0 .. 1 for a force [N] against the motion."""
        return max(0.0, min(force / self._brake_force, 1.0))
