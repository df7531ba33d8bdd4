"""Building the trouble codes of a control unit, and what finds them.

Its codes are its own, and those of the file whose `ecu` is its name or its role in OBD-II. A control unit without
OBD-II has no emission-related code, so it lights no malfunction indicator.
"""

from collections.abc import Callable, Collection, Mapping

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.drive import ELECTRIC, part_of_engine
from hilbridge.bench.diagnostics.dtc.codes import codes_of
from hilbridge.bench.diagnostics.dtc.monitors import Monitors, build_monitors, figures_of
from hilbridge.bench.diagnostics.dtc.store import TroubleStore
from hilbridge.files.settings.dtc import CodeSettings, TroubleCodesSettings
from hilbridge.files.settings.units import UnitSettings
from vehiclesim import Vehicle


def build_troubles(
    names: Collection[str],
    file: TroubleCodesSettings,
    *,
    vehicle: Vehicle,
    observers: Mapping[str, Callable[[], float]],
    unit: UnitSettings | None = None,
    place: KeyPath = (),
) -> Monitors:
    """Build the monitors with their store of trouble codes; `file` has the codes of those `names`.

    `unit`: the control unit, with key path `place`; None for one that only J1939 reaches. `observers`: see
    `build_monitors`.

    ConfigurationError, with the key path: a monitor has an invalid expression, or finds a code that is not there;
    a code or monitor of the control unit itself is of another drive than the vehicle has.
    """
    figures = figures_of(vehicle.settings)
    codes: dict[str, CodeSettings] = {
        name: code for name, code in file.codes.items() if code.ecu in names and figures.fuel in code.fuels
    }
    monitors = {name: one for name, one in file.monitors.items() if one.code in codes}
    own = {} if unit is None else unit.monitors
    if unit is not None:
        _check_drive(unit, figures.fuel, place)
        codes |= unit.codes
    for name, one in own.items():
        if one.code not in codes:
            raise ConfigurationError(f"{one.code} is no code of this control unit", (*place, "monitors", name, "code"))
    found = codes_of(
        codes,
        monitors | own,
        emission=unit is None or unit.obd is not None,
        snapshots=file.snapshots if unit is None or unit.snapshots is None else unit.snapshots,
        extended_data=file.extended_data if unit is None or unit.extended_data is None else unit.extended_data,
    )
    running = build_monitors(monitors, found, figures, observers)
    running |= build_monitors(own, found, figures, observers, place)
    groups = {str(group): number for group, number in file.readiness_groups.items()}
    return Monitors(running, TroubleStore(found, vehicle.data, running, groups), vehicle.data)


def _check_drive(unit: UnitSettings, fuel: str, place: KeyPath) -> None:
    """Refuse codes and monitors of the control unit's own that this drive cannot have."""
    for section, known in (("codes", unit.codes), ("monitors", unit.monitors)):
        for name, one in known.items():
            if fuel not in one.fuels:
                reason = f"it is of {' and '.join(one.fuels)}; the vehicle's drive is {fuel}"
                raise ConfigurationError(reason, (*place, section, name, "fuels"))
    if fuel != ELECTRIC:
        return
    for name in unit.codes:
        if (part := part_of_engine(name)) is not None:
            raise ConfigurationError(f"{name} is of {part}; the vehicle has no engine", (*place, "codes", name))
    for name, monitor in unit.monitors.items():
        if monitor.group != "components":
            reason = f"{monitor.group} needs an engine; the vehicle has none"
            raise ConfigurationError(reason, (*place, "monitors", name, "group"))
