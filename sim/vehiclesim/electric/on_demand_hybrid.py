"""Common to hybrids that drive with the motor alone, and start their engine on demand."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.electric.charge_band import FUEL_CUT
from vehiclesim.electric.engine_on_demand import EngineOnDemand
from vehiclesim.electric.hybrid_system import HybridSystem
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.shaft_drive import ShaftDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricSettings, EngineSettings

_ROOM: Final = 0.9
"""Share of the battery's power that reaches the shaft, at which the motor alone is not enough (assumed)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class OnDemandHybrid(ShaftDrive):
    """A motor on the shaft, and an engine that runs while `EngineOnDemand` needs it."""

    state_vars: ClassVar[tuple[str, ...]] = (*ShaftDrive.state_vars, "on_demand")

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
        self.on_demand: EngineOnDemand = EngineOnDemand(settings.hybrid)

    def pedal_torque(self, rpm: float, throttle: float) -> float:
        return throttle * self.most_torque(rpm * RPM_TO_W)

    def hold_engine(self) -> None:
        engine = self.engine
        engine.stop_start = self.on_demand.command
        if engine.ignition_input > 0:
            engine.ignition_input = 0

    def call_engine(self, power: float, enough: bool, charging: bool, delta_time: float) -> None:
        """Start or stop the engine for a power [W] at the shaft; it gives no torque until it is asked to."""
        engine, on_demand, around = self.engine, self.on_demand, self.surroundings
        on_demand.fuel = engine.fuel_supply > 0.0
        on_demand.speed = around.speed if around.speed >= 0.0 else -around.speed
        on_demand.power = power
        on_demand.enough = enough
        on_demand.charge = self.battery.charge
        on_demand.charging = charging
        on_demand.coolant = around.coolant
        on_demand.running = engine.sensor_working
        on_demand.step(delta_time)
        self.hold_engine()
        engine.drive_request = FUEL_CUT

    def electric_torque(self, w: float) -> float:
        """Return what motor and battery can give at a speed [rad/s] of the shaft [N m]."""
        motor = self.motor
        torque = motor.most_torque(w * motor.ratio) * motor.ratio
        power = _ROOM * self.battery.most_discharge()
        return power / w if torque * w > power else torque
