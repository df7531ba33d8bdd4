"""The drive of a motor on the input shaft of the gearbox, and the battery-electric vehicle, which has nothing else."""

from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from vehiclesim.block import RPM_TO_W
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.curves import clamp
from vehiclesim.electric.electric_drive import ElectricDrive
from vehiclesim.electric.motor import Motor, MotorShaft
from vehiclesim.engine.engine import Engine
from vehiclesim.parameters import ElectricSettings

_RESPONSE: Final = 0.05
"""[s], in which the motor is brought to a requested speed (assumed: faster than an engine)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class ShaftDrive(ElectricDrive):
    """A drive whose motor turns with the gearbox, and which traction control works like an engine."""

    state_vars: ClassVar[tuple[str, ...]] = (*ElectricDrive.state_vars, "sensor_tcs_engaged")

    def __init__(
        self, settings: ElectricSettings, motor: Motor, engine: Engine, brakes: Brakes, mass: float, radius: float
    ) -> None:
        super().__init__(settings, motor, engine, brakes, mass, radius)
        self.shaft: MotorShaft = MotorShaft(motor)
        self.carried: float = 0.0  # torque of an engine on the shaft beside that of the motor, as last seen [N m]
        self.sensor_tcs_engaged: bool = False  # traction control reduces the torque

    def rotor_w(self) -> float:
        return self.shaft.rotor_w()

    def without_slip(self, torque: float) -> float:
        """Return T + tcs_ratio·(T_tcs - T), where T_tcs < T brings the shaft to the requested speed in `_RESPONSE`.

        T_tcs = T_before + I·(w_tcs - w)/_RESPONSE, I the inertia of what turns with the shaft.
        """
        engine, motor = self.engine, self.motor
        self.sensor_tcs_engaged = False
        if engine.tcs_rpms < 0.0 or torque <= 0.0:
            return torque
        gap = engine.tcs_rpms * RPM_TO_W - abs(motor.w / motor.ratio)
        before = self.direction * (motor.torque * motor.ratio + self.carried)
        most = clamp(before + self.shaft.inertia() * gap / _RESPONSE, 0.0, torque)
        self.sensor_tcs_engaged = most < torque and engine.tcs_ratio > 0.0
        return torque + engine.tcs_ratio * (most - torque)


class BatteryElectricDrive(ShaftDrive):
    """T = T_accelerator + T_creep - T_brake, within what motor and battery can.

    With the brake pedal the motor brakes first, and takes its part from the friction brakes of the driven wheels.
    The engine that is not there is off, and its clutch open.
    """

    def most_torque(self, w: float) -> float:
        return self.motor.most_torque(w * self.motor.ratio) * self.motor.ratio

    def control(self, delta_time: float) -> None:
        around = self.surroundings
        self.turn_key()
        torque = relief = 0.0
        if self.ready and around.gear != 0 and around.lead > 0.0:
            torque, relief = self.pedals(around.lead)
        self.drive(self.without_slip(torque), relief, around.lead)
        self.hold_engine()

    def hold_engine(self) -> None:
        self.engine.ignition_input = -1
        self.engine.clutch_input = 0.0

    def pedal_torque(self, rpm: float, throttle: float) -> float:
        return throttle * self.most_torque(rpm * RPM_TO_W)
