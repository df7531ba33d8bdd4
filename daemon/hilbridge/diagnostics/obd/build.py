"""Building the OBD-II services of a control unit from the settings."""

from collections.abc import Callable, Mapping
from functools import partial

from hilbridge.diagnostics.dtc.codes import codes_of
from hilbridge.diagnostics.dtc.monitors import Monitors, build_monitors, figures_of
from hilbridge.diagnostics.dtc.store import TroubleStore
from hilbridge.diagnostics.obd.pids import FROZEN, engine_pids, transmission_pids
from hilbridge.diagnostics.obd.scaling import PidScaling, build_pids
from hilbridge.diagnostics.obd.server import ObdServer
from hilbridge.diagnostics.obd.services import ClearDiagnosticData, CurrentData
from hilbridge.diagnostics.obd.vehicle_information import VehicleInformation
from hilbridge.settings.diagnostics import EcuSettings
from hilbridge.settings.dtc import TroubleCodesSettings
from vehiclesim import Vehicle

_TABLES = {"engine": engine_pids, "transmission": transmission_pids}


def build_obd(
    ecu: EcuSettings,
    *,
    vehicle: Vehicle,
    scaling: PidScaling,
    codes: TroubleCodesSettings,
    observers: Mapping[str, Callable[[], float]],
    clear_while_running: bool = True,
) -> ObdServer:
    """Build the services, with a store of trouble codes and monitors of their own.

    `scaling` is that of dbc/obd2.dbc; `codes` and `observers` are for monitors (dtc/monitors.py).

    ConfigurationError: the database lacks a PID; a monitor has an invalid expression or unit (key path in the codes'
    file).
    """
    figures = figures_of(vehicle.settings)
    own_codes = codes_of(codes, ecu.role)
    monitors = build_monitors(codes, own_codes, figures, observers)
    store = TroubleStore(own_codes, vehicle.data, monitors)
    origins = _TABLES[ecu.role](vehicle, store, ecu.standard, figures.fuel)
    current_data = CurrentData(build_pids(origins, scaling, vehicle.data))
    store.snapshot = partial(current_data.snapshot, FROZEN)
    parts = vehicle.settings.engine if ecu.role == "engine" else vehicle.settings.gearbox
    return ObdServer(
        current_data,
        store,
        Monitors(monitors, store, vehicle.data),
        VehicleInformation(ecu, store, figures.fuel, repr(parts)),
        ClearDiagnosticData(store, vehicle.data, while_running=clear_while_running),
    )
