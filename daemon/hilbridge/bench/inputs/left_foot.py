"""The left foot of a driver by commands: the clutch pedal of a manual gearbox, so that no engine stalls by it.

    up                         where the input shaft turns faster than 1.1·n_idle: the vehicle carries the engine
    (n/n_idle - 0.9)/1.3 up    where the throttle is pressed, n being the speed of the engine: it lets go below idle
    down                       elsewhere: the engine does not run, the lever is in neutral, its gear is not in yet

With the throttle a launch settles where the clutch takes the torque that the engine has; without it a vehicle in gear
stands, and one that is braked rolls out. The pedal goes down at once and comes up at the speed of a foot.
"""

from typing import Final

from hilbridge.base.common.units import SECOND
from hilbridge.bench.drive.technique import FOOT
from vehiclesim.channels import INPUT, VEHICLE, InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import VehicleSettings

_BITE: Final = 0.9
_RANGE: Final = 1.3
_CARRIED: Final = 1.1
"""Multiples of the idle speed: nothing is engaged below the bite, all of it from a range above it."""

_PRESSED: Final = 0.01
"""Position from which the throttle asks for a launch."""

_DOWN: Final = ENTRIES[INPUT][InputData.CLUTCH].resolution
_RPM: Final = ENTRIES[VEHICLE][VehicleData.ENGINE_RPM].resolution


class LeftFoot:
    """The foot of one vehicle. `pedal`: its position, 0 released .. 1 pressed."""

    def __init__(self, bus: DataBus, vehicle: VehicleSettings) -> None:
        gearbox = vehicle.gearbox
        self.pedal = 1.0
        self._bus: Final = bus
        self._idle_rpm: Final = vehicle.engine.idle_rpm
        self._ratios: Final = {
            **dict(enumerate(gearbox.gears, 1)),
            **{-gear: ratio for gear, ratio in enumerate(gearbox.reverse_ratios, 1)},
        }

    def place(self) -> None:
        """Begin where the pedal of the vehicle stands."""
        self.pedal = self._bus.input[InputData.CLUTCH] / _DOWN

    def move(self, elapsed: int) -> int:
        """Move the pedal for a time [ns], by the values of the last tick; return the bus integer of its position."""
        self.pedal = max(1.0 - self._engagement(), self.pedal - FOOT * elapsed / SECOND)
        return round(self.pedal * _DOWN)

    def _engagement(self) -> float:
        values = self._bus.vehicle
        gear = values[VehicleData.GEARBOX_GEAR]
        engine = values[VehicleData.ENGINE_RPM] / _RPM / self._idle_rpm
        if gear not in self._ratios or gear != self._bus.input[InputData.MANUAL_GEAR] or engine <= _BITE:
            return 0.0
        carried = values[VehicleData.TRANSMISSION_RPM] / _RPM * self._ratios[gear]
        if carried > _CARRIED * self._idle_rpm:
            return 1.0
        is_wanted = self._bus.input[InputData.THROTTLE] >= _PRESSED * _DOWN
        return min((engine - _BITE) / _RANGE, 1.0) if is_wanted else 0.0
