"""config/README.md and config/reference: the keys of all files of a user, a page a topic, made from their schemas."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from hilbridge.files.configuration.advanced import ADVANCED
from hilbridge.files.configuration.benchfile import TITLE, bench_schema
from hilbridge.files.configuration.campaignfile import campaign_schema
from hilbridge.files.configuration.consistency import RULES
from hilbridge.files.configuration.layouts import layout_schema
from hilbridge.files.configuration.profiles import profile_schema
from hilbridge.files.configuration.scenariofile import scenario_schema
from hilbridge.files.configuration.schema import Schema, alternatives, section
from hilbridge.files.configuration.vehiclefile import vehicle_schema

_TEMPLATES: Final = Path(__file__).parent / "reference_pages"
"""Text and examples of the pages, and where the sections of the schemas stand among them."""

_PLACE: Final = re.compile(
    r"^<!-- (bench|vehicle|scenario|targets|profile|layout|campaign|control|rules) ?(\S*) -->\n", re.MULTILINE
)

_ALIKE: Final = 4
"""So many keys in common with a section above are told by a link to it."""

_TYPES: Final = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "true or false",
    "object": "section",
    "array": "list",
}

_PLURALS: Final = {"string": "text", "number": "numbers", "integer": "whole numbers"}

_SECTIONS: Final = {"$ref", "properties", "additionalProperties", "discriminator"}
"""Keywords of a schema whose values are sections."""

_BOUNDS: Final = (("exclusiveMinimum", "> "), ("minimum", "≥ "), ("exclusiveMaximum", "< "), ("maximum", "≤ "))

_COLUMNS: Final = ("Key", "Type", "Unit", "Range", "Default", "Meaning")


def reference(targets: Schema, commands: Schema) -> dict[str, str]:
    """Return the pages by their paths below config: the templates, with the sections of each schema where they ask.

    `targets`: the schema of a targets file, which `hilbridge fit` owns; `commands`: that of a line to a running bench.

    A place names a path, and gets that section and all in it for which no place has a longer path.
    """
    templates = {_target(path): path.read_text(encoding="utf-8") for path in sorted(_TEMPLATES.glob("*.md"))}
    places = {
        (found[1], found[2]): _Place(page, "###" if "\n## " in text[: found.start()] else "##")
        for page, text in templates.items()
        for found in _PLACE.finditer(text)
    }
    schemas = {"bench": bench_schema(), "vehicle": vehicle_schema(), "scenario": scenario_schema()}
    schemas |= {"targets": targets, "profile": profile_schema(), "layout": layout_schema()}
    schemas["campaign"] = campaign_schema()
    line = {key: commands[key] for key in ("oneOf", "discriminator")}
    schemas["control"] = commands | {"properties": {"line": line}}
    contents = {("rules", ""): "".join(f"- {(rule.__doc__ or '').strip()}\n" for rule in RULES)}
    printed: list[_Section] = []
    for file, root in schemas.items():
        texts: dict[str, list[str]] = {path: [] for kind, path in places if kind == file}
        homes = [
            (max((path for path in texts if _is_within(one.path, path)), key=len), one)
            for one in _sections(root, printed)
        ]
        sections = [one._replace(page=places[file, home].page) for home, one in homes]
        printed += sections
        for number, (one, (home, _)) in enumerate(zip(sections, homes, strict=True)):
            level = places[file, home].level
            texts[home].append(_text_of(one, level, root, printed, sections[:number]))
        contents |= {(file, path): "\n".join(parts) for path, parts in texts.items()}
    return {page: _PLACE.sub(lambda found: contents[found[1], found[2]], text) for page, text in templates.items()}


class _Place(NamedTuple):
    """Where sections stand: on a page, with headings of a level, below a chapter or below the title."""

    page: str
    level: str


def _target(template: Path) -> str:
    return template.name if template.stem == "README" else f"reference/{template.name}"


def _is_within(path: str, place: str) -> bool:
    return not place or path == place or path.startswith((f"{place}.", f"{place}["))


def _sections(root: Schema, printed: Sequence["_Section"]) -> list["_Section"]:
    """Return a file's top level and every section in it, each once, but for those that other files have `printed`.

    A top level of which nothing is said is left out.
    """
    found: list[_Section] = []
    for one in _walk(_Section("", "", root), root):
        if "description" in one.schema and all(one.schema != earlier.schema for earlier in (*printed, *found)):
            found.append(one)
    return found


def _text_of(
    one: "_Section", level: str, root: Schema, sections: Sequence["_Section"], above: Sequence["_Section"]
) -> str:
    """Return heading, text and table of a section; keys that a section above has as well are told by a link to it."""
    text = f"{level} {one.heading}\n\n" if one.path else ""
    text += one.schema["description"]
    known = max(above, key=lambda other: len(_common(one, other)), default=one)
    alike = _common(one, known)
    if one is not known and len(alike) >= _ALIKE:
        text += f" {', '.join(f'`{key}`' for key in alike)}: as in {known.link_from(one.page)}."
        rest = {key: entry for key, entry in one.schema["properties"].items() if key not in alike}
        if not rest:
            return f"{text}\n"
        one = one._replace(schema=one.schema | {"properties": rest})
    return f"{text}\n\n{_table(one, root, sections)}"


def _common(one: "_Section", other: "_Section") -> list[str]:
    """Return the keys that two sections have in common, with all that is said of them."""
    others = other.schema["properties"]
    required, others_required = one.schema.get("required", ()), other.schema.get("required", ())
    return [
        key
        for key, entry in one.schema["properties"].items()
        if entry == others.get(key) and (key in required) == (key in others_required)
    ]


class _Section(NamedTuple):
    """A section at the path that a file would have it at; `kind`: which of several that are allowed there."""

    path: str
    kind: str
    schema: Schema
    page: str = ""

    @property
    def heading(self) -> str:
        return f"`{self.path}`{self.kind}"

    def link_from(self, page: str) -> str:
        """Return a link to the heading, by the anchor that GitHub gives it."""
        anchor = re.sub(r"[^\w -]", "", self.heading.lower()).replace(" ", "-")
        return f"[{self.heading}]({'' if page == self.page else Path(self.page).name}#{anchor})"


def _walk(start: _Section, root: Schema) -> Iterator[_Section]:
    """Yield a section and all that are in it, in the order of their keys."""
    yield start
    for key, entry in start.schema["properties"].items():
        for inner in _inside(f"{start.path}.{key}".lstrip("."), entry, root):
            yield from _walk(inner, root)


def _inside(path: str, entry: Schema, root: Schema) -> Iterator[_Section]:
    """Yield the sections that a key leads to."""
    if "discriminator" in entry:
        for tag, target in entry["discriminator"]["mapping"].items():
            kind = f" with `{entry['discriminator']['propertyName']}: {tag}`"
            yield _Section(path, kind, section({"$ref": target}, root))
        return
    node = section(entry, root)
    values = node.get("additionalProperties")
    if "properties" in node:
        yield _Section(path, "", node)
    elif isinstance(values, dict):
        yield from _inside(f"{path}.NAME", values, root)
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
                _marked(key, _text(entry) or section(entry, root).get("description", ""), root),
                _links(one.page, f"{one.path}.{key}".lstrip("."), entry, root, printed),
            ),
        )
        for key, entry in one.schema["properties"].items()
    ]
    used = [column for column in range(len(_COLUMNS)) if any(row[column] for row in rows)]
    lines = [[_COLUMNS[column] for column in used], ["---"] * len(used)]
    lines += [[row[column].replace("|", "\\|") for column in used] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _marked(key: str, text: str, root: Schema) -> str:
    """Return the meaning of a key, marked where it is an advanced one of the bench file."""
    return f"*advanced:* {text}" if key in ADVANCED and root["title"] == TITLE else text


def _links(page: str, path: str, entry: Schema, root: Schema, printed: Sequence[_Section]) -> str:
    """Return links to the sections of a key that are printed at another path."""
    homes = [next(home for home in printed if home.schema == inner.schema) for inner in _inside(path, entry, root)]
    return ", ".join(home.link_from(page) for home in homes if not home.path.startswith(path))


def _with_links(text: str, links: str) -> str:
    if not links:
        return text
    if not text:
        return f"see {links}"
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
