"""Feet and hands: the speed of pedals, and the techniques for gearboxes without a clutch pedal."""

from typing import Final, NamedTuple

from hilbridge.bench.drive.dynamics import InverseVehicle
from vehiclesim.channels import AUXILIARY, ELECTRIC, VEHICLE, AuxiliaryData, ElectricData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.transmission.shifting import GearMode

FOOT: Final = 3.0
"""[1/s] Speed of a pedal, as a share of its travel, in a gear change without haste."""

BITE: Final = 0.35
"""[1/s] Speed of the clutch pedal, as a share of its travel, while the clutch engages at standstill."""

_SPEED: Final = ENTRIES[VEHICLE][VehicleData.SPEED].resolution
_RPM: Final = ENTRIES[VEHICLE][VehicleData.ENGINE_RPM].resolution
_TORQUE: Final = ENTRIES[VEHICLE][VehicleData.ENGINE_TORQUE].resolution

_HOLD: Final = 0.2
"""Position of the brake pedal that holds a vehicle at standstill; it is raised where the engine moves the vehicle."""

_HIGHEST_GAIN: Final = 3.0
"""The largest gain of a converter that is accepted."""

_LEAST_TORQUE: Final = 5.0
"""[N m] Least torque of the engine at which the gain of a converter is measured."""


class Pedals:
    """Positions, 0 = released … 1 = fully down."""

    def __init__(self) -> None:
        self.throttle = self.brake = self.clutch = self.handbrake = 0.0

    def release(self) -> None:
        """Feet off, all at once."""
        self.throttle = self.brake = self.clutch = self.handbrake = 0.0

    def move(
        self, dt: float, *, throttle: float = 0.0, brake: float = 0.0, clutch: float = 0.0, foot: float = FOOT
    ) -> None:
        """Move the pedals for `dt` [s] at the speed of a foot [1/s] towards where they belong."""
        reach = foot * dt
        if throttle != self.throttle:
            self.throttle = _towards(throttle, self.throttle, reach)
        if brake != self.brake:
            self.brake = _towards(brake, self.brake, reach)
        if clutch != self.clutch:
            self.clutch = _towards(clutch, self.clutch, reach)

    def let_in(self, dt: float, reserve: float, lowest: float = 0.0, pace: float = BITE) -> None:
        """Let the clutch come up to `lowest`, for `dt` [s] at a pace [1/s], as the engine bears it.

        `reserve` is 1 while the engine turns as fast as it should, and 0 near idle: the clutch comes up more slowly
        the more the engine is pulled down, and goes down again below.
        """
        lift = pace * max(-1.0, min(reserve, 1.0))
        self.clutch = max(min(lowest, self.clutch + pace * dt), min(self.clutch - lift * dt, 1.0))


def _towards(target: float, position: float, reach: float) -> float:
    return max(position - reach, min(target, position + reach))


class Demand(NamedTuple):
    """The driver's demand in a control step."""

    acceleration: float  # [m/s²]
    force: float  # at the wheels [N], for that
    gear: int  # 0 = neutral
    standing: bool  # the vehicle stands, and is to stand
    starting: bool  # it stands, and is to move soon
    clutch_down: bool  # the trace prescribes it


