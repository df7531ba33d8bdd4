"""From the parts of a vehicle to its data bus."""

from typing import Final

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import UNAVAILABLE_LOAD, ChassisData, VehicleData
from vehiclesim.chassis import Chassis
from vehiclesim.databus import DataBus, to_raw
from vehiclesim.engine import Engine
from vehiclesim.gearbox import Gearbox
from vehiclesim.retarder import Retarder
from vehiclesim.steering import DEGREE

_FULL_TRAVEL: Final = 10000
"""Bus integer of a pedal that is fully down."""


class Publisher:
    """Writes the sensors of all parts, in the order of the bus."""

    def __init__(
        self, data: DataBus, gearbox: Gearbox, retarder: Retarder, aids: DrivingAids, auxiliaries: Auxiliaries
    ) -> None:
        """Engine, chassis, wheels, brakes and steering are those that the aids work on."""
        self._data: DataBus = data
        self._engine: Engine = aids.engine
        self._gearbox: Gearbox = gearbox
        self._retarder: Retarder = retarder
        self._chassis: Chassis = aids.chassis
        self._aids: DrivingAids = aids
        self._auxiliaries: Auxiliaries = auxiliaries

    def publish(self) -> None:
        """Sensors of the parts -> Vehicle, Chassis and Auxiliary channels."""
        self._publish_powertrain()
        self._publish_aids()
        self._publish_chassis()
        self._auxiliaries.publish(self._data.auxiliary)

    def _publish_powertrain(self) -> None:
        values = self._data.vehicle
        speed = self._chassis.sensor_ground_speed
        values[VehicleData.SPEED] = to_raw(speed, 1000.0)

        engine = self._engine
        load = engine.sensor_load
        values[VehicleData.ENGINE_RPM] = to_raw(engine.sensor_rpm, 1000.0)
        values[VehicleData.ENGINE_STALLED] = 1 if engine.sensor_stalled else 0
        values[VehicleData.ENGINE_WORKING] = 1 if engine.sensor_working else 0
        values[VehicleData.ENGINE_STARTING] = 1 if engine.sensor_starting else 0
        values[VehicleData.ENGINE_LIMITER] = 1 if engine.sensor_rpm_limiter else 0
        values[VehicleData.ENGINE_LOAD] = to_raw(load, 1000.0) if load >= 0.0 else UNAVAILABLE_LOAD
        values[VehicleData.ENGINE_TORQUE] = to_raw(engine.sensor_flywheel_torque, 1000.0)
        values[VehicleData.ENGINE_POWER] = to_raw(engine.sensor_power, 1000.0)
        values[VehicleData.ENGINE_FUEL_RATE] = to_raw(engine.sensor_fuel_rate, 1000.0)
        values[VehicleData.FUEL_CONSUMPTION] = to_raw(engine.calculate_instant_fuel_consumption(speed), 1000.0)
        values[VehicleData.THROTTLE_SIGNAL] = _position(engine.throttle_input)

        values[VehicleData.CLUTCH_TORQUE] = to_raw(engine.sensor_output_torque, 1000.0)
        values[VehicleData.CLUTCH_LOCK] = to_raw(engine.sensor_clutch_lock, 1000.0)
        values[VehicleData.CLUTCH_SIGNAL] = _position(engine.clutch_input)

        gearbox = self._gearbox
        values[VehicleData.GEARBOX_GEAR] = gearbox.sensor_gear
        values[VehicleData.GEARBOX_MODE] = gearbox.sensor_mode
        values[VehicleData.GEARBOX_SHIFTING] = 1 if gearbox.sensor_shifting else 0
        values[VehicleData.TRANSMISSION_RPM] = to_raw(gearbox.sensor_output_rpm, 1000.0)
        values[VehicleData.RETARDER_TORQUE] = to_raw(self._retarder.sensor_torque, 1000.0)

    def _publish_aids(self) -> None:
        values, aids = self._data.vehicle, self._aids
        values[VehicleData.ABS_ENGAGED] = 1 if aids.sensor_abs_engaged else 0
        values[VehicleData.TCS_ENGAGED] = 1 if aids.sensor_tcs_engaged else 0
        values[VehicleData.ESC_ENGAGED] = 1 if aids.sensor_esc_engaged else 0
        values[VehicleData.ASR_ENGAGED] = 1 if aids.sensor_asr_engaged else 0
        values[VehicleData.AIDED_STEER] = _position(aids.sensor_steer)

    def _publish_chassis(self) -> None:
        values = self._data.chassis
        front_left, front_right, rear_left, rear_right = self._chassis.wheels
        values[ChassisData.WHEEL_SPEED_FRONT_LEFT] = to_raw(front_left.spin * front_left.radius, 1000.0)
        values[ChassisData.WHEEL_SPEED_FRONT_RIGHT] = to_raw(front_right.spin * front_right.radius, 1000.0)
        values[ChassisData.WHEEL_SPEED_REAR_LEFT] = to_raw(rear_left.spin * rear_left.radius, 1000.0)
        values[ChassisData.WHEEL_SPEED_REAR_RIGHT] = to_raw(rear_right.spin * rear_right.radius, 1000.0)
        chassis, pose = self._chassis, self._chassis.pose
        values[ChassisData.ACCELERATION] = to_raw(chassis.sensor_acceleration, 1000.0)
        values[ChassisData.LATERAL_ACCELERATION] = to_raw(chassis.sensor_lateral_acceleration, 1000.0)
        values[ChassisData.YAW_RATE] = to_raw(chassis.sensor_yaw_rate / DEGREE, 1000.0)
        values[ChassisData.LATERAL_SPEED] = to_raw(chassis.sensor_lateral_speed, 1000.0)
        values[ChassisData.STEERING_WHEEL_ANGLE] = to_raw(chassis.steering.sensor_wheel_angle, 1000.0)
        values[ChassisData.BRAKE_PRESSURE] = _position(chassis.brakes.brake_input)
        values[ChassisData.POSITION_X] = to_raw(pose.x, 1000.0)
        values[ChassisData.POSITION_Y] = to_raw(pose.y, 1000.0)
        values[ChassisData.HEADING] = to_raw(pose.yaw / DEGREE, 1000.0)


def _position(share: float) -> int:
    """-1 .. 1 as the nearest integer, so that what came from the bus goes back unchanged."""
    return int(share * _FULL_TRAVEL + (0.5 if share >= 0.0 else -0.5))
