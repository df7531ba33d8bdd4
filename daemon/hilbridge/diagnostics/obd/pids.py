"""The PIDs of service 01 that each control unit answers, and the origins of their values.

A text is the path of a data bus entry, converted to the unit of the PID; any other origin is a function of this file.
A PID whose value is not available (NaN) is not answered and not in the support mask.

| PID | computed here |
|---|---|
| 01, 41 | MIL, number of codes and readiness, from the store of trouble codes |
| 04 | load; 0 while it is not available: an engine that does not run burns no fuel |
| 0D | absolute value of the speed |
| 15 | the rear oxygen sensor; its fuel trim is "not used" |
| 21, 30, 31, 4D, 4E | MIL counters of the store, in whole kilometres and minutes |
| 34 | lambda, and the pump current at this lambda |
| 61 | torque that the pedal demands at this engine speed [% of the reference torque] |
| 62, 64, 8E | actual torque; full-load curve at idle and at four speeds up to that of the highest power; friction |
| 63 | the highest torque of the engine's data sheet, in whole Nm |
| A4 | gear and ratio; reverse has no gear number there, only its ratio |
"""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Final

from hilbridge.common.units import SECOND
from hilbridge.diagnostics.dtc.monitor_status import CONTINUOUS, OTHERS, bits
from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.obd.scaling import Getter, Origins
from vehiclesim import GearboxSettings, Vehicle
from vehiclesim.channels import AUXILIARY, INPUT, VEHICLE, AuxiliaryData, InputData, VehicleData
from vehiclesim.databus import DataBus
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import EngineSpecifications

_POINTS: Final = (
    (0.65, -2.22),
    (0.70, -1.82),
    (0.80, -1.11),
    (0.90, -0.50),
    (1.016, 0.0),
    (1.18, 0.33),
    (1.43, 0.67),
    (1.70, 0.94),
    (2.42, 1.38),
    (10.0, 2.54),
)
"""Lambda, current [mA]."""


def pump_current(ratio: float) -> float:
    """Return the pump current [mA] of a wide-band oxygen sensor at lambda `ratio`; NaN for NaN.

    Linear interpolation between the points of the data sheet of Bosch's LSU 4.2; free air is the last point.
    """
    if ratio != ratio:
        return ratio
    for (low, at_low), (high, at_high) in pairwise(_POINTS):
        if ratio <= high:
            return at_low + (at_high - at_low) * max(0.0, ratio - low) / (high - low)
    return _POINTS[-1][1]


STANDARDS: Final = {"OBD-II": 1, "EOBD": 6, "EOBD and OBD-II": 7, "JOBD": 10}
"""PID 1C."""

FROZEN: Final = frozenset(
    bytes.fromhex("03 04 05 06 07 0B 0C 0D 0E 0F 10 11 15 1F 2F 33 34 3C 42 43 44 45 46 47 49 4A 4C 5A 5C 5E 61 62 A4")
)
"""PIDs of a freeze frame, as far as the control unit has them."""

_FUEL_TYPES: Final = {"petrol": 1, "diesel": 4}
_FRONT_AND_REAR: Final = 0b11
_FRONT: Final = 0b01
_UNUSED_TRIM: Final = 99.21875
"""FF"""
_MM_PER_KM: Final = 1_000_000
_MINUTE: Final = 60 * SECOND


