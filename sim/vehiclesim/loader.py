"""From the data bus to the parts of a vehicle."""

from typing import Final, NamedTuple

from vehiclesim.aids.driving_aids import DrivingAids
from vehiclesim.auxiliary.auxiliaries import Auxiliaries
from vehiclesim.channels import NAN, FaultData, InputData, RequestData, RoadData, SettingsData
from vehiclesim.chassis.body import Body
from vehiclesim.chassis.brakes import Brakes
from vehiclesim.chassis.wheel import Wheel
from vehiclesim.databus import DataBus
from vehiclesim.engine.engine import Engine
from vehiclesim.transmission.gearbox import Gearbox
from vehiclesim.transmission.layouts import Driveline
from vehiclesim.transmission.retarder import Retarder

_FULL_TRAVEL: Final = 10000
"""Bus integer of a pedal that is fully down."""

_UNLIMITED: Final = float("inf")
_NOT_A_NUMBER: Final = float("nan")


class Transmission(NamedTuple):
    """What stands between engine and wheels."""

    gearbox: Gearbox
    retarder: Retarder
    driveline: Driveline


class Loader:
    """Writes the inputs of all parts, once before each step: controls always, the other channels when they change."""

    def __init__(self, data: DataBus, transmission: Transmission, aids: DrivingAids, auxiliaries: Auxiliaries) -> None:
        """Engine, body, wheels and brakes are those that the aids work on."""
        self._controls: list[int] = data.input
        self._overrides: _Channel = _Channel(data.settings)
        self._requests: _Channel = _Channel(data.request)
        self._road: _Channel = _Channel(data.road)
        self._faults: _Channel = _Channel(data.fault)
        self._engine: Engine = aids.engine
        self._gearbox: Gearbox = transmission.gearbox
        self._retarder: Retarder = transmission.retarder
        self._driveline: Driveline = transmission.driveline
        self._body: Body = aids.chassis.body
        self._brakes: Brakes = aids.chassis.brakes
        self._wheels: list[Wheel] = aids.chassis.wheels
        self._aids: DrivingAids = aids
        self._auxiliaries: Auxiliaries = auxiliaries
        self._stuck_throttle: int = NAN
        self._brake_request: int = NAN
        self._target_rpms: float = -1.0
        self._tcs_rpms: float = -1.0
        self._tcs_ratio: float = 1.0
        self._tcs_throttle_factor: float = 1.0

    def load(self) -> None:
        """Input, Settings, Request, Road and Fault channels -> inputs of the parts."""
        if self._overrides.has_changed():
            self._load_overrides(self._overrides.values)
        if self._requests.has_changed():
            self._load_requests(self._requests.values)
        if self._road.has_changed():
            self._load_road(self._road.values)
        if self._faults.has_changed():
            self._load_faults(self._faults.values)
        self._load_controls()

    def _load_overrides(self, overrides: list[int]) -> None:
        """The Settings channel."""
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

    def _load_requests(self, requests: list[int]) -> None:
        """What control units ask for. Gearbox and TCS ask too, so that their share is kept here for every step."""
        engine = self._engine
        engine.torque_request = _requested(requests[RequestData.ENGINE_TORQUE], 1000, _NOT_A_NUMBER)
        engine.torque_limit = _requested(requests[RequestData.ENGINE_TORQUE_LIMIT], 1000, _UNLIMITED)
        engine.rpm_limit = _requested(requests[RequestData.ENGINE_RPM_LIMIT], 1000, _UNLIMITED)
        engine.allowed_fuel_ratio = _requested(requests[RequestData.ALLOWED_FUEL_RATIO], 10000, 1.0)
        self._target_rpms = _requested(requests[RequestData.ENGINE_RPM], 1000, -1.0)
        self._tcs_rpms = _requested(requests[RequestData.TCS_RPM], 1000, -1.0)
        self._tcs_ratio = _requested(requests[RequestData.TCS_RATIO], 10000, 1.0)
        self._tcs_throttle_factor = _requested(requests[RequestData.TCS_THROTTLE_FACTOR], 10000, 1.0)
        self._retarder.ratio_request = _travel(requests[RequestData.RETARDER_RATIO])
        self._brake_request = requests[RequestData.BRAKE_RATIO]

    def _load_road(self, road: list[int]) -> None:
        """Road and weather."""
        body, auxiliaries = self._body, self._auxiliaries
        body.slope = road[RoadData.SLOPE] / 10000
        body.wind = auxiliaries.head_wind = road[RoadData.HEAD_WIND] / 1000
        for wheel in self._wheels:
            wheel.road_friction = road[RoadData.FRICTION] / 10000
        auxiliaries.ambient_temperature = road[RoadData.AMBIENT_TEMPERATURE] / 1000
        auxiliaries.air_pressure = road[RoadData.AIR_PRESSURE] / 1000

    def _load_faults(self, faults: list[int]) -> None:
        """What is broken."""
        engine, auxiliaries = self._engine, self._auxiliaries
        self._stuck_throttle = faults[FaultData.STUCK_THROTTLE]
        engine.misfire = auxiliaries.misfire = faults[FaultData.MISFIRE] / 10000
        engine.lean_mixture = auxiliaries.lean_mixture = faults[FaultData.LEAN_MIXTURE] / 10000
        auxiliaries.cooling_loss = faults[FaultData.COOLING_LOSS] / 10000
        auxiliaries.charging_loss = faults[FaultData.CHARGING_LOSS] / 10000
        auxiliaries.battery_loss = faults[FaultData.BATTERY_LOSS] / 10000
        auxiliaries.overcharge = faults[FaultData.OVERCHARGE] / 10000

    def _load_controls(self) -> None:
        """The Input channel, in the order of its ids.

        A throttle that is stuck does not follow the pedal. What battery and tank have left goes to the engine.
        GearShift = 0 acknowledges that the gearbox has the shift. The brakes follow pedal or control unit, whichever
        asks for more; the aids see what engine and brakes see.
        """
        steer, throttle, brake, handbrake, clutch, gear, mode, shift, level, key = self._controls
        engine, gearbox, brakes, aids = self._engine, self._gearbox, self._brakes, self._aids
        stuck, request = self._stuck_throttle, self._brake_request
        engine.ignition_input = -1 if key < 0 else 1 if key > 0 else 0
        engine.throttle_input = aids.throttle_input = _travel(throttle if stuck == NAN else stuck)
        engine.clutch_input = _travel(_FULL_TRAVEL - clutch)  # the pedal disengages
        engine.target_rpms = self._target_rpms
        engine.tcs_rpms = self._tcs_rpms
        engine.tcs_ratio = self._tcs_ratio
        engine.tcs_throttle_factor = self._tcs_throttle_factor
        engine.starter_supply = self._auxiliaries.starter_supply
        engine.fuel_supply = 1.0 if self._auxiliaries.fuel_left else 0.0
        gearbox.manual_gear = gear
        gearbox.automatic_gear = mode
        if shift != 0:
            gearbox.gear_shift += shift
            self._controls[InputData.GEAR_SHIFT] = 0
        self._retarder.retarder_input = level
        brakes.brake_input = aids.brake_input = _travel(brake if brake > request else request)
        brakes.handbrake_input = _travel(handbrake)
        aids.steer_input = steer / _FULL_TRAVEL


class _Channel:
    """The values of a channel, and what they were when they were looked at last."""

    def __init__(self, values: list[int]) -> None:
        self.values: list[int] = values
        self._seen: list[int] = []

    def has_changed(self) -> bool:
        """Since this was asked last; true the first time."""
        if self.values == self._seen:
            return False
        self._seen = self.values.copy()
        return True


def _travel(raw: int) -> float:
    """A pedal's integer as 0 .. 1; positions beyond its travel count as its end, no request (NAN) as 0."""
    if raw <= 0:
        return 0.0
    return raw / _FULL_TRAVEL if raw < _FULL_TRAVEL else 1.0


def _requested(raw: int, resolution: int, otherwise: float) -> float:
    """What a control unit asks for, in the entry's unit, or what stands for no request."""
    return otherwise if raw == NAN else raw / resolution
