"""Commands of other control units to engine, retarder and brakes (SAE J1939-71).

| frame | to or from | | entry of the Request channel |
|---|---|---|---|
| TSC1 | engine | speed control (01) | EngineRpm = requested speed |
| | | torque control (10) | EngineTorque = requested torque at the flywheel |
| | | speed/torque limit (11) | EngineRpmLimit, EngineTorqueLimit |
| | | override disabled (00) | ends the command of this sender |
| TSC1 | retarder | torque control, torque < 0 | RetarderRatio = -torque / 100 % |
| ERC1 | an external retarder | actual torque < 0 | RetarderRatio = -torque / 100 % |
| XBR | brakes | maximum mode (10) | BrakeRatio = -a / a_full |
| | | addition mode (01) | BrakeRatio = brake pedal - a / a_full |
| EBC1 | an external brake | pedal position | BrakeRatio |
| | | engine retarder selection | RetarderRatio |
| | | accelerator interlock | EngineTorqueLimit = -reference torque: no more than idling takes |
| | | auxiliary engine shutdown | AllowedFuelRatio = 0 |

Torques of the engine are indicated torques, in % of its reference torque; at the flywheel

    T = percent / 100 * T_reference - T_friction

The acceleration a of an XBR is that which the brakes alone give on a dry, level road; a_full is that of the pedal
fully down, 2 T_max / (r m) with the torque T_max of the brakes of one side, the wheels' radius r and the vehicle's mass
m. Retarders, drag and slope add to it: the sender closes the loop. An a of 0 or above demands nothing.

A value "not available" demands nothing. The scalings are those of the database.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.frames.codec.codec import compile_message
from hilbridge.frames.codec.database import Database
from vehiclesim import VehicleSettings
from vehiclesim.channels import AUXILIARY, FULL_TRAVEL, AuxiliaryData, InputData, RequestData
from vehiclesim.databus import DataBus

TSC1: Final = 0x0000
ERC1: Final = 0xF000
EBC1: Final = 0xF001
XBR: Final = 0x0400

LENGTH: Final = 8
"""[byte] Length of all four frames."""

_INTERVALS: Final = (1000, 750, 500, 250, 100, 50, 20, 10)
"""[ms] By TransmissionRate (SPN 3349); the last one is the standard rate, for senders that state none."""

_STATUS_INTERVAL: Final = 100
"""[ms] Repetition time of ERC1 and EBC1."""

_BRAKE_INTERVAL: Final = 40
"""[ms] Repetition time of XBR."""

_LOWEST_PRIORITY: Final = 4
"""Priority of ERC1 and EBC1, below those of TSC1."""

_SPEED_CONTROL: Final = 1
_TORQUE_CONTROL: Final = 2
_LIMIT: Final = 3

_ADDITION: Final = 1
_MAXIMUM: Final = 2

Demands = Mapping[int, float]
"""Demanded values by id of the Request channel, in the unit of the entry."""


class ControlCommand(NamedTuple):
    """The demands of a frame. `priority` 0 is the highest; `interval` [ms] is the repetition time of the sender.

    `exclusive`: among such commands those of the highest priority act alone.
    """

    demands: Demands
    priority: int = _LOWEST_PRIORITY
    interval: int = _STATUS_INTERVAL
    exclusive: bool = False


class CommandDecoder:
    """Decodes the frames to commands."""

    def __init__(self, database: Database, data: DataBus, reference_torque: float, full_braking: float) -> None:
        """`reference_torque` [Nm], `full_braking` [m/s²]. ConfigurationError: the database lacks one of the frames."""
        self._data: Final = data
        self._reference_torque: Final = reference_torque
        self._full_braking: Final = full_braking
        codecs = [compile_message(database.message(name)) for name in ("TSC1", "ERC1", "EBC1", "XBR")]
        for codec in codecs:
            codec.prepare()
        self._tsc1, self._erc1, self._ebc1, self._xbr = (codec.decode_available for codec in codecs)

    def engine(self, data: bytes) -> ControlCommand:
        """Decode TSC1 to the engine."""
        values = self._tsc1(data)
        mode = values["EngineOverrideControlMode"]
        speed, torque = values.get("EngineRequestedSpeed"), self._torque(values)
        if mode == _SPEED_CONTROL:
            return _command(values, {RequestData.ENGINE_RPM: speed})
        if mode == _TORQUE_CONTROL:
            return _command(values, {RequestData.ENGINE_TORQUE: torque})
        if mode == _LIMIT:
            return _command(values, {RequestData.ENGINE_RPM_LIMIT: speed, RequestData.ENGINE_TORQUE_LIMIT: torque})
        return _command(values, {})

    def retarder(self, data: bytes) -> ControlCommand:
        """Decode TSC1 to a retarder."""
        values = self._tsc1(data)
        controlled = values["EngineOverrideControlMode"] == _TORQUE_CONTROL
        return _command(values, _braking(_percent(values)) if controlled else {})

    def external_retarder(self, data: bytes) -> ControlCommand:
        """Decode ERC1."""
        return ControlCommand(_braking(self._erc1(data).get("ActualRetarderPercentTorque")))

    def external_brake(self, data: bytes) -> ControlCommand:
        """Decode EBC1."""
        values = self._ebc1(data)
        demands = {}
        if (pedal := values.get("BrakePedalPosition")) is not None:
            demands[RequestData.BRAKE_RATIO] = pedal / 100
        if (share := values.get("EngineRetarderSelection")) is not None:
            demands[RequestData.RETARDER_RATIO] = share / 100
        if values.get("AcceleratorInterlockSwitch"):
            demands[RequestData.ENGINE_TORQUE_LIMIT] = -self._reference_torque
        if values.get("EngineAuxiliaryShutdownSwitch"):
            demands[RequestData.ALLOWED_FUEL_RATIO] = 0.0
        return ControlCommand(demands)

    def brakes(self, data: bytes) -> ControlCommand:
        """Decode XBR."""
        values = self._xbr(data)
        demand, mode = values.get("ExternalAccelerationDemand"), values.get("XbrControlMode")
        demands = {}
        if demand is not None and demand < 0 and mode in (_ADDITION, _MAXIMUM):
            pedal = self._data.input[InputData.BRAKE] / FULL_TRAVEL if mode == _ADDITION else 0.0
            demands[RequestData.BRAKE_RATIO] = min(1.0, pedal - demand / self._full_braking)
        return ControlCommand(demands, int(values["XbrPriority"]), _BRAKE_INTERVAL, exclusive=True)

    def _torque(self, values: Mapping[str, float]) -> float | None:
        """Return the torque [Nm] at the flywheel, None if it is not available."""
        percent = _percent(values)
        if percent is None:
            return None
        friction = self._data.read(AUXILIARY, AuxiliaryData.FRICTION_TORQUE)
        return percent / 100 * self._reference_torque - (friction if friction == friction else 0.0)


def full_braking(vehicle: VehicleSettings) -> float:
    """Return the deceleration [m/s²] of a vehicle and its trailer with the pedal fully down, as far as tyres hold."""
    force, trailer = 2 * vehicle.brakes.max_torque / vehicle.wheels.radius, vehicle.trailer
    if trailer.mass > 0.0:
        force += 2 * trailer.brake_torque / trailer.wheels.radius
    return force / vehicle.train_mass


def _percent(values: Mapping[str, float]) -> float | None:
    percent = values.get("EngineRequestedTorque")
    return None if percent is None else percent + values.get("EngineRequestedTorqueFraction", 0.0)


def _braking(percent: float | None) -> Demands:
    return {} if percent is None else {RequestData.RETARDER_RATIO: max(0.0, -percent / 100)}


def _command(values: Mapping[str, float], demands: Mapping[int, float | None]) -> ControlCommand:
    """Return the command of a TSC1; values that are not available demand nothing."""
    return ControlCommand(
        {index: value for index, value in demands.items() if value is not None},
        int(values["OverrideControlModePriority"]),
        _INTERVALS[int(values["TransmissionRate"])],
    )
