"""Changes of single keys in the text of a YAML file: what is not named stays as its owner wrote it, comments too.

{field: gas}              {field: gas, minimum: 60}        of a mapping in braces
field: gas  # A0          field: gas  # A0                 of a mapping by indentation
                          minimum: 60
"""

from collections.abc import Mapping
from typing import Any

import yaml

from hilbridge.base.common.errors import ConfigurationError, KeyPath, dotted
from hilbridge.files.configuration.yamltext import flow, quoted_text


def change(text: str, place: KeyPath, values: Mapping[str, Any]) -> str:
    """Return the text with other values for keys of the mapping at `place`; keys that it does not have are added.

    ConfigurationError, with the place: there is no such mapping in this text, or an anchor (`&`) shares it.
    """
    for key, value in values.items():
        text = _change_one(text, place, key, value)
    return text


def _change_one(text: str, place: KeyPath, key: str, value: Any) -> str:
    owner = _find(text, place)
    written, named = flow(value), quoted_text(key)
    if not isinstance(owner, yaml.MappingNode):
        if owner.tag != "tag:yaml.org,2002:null":
            raise ConfigurationError("has no keys to change", place)
        at = owner.end_mark.index
        return f"{text[: owner.start_mark.index].rstrip(' ')} {{{named}: {written}}}{text[at:]}"
    for name, old in owner.value:
        if name.value == key:
            _require_own(text, old, owner, place)
            return text[: old.start_mark.index] + written + text[_end(old) :]
    if owner.flow_style:
        at = _end(owner.value[-1][1]) if owner.value else owner.start_mark.index + 1
        return f"{text[:at]}{', ' if owner.value else ''}{named}: {written}{text[at:]}"
    at = text.find("\n", _end(owner.value[-1][1]))
    at = len(text) if at < 0 else at
    return f"{text[:at]}\n{' ' * owner.start_mark.column}{named}: {written}{text[at:]}"


def rename(text: str, place: KeyPath, key: str, name: str) -> str:
    """Return the text with another name for a key of the mapping at `place`, which has it."""
    owner = _find(text, place)
    node = next(node for node, _ in owner.value if node.value == key)
    return text[: node.start_mark.index] + quoted_text(name) + text[node.end_mark.index :]


def _find(text: str, place: KeyPath) -> yaml.Node:
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    for number, key in enumerate(place):
        owner, node = node, None
        if isinstance(owner, yaml.SequenceNode) and isinstance(key, int) and key < len(owner.value):
            node = owner.value[key]
        elif isinstance(owner, yaml.MappingNode):
            node = next((value for name, value in owner.value if name.value == key), None)
        if owner is None or node is None:
            raise ConfigurationError(
                f"{dotted(place[: number + 1])} does not stand in this file: change it where it does"
            )
        _require_own(text, node, owner, place)
    if node is None:
        raise ConfigurationError("the file is empty")
    return node


def _require_own(text: str, node: yaml.Node, owner: yaml.Node, place: KeyPath) -> None:
    """Require that a node stands where it is used, and is used nowhere else."""
    start = node.start_mark.index
    if (
        not owner.start_mark.index <= start <= owner.end_mark.index
        or "&" in text[text.rfind("\n", 0, start) + 1 : start]
    ):
        raise ConfigurationError("it is shared with another place by an anchor (&): change it by hand", place)


def _end(node: yaml.Node) -> int:
    """Return where the text of a node ends; the mark of a block lies behind the comments that follow it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    return int(node.end_mark.index)
