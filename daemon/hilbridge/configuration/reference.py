"""config/README.md: the reference of bench, vehicle and scenario files, made from their schemas."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from hilbridge.configuration.benchfile import bench_schema
from hilbridge.configuration.consistency import RULES
from hilbridge.configuration.scenariofile import scenario_schema
from hilbridge.configuration.schema import Schema, alternatives, section
from hilbridge.configuration.vehiclefile import vehicle_schema

_INTRODUCTION: Final = """\
# Configuration

Two kinds of file describe what hilbridge does: a **bench** (buses, inputs, diagnostics) names a **vehicle** (the
parameters of its parts). A **scenario** says what happens on a bench, and what must come of it. This page is made by
`hilbridge schema --reference`; edit the descriptions in `daemon/hilbridge/settings/` and `sim/vehiclesim/parameters/`,
not here.

## A bench to start from

```yaml
name: desk
vehicle: compact
buses:
  powertrain:
    interface: socketcan
    channel: can0
    database: powertrain.dbc
    transmit: [HILBRIDGE]
inputs:
  - source: serial
    port: /dev/ttyACM0
    signals:
      Throttle: {field: thr, minimum: 0, maximum: 1023}
      Key: {}
diagnostics:
  obd: {bus: powertrain}
```

`hilbridge check desk.yaml` says what such a bench would do, `hilbridge doctor desk.yaml` what this machine lacks for
it, and `hilbridge run desk.yaml` starts it.

## Where files are found

A plain name (`demo`, `compact`) is looked for in `/etc/hilbridge/benches` or `/etc/hilbridge/vehicles`, then among the
files that came with the program. A file name with its extension (`desk.yaml`, `powertrain.dbc`) is looked for beside
the file that names it and in the working directory first. What contains a `/` is a path and nothing else. Databases
have their place in `/etc/hilbridge/dbc`.

## How files are read

- YAML 1.1 with fewer surprises: only `true` and `false` are truth values, so `on`, `off`, `yes` and `no` are text;
  numbers are decimal or `0x…`; keys are always text. Anchors, aliases and `<<` work; tags (`!name`) do not.
- A key that is not on this page, a key that stands twice, and a value of the wrong kind are errors. All errors of a
  file are reported at once, each as `file:line: key: reason`; only names that a database does not know come one by one.
- Signals, expressions and scenarios name the values of the vehicle, `vehicle.EngineRpm`: [VALUES.md](VALUES.md) lists
  them all with unit, range, meaning and codes, and so does `hilbridge values`. [PRESETS.md](PRESETS.md) has the
  makers' counters and checksums.
- Editors complete and check these files by JSON Schema: write `hilbridge schema bench > bench.schema.json`, and begin a
  file with `# yaml-language-server: $schema=bench.schema.json`.
- In the tables NAME stands for a name that the file chooses, `[]` for every item of a list, and unit 1 for a ratio. A
  section that is allowed in several places is described once; the other places link to it.
"""

_SCENARIO: Final = """\
## Scenario file

A test as data, played by `hilbridge run BENCH --scenario FILE [--report FILE]` in real time or on the virtual clock.
The run ends with the scenario; exit status 0: every step has passed, 1: not.

```yaml
steps:
  - set: {input.Key: 1}                   # held over every input; the bench's demo driver stays away
  - wait: {until: "vehicle.EngineWorking", timeout: 5}
  - set: {input.Key: 0}
  - name: The engine never gets hot
    always: "auxiliary.CoolantTemperature < 110"
    background: true                      # beside all that follows, to the end
  - name: EngineData1 is lost
    fault: {kind: frame, bus: powertrain, message: EngineData1, effect: drop}
  - absent: {bus: powertrain, message: EngineData1}
    for: 0.5
  - clear: EngineData1 is lost
  - frame: {bus: powertrain, message: EngineData1, signals: {EngineRpm: [900, 1100], EngineWorking: "Yes"}}
    within: 0.1
  - drive: {points: [[0, 0], [3, 0], [15, 50], [27, 0]], tolerance: 2}
```

Steps follow each other: each begins when the one before it is over, or later, `at` or `after` a time. What is done
takes no time (but ramps and drives) and is seen from the next tick on. A failed expectation does not end the scenario,
a `wait` in vain does. Conditions are expressions as in signals, e.g. `"vehicle.Speed > 10 and road.Slope == 0"`.
"""

_TYPES: Final = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "object": "section",
    "array": "list",
}

_PLURALS: Final = {"string": "text", "number": "numbers", "integer": "whole numbers"}

_SECTIONS: Final = {"$ref", "properties", "additionalProperties"}
"""Keywords of a schema whose values are sections."""

_BOUNDS: Final = (("exclusiveMinimum", "> "), ("minimum", "≥ "), ("exclusiveMaximum", "< "), ("maximum", "≤ "))

_COLUMNS: Final = ("Key", "Type", "Unit", "Range", "Default", "Meaning")


def reference() -> str:
    """Return the whole page."""
    rules = "".join(f"- {(rule.__doc__ or '').strip()}\n" for rule in RULES)
    return "\n".join(
        [
            _INTRODUCTION,
            "## Bench file\n",
            *_sections(bench_schema()),
            "### What must fit together\n",
            rules,
            "## Vehicle file\n",
            *_sections(vehicle_schema()),
            _SCENARIO,
            *_sections(scenario_schema()),
        ]
    )


def _sections(root: Schema) -> Iterator[str]:
    """Yield text and table of a file's top level, then of every section in it, each section once."""
    printed: list[_Section] = []
    for one in _walk(_Section("", "", root), root):
        if all(one.schema != earlier.schema for earlier in printed):
            printed.append(one)
    for one in printed:
        if one.path:
            yield f"### {one.heading}\n"
        yield f"{one.schema['description']}\n"
        yield _table(one, root, printed)


