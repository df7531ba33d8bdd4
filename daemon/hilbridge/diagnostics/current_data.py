"""Service 01, current powertrain data: what the engine's ECU can tell, and where it has it from.

| PID | | from |
|---|---|---|
| 00, 20, 40, ... | which PIDs are supported | this table |
| 04 | calculated load [%] | EngineLoad; 0 while it is not available: an engine that does not run burns nothing |
| 0C | engine speed [1/min] | EngineRpm |
| 0D | vehicle speed [km/h] | Speed, without its sign |
| 11 | throttle position [%] | ThrottleSignal: the throttle follows its command at once |
| 1F | time since engine start [s] | counted here: stands still when the engine stalls, 0 with the ignition off |
| 49 | accelerator pedal [%] | input Throttle, whose sensor the bench has calibrated to 0..100 % |
| 4C | commanded throttle [%] | ThrottleSignal |
| 5A | accelerator pedal over its released position [%] | input Throttle |
| 5E | fuel rate [l/h] | EngineFuelRate · 3.6 / density · 3.6 / correction: the flow behind FuelConsumption |
| 62 | torque [% of the reference torque] | EngineTorque |
| 63 | reference torque [Nm] | the highest torque of the engine's data sheet, in whole Nm |
| A4 | gear, ratio | GearboxGear and the gearbox's ratios; reverse has no number there, only its ratio |

Scaling is that of the database's message ObdResponse; values beyond a PID's range stay at its end.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from hilbridge.frames.codec import compile_message
from hilbridge.frames.database import Database
from hilbridge.frames.layout import extent
from vehiclesim import GearboxSettings, Vehicle
from vehiclesim.channels import INPUT, VEHICLE, InputData, VehicleData

RESPONSE: Final = "ObdResponse"
"""The message of the database that scales the answers."""

_HEADER: Final = 3
"""Bytes before a PID's data: length, service, PID."""

_POSITIVE_RESPONSE: Final = 0x41
_RANGE: Final = 0x20
_SECOND: Final = 1_000_000_000

_Values = dict[str, Callable[[], float]]
"""How to get the value of each signal of a PID, by the signal's name behind `S01PIDxx_`."""


class EngineCurrentData:
    """Service 01 of the ECU of `vehicle`'s engine. `supported` are the PIDs that `read` answers."""

    def __init__(self, vehicle: Vehicle, database: Database) -> None:
        """ConfigurationError: the database does not describe a PID of the table."""
        settings, bus = vehicle.settings, vehicle.data
        self._bus: Final = bus
        self._started: int | None = None  # [ns]
        self._run_time = 0  # [ns]
        self._ratios: Final = _ratios(settings.gearbox)
        fuel = settings.engine
        self._litres_per_hour: Final = 3.6 / fuel.fuel_density * 3.6 / fuel.fuel_consumption_correction
        self._reference_torque: Final = max(1, round(vehicle.engine.specifications().max_torque_at_peak))
        pids: dict[int, _Values] = {
            0x04: {"EngineLoad": lambda: 100.0 * bus.read(VEHICLE, VehicleData.ENGINE_LOAD)},
            0x0C: {"EngineRPM": lambda: bus.read(VEHICLE, VehicleData.ENGINE_RPM)},
            0x0D: {"VehicleSpeed": lambda: 3.6 * abs(bus.read(VEHICLE, VehicleData.SPEED))},
            0x11: {"ThrottlePosition": self._throttle},
            0x1F: {"RunTime": lambda: self._run_time // _SECOND},
            0x49: {"PedalPositionD": self._pedal},
            0x4C: {"CommandedThrottle": self._throttle},
            0x5A: {"RelativePedal": self._pedal},
            0x5E: {"FuelRate": lambda: self._litres_per_hour * bus.read(VEHICLE, VehicleData.ENGINE_FUEL_RATE)},
            0x62: {"ActualTorque": self._torque},
            0x63: {"ReferenceTorque": lambda: self._reference_torque},
            0xA4: {
                "GearSupported": lambda: self._gear() >= 0,
                "RatioSupported": lambda: True,
                "ActualGear": lambda: max(0, self._gear()),
                "GearRatio": lambda: self._ratios.get(self._gear(), 0.0),
            },
        }
        pids |= _support(frozenset(pids))
        self.supported: Final = frozenset(pids)
        self._codec: Final = compile_message(database.message(RESPONSE))
        self._pids: Final = {pid: {_signal(pid, name): get for name, get in pids[pid].items()} for pid in sorted(pids)}
        self._sizes: Final = {pid: _size(database, list(values)) for pid, values in self._pids.items()}
        for pid in self._pids:
            self.read(pid)  # makes the encoder of each now, not in the tick of the first request

    def advance(self, t: int) -> None:
        """Counts the time since engine start; `t` [ns]."""
        if self._bus.input[InputData.KEY] < 0:
            self._started = None
            self._run_time = 0
        elif not self._bus.vehicle[VehicleData.ENGINE_WORKING]:
            self._started = None
        else:
            if self._started is None:
                self._started = t
            self._run_time = t - self._started

    def read(self, pid: int) -> bytes | None:
        """The data bytes of a PID, or None where it is not supported."""
        values = self._pids.get(pid)
        if values is None:
            return None
        size = self._sizes[pid]
        header = {"FrameType": 0, "Length": _HEADER - 1 + size, "Service": _POSITIVE_RESPONSE, "S01PID": pid}
        frame = self._codec.encode(header | {name: get() for name, get in values.items()})
        return frame[_HEADER : _HEADER + size]

    def _throttle(self) -> float:
        return 100.0 * self._bus.read(VEHICLE, VehicleData.THROTTLE_SIGNAL)

    def _pedal(self) -> float:
        return 100.0 * self._bus.read(INPUT, InputData.THROTTLE)

    def _torque(self) -> float:
        return 100.0 * self._bus.read(VEHICLE, VehicleData.ENGINE_TORQUE) / self._reference_torque

    def _gear(self) -> int:
        return self._bus.vehicle[VehicleData.GEARBOX_GEAR]


def _ratios(settings: GearboxSettings) -> dict[int, float]:
    """Ratio without sign by gear: 1, 2, ... forward, -1, -2, ... reverse."""
    backward = {-gear: -ratio for gear, ratio in enumerate(settings.reverse_ratios, 1)}
    return dict(enumerate(settings.ratios, 1)) | backward


def _support(pids: frozenset[int]) -> dict[int, _Values]:
    """PIDs 00, 20, 40, ...: bit 31 says it of the next PID, bit 0 of the one 32 further on.

    Each leads to the next, up to the last range in which a PID is supported; 00 always is.
    """
    masks = [base for base in range(0x00, 0x100, _RANGE) if base < max(pids)]
    known = pids | frozenset(masks)
    found: dict[int, _Values] = {}
    for base in masks:
        bits = sum(1 << (base + _RANGE - pid) for pid in known if base < pid <= base + _RANGE)
        found[base] = {f"Supported{base + 1:02X}to{base + _RANGE:02X}": partial(float, bits)}
    return found


def _signal(pid: int, name: str) -> str:
    return f"S01PID{pid:02X}_{name}"


def _size(database: Database, signals: list[str]) -> int:
    """How many data bytes a PID has, by where its last signal ends."""
    ends = [extent(database.signal(RESPONSE, name))[1] // 8 + 1 for name in signals]
    return max(ends) - _HEADER
