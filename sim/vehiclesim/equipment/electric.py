"""The electric drive in a vehicle: its place in the drivetrain, in the schedule of a step, and on the bus."""

from typing import ClassVar, Final

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.block import Block
from vehiclesim.channels import ELECTRIC, AuxiliaryData, ElectricData, VehicleData
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.databus import Channel
from vehiclesim.electric.electric_drive import ElectricDrive
from vehiclesim.electric.motor import Motor
from vehiclesim.electric.shaft_drive import ShaftDrive
from vehiclesim.electric.split_hybrid import SplitHybrid
from vehiclesim.electric.topologies import make_drive
from vehiclesim.electric.two_axles import TwoAxleDrive
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.fuel_meter import WALKING_SPEED
from vehiclesim.equipment.equipment import Car, Equipment
from vehiclesim.parameters import AxleEnd, ShaftSettings, VehicleSettings
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.shifting import GearMode

_NOT_A_NUMBER: Final = float("nan")


class ElectricEquipment(Equipment):
    """Passes sensors and controls to the drive, which sets the inputs of motor, brakes and engine; shows its values."""

    state_vars: ClassVar[tuple[str, ...]] = ("drive",)

    _engine: Engine
    _gearbox: Gearbox
    _aids: DrivingAids
    _chassis: Chassis
    _auxiliaries: Auxiliaries
    _auxiliary: list[int]
    _vehicle: list[int]
    _channel: Channel

    def __init__(self, drive: ElectricDrive, lead: float, secondary: str) -> None:
        """Take the speed of the gearbox's output per speed of the vehicle [rad/m], and a splitter's second axle."""
        self.drive: ElectricDrive = drive
        self._shaft_drive: ShaftDrive | None = drive if isinstance(drive, ShaftDrive) else None
        self._split: SplitHybrid | None = drive if isinstance(drive, SplitHybrid) else None
        self._axles: TwoAxleDrive | None = drive if isinstance(drive, TwoAxleDrive) else None
        self._second: Motor | None = None
        if self._split is not None:
            self._second = self._split.generator
        elif self._axles is not None:
            self._second = self._axles.second
        self._secondary: str = secondary
        self._lead: float = lead

    def blocks(self) -> dict[str, Block]:
        blocks: dict[str, Block] = {} if self._shaft_drive is None else {"motor": self._shaft_drive.shaft}
        if self._split is not None:
            blocks.update({"split": self._split.split, "generator": self._split.rotor})
        if self._axles is not None:
            blocks["axle_motor"] = self._axles.axle
        return blocks

    def shafts(self) -> tuple[ShaftSettings, ...]:
        if self._shaft_drive is None:
            return ()
        if self._split is not None:
            return (
                ShaftSettings("engine", "split"),
                ShaftSettings("split", "generator", output=0),
                ShaftSettings("split", "motor", output=1),
                ShaftSettings("motor", "gearbox"),
            )
        first = ShaftSettings("engine", "motor"), ShaftSettings("motor", "gearbox")
        if self._axles is None:
            return first
        second = ShaftSettings("centre", "axle_motor", output=1), ShaftSettings("axle_motor", self._secondary)
        return *first, *second

    def join(self, car: Car) -> None:
        self._engine, self._gearbox, self._aids = car.aids.engine, car.gearbox, car.aids
        self._chassis, self._auxiliaries = car.aids.chassis, car.auxiliaries
        self._auxiliary = car.data.auxiliary
        self._vehicle = car.data.vehicle
        self._channel = Channel(car.data.electric, ELECTRIC)

    def feed(self, delta_time: float) -> None:
        self._gearbox.states.engine_rests = self.drive.engine_rests
        if self._shaft_drive is not None:
            motor = self._shaft_drive.motor
            self._aids.motor_rpm = abs(motor.sensor_rpm) / motor.ratio

    def act(self, delta_time: float) -> None:
        drive, engine, gearbox, aids = self.drive, self._engine, self._gearbox, self._aids
        around = drive.surroundings
        around.key = engine.ignition_input
        around.throttle = engine.throttle_input
        around.gear = gearbox.sensor_gear
        around.parked = gearbox.sensor_mode == GearMode.PARK
        around.coolant = self._auxiliaries.thermal.coolant
        around.lead = self._lead * abs(gearbox.sensor_ratio)
        around.speed = self._chassis.sensor_speed
        around.aid_acts = aids.sensor_abs_engaged or aids.sensor_esc_engaged
        drive.control(delta_time)
        self._auxiliaries.converter = drive.ready

    def end_step(self, delta_time: float) -> None:
        self.drive.step(delta_time)
        self._engine.ignition_input = self.drive.surroundings.key

    def publish(self) -> None:
        """Write `ElectricData`, and the lamp of a traction control that holds the motor back.

        An engine that rests while the drive is not ready does not wait to go on.
        """
        drive, channel = self.drive, self._channel
        motor, battery = drive.motor, drive.battery
        speed = self._chassis.sensor_ground_speed
        second = self._second
        if second is not None:
            channel.write(ElectricData.SECOND_MOTOR_RPM, second.sensor_rpm)
            channel.write(ElectricData.SECOND_MOTOR_TORQUE, second.torque)
            channel.write(ElectricData.SECOND_MOTOR_POWER, second.sensor_power * 1e-3)
        if self._shaft_drive is not None and self._shaft_drive.sensor_tcs_engaged:
            self._vehicle[VehicleData.TCS_ENGAGED] = 1
        if not drive.ready:
            self._auxiliary[AuxiliaryData.AUTO_STOP] = 0
        channel.values[ElectricData.DRIVE_READY] = 1 if drive.ready else 0
        channel.write(ElectricData.MOTOR_RPM, motor.sensor_rpm)
        channel.write(ElectricData.MOTOR_TORQUE, motor.torque)
        channel.write(ElectricData.MOTOR_POWER, motor.sensor_power * 1e-3)
        channel.write(ElectricData.TRACTION_CHARGE, battery.charge)
        channel.write(ElectricData.TRACTION_VOLTAGE, battery.voltage)
        channel.write(ElectricData.TRACTION_CURRENT, battery.current)
        channel.write(ElectricData.TRACTION_POWER, battery.power * 1e-3)
        channel.write(ElectricData.POWER_SHARE, drive.sensor_power_share)
        channel.write(ElectricData.ENERGY_USED, drive.used / 3.6e6)
        channel.write(ElectricData.ENERGY_RECUPERATED, drive.recuperated / 3.6e6)
        per_distance = battery.power / (36.0 * speed) if abs(speed) >= WALKING_SPEED else _NOT_A_NUMBER
        channel.write(ElectricData.ENERGY_CONSUMPTION, per_distance)

    def restore(self) -> None:
        self.drive.hold_engine()


def make_electric(settings: VehicleSettings, engine: Engine, brakes: Brakes) -> Equipment | None:
    """Return the electric drive of a vehicle that has one."""
    drive = make_drive(settings, engine, brakes)
    lead = settings.driveline.total_ratio / settings.wheels.radius
    front_first = settings.driveline.splitter.primary is AxleEnd.FRONT
    secondary = "rear_differential" if front_first else "front_differential"
    return None if drive is None else ElectricEquipment(drive, lead, secondary)
