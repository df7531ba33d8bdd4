"""The control protocol as JSON Schema: the lines that a running bench takes, and what it answers to each."""

from typing import Any, Final

from hilbridge.base.common.shape import LONGEST_TEXT, MOST
from hilbridge.boundary.control.answers import COUNTED_TOO, LONGEST_ANSWER, shapes
from hilbridge.boundary.control.commands import command_schema
from hilbridge.boundary.control.lines import PROTOCOL
from hilbridge.files.configuration.schema import Schema

_REFUSAL: Final[Schema] = {
    "type": "object",
    "description": "The answer to a command that was refused, with the reason.",
    "properties": {
        "error": {"type": "string"},
        "reason": {"type": "string", "description": "The reason without its place."},
        "place": {"type": "array", "items": {"type": ["string", "integer"]}, "description": "The key, in a scenario."},
    },
    "required": ["error"],
}

_SCALARS: Final[dict[Any, Schema]] = {
    str: {"type": "string", "maxLength": LONGEST_TEXT},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    object: {},
}

_COUNTERS: Final[Schema] = {"type": "object", "description": "The counters of that name, of the statistics alone."}


def protocol_schema() -> Schema:
    """Return the schema of a line to the bench; `$defs` has that of the answer to each command, as `answer-NAME`."""
    commands = command_schema()
    known = shapes()
    names = commands["discriminator"]["mapping"]
    answers = {f"answer-{name}": _answer(name, known.get(name, {})) for name in names}
    return commands | {
        "title": f"hilbridge control protocol {PROTOCOL}",
        "version": PROTOCOL,
        "$defs": commands["$defs"] | answers | {"refusal": _REFUSAL},
    }


def _answer(name: str, shape: dict[str, Any]) -> Schema:
    """Return the schema of an answer: of a status any part may be missing, of the others nothing."""
    found = _shape(shape)
    if name == "status":
        parts = found["properties"]
        found["properties"] = {
            part: {"anyOf": [one, _COUNTERS]} if part in COUNTED_TOO else one for part, one in parts.items()
        }
        found["required"] = ["protocol", "bench", "vehicle", "rate_hz"]
    else:
        found["not"] = {"required": ["error"]}
    found["description"] = f"The answer to {name}, of at most {LONGEST_ANSWER >> 20} MiB."
    return {"anyOf": [{"$ref": "#/$defs/refusal"}, found]}


def _shape(shape: Any) -> Schema:
    """Return the schema of what fits a shape (base/common/shape.py)."""
    if isinstance(shape, tuple):
        return {"anyOf": [{"type": "null"}, _shape(shape[1])]}
    if isinstance(shape, list):
        return {"type": "array", "items": _shape(shape[0]), "maxItems": MOST}
    if not isinstance(shape, dict):
        return dict(_SCALARS[shape])
    if str in shape:
        return {"type": "object", "additionalProperties": _shape(shape[str]), "maxProperties": MOST}
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): _shape(inner) for name, inner in shape.items()},
        "required": [name for name in shape if not name.endswith("?")],
    }
