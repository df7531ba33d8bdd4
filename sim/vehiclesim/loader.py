"""Transfer of inputs from the data bus to the parts of a vehicle."""

from typing import Final, TypeAlias

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.air import density_ratio
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import (
    BODY,
    FAULT,
    FULL_TRAVEL,
    INPUT,
    NAN,
    REQUEST,
    ROAD,
    SETTINGS,
    BodyData,
    FaultData,
    InputData,
    RequestData,
    RoadData,
    SettingsData,
)
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.databus import Channel, DataBus
from vehiclesim.engine.engine import Engine
from vehiclesim.entries import ENTRIES, Entry
from vehiclesim.motion import Motion
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.layouts import Driveline
from vehiclesim.transmission.shifting import NO_GEAR

_UNLIMITED: Final = float("inf")
_NOT_A_NUMBER: Final = float("nan")

_FRICTION_FACTORS: Final = (
    RoadData.FRICTION_FRONT_LEFT,
    RoadData.FRICTION_FRONT_RIGHT,
    RoadData.FRICTION_REAR_LEFT,
    RoadData.FRICTION_REAR_RIGHT,
)
"""Entries of the Road channel, in the order of the wheels."""

_FARTHEST: Final = 10
"""Times the limit from which on a quantity is a mistake, and not a value that is a little too high."""

_NONE: Final = -1
"""Farthest distance from zero of a lever."""

_SHIFT: Final = "input.GearShift"
_SHIFTS: Final = 125.0
"""Steps of the gears that may have gathered, which is more than one: as many as there are gears."""

_Limits: TypeAlias = tuple[int, int, int, int]
"""Lowest and highest value, farthest from zero, and that of no value."""


class Inputs(Channel):
    """The integers of a channel on the bus as the parts get them: `values`, each one that can be.

    A quantity beyond the limits of its entry counts as the nearer limit. No value is NAN, a quantity ten times as far
    from zero as its limits, and a position that a lever does not have: it counts as what the bus has before the first
    write.
    """

    def __init__(self, data: DataBus, channel: int) -> None:
        super().__init__([entry.rest for entry in ENTRIES[channel]], channel)
        self._written: list[int] = data[channel]
        self._seen: list[int] = []
        self._limits: list[_Limits] = [_limits(entry) for entry in ENTRIES[channel]]

    def has_changed(self) -> bool:
        """Take over the channel, and return whether a value has changed since the last call; true the first time."""
        written = self._written
        if written == self._seen:
            return False
        self._seen = written.copy()
        values = self.values
        for index, limits in enumerate(self._limits):
            value = written[index]
            lowest, highest, farthest, rest = limits
            if lowest <= value <= highest:
                values[index] = value
            elif -farthest <= value <= farthest:
                values[index] = lowest if value < lowest else highest
            else:
                values[index] = rest
        return True

    def request(self, index: int, otherwise: float) -> float:
        """Return the request of a control unit in the unit of the entry; `otherwise` without one."""
        return otherwise if self.values[index] == NAN else self.read(index)

    def travel(self, index: int) -> float:
        """Return a position or a share as 0 .. 1; without a value 0."""
        return _travel(self.values[index])


def _limits(entry: Entry) -> _Limits:
    """Return the limits of an entry as integers; those of a computed one, which no part reads, hold 32 bits."""
    lowest, highest = entry.limits or (float(-NAN), float(NAN))
    if entry.path == _SHIFT:
        highest = _SHIFTS
        lowest = -highest
    low, high = round(lowest * entry.resolution), round(highest * entry.resolution)
    farthest = _FARTHEST * max(abs(low), abs(high)) if entry.unit else _NONE
    return low, high, farthest, entry.rest


