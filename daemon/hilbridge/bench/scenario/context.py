"""The view that a scenario has of a bench."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hilbridge.base.common.errors import ConfigurationError, KeyPath
from hilbridge.bench.diagnostics.isotp.address import Address
from hilbridge.bench.diagnostics.rows import MemoryRow
from hilbridge.boundary.control.lines import HandleCommand
from hilbridge.files.settings.faults import FaultSettings
from hilbridge.frames.bus.bus import Bus
from hilbridge.frames.bus.frame_listener import FrameListener
from hilbridge.frames.codec.codec import CompiledMessage
from hilbridge.frames.codec.database import Database, unknown
from vehiclesim.databus import DataBus
from vehiclesim.parameters import VehicleSettings


class FaultChecker(Protocol):
    """Checks whether the bench can have a fault."""

    def check(self, settings: FaultSettings, place: KeyPath) -> None:
        """ConfigurationError, with the key path: the fault is of something that does not exist."""


class TroubleStatus(Protocol):
    """The trouble codes of all control units."""

    def status(self) -> Mapping[str, MemoryRow]:
        """Return the stored codes by control unit (bench/diagnostics/dtc/overview.py)."""

    def codes(self) -> dict[str, dict[str, str]]:
        """Return by control unit the text of each of its codes."""


@dataclass(frozen=True, slots=True)
class ScenarioDiagnostics:
    """The control units that the bench answers for: the bus and the address of each by its name, trouble codes.

    `pids` describes the answers of service 01 (bench/diagnostics/obd/scaling.py).
    """

    ways: Mapping[str, tuple[str, Address]]
    troubles: TroubleStatus
    pids: CompiledMessage


@dataclass(frozen=True, slots=True)
class ScenarioContext:
    """The parts of a bench that a scenario uses. `obey` carries out its commands; `holder` is who gives them."""

    data: DataBus
    vehicle: VehicleSettings
    buses: Mapping[str, Bus]
    databases: Mapping[str, Database]
    faults: FaultChecker
    obey: HandleCommand
    diagnostics: ScenarioDiagnostics | None = None
    holder: str = "scenario"
    listeners: dict[str, FrameListener] = field(default_factory=dict)

    def listener(self, bus: str) -> FrameListener:
        """Return the listener of a bus; it is attached when it is first used."""
        if bus not in self.listeners:
            self.listeners[bus] = FrameListener()
            self.buses[bus].attach(self.listeners[bus])
        return self.listeners[bus]

    def check_bus(self, name: str, place: KeyPath) -> None:
        """ConfigurationError, with the key path: the bench has no bus of this name."""
        if name not in self.buses:
            raise unknown("bus", name, self.buses, place)

    def database(self, bus: str, place: KeyPath) -> Database:
        """Return the database of a bus. ConfigurationError, with the key path: it has none."""
        if bus not in self.databases:
            raise ConfigurationError(f"bus {bus!r} has no database", place)
        return self.databases[bus]
