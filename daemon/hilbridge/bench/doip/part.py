"""The DoIP entity as a part of a bench: one row, with its testers and its counters."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Final, NamedTuple

from hilbridge.base.common.errors import KeyPath
from hilbridge.base.common.rows import Family, counter, fact, gauge
from hilbridge.base.common.statistics import counters
from hilbridge.base.trust.kinds import ACTIVATION
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.diagnostics.isotp.parameters import parameters_of
from hilbridge.bench.doip.entity import DoipEntity
from hilbridge.bench.doip.routed import RoutedUnit
from hilbridge.bench.parts.part import Context, PartKind, ReachedUnit, Stage, Step
from hilbridge.boundary.links.poller import Ready
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.doip import DoipSettings
from hilbridge.frames.codec.database import unknown
from vehiclesim.channels import InputData
from vehiclesim.databus import DataBus

EVENTS: Final = Family("doip_events_total", "What a DoIP entity counts", ("entity", "event"))
CONNECTIONS: Final = Family("doip_connections", "TCP connections of testers to a DoIP entity", ("entity",))

_COLUMNS: Final = {
    "requests": "requests",
    "answers": "answers",
    "refused": "refused",
    "denied": "refused",
    "rejected": "refused",
    "dropped": "lost",
    "*": "",
}


class EntityRow(NamedTuple):
    """The status of the entity; `testers`: source addresses with activated routing."""

    units: Annotated[list[str], fact("control units")]
    testers: Annotated[list[str], fact("testers")]
    connections: Annotated[int, gauge("connections", CONNECTIONS)]
    counters: Annotated[Mapping[str, int], counter(_COLUMNS, EVENTS)]


class DoipPart:
    """The entity of a bench in its tick and its status; a reload keeps it, with its connections."""

    def __init__(self, entity: DoipEntity, units: Mapping[str, ReachedUnit], routed: Mapping[str, RoutedUnit]) -> None:
        self.entity = entity
        self._units: Final = units
        self._routed: Final = tuple(routed.values())

    def stages(self) -> Mapping[Stage, Step]:
        return {"hear": self._hear}

    def _hear(self, t: int, _ready: Ready) -> None:
        for unit in self._routed:
            unit.poll(t)
        self.entity.hear(t)

    def rows(self) -> Iterator[tuple[str, EntityRow]]:
        entity, settings = self.entity, self.entity.settings
        units = [f"{address:04X} {name}" for name, address in settings.targets.items()]
        testers = [f"{source:04X}" for source in entity.active]
        yield (
            f"{settings.logical_address:04X}",
            EntityRow(units, testers, len(entity.testers), counters(entity.statistics)),
        )

    def describe(self) -> Mapping[str, str]:
        settings = self.entity.settings
        beyond = {name: f" on {one.bus}" for name, one in settings.routed.items()}
        units = ", ".join(
            f"{name}{beyond.get(name, '')} at 0x{address:04X}" for name, address in settings.targets.items()
        )
        return {f"0x{settings.logical_address:04X}": f"{units}; port {settings.port or 'any'} of {settings.address}"}

    def doubts(self) -> Iterator[str]:
        settings = self.entity.settings
        if settings.senders:
            yield f"doip: {', '.join(settings.senders)} may do with the control units what a tester may: no password"

    def take_over(self, before: "DoipPart") -> None:
        self.entity = before.entity
        self.entity.adopt(self._units)


def build(context: Context) -> DoipPart | None:
    """Return the DoIP entity of a bench, None without. ConfigurationError: it has no such control unit or function."""
    settings = context.settings.doip
    if settings is None:
        return None
    for name in settings.units:
        if name not in context.units:
            raise unknown("control unit", name, context.units, ("doip", "units", name))
    authenticate = None
    if settings.authentication is not None:
        authenticate = import_function(settings.authentication, ACTIVATION, ("doip", "authentication"))
    routed = _routed(settings, context)
    units: dict[str, ReachedUnit] = {**context.units, **routed}
    entity = DoipEntity(settings, units, partial(_has_ignition, context.data), authenticate)
    return DoipPart(entity, units, routed)


def _routed(settings: DoipSettings, context: Context) -> dict[str, RoutedUnit]:
    """Return the control units beyond buses, by name. ConfigurationError: there is no such bus."""
    routed = {}
    for name, one in settings.routed.items():
        if one.bus not in context.buses:
            raise unknown("bus", one.bus, context.buses, ("doip", "routed", name, "bus"))
        parameters = parameters_of(context.settings.diagnostics.iso_tp)
        routed[name] = RoutedUnit(one, context.buses[one.bus], parameters)
    return routed


def _has_ignition(data: DataBus) -> bool:
    """Return whether terminal 15 is on."""
    return data.input[InputData.KEY] >= 0


def needs_restart(old: BenchSettings, new: BenchSettings) -> Iterable[KeyPath]:
    """Return the key where anything of the section differs: its port is open, and testers know its addresses."""
    return () if old.doip == new.doip else (("doip",),)


KIND: Final[PartKind] = PartKind("doip", "DoIP entity", EntityRow, build, ("doip",), needs_restart)
