"""The P0 hybrid: a belt starter-generator, which helps, brakes and starts the crankshaft."""

from typing import Final

from vehiclesim.block import RPM_TO_W, W_TO_RPM
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.accelerator import Accelerator
from vehiclesim.electric.charge_band import FUEL_CUT
from vehiclesim.electric.electric_drive import ElectricDrive
from vehiclesim.electric.hybrid_system import HybridSystem
from vehiclesim.electric.motor import Motor
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.stop_start import CRANK, RUN
from vehiclesim.parameters import ElectricSettings, EngineSettings

_NO_REQUEST: Final = float("nan")

_CLOSED: Final = 0.9
"""Engagement of the clutch from which the engine turns with the gearbox."""

_RECUPERATES_FROM: Final = 1.1
_RECUPERATES_FULLY: Final = 1.5
"""Multiples of the idle speed. In between recuperation fades in: it must not pull the engine down to idle."""

_SLOWEST: Final = 0.5
"""Share of the idle speed below which the generator's torque grows no more."""

_CRANKS_WITH: Final = 1000.0
"""[W] that the battery must have for the motor to start the engine; else the starter does."""


class P0Hybrid(ElectricDrive):
    """T_motor = T_demand - T_engine at the crankshaft, T_engine being what the engine is asked for.

    T_demand is what the pedal asks for, of at most what engine and motor have together; with the pedal released it
    is the drag of the engine and that of recuperation. T_engine = T_demand + P_charge/w within what the engine has;
    with the pedal released it burns nothing. Out of gear or with the clutch open the motor only charges the battery.

    A control unit's limit of the torque at the flywheel holds for both together.

    The brake pedal recuperates as in every electric drive, as long as the clutch is closed. Beyond the speed limiter,
    and while traction control acts, the motor gives nothing. The drive is ready while the engine runs, or rests by stop
    and start; after that the motor starts it.
    """

    def __init__(
        self,
        settings: ElectricSettings,
        motor: Motor,
        engine: Engine,
        brakes: Brakes,
        mass: float,
        radius: float,
        engine_settings: EngineSettings,
    ) -> None:
        super().__init__(settings, motor, engine, brakes, mass, radius)
        self.system: HybridSystem = HybridSystem(settings.hybrid, engine_settings)
        self.accelerator = Accelerator(self.most_torque, mass, settings.overrun_deceleration, self.drag)

    def rotor_w(self) -> float:
        return self.engine.sensor_rpm * RPM_TO_W * self.motor.ratio

    def most_torque(self, w: float) -> float:
        """Return the highest torque [N m] of engine and motor together at a speed [rad/s] of the engine."""
        motor = self.motor
        together = self.engine.calculate_torque(w * W_TO_RPM) + motor.most_torque(w * motor.ratio) * motor.ratio
        return self.system.limit(together, w)

    def drag(self, w: float) -> float:
        """Return the torque [N m] that an engine without fuel takes at a speed [rad/s]."""
        return -self.engine.calculate_torque(w * W_TO_RPM, 0.0)

    def pedal_torque(self, rpm: float, throttle: float) -> float:
        least = self.engine.calculate_torque(rpm, 0.0)
        return least + throttle * (self.most_torque(rpm * RPM_TO_W) - least)

    def control(self, delta_time: float) -> None:
        engine, motor, around = self.engine, self.motor, self.surroundings
        ratio = motor.ratio
        running = engine.sensor_working
        self.ready = around.key >= 0 and (running or engine.stop_start != RUN)
        engine.drive_request = _NO_REQUEST
        torque = relief = 0.0
        if running:
            torque, relief = self._share(motor.w / ratio)
        elif engine.stop_start == CRANK and self.battery.most_discharge() >= _CRANKS_WITH:
            torque = motor.most_torque(motor.w) * ratio
            engine.starter_supply = 0.0
        self.drive(torque, relief, around.lead)
        engine.belt_torque = motor.torque * ratio

    def _share(self, w: float) -> tuple[float, float]:
        """Ask the running engine for its part at w [rad/s]; return that of the motor, and what of it is for the brake.

        Both in N m at the crankshaft.
        """
        engine, around, lead = self.engine, self.surroundings, self.surroundings.lead
        idle = self.system.idle_w
        slowest = _SLOWEST * idle
        charging = self.system.band.power(self.battery.charge) / (w if w > slowest else slowest)
        pedal = clamp(around.throttle, 0.0, 1.0)
        drag, full = self.drag(w), engine.calculate_torque(w * W_TO_RPM)
        if around.gear == 0 or lead <= 0.0 or engine.clutch_input < _CLOSED:
            taken = charging if charging > 0.0 else 0.0
            if pedal > 0.0:
                engine.drive_request = pedal * (full + drag) - drag + taken
            return -taken, 0.0
        speed = around.speed if around.gear > 0 else -around.speed
        demand = self.accelerator.torque_at(pedal, speed, lead, w)
        if pedal > 0.0:
            demand = demand if demand < engine.torque_limit else engine.torque_limit
            request = engine.drive_request = clamp(demand + charging, -drag, full)
            assist = demand - request
            held = assist > 0.0 and (engine.tcs_rpms >= 0.0 or engine.sensor_rpm_limiter)
            return (0.0 if held else assist), 0.0
        engine.drive_request = FUEL_CUT
        width = (_RECUPERATES_FULLY - _RECUPERATES_FROM) * idle
        share = clamp((w - _RECUPERATES_FROM * idle) / width, 0.0, 1.0)
        generating = (1.0 - share) * (charging if charging > 0.0 else 0.0)
        if around.aid_acts:
            return -generating, 0.0
        relief = share * self.brake_torque(speed, lead)
        return share * (demand + drag) - generating - relief, relief
