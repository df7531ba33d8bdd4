"""From the parts of a vehicle to its data bus."""

from typing import Final

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import UNAVAILABLE_LOAD
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.databus import DataBus, to_raw
from vehiclesim.engine.engine import Engine
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.retarder import Retarder

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
        """Sensors of the parts -> Vehicle, Chassis and Auxiliary channels.

        A channel is written as a whole, in the order of its ids: looking each of them up takes as long as the rest.
        """
        self._publish_vehicle()
        self._publish_chassis()
        self._auxiliaries.publish(self._data.auxiliary)

    def _publish_vehicle(self) -> None:
        """`VehicleData`."""
        engine, gearbox, aids = self._engine, self._gearbox, self._aids
        speed = self._chassis.sensor_ground_speed
        load = engine.sensor_load
        self._data.vehicle[:] = [
            to_raw(speed, 1000.0),
            to_raw(engine.sensor_rpm, 1000.0),
            1 if engine.sensor_stalled else 0,
            1 if engine.sensor_working else 0,
            1 if engine.sensor_starting else 0,
            1 if engine.sensor_rpm_limiter else 0,
            to_raw(load, 1000.0) if load >= 0.0 else UNAVAILABLE_LOAD,
            to_raw(engine.sensor_flywheel_torque, 1000.0),
            to_raw(engine.sensor_power, 1000.0),
            to_raw(engine.sensor_fuel_rate, 1000.0),
            to_raw(engine.sensor_output_torque, 1000.0),  # of the clutch
            to_raw(engine.sensor_clutch_lock, 1000.0),
            gearbox.sensor_gear,
            gearbox.sensor_mode,
            1 if gearbox.sensor_shifting else 0,
            to_raw(self._retarder.sensor_torque, 1000.0),
            to_raw(gearbox.sensor_output_rpm, 1000.0),  # of the transmission
            1 if aids.sensor_abs_engaged else 0,
            1 if engine.sensor_tcs_engaged else 0,
            1 if aids.sensor_esc_engaged else 0,
            1 if aids.sensor_asr_engaged else 0,
            _position(self._chassis.steering.steer_input),  # as the aids have put it
            to_raw(engine.calculate_instant_fuel_consumption(speed), 1000.0),
            _position(engine.throttle_input),
            _position(engine.clutch_input),
        ]

    def _publish_chassis(self) -> None:
        """`ChassisData`."""
        chassis = self._chassis
        pose = chassis.pose
        front_left, front_right, rear_left, rear_right = chassis.wheels
        self._data.chassis[:] = [
            to_raw(front_left.spin * front_left.radius, 1000.0),
            to_raw(front_right.spin * front_right.radius, 1000.0),
            to_raw(rear_left.spin * rear_left.radius, 1000.0),
            to_raw(rear_right.spin * rear_right.radius, 1000.0),
            to_raw(chassis.sensor_acceleration, 1000.0),
            to_raw(chassis.sensor_lateral_acceleration, 1000.0),
            to_raw(chassis.sensor_yaw_rate / DEGREE, 1000.0),
            to_raw(chassis.sensor_lateral_speed, 1000.0),
            to_raw(chassis.steering.sensor_wheel_angle, 1000.0),
            _position(chassis.brakes.brake_input),
            to_raw(pose.x, 1000.0),
            to_raw(pose.y, 1000.0),
            to_raw(pose.yaw / DEGREE, 1000.0),
        ]


def _position(share: float) -> int:
    """-1 .. 1 as the nearest integer, so that what came from the bus goes back unchanged."""
    return int(share * _FULL_TRAVEL + (0.5 if share >= 0.0 else -0.5))
