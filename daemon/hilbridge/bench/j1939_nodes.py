"""The nodes of J1939 of a bench: which control unit is behind each, what it reports, and what commands do."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.resources import own_database
from hilbridge.base.trust.kinds import KEY
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.dtc.monitors import figures_of
from hilbridge.bench.diagnostics.ecu import Ecu
from hilbridge.bench.diagnostics.j1939.commands import CommandDecoder, full_braking
from hilbridge.bench.diagnostics.j1939.diagnostic_messages import StoreSource
from hilbridge.bench.diagnostics.j1939.hd_reports import TestResults, hd_reports, spns_of
from hilbridge.bench.diagnostics.j1939.network import Network
from hilbridge.bench.diagnostics.j1939.trouble_reports import trouble_reports
from hilbridge.bench.diagnostics.nvram import Nvram
from hilbridge.bench.diagnostics.obd.pids import STANDARDS, data_sheet
from hilbridge.files.settings.buses import BusSettings
from hilbridge.files.settings.diagnostics import J1939MemorySettings, J1939Settings
from hilbridge.files.settings.units import Role, UnitSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.codec.database import Database, load_database
from hilbridge.frames.plan.planned import PlannedFrame
from vehiclesim import Vehicle

ROLES: Final[dict[int, Role]] = {0: "engine", 3: "transmission"}
"""Roles in OBD-II by the function of a J1939 NAME."""


def build_network(
    j1939: J1939Settings,
    *,
    vehicle: Vehicle,
    bus: Bus,
    bus_settings: BusSettings,
    frames: Sequence[PlannedFrame],
    ecus: Mapping[str, Ecu],
    units: Mapping[str, UnitSettings],
    nvram_of: Callable[[UnitSettings | None], Nvram],
) -> Network:
    """Build the nodes on their bus, with the trouble codes and test results of the control units behind them.

    `ecus`: the control units by node; `units`: what the bench file says of them, by their name; `nvram_of`: what the
    answers of a unit wait for.
    """
    data, fuel = vehicle.data, figures_of(vehicle.settings).fuel
    sent = [one for one in frames if one.bus is bus]
    network = Network(
        j1939,
        bus=bus,
        bus_settings=bus_settings,
        frames=frames,
        data=data,
        troubles={name: StoreSource(ecu.store) for name, ecu in ecus.items()},
        reports={
            name: trouble_reports(ecu.store, data, fuel, _compliance(units.get(ecu.name)))
            | hd_reports(ecu.monitors, spns_of(one for one in sent if one.outgoing.node == name))
            for name, ecu in ecus.items()
        },
        nvrams={name: nvram_of(units.get(ecu.name)) for name, ecu in ecus.items()},
    )
    for name, ecu in ecus.items():
        network.nodes[name].show_tests(TestResults(ecu.monitors).answer)
    return network


def build_commands(j1939: J1939Settings, vehicle: Vehicle) -> CommandDecoder:
    """Build what reads commands to the engine and the brakes, percent of torque by the reference of the bench file."""
    reference = j1939.reference_torque or data_sheet(vehicle).max_torque_at_peak
    return CommandDecoder(_database(), vehicle.data, reference, full_braking(vehicle.settings))


def key_of(settings: J1939MemorySettings, place: KeyPath) -> Callable[[int, int], Any] | None:
    """Return the user's function that makes the key of a memory from its seed; None: the file names none."""
    return None if settings.provider is None else import_function(settings.provider, KEY, (*place, "provider"))


def _compliance(unit: UnitSettings | None) -> int | None:
    """Return the number of the requirements that a control unit names; None: it names none."""
    standard = None if unit is None or unit.obd is None else unit.obd.standard
    return None if standard is None else STANDARDS[standard]


@cache
def _database() -> Database:
    return load_database(own_database("j1939.dbc"))
