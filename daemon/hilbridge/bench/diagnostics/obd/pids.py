"""The PIDs of service 01 that are computed, and no value of the data bus.

The others are data of the bench file or its templates (config/units), and may replace these signal by signal. A PID
whose value is not available (NaN) is not answered and not in the support mask.

| PID | |
|---|---|
| 01, 41 | MIL, number of codes and readiness, from the store of trouble codes |
| 13, 15 | oxygen sensors; 15 is the rear sensor of a petrol engine, its fuel trim is "not used" |
| 51 | fuel type, which follows the drive (drive.py) |
| 1C | requirements that the control unit was designed to |
| 21, 30, 31, 4D, 4E | MIL counters of the store, in whole kilometres and minutes |
| 61 | torque that the pedal demands at this engine speed [% of the reference torque] |
| 62, 64, 8E | actual torque; full-load curve at idle and at four speeds up to that of the highest power; friction |
| 63 | the highest torque of the engine's data sheet, in whole Nm |
| A4 | gear and ratio; reverse has no gear number there, only its ratio |

A vehicle without a combustion engine has neither 13 and 15 nor 61 to 64 and 8E, and none of `OF_ENGINES` as data. 5B
and 9A are those of a traction battery (traction.py).
"""

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final, get_args

from hilbridge.base.common.units import SECOND
from hilbridge.bench.diagnostics.drive import Drive
from hilbridge.bench.diagnostics.dtc.monitor_status import CONTINUOUS, OTHERS, bits
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.bench.diagnostics.obd.scaling import Getter
from hilbridge.files.settings.units import Standard
from vehiclesim import GearboxSettings, RatioChange, Vehicle
from vehiclesim.channels import AUXILIARY, INPUT, VEHICLE, AuxiliaryData, InputData, VehicleData
from vehiclesim.engine.engine import Engine
from vehiclesim.engine.full_load import EngineSpecifications
from vehiclesim.parameters import ClutchSettings, EngineSettings

STANDARDS: Final[Mapping[Standard, int]] = dict(
    zip(get_args(Standard), (*range(1, 14), *range(17, 22), *range(23, 27), *range(28, 34)), strict=True)
)
"""PID 1C (SAE J1979-DA, as python-OBD has it)."""

FROZEN: Final = frozenset(
    bytes.fromhex("03 04 05 06 07 0B 0C 0D 0E 0F 10 11 15 1F 2F 33 34 3C 42 43 44 45 46 47 49 4A 4C 5A 5C 5E 61 62 A4")
)
"""PIDs of a freeze frame, as far as the control unit has them."""

OF_ENGINES: Final = frozenset(
    bytes.fromhex(
        "03 06 07 08 09 0A 0B 0E 0F 10 12 13 14 15 16 17 18 19 1A 1B 1D 22 23 24 25 26 27 28 29 2A 2B 2C 2D 2E 2F 32"
        "34 35 36 37 38 39 3A 3B 3C 3D 3E 3F 43 44 52 53 54 55 56 57 58 59 5C 5D 5E 5F 61 62 63 64 70 78 8E"
    )
)
"""PIDs that measure a combustion engine, its fuel or its exhaust."""

_FRONT_AND_REAR: Final = 0b11
_FRONT: Final = 0b01
_UNUSED_TRIM: Final = 99.21875
"""FF"""
_MM_PER_KM: Final = 1_000_000
_MINUTE: Final = 60 * SECOND


