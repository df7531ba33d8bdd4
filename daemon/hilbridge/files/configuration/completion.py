"""Completion in editors: the words that a text of a file most often is, as alternatives in its JSON Schema.

A setting names the list of its words by `json_schema_extra={"completes": LIST}`, a mapping that of its keys by
`"completes_keys"`. Other texts stay allowed: expressions, names of one's own, paths. The program judges them, with a
better reason than a schema could give.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from hilbridge.files.configuration.schema import Schema

Words: TypeAlias = Literal[
    "entry", "control", "fault", "unit", "interface", "vehicle", "profile", "template", "layout", "database"
]
"""The name of a list of words."""

_WORDS: Final = "completes"
_KEYS: Final = "completes_keys"
_ABOUT: Final = ("description", "default")
"""Keywords that stay beside the alternatives."""


def completed(schema: Schema, words: Mapping[Words, Sequence[str]]) -> Schema:
    """Return a schema in which each setting offers the words of its list."""
    result: Schema = _completed(schema, words)
    return result


def _completed(node: Any, words: Mapping[Words, Sequence[str]]) -> Any:
    if isinstance(node, list):
        return [_completed(item, words) for item in node]
    if not isinstance(node, dict):
        return node
    result = {key: _completed(value, words) for key, value in node.items() if key not in (_WORDS, _KEYS)}
    if _KEYS in node:
        result["propertyNames"] = _offered({"type": "string"}, words[node[_KEYS]])
    if _WORDS not in node:
        return result
    about = {key: result.pop(key) for key in _ABOUT if key in result}
    return about | _offered(result, words[node[_WORDS]])


def _offered(text: Schema, words: Sequence[str]) -> Schema:
    """Return the schema of a text, of a list of texts or of either with `words` offered for the text."""
    if "anyOf" in text:
        return {"anyOf": [one for branch in text["anyOf"] for one in _alternatives(branch, words)]}
    return {"anyOf": _alternatives(text, words)}


def _alternatives(branch: Schema, words: Sequence[str]) -> list[Schema]:
    if branch.get("type") == "array":
        return [branch | {"items": _offered(branch["items"], words)}]
    return [{"enum": list(words)}, branch] if branch.get("type") == "string" else [branch]
