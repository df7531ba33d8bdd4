"""Commands of other control units to engine, retarder and brakes (SAE J1939-71).

| frame | to or from | | entry of the Request channel |
|---|---|---|---|
| TSC1 | engine | speed control (01) | EngineRpm = requested speed |
| | | torque control (10) | EngineTorque = requested torque at the flywheel |
| | | speed/torque limit (11) | EngineRpmLimit, EngineTorqueLimit |
| | | override disabled (00) | ends the command of this sender |
| TSC1 | retarder | torque control, torque < 0 | RetarderRatio = -torque / 100 % |
| ERC1 | an external retarder | actual torque < 0 | RetarderRatio = -torque / 100 % |
| EBC1 | an external brake | pedal position | BrakeRatio |
| | | engine retarder selection | RetarderRatio |
| | | accelerator interlock | EngineTorqueLimit = -reference torque: no more than idling takes |
| | | auxiliary engine shutdown | AllowedFuelRatio = 0 |

Torques of the engine are indicated torques, in % of its reference torque; at the flywheel

    T = percent / 100 * T_reference - T_friction

A value "not available" demands nothing. The scalings are those of the database.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from hilbridge.codec.codec import compile_message
from hilbridge.codec.database import Database
from vehiclesim.channels import AUXILIARY, AuxiliaryData, RequestData
from vehiclesim.databus import DataBus

TSC1: Final = 0x0000
ERC1: Final = 0xF000
EBC1: Final = 0xF001

LENGTH: Final = 8
"""[byte] Length of all three frames."""

_INTERVALS: Final = (1000, 750, 500, 250, 100, 50, 20, 10)
"""[ms] By TransmissionRate (SPN 3349); the last one is the standard rate, for senders that state none."""

_STATUS_INTERVAL: Final = 100
"""[ms] Repetition time of ERC1 and EBC1."""

_LOWEST_PRIORITY: Final = 4
"""Priority of ERC1 and EBC1, below those of TSC1."""

_SPEED_CONTROL: Final = 1
_TORQUE_CONTROL: Final = 2
_LIMIT: Final = 3

Demands = Mapping[int, float]
"""Demanded values by id of the Request channel, in the unit of the entry."""


class ControlCommand(NamedTuple):
    """The demands of a frame. `priority` 0 is the highest; `interval` [ms] is the repetition time of the sender."""

    demands: Demands
    priority: int = _LOWEST_PRIORITY
    interval: int = _STATUS_INTERVAL


class CommandDecoder:
    """Decodes the frames to commands."""

    def __init__(self, database: Database, data: DataBus, reference_torque: float) -> None:
        """`reference_torque` [Nm]. ConfigurationError: the database does not describe the frames."""
        self._data: Final = data
        self._reference_torque: Final = reference_torque
        codecs = [compile_message(database.message(name)) for name in ("TSC1", "ERC1", "EBC1")]
        for codec in codecs:
            codec.prepare()
        self._tsc1, self._erc1, self._ebc1 = (codec.decode_available for codec in codecs)

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

    def _torque(self, values: Mapping[str, float]) -> float | None:
        """Return the torque [Nm] at the flywheel, None if it is not available."""
        percent = _percent(values)
        if percent is None:
            return None
        friction = self._data.read(AUXILIARY, AuxiliaryData.FRICTION_TORQUE)
        return percent / 100 * self._reference_torque - (friction if friction == friction else 0.0)


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