def common_pids(store: TroubleStore, standard: Standard, fuel: str) -> dict[int, Mapping[str, Getter]]:
    """Return the PIDs that every control unit with trouble codes answers."""
    history = store.history
    return {
        0x01: _status(store, fuel),
        0x1C: {"OBDStandard": _constant(STANDARDS[standard])},
        0x21: {"DistanceWithMIL": lambda: history.distance_with_indicator // _MM_PER_KM},
        0x30: {"WarmUpsSinceCleared": lambda: history.warm_ups_since_clear},
        0x31: {"DistanceSinceCleared": lambda: history.distance_since_clear // _MM_PER_KM},
        0x41: _status_of_cycle(store, fuel),
        0x4D: {"TimeWithMIL": lambda: history.time_with_indicator // _MINUTE},
        0x4E: {"TimeSinceCleared": lambda: history.time_since_clear // _MINUTE},
    }


def transmission_pids(
    vehicle: Vehicle, store: TroubleStore, standard: Standard, drive: Drive
) -> dict[int, Mapping[str, Getter]]:
    """Return the PIDs that are computed in the transmission's control unit."""
    return common_pids(store, standard, drive.fuel) | {0xA4: _gear(vehicle)}


def engine_pids(
    vehicle: Vehicle, store: TroubleStore, standard: Standard, drive: Drive
) -> dict[int, Mapping[str, Getter]]:
    """Return the PIDs that are computed in the control unit of the engine, or of the motor where there is none."""
    data, fuel = vehicle.data, drive.fuel
    common: dict[int, Mapping[str, Getter]] = common_pids(store, standard, fuel)
    common |= {0x51: {"FuelType": _constant(drive.type)}, 0xA4: _gear(vehicle)}
    if not drive.has_engine:
        return common
    pids: dict[int, Mapping[str, Getter]] = {
        0x13: {"OxygenSensors": _constant(_FRONT_AND_REAR if fuel == "petrol" else _FRONT)},
    }
    if fuel == "petrol":
        pids[0x15] = {
            "OxygenSensor2Voltage": lambda: data.read(AUXILIARY, AuxiliaryData.REAR_OXYGEN_VOLTAGE),
            "OxygenSensor2Trim": _constant(_UNUSED_TRIM),
        }
    return common | pids | _torque(vehicle)


def _status(store: TroubleStore, fuel: str) -> Mapping[str, Getter]:
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


def _status_of_cycle(store: TroubleStore, fuel: str) -> Mapping[str, Getter]:
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


def data_sheet(vehicle: Vehicle) -> EngineSpecifications:
    """Return the data sheet of the engine that a vehicle was built with."""
    return _data_sheet(vehicle.settings.engine, vehicle.settings.clutch)


@lru_cache(maxsize=8)
def _data_sheet(engine: EngineSettings, clutch: ClutchSettings) -> EngineSpecifications:
    """It takes a scan of the whole torque curve, so the last ones are kept."""
    return Engine(engine, clutch).specifications()


def _torque(vehicle: Vehicle) -> dict[int, Mapping[str, Getter]]:
    """Return PIDs 61 to 64 and 8E, in percent of the reference torque."""
    data, engine = vehicle.data, vehicle.engine
    sheet = data_sheet(vehicle)
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


def _gear(vehicle: Vehicle) -> Mapping[str, Getter]:
    """Return PID A4; ratios have no sign."""
    data = vehicle.data
    gearbox = vehicle.settings.gearbox
    ratios = _ratios(gearbox)
    continuous = gearbox.ratio_change is RatioChange.CONTINUOUS

    def gear() -> int:
        return data.vehicle[VehicleData.GEARBOX_GEAR]

    def ratio() -> float:
        if continuous and gear() > 0 and data.vehicle[VehicleData.TRANSMISSION_RPM] > 0:
            present = data.vehicle[VehicleData.ENGINE_RPM] / data.vehicle[VehicleData.TRANSMISSION_RPM]
            return max(gearbox.ratios[-1], min(present, gearbox.ratios[0]))
        return ratios.get(gear(), 0.0)

    return {
        "GearSupported": lambda: gear() >= 0,
        "RatioSupported": _constant(1),
        "ActualGear": lambda: max(0, gear()),
        "GearRatio": ratio,
    }


def _ratios(settings: GearboxSettings) -> Mapping[int, float]:
    """Return the ratios by gear: 1, 2, ... forward, -1, -2, ... reverse."""
    backward = {-gear: -ratio for gear, ratio in enumerate(settings.reverse_ratios, 1)}
    return dict(enumerate(settings.gears, 1)) | backward


def _constant(value: float) -> Getter:
    return lambda: value