def common_pids(data: DataBus, store: TroubleStore, standard: str, fuel: str) -> dict[int, Origins]:
    """Return the PIDs that every control unit with trouble codes answers."""
    history = store.history
    return {
        0x01: _status(store, fuel),
        0x0D: {"VehicleSpeed": lambda: 3.6 * abs(data.read(VEHICLE, VehicleData.SPEED))},
        0x1C: {"OBDStandard": _constant(STANDARDS[standard])},
        0x21: {"DistanceWithMIL": lambda: history.distance_with_indicator // _MM_PER_KM},
        0x30: {"WarmUpsSinceCleared": lambda: history.warm_ups_since_clear},
        0x31: {"DistanceSinceCleared": lambda: history.distance_since_clear // _MM_PER_KM},
        0x41: _status_of_cycle(store, fuel),
        0x42: {"ModuleVoltage": "auxiliary.BatteryVoltage"},
        0x4D: {"TimeWithMIL": lambda: history.time_with_indicator // _MINUTE},
        0x4E: {"TimeSinceCleared": lambda: history.time_since_clear // _MINUTE},
    }


def transmission_pids(vehicle: Vehicle, store: TroubleStore, standard: str, fuel: str) -> dict[int, Origins]:
    """Return the PIDs of the transmission control unit."""
    return common_pids(vehicle.data, store, standard, fuel) | {0xA4: _gear(vehicle)}


def engine_pids(vehicle: Vehicle, store: TroubleStore, standard: str, fuel: str) -> dict[int, Origins]:
    """Return the PIDs of the engine control unit."""
    data = vehicle.data
    pids: dict[int, Origins] = {
        0x03: {"FuelSystem1": "auxiliary.FuelSystem", "FuelSystem2": _constant(0)},
        0x04: {"EngineLoad": lambda: _or_zero(100.0 * data.read(VEHICLE, VehicleData.ENGINE_LOAD))},
        0x05: {"CoolantTemperature": "auxiliary.CoolantTemperature"},
        0x06: {"ShortTermFuelTrim1": "auxiliary.ShortFuelTrim"},
        0x07: {"LongTermFuelTrim1": "auxiliary.LongFuelTrim"},
        0x0B: {"ManifoldPressure": "auxiliary.IntakePressure"},
        0x0C: {"EngineRPM": "vehicle.EngineRpm"},
        0x0E: {"TimingAdvance": "auxiliary.IgnitionAdvance"},
        0x0F: {"IntakeAirTemperature": "auxiliary.IntakeTemperature"},
        0x10: {"MassAirFlow": "auxiliary.AirMassFlow"},
        0x11: {"ThrottlePosition": "vehicle.ThrottleSignal"},
        0x13: {"OxygenSensors": _constant(_FRONT_AND_REAR if fuel == "petrol" else _FRONT)},
        0x15: {"OxygenSensor2Voltage": "auxiliary.RearOxygenVoltage", "OxygenSensor2Trim": _constant(_UNUSED_TRIM)},
        0x1F: {"RunTime": lambda: _whole(data.read(AUXILIARY, AuxiliaryData.RUN_TIME))},
        0x2F: {"FuelLevel": "auxiliary.FuelShare"},
        0x33: {"BarometricPressure": "road.AirPressure"},
        0x34: {
            "OxygenSensor1Lambda": "auxiliary.Lambda",
            "OxygenSensor1Current": lambda: pump_current(data.read(AUXILIARY, AuxiliaryData.LAMBDA)),
        },
        0x3C: {"CatalystTemperature11": "auxiliary.CatalystTemperature"},
        0x43: {"AbsoluteLoad": "auxiliary.AbsoluteLoad"},
        0x44: {"CommandedLambda": "auxiliary.CommandedLambda"},
        0x45: {"RelativeThrottle": "vehicle.ThrottleSignal"},
        0x46: {"AmbientTemperature": "road.AmbientTemperature"},
        0x47: {"ThrottlePositionB": "vehicle.ThrottleSignal"},
        0x49: {"PedalPositionD": "input.Throttle"},
        0x4A: {"PedalPositionE": "input.Throttle"},
        0x4C: {"CommandedThrottle": "vehicle.ThrottleSignal"},
        0x51: {"FuelType": _constant(_FUEL_TYPES[fuel])},
        0x5A: {"RelativePedal": "input.Throttle"},
        0x5C: {"OilTemperature": "auxiliary.OilTemperature"},
        0x5E: {"FuelRate": "auxiliary.FuelFlow"},
        0xA4: _gear(vehicle),
        0xA6: {"Odometer": "auxiliary.Odometer"},
    }
    if fuel != "petrol":
        del pids[0x15]
    return common_pids(data, store, standard, fuel) | pids | _torque(vehicle)


def _status(store: TroubleStore, fuel: str) -> Origins:
    readiness = store.readiness
    return {
        "MIL": lambda: store.indicator,
        "DTCCount": lambda: len(store.confirmed()),
        "CompressionIgnition": _constant(fuel == "diesel"),
        **_continuous(lambda: readiness.supported, "Supported"),
        **_continuous(readiness.incomplete, "Incomplete"),
        "OtherSupported": _constant(bits(readiness.supported, OTHERS)),
        "OtherIncomplete": lambda: bits(readiness.incomplete(), OTHERS),
    }


def _status_of_cycle(store: TroubleStore, fuel: str) -> Origins:
    readiness = store.readiness
    return {
        "CompressionIgnition": _constant(fuel == "diesel"),
        **_continuous(lambda: readiness.supported, "Enabled"),
        **_continuous(readiness.incomplete_this_cycle, "Incomplete"),
        "OtherEnabled": _constant(bits(readiness.supported, OTHERS)),
        "OtherIncomplete": lambda: bits(readiness.incomplete_this_cycle(), OTHERS),
    }


def _continuous(groups: Callable[[], Collection[str]], suffix: str) -> dict[str, Getter]:
    """Return a signal for each continuous monitor: whether it is in `groups`."""
    names = {"misfire": "Misfire", "fuel-system": "FuelSystem", "components": "Components"}
    return {names[group] + suffix: _among(group, groups) for group in CONTINUOUS}


def _among(group: str, groups: Callable[[], Collection[str]]) -> Getter:
    return lambda: group in groups()


@lru_cache(maxsize=1)
def data_sheet(engine: Engine) -> EngineSpecifications:
    """Return the data sheet of an engine. It takes a scan of the whole torque curve, so the last one is cached."""
    return engine.specifications()


def _torque(vehicle: Vehicle) -> dict[int, Origins]:
    """Return PIDs 61 to 64 and 8E, in percent of the reference torque."""
    data, engine = vehicle.data, vehicle.engine
    sheet = data_sheet(engine)
    reference = max(1, round(sheet.max_torque_at_peak))
    step = (sheet.max_power_rpm - sheet.idle_rpm) / 4
    curve = [100.0 * engine.calculate_torque(sheet.idle_rpm + i * step) / reference for i in range(5)]
    names = ("TorqueAtIdle", "TorqueAtPoint1", "TorqueAtPoint2", "TorqueAtPoint3", "TorqueAtPoint4")

    def demanded() -> float:
        pedal = min(max(data.read(INPUT, InputData.THROTTLE), 0.0), 1.0)
        return 100.0 * engine.calculate_torque(data.read(VEHICLE, VehicleData.ENGINE_RPM), pedal) / reference

    return {
        0x61: {"DemandTorque": demanded},
        0x62: {"ActualTorque": lambda: 100.0 * data.read(VEHICLE, VehicleData.ENGINE_TORQUE) / reference},
        0x63: {"ReferenceTorque": _constant(reference)},
        0x64: {name: _constant(torque) for name, torque in zip(names, curve, strict=True)},
        0x8E: {"FrictionTorque": lambda: 100.0 * data.read(AUXILIARY, AuxiliaryData.FRICTION_TORQUE) / reference},
    }


def _gear(vehicle: Vehicle) -> Origins:
    """Return PID A4; ratios have no sign."""
    data = vehicle.data
    ratios = _ratios(vehicle.settings.gearbox)

    def gear() -> int:
        return data.vehicle[VehicleData.GEARBOX_GEAR]

    return {
        "GearSupported": lambda: gear() >= 0,
        "RatioSupported": _constant(1),
        "ActualGear": lambda: max(0, gear()),
        "GearRatio": lambda: ratios.get(gear(), 0.0),
    }


def _ratios(settings: GearboxSettings) -> Mapping[int, float]:
    """Return the ratios by gear: 1, 2, ... forward, -1, -2, ... reverse."""
    backward = {-gear: -ratio for gear, ratio in enumerate(settings.reverse_ratios, 1)}
    return dict(enumerate(settings.ratios, 1)) | backward


def _constant(value: float) -> Getter:
    return lambda: value


def _or_zero(value: float) -> float:
    return value if value == value else 0.0


def _whole(value: float) -> float:
    """Return complete units only; NaN remains NaN."""
    return value // 1.0
