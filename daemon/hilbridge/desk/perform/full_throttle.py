"""The driver of a measurement: full throttle from rest or in one gear, full braking, coasting.

    manual      first gear, engine at `LAUNCH` of the speed of its highest power; throttle to the floor, the clutch let
                in over a second, more slowly the more the engine is pulled down. A change of gear: off the throttle and
                onto the clutch, lever, back, at the speed of a quick foot
    sequential  first gear, throttle to the floor; changes of gear with the throttle on the floor
    automatic   D, on the brake with `TORQUED` of the throttle; then off the brake, and throttle to the floor
                (kick-down); the gearbox changes gear
    launch control   as its manual says: throttle to the floor on the brake, then off the brake

By hand a gear is left beyond the highest power, where the next one pulls harder, at the latest at `LAST` of the
engine's limit.
"""

from typing import Final

from hilbridge.bench.drive.driver import PERIOD
from hilbridge.bench.drive.dynamics import InverseVehicle
from hilbridge.bench.drive.technique import Instruments, Pedals
from vehiclesim.block import RPM_TO_W
from vehiclesim.channels import INPUT, InputData
from vehiclesim.databus import DataBus
from vehiclesim.entries import ENTRIES
from vehiclesim.parameters import GearboxType
from vehiclesim.transmission.shifting import GearMode

LAUNCH: Final = 0.5
"""Share of the speed of the highest power with which a manual gearbox starts off (assumed)."""

TORQUED: Final = 0.4
"""Position of the throttle with which an automatic waits on the brake (assumed)."""

LAST: Final = 0.97
"""Share of the engine's limit at which a gear is left (assumed: a driver does not touch the limiter)."""

_LET_IN: Final = 1.0
"""[1/s] Speed of the clutch pedal, as a share of its travel, in a start in haste (assumed)."""

_QUICK_FOOT: Final = 12.0
"""[1/s] of a pedal's travel (assumed): 0.08 s down, 0.08 s up, and in between the time of the gearbox."""

_RESPONSE: Final = 0.15
"""[s], in which the right foot brings the engine to the speed for the start."""

_LABOURING: Final = 1.05
"""Multiple of the idle speed at which the clutch stays where it is."""

_SCAN: Final = 10.0
"""[1/min], in which the speed is looked for at which a gear is left."""

_TRAVEL: Final = ENTRIES[INPUT][InputData.THROTTLE].resolution


class FullThrottle:
    """A driver who only wants to be fast. Each call is one control step, and leaves its controls on the bus.

    Without `gear` the vehicle stands. With it, the vehicle rolls in any gear, and is driven in that one from then on.
    """

    def __init__(self, bus: DataBus, vehicle: InverseVehicle, gear: int | None = None) -> None:
        self._bus: Final = bus
        self._vehicle: Final = vehicle
        self._see: Final = Instruments(bus, vehicle)
        self._by_hand: Final = vehicle.gearbox_type is not GearboxType.AUTOMATIC
        self._manual: Final = vehicle.gearbox_type is GearboxType.MANUAL
        self._mode: int = GearMode.MANUAL if self._by_hand else GearMode.DRIVE
        self._gear = 1 if gear is None else max(self._see.gear, 0)  # position of the lever
        self._wanted = gear or 1  # where it is to go
        self._launching = gear is None and self._manual
        self._launch_rpm: Final = max(LAUNCH * vehicle.rated_rpm, vehicle.idle_rpm)
        self._shift_rpm: Final = shift_speeds(vehicle) if self._by_hand and gear is None else []
        self._pedals: Final = Pedals()
        self._pedals.clutch = 1.0 if self._launching else 0.0

    def wait(self) -> None:
        """Stand on the brake in first gear or D; with a clutch pedal, bring the engine to speed."""
        self._see.read()
        throttle = 1.0 if self._vehicle.launch_control else 0.0 if self._by_hand else TORQUED
        if self._manual:
            missing = (self._launch_rpm - self._see.rpm) * RPM_TO_W
            torque = self._vehicle.engine_inertia * missing / _RESPONSE
            throttle = self._vehicle.throttle(self._see.rpm, torque)
        self._pedals.move(PERIOD, throttle=throttle, brake=1.0, clutch=self._pedals.clutch)
        self._operate()

    def drive(self) -> None:
        """Go as fast as it can."""
        self._see.read()
        see, pedals, gear = self._see, self._pedals, self._gear
        pulling = gear == self._wanted == see.gear and pedals.clutch <= 0.0
        if pulling and gear <= len(self._shift_rpm) and see.rpm >= self._shift_rpm[gear - 1]:
            self._wanted += 1
            self._launching = False
        if not self._manual:
            self._gear = self._wanted
            pedals.move(PERIOD, throttle=1.0, foot=_QUICK_FOOT)
        elif not gear == self._wanted == see.gear:
            if pedals.clutch >= 1.0:
                self._gear = self._wanted
            pedals.move(PERIOD, clutch=1.0, foot=_QUICK_FOOT)
        else:
            clutch = 0.0
            if self._launching:
                idle = _LABOURING * self._vehicle.idle_rpm
                pedals.let_in(PERIOD, (see.rpm - idle) / max(self._launch_rpm - idle, 1.0), pace=_LET_IN)
                clutch = pedals.clutch
                self._launching = clutch > 0.0
            pedals.move(PERIOD, throttle=1.0, clutch=clutch, foot=_QUICK_FOOT)
        self._operate()

    def brake(self) -> None:
        """Brake as hard as it goes, the clutch down."""
        self._pedals.move(PERIOD, brake=1.0, clutch=1.0 if self._manual else 0.0, foot=_QUICK_FOOT)
        self._operate()

    def roll(self) -> None:
        """Take the feet off, in neutral."""
        self._gear, self._mode = 0, GearMode.NEUTRAL
        self._pedals.move(PERIOD, clutch=1.0 if self._manual else 0.0, foot=_QUICK_FOOT)
        self._operate()

    def _operate(self) -> None:
        """Put pedals and levers on the bus."""
        controls = self._bus.input
        controls[InputData.THROTTLE] = round(self._pedals.throttle * _TRAVEL)
        controls[InputData.BRAKE] = round(self._pedals.brake * _TRAVEL)
        controls[InputData.CLUTCH] = round(self._pedals.clutch * _TRAVEL)
        controls[InputData.MANUAL_GEAR] = self._gear if self._by_hand else 0
        controls[InputData.AUTOMATIC_GEAR] = self._mode


def shift_speeds(vehicle: InverseVehicle) -> list[float]:
    """Return the engine speed [1/min] at which each gear but the last is left, at full throttle.

    It is the lowest above the highest power's at which T(n)·i <= T(n·i'/i)·i', i' being the next gear's ratio.
    """
    last = LAST * vehicle.limit_rpm
    speeds = []
    for gear in range(1, vehicle.gears):
        ratio, following = vehicle.ratio(gear), vehicle.ratio(gear + 1)
        rpm = min(vehicle.rated_rpm, last)
        while (
            rpm < last and vehicle.torque(rpm, 1.0) * ratio > vehicle.torque(rpm * following / ratio, 1.0) * following
        ):
            rpm += _SCAN
        speeds.append(min(rpm, last))
    return speeds
