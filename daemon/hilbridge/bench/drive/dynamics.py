"""The vehicle's equations solved for the pedals: which throttle or brake gives a wanted acceleration."""

from typing import Final

from hilbridge.base.common.errors import ConfigurationError
from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.trailer import make_trailer_body
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.electric.topologies import make_drive
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import FullLoad, specify
from vehiclesim.engine.management import PedalMap
from vehiclesim.engine.torque_curve import make_curve
from vehiclesim.parameters import GRAVITY, ElectricTopology, VehicleSettings

_SCAN: Final = 20.0
"""[1/min], in which the speed of the highest power is looked for."""

_CEILING: Final = 0.95
"""Share of the engine's highest speed that a driver stays below."""


class InverseVehicle:
    """F = m_g·a + F_drag + F_rolling on a level road, with no slip of the tyres.

    m_g = m + 4·I_w/R² + (I_in + I_e)·(N_g·i/R)²: in gear g, everything that turns counts as mass. A torque at the input
    of the gearbox becomes F = η·T·N_g·i/R when it drives the vehicle and T·N_g·i/(η·R) on overrun. Where an electric
    motor turns with the gearbox, it stands for engine and clutch; in a P2 hybrid, for both together.
    """

    def __init__(self, settings: VehicleSettings) -> None:
        curve = make_curve(settings.engine)
        gearbox, wheels = settings.gearbox, settings.wheels
        self.gearbox_type = gearbox.type
        self._full_load = FullLoad(curve, settings.engine, settings.auxiliary.air_path)
        self.idle_rpm = settings.engine.idle_rpm
        self.motor_ratio = 0.0  # of an electric motor that turns with the gearbox; 0: there is none
        self.axle_ratio = 0.0  # torque at the gearbox's input per torque of a motor on the second axle
        self.ring_share = 1.0  # of the engine's torque that comes to the gearbox with that of the motor
        limiter = settings.engine.rpm_limiter_max if settings.engine.rpm_limiter else settings.engine.max_rpm
        self.limit_rpm = min(limiter, settings.engine.max_rpm)
        self.highest_rpm = _CEILING * self.limit_rpm
        self.rated_rpm = specify(self._full_load, 0.0, _SCAN).max_power_rpm
        self.gears = len(gearbox.gears)
        self.launch_control = settings.launch_control.enabled
        self.clutch_capacity = settings.clutch.max_torque_transfer  # [N m]
        self.engine_inertia = settings.crankshaft_inertia  # [kg m²]
        self._body = Body(settings.body)
        self._wheel = Wheel(wheels)
        self._trailer = make_trailer_body(settings) if settings.trailer.mass > 0.0 else None
        self._pedal_map = PedalMap(settings.engine, curve)
        self._pedal_map.load = self._full_load.idle_load()
        self._efficiency = gearbox.efficiency
        self._gear_inertia = settings.input_shaft_inertia
        self._ratios = gearbox.gears
        self._least_share = gearbox.ratios[-1] / gearbox.ratios[0] if gearbox.gears != gearbox.ratios else 1.0
        lead = wheels.radius / settings.driveline.total_ratio  # [m/rad]
        self._leverages = [ratio / lead for ratio in gearbox.gears]  # [1/m]
        self._mass = settings.train_mass + 4.0 * wheels.inertia / (wheels.radius * wheels.radius)
        self._brake_force = 2.0 * settings.brakes.max_torque / wheels.radius
        if self._trailer is not None:
            for wheel in self._trailer.wheels:
                self._mass += wheel.inertia / (wheel.radius * wheel.radius)
                self._brake_force += settings.trailer.brake_torque / wheel.radius
        engine = Engine(settings.engine, settings.clutch, air=settings.auxiliary.air_path)
        drive = make_drive(settings, engine, Brakes(settings.brakes))
        self._accelerator = None if drive is None else drive.accelerator
        self._belt = settings.electric.topology is ElectricTopology.P0_HYBRID
        if drive is not None and not self._belt:
            self._take_motor(settings)
        if self._brake_force <= 0.0:
            raise ConfigurationError("a vehicle without brakes follows no speed trace", ("brakes", "max_torque"))

    def _take_motor(self, settings: VehicleSettings) -> None:
        """Put the motor on the gearbox in the place of the engine; where there is none, with its speeds."""
        motor = settings.electric.motor
        self.idle_rpm = self.engine_inertia = 0.0
        self.motor_ratio = motor.ratio
        axle = settings.electric.axle_motor
        if axle is not None:
            self.axle_ratio = axle.ratio * settings.driveline.secondary_ratio / settings.driveline.total_ratio
        if settings.electric.has_generator:
            planetary = settings.electric.planetary
            split = settings.electric.topology is ElectricTopology.POWER_SPLIT
            self.ring_share = planetary.ring_teeth / (planetary.sun_teeth + planetary.ring_teeth) if split else 0.0
        if settings.electric.topology is not ElectricTopology.P2_HYBRID:
            self.limit_rpm = self.highest_rpm = motor.max_rpm / motor.ratio
            rated = motor.max_power * 1e3 / motor.max_torque / RPM_TO_W
            self.rated_rpm = min(motor.max_rpm, rated) / motor.ratio

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
        load, resistance, trailer = self._body.normal_force(), self._body.drag_force(speed), self._trailer
        if trailer is not None:
            trailer.distribute(trailer.mass * GRAVITY, -load)
            load += trailer.sensor_hitch_load
            resistance += trailer.drag_force(speed, 1.0)
            for wheel in trailer.wheels:
                resistance += wheel.rolling_force(speed, wheel.load)
        return self._mass * acceleration + resistance + self._wheel.rolling_force(speed, load)

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

    def torque(self, rpm: float, share: float, gear: int = 0) -> float:
        """Return the torque of engine and motor [N m] with a share of what they can, in a gear; 0: clutch open."""
        if self._accelerator is None or (self._belt and gear == 0):
            return self._full_load.torque(rpm, share)
        leverage = self._leverages[max(gear, 1) - 1]
        return self._accelerator.torque(share, rpm * RPM_TO_W / leverage, leverage)

    def throttle(self, rpm: float, torque: float, gear: int = 0) -> float:
        """Return the pedal 0 .. 1 that gives a torque [N m] at a speed [1/min] in a gear, as near as it can."""
        lowest, highest = self.torque(rpm, 0.0, gear), self.torque(rpm, 1.0, gear)
        if torque <= lowest or highest <= lowest:
            return 0.0
        share = min((torque - lowest) / (highest - lowest), 1.0)
        return share if self._accelerator is not None else self._pedal_map.position(share, rpm * RPM_TO_W)

    def brake(self, force: float) -> float:
        """Return the pedal 0 .. 1 for a force [N] against the motion."""
        return max(0.0, min(force / self._brake_force, 1.0))
