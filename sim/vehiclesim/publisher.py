"""Transfer of sensors from the parts that every vehicle has to its data bus."""

from typing import Final

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import (
    AUXILIARY,
    CHASSIS,
    FULL_TRAVEL,
    UNAVAILABLE_LOAD,
    VEHICLE,
    AuxiliaryData,
    BodyData,
    ChassisData,
    VehicleData,
)
from vehiclesim.chassis.chassis import Chassis
from vehiclesim.chassis.steering import DEGREE
from vehiclesim.databus import Channel, DataBus, keep
from vehiclesim.engine.engine import Engine
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.shifting import GearMode

_LAST_SELECTOR: Final = 6
"""The last position of body.Selector; any other position is none."""


class Publisher:
    """Writer of the sensors of all parts to the bus."""

    def __init__(self, data: DataBus, gearbox: Gearbox, aids: DrivingAids, auxiliaries: Auxiliaries) -> None:
        """Take engine, chassis, wheels, brakes and steering from the aids."""
        self._vehicle: Channel = Channel(data.vehicle, VEHICLE)
        self._chassis_channel: Channel = Channel(data.chassis, CHASSIS)
        self._auxiliary: Channel = Channel(data.auxiliary, AUXILIARY)
        self._body: list[int] = data.body
        self._engine: Engine = aids.engine
        self._gearbox: Gearbox = gearbox
        self._chassis: Chassis = aids.chassis
        self._aids: DrivingAids = aids
        self._auxiliaries: Auxiliaries = auxiliaries

    def publish(self) -> None:
        """Write the sensors of the parts to the Vehicle, Chassis and Auxiliary channels, and to the Body channel."""
        self._publish_vehicle()
        self._publish_chassis()
        self._auxiliaries.publish(self._auxiliary)
        self._auxiliary.values[AuxiliaryData.AUTO_STOP] = 1 if self._engine.stop_start != 0 else 0
        self._publish_body()

    def _publish_vehicle(self) -> None:
        """Write `VehicleData`."""
        engine, gearbox, aids = self._engine, self._gearbox, self._aids
        channel = self._vehicle
        values = channel.values
        speed = self._chassis.sensor_ground_speed
        load = engine.sensor_load
        channel.write(VehicleData.SPEED, speed)
        channel.write(VehicleData.ENGINE_RPM, engine.sensor_rpm)
        values[VehicleData.ENGINE_STALLED] = 1 if engine.sensor_stalled else 0
        values[VehicleData.ENGINE_WORKING] = 1 if engine.sensor_working else 0
        values[VehicleData.ENGINE_STARTING] = 1 if engine.sensor_starting else 0
        values[VehicleData.ENGINE_LIMITER] = 1 if engine.sensor_rpm_limiter else 0
        if load >= 0.0:
            channel.write(VehicleData.ENGINE_LOAD, load)
        else:
            values[VehicleData.ENGINE_LOAD] = UNAVAILABLE_LOAD
        channel.write(VehicleData.ENGINE_TORQUE, engine.sensor_mean_torque)
        channel.write(VehicleData.ENGINE_POWER, engine.sensor_power)
        channel.write(VehicleData.ENGINE_FUEL_RATE, engine.sensor_fuel_rate)
        channel.write(VehicleData.CLUTCH_TORQUE, engine.sensor_output_torque)  # of the clutch
        channel.write(VehicleData.CLUTCH_LOCK, engine.sensor_clutch_lock)
        values[VehicleData.GEARBOX_GEAR] = gearbox.sensor_gear
        values[VehicleData.GEARBOX_MODE] = gearbox.sensor_mode
        values[VehicleData.GEARBOX_SHIFTING] = 1 if gearbox.sensor_shifting else 0
        channel.write(VehicleData.TRANSMISSION_RPM, gearbox.sensor_output_rpm)  # of the transmission
        values[VehicleData.ABS_ENGAGED] = 1 if aids.sensor_abs_engaged else 0
        values[VehicleData.TCS_ENGAGED] = 1 if engine.sensor_tcs_engaged else 0
        values[VehicleData.ESC_ENGAGED] = 1 if aids.sensor_esc_engaged else 0
        values[VehicleData.ASR_ENGAGED] = 1 if aids.sensor_asr_engaged else 0
        keep(values, VehicleData.AIDED_STEER, _position(self._chassis.steering.steer_input))  # as the aids have put it
        channel.write(VehicleData.FUEL_CONSUMPTION, engine.calculate_instant_fuel_consumption(speed))
        keep(values, VehicleData.THROTTLE_SIGNAL, _position(engine.throttle_input))
        keep(values, VehicleData.CLUTCH_SIGNAL, _position(engine.clutch_input))

    def _publish_chassis(self) -> None:
        """Write `ChassisData`."""
        chassis, channel = self._chassis, self._chassis_channel
        pose = chassis.pose
        front_left, front_right, rear_left, rear_right = chassis.wheels
        channel.write(ChassisData.WHEEL_SPEED_FRONT_LEFT, front_left.spin * front_left.radius)
        channel.write(ChassisData.WHEEL_SPEED_FRONT_RIGHT, front_right.spin * front_right.radius)
        channel.write(ChassisData.WHEEL_SPEED_REAR_LEFT, rear_left.spin * rear_left.radius)
        channel.write(ChassisData.WHEEL_SPEED_REAR_RIGHT, rear_right.spin * rear_right.radius)
        channel.write(ChassisData.ACCELERATION, chassis.sensor_acceleration)
        channel.write(ChassisData.LATERAL_ACCELERATION, chassis.sensor_lateral_acceleration)
        channel.write(ChassisData.YAW_RATE, chassis.sensor_yaw_rate / DEGREE)
        channel.write(ChassisData.LATERAL_SPEED, chassis.sensor_lateral_speed)
        channel.write(ChassisData.STEERING_WHEEL_ANGLE, chassis.steering.sensor_wheel_angle)
        keep(channel.values, ChassisData.BRAKE_PRESSURE, _position(chassis.brakes.brake_input))
        channel.write(ChassisData.POSITION_X, pose.x)
        channel.write(ChassisData.POSITION_Y, pose.y)
        channel.write(ChassisData.HEADING, pose.yaw / DEGREE)
        channel.write(
            ChassisData.STEERING_TORQUE, chassis.steering.hand_torque(front_left.force_y + front_right.force_y)
        )

    def _publish_body(self) -> None:
        """Write turn signals and selector to `BodyData`; the rest of the channel is set from outside."""
        turn_signals, values = self._auxiliaries.turn_signals, self._body
        left, right, lit = turn_signals.sensor_left, turn_signals.sensor_right, turn_signals.sensor_lit
        values[BodyData.LEFT_TURN] = 1 if left else 0
        values[BodyData.RIGHT_TURN] = 1 if right else 0
        values[BodyData.LEFT_TURN_LAMP] = 1 if left and lit else 0
        values[BodyData.RIGHT_TURN_LAMP] = 1 if right and lit else 0
        selector = values[BodyData.SELECTOR]
        if not 0 < selector <= _LAST_SELECTOR:
            selector = _shown(self._gearbox.sensor_mode) if self._gearbox.automated else 0
        values[BodyData.SELECTOR_SHOWN] = selector


def _shown(mode: int) -> int:
    """Return a `GearMode` as body.SelectorShown counts positions: the ranges D1 .. D5 are D."""
    if mode == GearMode.MANUAL:
        return 6
    return mode if mode < GearMode.DRIVE else 4


def _position(share: float) -> int:
    """Return -1 .. 1 as the nearest integer, so that a value read from the bus is written back unchanged."""
    return int(share * FULL_TRAVEL + (0.5 if share >= 0.0 else -0.5))
