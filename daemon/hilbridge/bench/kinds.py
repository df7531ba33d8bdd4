"""The parts that a bench file may have, in the order in which they are built and called in a tick.

A package beyond hilbridge adds one by an entry point of the group `hilbridge.parts` that leads to its PartKind; a
bench file asks for it by the name of the entry point, below `parts`.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, quoted
from hilbridge.base.trust.kinds import Kind
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.doip import part as doip
from hilbridge.bench.fmu import part as fmu
from hilbridge.bench.gateway import part as gateway
from hilbridge.bench.lines import part as lines
from hilbridge.bench.outputs import part as outputs
from hilbridge.bench.parts.part import Context, Part, PartKind
from hilbridge.bench.standing_parts import CLUSTERS, DIAGNOSTICS, FAULTS, INPUTS
from hilbridge.bench.xcp import part as xcp
from hilbridge.files.configuration.schema import schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import Settings

BESIDE_PLAN: Final = (outputs.KIND, lines.KIND, fmu.KIND)
"""The kinds that do not depend on the frames of the bench."""

AFTER_PLAN: Final = (gateway.KIND,)
"""The kinds that do."""

AFTER_UNITS: Final = (doip.KIND, xcp.KIND)
"""The kinds that need the control units, and those that see what all others have written."""

STANDING: Final = (DIAGNOSTICS, INPUTS, CLUSTERS, FAULTS)
"""The kinds that every bench has, and whose mechanism the wiring builds."""

KINDS: Final = (*BESIDE_PLAN, *AFTER_PLAN, *AFTER_UNITS, *STANDING)
"""All kinds: those of the same stage are called in this order, and continue in it what those before a reload did."""


class NoPart(NamedTuple):
    """A section of the bench file that makes no part; `adopted`: whether a reload may change it."""

    reason: str
    adopted: bool = False


_WHOLE: Final = "a figure of the whole bench, which every part reads"
_CLOCK: Final = "what the clock shows is written before all parts, once a tick"
_PROCESS: Final = "a process beside the tick, which sees the bench through its door as any other program does"

NO_PARTS: Final[Mapping[str, NoPart]] = {
    "name": NoPart(_WHOLE),
    "rate": NoPart(_WHOLE),
    "seed": NoPart(_WHOLE),
    "clock": NoPart(_CLOCK, adopted=True),
    "clock_follows": NoPart(_CLOCK, adopted=True),
    "time_zone": NoPart(_CLOCK, adopted=True),
    "vehicle": NoPart("what the parts are around: a reload keeps it in motion, and it has equipment in place of parts"),
    "buses": NoPart("what the parts join: buses, links and gates stay while parts are exchanged"),
    "custom": NoPart("entries of the data bus, which must be declared before any part can name them", adopted=True),
    "parts": NoPart("has the sections of parts that packages bring"),
    "lockstep": NoPart("holds the virtual clock between two ticks, which no stage of a tick can"),
    "control": NoPart(_PROCESS),
    "cockpit": NoPart(_PROCESS),
    "metrics": NoPart(_PROCESS),
    "fabric": NoPart(_PROCESS),
    "realtime": NoPart("how the process runs, set before there is a bench"),
    "recording": NoPart("has what crosses the boundary, of all parts, and a replay builds the bench from it"),
    "shutdown": NoPart("how the run ends, which is decided between two ticks", adopted=True),
    "state": NoPart("a file that is read before the first tick and written by the observer"),
}
"""The sections that make no part, and why. Of a status this holds as well for `scenario` and `verdicts`: the player is
of the run, begins by a command and changes the bench by commands alone, so that a replay needs none."""

GROUP: Final = "hilbridge.parts"

_PART: Final = Kind(GROUP, instance=PartKind)


def build_parts(kinds: Iterable[PartKind], context: Context, errors: ErrorCollector) -> dict[str, Part]:
    """Return the parts of these kinds that a bench file asks for, by key; `errors` collects why one cannot be built."""
    parts: dict[str, Part] = {}
    for kind in kinds:
        with errors.attempt():
            section = None if kind.settings is None else _section(kind, kind.settings, context.settings)
            part = kind.build(context._replace(section=section))
            if part is not None:
                parts[kind.key] = part
    return parts


def _section(kind: PartKind, settings: type[Settings], bench: BenchSettings) -> Settings:
    """Return the section of a part of a package. ConfigurationError, with the key path: it is wrong."""
    section = bench.parts[kind.key]
    try:
        return settings.model_validate(section)
    except ValidationError as error:
        reason = explain(error, section, schema_of(TypeAdapter(settings), kind.title), 1)[0]
        raise ConfigurationError(reason.message, ("parts", kind.key, *reason.place)) from None


def brought_by_packages(names: Mapping[str, object]) -> dict[str, PartKind]:
    """Return the kinds of parts that a bench file names below `parts`, by key.

    ConfigurationError, with the key path: no installed package declares such a part, or what it declares is none.
    """
    errors = ErrorCollector()
    kinds: dict[str, PartKind] = {}
    for name in names:
        with errors.attempt():
            kinds[name] = _brought(name)
    errors.verdict()
    return kinds


def _brought(name: str) -> PartKind:
    place = ("parts", name)
    declared = entry_points(group=GROUP)
    if name not in declared.names:
        known = ", ".join(sorted(declared.names)) or "none"
        raise ConfigurationError(f"no installed package has a part {quoted(name)} (there is: {known})", place)
    value = declared[name].value
    kind: PartKind = import_function(value, _PART, place)  # type: ignore[assignment]  # an object, by its kind
    if kind.key != name or name in {one.key for one in KINDS}:
        raise ConfigurationError(f"{value} is no PartKind of the key {quoted(name)}", place)
    return kind
