"""The parts that a bench file may have, in the order in which they are built and called in a tick.

A package beyond hilbridge adds one by an entry point of the group `hilbridge.parts` that leads to its PartKind; a
bench file asks for it by the name of the entry point, below `parts`.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import entry_points
from typing import Final

from pydantic import TypeAdapter, ValidationError

from hilbridge.base.common.errors import ConfigurationError, ErrorCollector, quoted
from hilbridge.base.trust.kinds import Kind
from hilbridge.base.trust.user_function import import_function
from hilbridge.bench.doip import part as doip
from hilbridge.bench.gateway import part as gateway
from hilbridge.bench.lines import part as lines
from hilbridge.bench.outputs import part as outputs
from hilbridge.bench.parts.part import Context, Part, PartKind
from hilbridge.files.configuration.schema import schema_of
from hilbridge.files.configuration.validation import explain
from hilbridge.files.settings import BenchSettings
from hilbridge.files.settings.common import Settings

BESIDE_PLAN: Final = (outputs.KIND, lines.KIND)
"""The kinds that do not depend on the frames of the bench."""

AFTER_PLAN: Final = (gateway.KIND,)
"""The kinds that do."""

AFTER_UNITS: Final = (doip.KIND,)
"""The kinds that need the control units."""

KINDS: Final = (*BESIDE_PLAN, *AFTER_PLAN, *AFTER_UNITS)

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