class Instruments:
    """The instruments of the driver: values of the bus, as it was read last.

    Where an electric motor turns with the gearbox, it is the gearbox's input in place of the engine: its speed, and the
    torque of motor and clutch.
    """

    def __init__(self, bus: DataBus, vehicle: InverseVehicle) -> None:
        self._bus: Final = bus
        self._motor_ratio: Final = vehicle.motor_ratio
        self._ring_share: Final = vehicle.ring_share
        self._axle_ratio: Final = vehicle.axle_ratio
        self.read()

    def read(self) -> None:
        """Read the bus; an engine that stop and start has stopped counts as running."""
        values = self._bus.vehicle
        self.speed = values[VehicleData.SPEED] / _SPEED  # [m/s]
        self.rpm = values[VehicleData.ENGINE_RPM] / _RPM
        self.output_rpm = values[VehicleData.TRANSMISSION_RPM] / _RPM
        self.torque = values[VehicleData.ENGINE_TORQUE] / _TORQUE  # at the flywheel [N m]
        self.clutch_torque = values[VehicleData.CLUTCH_TORQUE] / _TORQUE  # [N m]
        self.gear = values[VehicleData.GEARBOX_GEAR]
        self.shifting = values[VehicleData.GEARBOX_SHIFTING] != 0
        self.friction = self._bus.read(AUXILIARY, AuxiliaryData.FRICTION_TORQUE)  # [N m]
        stopped = self._bus.auxiliary[AuxiliaryData.AUTO_STOP] != 0
        self.running = values[VehicleData.ENGINE_WORKING] != 0 or stopped
        if self._motor_ratio > 0.0:
            self.rpm = abs(self._bus.read(ELECTRIC, ElectricData.MOTOR_RPM)) / self._motor_ratio
            motor = self._bus.read(ELECTRIC, ElectricData.MOTOR_TORQUE) * self._motor_ratio
            self.torque = motor + self._ring_share * self.clutch_torque
            if self._axle_ratio > 0.0:
                self.torque += self._bus.read(ELECTRIC, ElectricData.SECOND_MOTOR_TORQUE) * self._axle_ratio
            self.clutch_torque = self.torque
            self.running = self._bus.electric[ElectricData.DRIVE_READY] != 0


class Technique:
    """The driving technique for an automatic gearbox: lever in D, right foot on the accelerator or the brake."""

    def __init__(self, see: Instruments, pedals: Pedals, vehicle: InverseVehicle) -> None:
        self.mode: int = GearMode.DRIVE  # position of the mode lever
        self.gear = 0  # position of the gear lever
        self.limit = 0.0  # 1: there is no more drive to be had, -1: no more brake
        self.hold = _HOLD  # position of the brake pedal at standstill
        self.see: Final = see
        self.pedals: Final = pedals
        self.vehicle: Final = vehicle

    def drive(self, demand: Demand, dt: float) -> None:
        """Move pedals and levers for `dt` [s]; a converter or a variator gives a multiple of the engine's torque."""
        torque, output = self.see.torque, self.see.clutch_torque
        gain = min(output / torque, _HIGHEST_GAIN) if output > torque > _LEAST_TORQUE else 1.0
        share = self.vehicle.ratio_share(self.see.rpm, self.see.output_rpm)
        self.press(demand, self.see.gear or 1, dt, gain * share)

    def press(self, demand: Demand, gear: int, dt: float, gain: float = 1.0) -> None:
        """Press, with the clutch closed, the throttle for the wanted torque, or the brake for the engine's excess.

        The excess is measured once the throttle is released: near idle the engine pulls by itself. But while an
        automatic gearbox is shifting, the torque of the engine changes its own speed.
        """
        vehicle, see = self.vehicle, self.see
        if demand.standing:
            if see.speed > 0.0:
                self.hold = min(self.hold + FOOT * dt, 1.0)
            self.pedals.move(dt, brake=self.hold)
            return
        torque = vehicle.engine_torque(demand.force, demand.acceleration, gear) / gain
        shown = self.pedals.throttle <= 0.0 and not see.shifting
        least = see.torque if shown else vehicle.torque(see.rpm, 0.0, gear)
        if torque < least:
            brake = vehicle.brake(vehicle.overrun_force((least - torque) * gain, gear))
            self.limit = -1.0 if brake >= 1.0 else 0.0
            self.pedals.move(dt, brake=brake)
        else:
            self.limit = 1.0 if torque > vehicle.torque(see.rpm, 1.0, gear) else 0.0
            self.pedals.move(dt, throttle=vehicle.throttle(see.rpm, torque, gear))


class SequentialTechnique(Technique):
    """With a sequential gearbox: the hand shifts as well."""

    def __init__(self, see: Instruments, pedals: Pedals, vehicle: InverseVehicle) -> None:
        super().__init__(see, pedals, vehicle)
        self.mode = GearMode.MANUAL

    def drive(self, demand: Demand, dt: float) -> None:
        self.gear = demand.gear
        self.press(demand, self.gear or 1, dt)