class Loader:
    """Writer of the inputs of all parts, once before each step: controls always, other channels when they change."""

    def __init__(
        self,
        data: DataBus,
        gearbox: Gearbox,
        driveline: Driveline,
        aids: DrivingAids,
        auxiliaries: Auxiliaries,
        motion: Motion,
    ) -> None:
        """Take engine, body, wheels and brakes from the aids."""
        self._data: DataBus = data
        self.controls: Inputs = Inputs(data, INPUT)
        self.levers: Inputs = Inputs(data, BODY)
        self.requests: Inputs = Inputs(data, REQUEST)
        self._overrides: Inputs = Inputs(data, SETTINGS)
        self._road: Inputs = Inputs(data, ROAD)
        self.faults: Inputs = Inputs(data, FAULT)
        self._engine: Engine = aids.engine
        self._gearbox: Gearbox = gearbox
        self._driveline: Driveline = driveline
        self._body: Body = aids.chassis.body
        self._brakes: Brakes = aids.chassis.brakes
        self._wheels: list[Wheel] = aids.chassis.wheels
        self._aids: DrivingAids = aids
        self._auxiliaries: Auxiliaries = auxiliaries
        self._motion: Motion = motion
        self._stuck_throttle: int = NAN
        self._brake_request: int = NAN
        self._target_rpms: float = -1.0
        self._tcs_rpms: float = -1.0
        self._tcs_ratio: float = 1.0
        self._tcs_throttle_factor: float = 1.0

    def load(self) -> None:
        """Write the Input, Settings, Request, Road, Fault and Body channels to the inputs of the parts."""
        if self._overrides.has_changed():
            self._load_overrides(self._overrides.values)
        if self.requests.has_changed():
            self._load_requests(self.requests)
        if self._road.has_changed():
            self._load_road(self._road)
        if self.faults.has_changed():
            self._load_faults(self.faults)
        self.controls.has_changed()
        self._load_controls(self.controls.values)
        if self.levers.has_changed():
            self._load_levers(self.levers.values)

    def _load_overrides(self, overrides: list[int]) -> None:
        """Load the Settings channel."""
        gearbox, aids = self._gearbox, self._aids
        gearbox.auto_shift_override = overrides[SettingsData.AUTO_SHIFT_OVERRIDE]
        gearbox.min_gear_override = overrides[SettingsData.MIN_GEAR_OVERRIDE]
        gearbox.max_gear_override = overrides[SettingsData.MAX_GEAR_OVERRIDE]
        self._driveline.override_locks(
            overrides[SettingsData.DIFFERENTIAL_LOCK],
            overrides[SettingsData.FRONT_DIFFERENTIAL_LOCK],
            overrides[SettingsData.REAR_DIFFERENTIAL_LOCK],
            overrides[SettingsData.DRIVELINE_LOCK],
        )
        aids.abs_override = overrides[SettingsData.ABS_OVERRIDE]
        aids.esc_override = overrides[SettingsData.ESC_OVERRIDE]
        aids.tcs_override = overrides[SettingsData.TCS_OVERRIDE]
        aids.asr_override = overrides[SettingsData.ASR_OVERRIDE]
        aids.steering_aids_override = overrides[SettingsData.STEERING_AIDS_OVERRIDE]

    def _load_requests(self, requests: Inputs) -> None:
        """Load the requests of control units; those that gearbox and TCS may change are kept for every step."""
        engine = self._engine
        engine.torque_request = requests.request(RequestData.ENGINE_TORQUE, _NOT_A_NUMBER)
        engine.torque_limit = requests.request(RequestData.ENGINE_TORQUE_LIMIT, _UNLIMITED)
        engine.rpm_limit = requests.request(RequestData.ENGINE_RPM_LIMIT, _UNLIMITED)
        engine.allowed_fuel_ratio = requests.request(RequestData.ALLOWED_FUEL_RATIO, 1.0)
        self._target_rpms = requests.request(RequestData.ENGINE_RPM, -1.0)
        self._tcs_rpms = requests.request(RequestData.TCS_RPM, -1.0)
        self._tcs_ratio = requests.request(RequestData.TCS_RATIO, 1.0)
        self._tcs_throttle_factor = requests.request(RequestData.TCS_THROTTLE_FACTOR, 1.0)
        self._brake_request = requests.values[RequestData.BRAKE_RATIO]
        gear = requests.values[RequestData.MOTION_GEAR]
        self._motion.prescribe(
            requests.request(RequestData.MOTION_SPEED, _NOT_A_NUMBER),
            requests.request(RequestData.MOTION_RPM, _NOT_A_NUMBER),
            NO_GEAR if gear == NAN else gear,
        )

    def _load_road(self, road: Inputs) -> None:
        """Load road and weather."""
        body, auxiliaries = self._body, self._auxiliaries
        body.slope = road.read(RoadData.SLOPE)
        body.wind = auxiliaries.head_wind = road.read(RoadData.HEAD_WIND)
        friction = road.read(RoadData.FRICTION)
        for wheel, factor in zip(self._wheels, _FRICTION_FACTORS, strict=True):
            wheel.road_friction = friction * road.read(factor)
        temperature, pressure = road.read(RoadData.AMBIENT_TEMPERATURE), road.read(RoadData.AIR_PRESSURE)
        auxiliaries.ambient_temperature = temperature
        auxiliaries.air_pressure = pressure
        body.set_air_density(density_ratio(pressure, temperature))
        self._engine.breathe(pressure, temperature)

    def _load_faults(self, faults: Inputs) -> None:
        """Load the faults."""
        engine, auxiliaries = self._engine, self._auxiliaries
        self._stuck_throttle = faults.values[FaultData.STUCK_THROTTLE]
        engine.misfire = auxiliaries.misfire = faults.read(FaultData.MISFIRE)
        engine.misfire_cylinder = faults.values[FaultData.MISFIRE_CYLINDER]
        engine.lean_mixture = auxiliaries.lean_mixture = faults.read(FaultData.LEAN_MIXTURE)
        auxiliaries.cooling_loss = faults.read(FaultData.COOLING_LOSS)
        auxiliaries.charging_loss = faults.read(FaultData.CHARGING_LOSS)
        auxiliaries.battery_loss = faults.read(FaultData.BATTERY_LOSS)
        auxiliaries.overcharge = faults.read(FaultData.OVERCHARGE)
        auxiliaries.knock.tendency = faults.read(FaultData.KNOCK)

    def _load_levers(self, levers: list[int]) -> None:
        """Load the turn signals and the switch of the air conditioning."""
        turn_signals = self._auxiliaries.turn_signals
        turn_signals.lever = levers[BodyData.TURN_SIGNAL]
        turn_signals.hazard = levers[BodyData.HAZARD_LIGHTS] != 0
        self._auxiliaries.accessories.air_conditioning = levers[BodyData.AIR_CONDITIONING] != 0

    def _load_controls(self, controls: list[int]) -> None:
        """Load the Input channel, and the supply of battery and tank to the engine.

        A throttle that is stuck does not follow the pedal. GearShift = 0 acknowledges that the gearbox has received
        the shift. The brakes follow the greater of pedal and control unit; the aids get the inputs of engine and
        brakes.
        """
        key, shift = controls[InputData.KEY], controls[InputData.GEAR_SHIFT]
        engine, gearbox, brakes, aids = self._engine, self._gearbox, self._brakes, self._aids
        stuck = self._stuck_throttle
        engine.ignition_input = -1 if key < 0 else 1 if key > 0 else 0
        engine.throttle_input = aids.throttle_input = _travel(controls[InputData.THROTTLE] if stuck == NAN else stuck)
        engine.clutch_input = _travel(FULL_TRAVEL - controls[InputData.CLUTCH])  # the pedal disengages
        engine.target_rpms = self._target_rpms
        engine.tcs_rpms = self._tcs_rpms
        engine.tcs_ratio = self._tcs_ratio
        engine.tcs_throttle_factor = self._tcs_throttle_factor
        engine.starter_supply = self._auxiliaries.starter_supply
        engine.fuel_supply = 1.0 if self._auxiliaries.fuel_left else 0.0
        if self._auxiliaries.loads_engine:
            self._auxiliaries.load_engine()
        gearbox.manual_gear = controls[InputData.MANUAL_GEAR]
        gearbox.automatic_gear = controls[InputData.AUTOMATIC_GEAR]
        if shift != 0:
            gearbox.gear_shift += shift
        self._data.input[InputData.GEAR_SHIFT] = 0
        brake, request = controls[InputData.BRAKE], self._brake_request
        brakes.brake_input = aids.brake_input = _travel(brake if brake > request else request)
        brakes.handbrake_input = _travel(controls[InputData.HANDBRAKE])
        aids.steer_input = controls[InputData.STEER] / FULL_TRAVEL


def _travel(raw: int) -> float:
    """Return a pedal's integer as 0 .. 1; positions beyond its travel count as its end, no request (NAN) as 0."""
    if raw <= 0:
        return 0.0
    return raw / FULL_TRAVEL if raw < FULL_TRAVEL else 1.0
