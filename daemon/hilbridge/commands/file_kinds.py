"""The kinds of configuration files: how one is told from the others, its schema, and what reads it."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from hilbridge.base.common.lasting_files import is_file
from hilbridge.base.common.words import counted
from hilbridge.base.resources import Kind, find, names
from hilbridge.desk.fit.targets import load_targets, targets_schema
from hilbridge.files.configuration.benchfile import bench_schema
from hilbridge.files.configuration.campaignfile import campaign_schema, load_campaign
from hilbridge.files.configuration.layouts import layout_schema, load_layout
from hilbridge.files.configuration.profiles import load_profile, profile_schema
from hilbridge.files.configuration.scenariofile import load_scenario, scenario_schema
from hilbridge.files.configuration.schema import Schema
from hilbridge.files.configuration.units import load_unit, unit_schema
from hilbridge.files.configuration.vehiclefile import load_vehicle, vehicle_schema
from hilbridge.files.configuration.yamlfile import YamlFile
from hilbridge.runs.campaign.runs import plan_campaign


class FileKind(NamedTuple):
    """A kind of file. `read`: read one, and return as text what it holds; none for a bench, which is built."""

    schema: Callable[[], Schema]
    read: Callable[[str], str] | None
    place: Kind | None = None


def _vehicle(name: str) -> str:
    vehicle = load_vehicle(name)
    vehicle.build()
    return "; ".join([vehicle.settings.name, *(f"warning: {warning}" for warning in vehicle.warnings())])


def _scenario(name: str) -> str:
    return counted(len(load_scenario(name).settings.steps), "step")


def _targets(name: str) -> str:
    load_targets(name)
    return "targets of an engine"


def _profile(name: str) -> str:
    return load_profile(name).headline


def _unit(name: str) -> str:
    return f"template with the keys {', '.join(load_unit(name).data)}"


def _layout(name: str) -> str:
    return counted(len(load_layout(name).settings.fields), "field")


def _campaign(name: str) -> str:
    return counted(len(plan_campaign(load_campaign(Path(name))).runs), "run")


KINDS: Final[dict[str, FileKind]] = {
    "bench": FileKind(bench_schema, None, Kind.BENCH),
    "vehicle": FileKind(vehicle_schema, _vehicle, Kind.VEHICLE),
    "scenario": FileKind(scenario_schema, _scenario, Kind.SCENARIO),
    "targets": FileKind(targets_schema, _targets, Kind.ENGINE),
    "profile": FileKind(profile_schema, _profile, Kind.PROFILE),
    "unit": FileKind(unit_schema, _unit, Kind.UNIT),
    "layout": FileKind(layout_schema, _layout, Kind.LAYOUT),
    "campaign": FileKind(campaign_schema, _campaign),
}


def kind_of(name: str) -> str:
    """Return the kind of a file by its keys at the top, or of a name by what it is the name of; a bench in doubt.

    ConfigurationError: it is no YAML.
    """
    path = Path(name)
    if not is_file(path):
        places = [(kind, one.place) for kind, one in KINDS.items() if one.place is not None]
        for kind, place in places:
            if name in names(place):
                return kind
        path = find(Kind.BENCH, name)
    return _by_keys(path)


def _by_keys(path: Path) -> str:
    """Return the kind whose keys fit best: each that it knows counts for it, each that it does not know against it.

    Of equals that one which lacks no key: `name` and `steps` are a scenario's, though only a bench has a name.
    """
    keys = {str(key) for key in YamlFile.load(path).data}

    def fitting(kind: str) -> tuple[int, bool]:
        schema = KINDS[kind].schema()
        known, needed = keys & set(schema.get("properties", {})), set(schema.get("required", ()))
        return 2 * len(known) - len(keys), bool(needed) and keys >= needed

    best = max(KINDS, key=fitting)
    return best if fitting(best) > fitting("bench") else "bench"
