"""JSON Schema (draft 2020-12) of the configuration files, and the way through it along a key path.

A schema is made from the settings classes by pydantic. Beyond the standard keywords a number may carry `unit`.
"""

from collections.abc import Iterator
from typing import Any, Final

from pydantic import TypeAdapter

from hilbridge.base.common.errors import KeyPath

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def schema_of(adapter: TypeAdapter[Any], title: str) -> Schema:
    """Return the schema of one kind of file."""
    return {"$schema": DIALECT, **_tidied(adapter.json_schema()), "title": title}


def _tidied(node: Any) -> Any:
    """Return a schema without pydantic's titles, which repeat the key, and with units in the descriptions for editors.

    A pattern for the keys of a mapping becomes a rule for all keys; pydantic's form lets other keys pass unseen.
    """
    if isinstance(node, list):
        return [_tidied(item) for item in node]
    if not isinstance(node, dict):
        return node
    result = {key: _tidied(value) for key, value in node.items() if not (key == "title" and isinstance(value, str))}
    if "patternProperties" in node:
        ((pattern, section),) = result.pop("patternProperties").items()
        result |= {"propertyNames": {"pattern": pattern}, "additionalProperties": section}
    if isinstance(node.get("description"), str):
        unit = f" [{node['unit']}]" if "unit" in node else ""
        result["description"] = " ".join(node["description"].split()) + unit
    return result


def descend(root: Schema, place: KeyPath, data: Any) -> Schema:
    """Return the part of the schema that describes `place` in `data`; {} where the schema knows nothing."""
    node = root
    for key in place:
        node = section(node, root, data)
        node = node.get("items", {}) if isinstance(key, int) else _member(node, key)
        data = _child(data, key)
    return node


def section(node: Schema, root: Schema, data: Any = None) -> Schema:
    """Follow references and alternatives to what describes keys or items; `data` decides between kinds."""
    if "$ref" in node:
        return section(root["$defs"][node["$ref"].rpartition("/")[2]], root, data)
    if "discriminator" in node:
        tag = _child(data, node["discriminator"]["propertyName"])
        reference = node["discriminator"]["mapping"].get(tag) if isinstance(tag, str) else None
        return section({"$ref": reference}, root, data) if reference else {}
    for branch in alternatives(node):
        inner = section(branch, root, data)
        if inner.keys() & {"properties", "additionalProperties", "items"}:
            return inner
    return node


def is_secret(root: Schema, place: KeyPath, data: Any) -> bool:
    """Return whether a value is a secret, or replaces keys of which one is a secret."""
    return any(_hides(descend(root, place[:depth], data), root) for depth in range(1, len(place) + 1)) or any(
        _hides(each, root) for each in section(descend(root, place, data), root).get("properties", {}).values()
    )


def _hides(node: Schema, root: Schema) -> bool:
    return any(section(each, root).get("writeOnly", False) for each in (node, *alternatives(node)))


def alternatives(node: Schema) -> Iterator[Schema]:
    """Return the kinds of value that a node allows, without null."""
    for branch in node.get("anyOf") or node.get("oneOf") or ():
        if branch.get("type") != "null":
            yield branch


def _member(node: Schema, key: str) -> Schema:
    known: Schema = node.get("properties", {}).get(key) or node.get("additionalProperties") or {}
    return known


def _child(data: Any, key: str | int) -> Any:
    if isinstance(data, dict):
        return data.get(key)
    if isinstance(data, list) and isinstance(key, int) and key < len(data):
        return data[key]
    return None