class _Section(NamedTuple):
    """A section at the path that a file would have it at; `kind`: which of several that are allowed there."""

    path: str
    kind: str
    schema: Schema

    @property
    def heading(self) -> str:
        return f"`{self.path}`{self.kind}"

    @property
    def link(self) -> str:
        """A link to the heading, by the anchor that GitHub gives it."""
        anchor = re.sub(r"[^\w -]", "", self.heading.lower()).replace(" ", "-")
        return f"[{self.heading}](#{anchor})"


def _walk(start: _Section, root: Schema) -> Iterator[_Section]:
    """Yield a section and all that are in it, in the order of their keys."""
    yield start
    for key, entry in start.schema["properties"].items():
        for inner in _inside(f"{start.path}.{key}".lstrip("."), entry, root):
            yield from _walk(inner, root)


def _inside(path: str, entry: Schema, root: Schema) -> Iterator[_Section]:
    """Yield the sections that a key leads to."""
    node = section(entry, root)
    values = node.get("additionalProperties")
    if "properties" in node:
        yield _Section(path, "", node)
    elif isinstance(values, dict):
        yield from _inside(f"{path}.NAME", values, root)
    elif "discriminator" in node.get("items", {}):
        choice = node["items"]["discriminator"]
        for tag, target in choice["mapping"].items():
            kind = f" with `{choice['propertyName']}: {tag}`"
            yield _Section(f"{path}[]", kind, section({"$ref": target}, root))
    elif "items" in node:
        yield from _inside(f"{path}[]", node["items"], root)


def _table(one: _Section, root: Schema, printed: Sequence[_Section]) -> str:
    """Return the table of a section's keys; a column that would be empty is left out."""
    required = one.schema.get("required", ())
    rows = [
        (
            f"`{key}`",
            _type(entry),
            entry.get("unit", ""),
            _range(entry),
            "required" if key in required else _default(entry.get("default")),
            _with_links(
                _text(entry) or section(entry, root).get("description", ""),
                _links(f"{one.path}.{key}".lstrip("."), entry, root, printed),
            ),
        )
        for key, entry in one.schema["properties"].items()
    ]
    used = [column for column in range(len(_COLUMNS)) if any(row[column] for row in rows)]
    lines = [[_COLUMNS[column] for column in used], ["---"] * len(used)]
    lines += [[row[column].replace("|", "\\|") for column in used] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _links(path: str, entry: Schema, root: Schema, printed: Sequence[_Section]) -> str:
    """Return links to the sections of a key that are printed at another path."""
    homes = [next(home for home in printed if home.schema == inner.schema) for inner in _inside(path, entry, root)]
    return ", ".join(home.link for home in homes if not home.path.startswith(path))


def _with_links(text: str, links: str) -> str:
    if not links:
        return text
    return f"{text} See {links}." if text.endswith(".") else f"{text}; see {links}"


def _text(entry: Schema) -> str:
    """Return the description without the unit, which has its own column."""
    text: str = entry.get("description", "")
    return text.removesuffix(f" [{entry.get('unit')}]")


def _type(entry: Schema) -> str:
    if "const" in entry:
        return f"`{entry['const']}`"
    if "enum" in entry and entry["type"] == "string":
        return " or ".join(f"`{choice}`" for choice in entry["enum"])
    if branches := [_type(branch) for branch in alternatives(entry)]:
        return " or ".join(dict.fromkeys(branches))
    if entry.get("type") == "array" and entry["items"].get("type") in _PLURALS:
        return f"list of {_PLURALS[entry['items']['type']]}"
    if isinstance(entry.get("additionalProperties"), dict):
        return "sections by name" if entry["additionalProperties"].keys() & _SECTIONS else "values by name"
    return _TYPES[entry.get("type", "object")]


def _range(entry: Schema) -> str:
    if "enum" in entry and entry["type"] != "string":
        return ", ".join(map(str, entry["enum"]))
    for node in (entry, entry.get("items", {}), *alternatives(entry)):
        if bounds := [f"{sign}{node[keyword]:.12g}" for keyword, sign in _BOUNDS if keyword in node]:
            return ", ".join(bounds)
    return ""


def _default(value: Any) -> str:
    """Return a default as the file would have it; nothing for what is empty, and for a section."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"{value:.12g}"
        case str():
            return f"`{value}`"
        case list() if value:
            return ", ".join(map(_default, value))
    return ""
