"""Building the OBD-II services of a control unit from the settings."""

from functools import partial

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.diagnostics.drive import drive_of
from hilbridge.bench.diagnostics.dtc.monitors import Monitors
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.obd.on_board_control import OnBoardControl
from hilbridge.bench.diagnostics.obd.pids import FROZEN, OF_ENGINES, engine_pids, transmission_pids
from hilbridge.bench.diagnostics.obd.scaling import PidScaling, build_pids
from hilbridge.bench.diagnostics.obd.server import ObdServer
from hilbridge.bench.diagnostics.obd.services import ClearDiagnosticData, CurrentData
from hilbridge.bench.diagnostics.obd.traction import traction_pids
from hilbridge.bench.diagnostics.obd.vehicle_information import VehicleInformation
from hilbridge.files.settings.units import ObdSettings
from vehiclesim import Vehicle

_TABLES = {"engine": engine_pids, "transmission": transmission_pids}


def build_obd(
    obd: ObdSettings,
    vin: str | None,
    *,
    vehicle: Vehicle,
    scaling: PidScaling,
    monitors: Monitors,
    nvram: Nvram,
    place: KeyPath = (),
) -> ObdServer:
    """Build the services; freeze frames of the store of `monitors` are made of their PIDs from now on.

    `scaling` is that of dbc/obd2.dbc; service 04 waits for `nvram`.

    ConfigurationError, at the key path `place` and further: see `build_pids`; a condition cannot be understood.
    """
    store = monitors.store
    drive = drive_of(vehicle.settings, obd.fuel, (*place, "fuel"))
    standard = obd.standard or ("EOBD" if drive.has_engine else "none")
    computed = _TABLES[obd.role](vehicle, store, standard, drive)
    without_engine = [] if drive.has_engine else sorted(key for key in obd.pids if int(key, 16) in OF_ENGINES)
    pids = {key: one for key, one in obd.pids.items() if key not in without_engine}
    if obd.role == "engine":
        pids = traction_pids(drive) | pids
    current_data = CurrentData(build_pids(pids, computed, scaling, vehicle.data, (*place, "pids")), without_engine)
    frozen = FROZEN if obd.freeze_frame is None else [int(key, 16) for key in obd.freeze_frame]
    store.snapshot = partial(current_data.snapshot, frozen)
    store.read_identifier = current_data.read_identifier
    parts = vehicle.settings.engine if obd.role == "engine" else vehicle.settings.gearbox
    return ObdServer(
        current_data,
        monitors,
        VehicleInformation(obd, vin, store, drive.fuel, repr(parts), vehicle.data, place),
        ClearDiagnosticData(store, vehicle.data, while_running=obd.clear_while_running),
        OnBoardControl(obd.controls, vehicle.data, (*place, "controls")),
        nvram,
    )
