"""pydantic's findings as plain sentences, each with the key path it belongs to.

A sentence says what is wrong, what is there, and where possible what would be right.
"""

import re
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from hilbridge.base.common.errors import ConfigurationError, KeyPath, describe_value, nearest, quoted
from hilbridge.files.configuration.number_texts import decimal_comma, number_meant
from hilbridge.files.configuration.schema import Schema, descend, is_secret, section
from hilbridge.files.settings import NAME_RULE

_NEEDED: Final = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "keys with values",
    "model_type": "keys with values",
    "model_attributes_type": "keys with values",
}
"""Kinds of value, by pydantic's name of the error that another kind is there."""

_BOUNDS: Final = {
    "greater_than": ("gt", "greater than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}

_LONGEST_LIST: Final = 12

_NOT_REPEATED: Final = "it is not repeated here, as it may be a secret"

MOST_REASONS: Final = 200
"""Most that are reported: no one reads more of them, and each takes a tenth of a millisecond."""

_DISCRIMINATORS: Final = ("kind", "source", "command")
"""The keys that name one of several alternatives."""


def explain(error: ValidationError, data: Any, schema: Schema, most: int = MOST_REASONS) -> list[ConfigurationError]:
    """Return one error per place and reason; `data` is what was validated, `schema` the schema of its class.

    `most`: findings of pydantic that are looked at; how many more there are is the last one.
    """
    reasons: list[ConfigurationError] = []
    needed: dict[KeyPath, list[str]] = {}  # alternatives of one setting belong into one sentence
    for detail in error.errors(include_url=False)[:most]:
        place = _place(detail["loc"], data)
        if (kind := _kind(detail)) is not None:
            needed.setdefault(place, []).append(kind)
        else:
            reasons.append(_reason(detail, place, data, schema))
    for place, kinds in needed.items():
        reasons.append(ConfigurationError(_mismatch(kinds, place, data, schema), place))
    if (more := error.error_count() - most) > 0:
        reasons.append(ConfigurationError(f"and {more} more"))
    return reasons


def _place(location: tuple[str | int, ...], data: Any) -> KeyPath:
    """Return the key path of an error: pydantic's location without the names of alternatives, which are no keys."""
    place: list[str | int] = []
    alternative: Any = None  # the section whose alternative was named
    for step in location:
        named = isinstance(data, dict) and data is not alternative and step in map(data.get, _DISCRIMINATORS)
        if named and step not in _DISCRIMINATORS:  # no alternative is called `source`
            alternative = data  # it may have a key of the same name: a fault of kind `route` has a key `route`
            continue
        known = step in data if isinstance(data, dict) else isinstance(data, list) and isinstance(step, int)
        if known:
            data = data[step]
            place.append(step)
    return tuple(place)


def _value(place: KeyPath, data: Any) -> Any:
    for step in place:
        data = data[step]
    return data


def _kind(detail: ErrorDetails) -> str | None:
    """Return the kind of value that was needed; None for an error about anything else."""
    if detail["type"] == "literal_error":
        return str(detail["ctx"]["expected"])
    return _NEEDED.get(detail["type"])


def _mismatch(kinds: list[str], place: KeyPath, data: Any, schema: Schema) -> str:
    value = _value(place, data)
    needs = f"needs {' or '.join(dict.fromkeys(kinds))}"
    if isinstance(value, str | int | float) and is_secret(schema, place, data):
        return f"{needs}, found something else; {_NOT_REPEATED}"
    text = f"{needs}, found {describe_value(value)}"
    if value is None:
        comma = decimal_comma(place[-1], _value(place[:-1], data)) if place else None
        return f"{text}; a decimal comma? write {comma}" if comma else f"{text}; give a value or remove the key"
    if isinstance(value, dict) and kinds == ["a list"]:
        return f"{text}; begin each of its items with '- '"
    whole, unit = "a whole number" in kinds, descend(schema, place, data).get("unit", "")
    if isinstance(value, float) and value.is_integer() and whole:
        thousands = 1000 if unit == "bit/s" and 0 < value < 1000 else 1  # 500.000, with a point between thousands
        return f"{text}; write {value * thousands:.0f}"
    if isinstance(value, str):
        choices = [choice for kind in kinds for choice in re.findall(r"'([^']*)'", kind)]
        if any("number" in kind for kind in kinds) and (number := number_meant(value, whole=whole, unit=unit)):
            return f"{text}; write {number}"
        return text + _suggestion(value, choices)
    return text


def _suggestion(word: str, choices: list[str]) -> str:
    """Return a question that names the nearest choice; empty when none is near."""
    meant = nearest(word, choices)
    return f"; did you mean '{meant}'?" if meant else ""


def _reason(detail: ErrorDetails, place: KeyPath, data: Any, schema: Schema) -> ConfigurationError:
    """Describe every error that is not about the kind of a value."""
    context = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            key = str(detail["loc"][-1])
            return ConfigurationError(_missing(key, place, data, schema), (*place, key))
        case "extra_forbidden":
            return ConfigurationError(_unknown(place, data, schema), place)
        case "string_pattern_mismatch":
            is_key = detail["loc"][-1] == "[key]"
            rule = NAME_RULE if is_key else descend(schema, place, data).get("description", NAME_RULE)
            return ConfigurationError(f"{quoted(detail['input'])} does not fit: {rule}", place)
        case "union_tag_invalid":
            key = context["discriminator"].strip("'")
            kinds = [kind.strip("'") for kind in context["expected_tags"].split(", ")]
            text = f"{quoted(str(context['tag']))} is none of {', '.join(kinds)}"
            return ConfigurationError(text + _suggestion(str(context["tag"]), kinds), (*place, key))
        case "union_tag_not_found":
            key = context["discriminator"].strip("'")
            kinds = sorted(descend(schema, place, data).get("discriminator", {}).get("mapping", {}))
            return ConfigurationError(f"is missing: one of {', '.join(kinds)}", (*place, key))
        case "too_short" | "string_too_short":
            return ConfigurationError("must not be empty", place)
        case "value_error" if isinstance(context["error"], ConfigurationError):
            cause = context["error"]
            return ConfigurationError(cause.message, (*place, *cause.place))
        case kind if kind in _BOUNDS:
            name, words = _BOUNDS[kind]
            unit = descend(schema, place, data).get("unit", "")
            limit = f"{context[name]:.12g} {unit if unit != '1' else ''}".rstrip()
            meant = f"; {detail['input']} kbit/s are {detail['input']}000" if unit == "bit/s" and name == "ge" else ""
            return ConfigurationError(f"must be {words} {limit}, found {detail['input']}{meant}", place)
    if is_secret(schema, place, data):
        return ConfigurationError(f"{detail['msg']}; {_NOT_REPEATED}", place)
    return ConfigurationError(f"{detail['msg']}, found {describe_value(detail['input'])}", place)


def _missing(key: str, place: KeyPath, data: Any, schema: Schema) -> str:
    description = descend(schema, (*place, key), data).get("description")
    return f"is missing ({description})" if description else "is missing"


def _unknown(place: KeyPath, data: Any, schema: Schema) -> str:
    """Describe an unknown key, with the nearest known one, or all of them where they are few."""
    parent = place[:-1]
    if comma := decimal_comma(place[-1], _value(parent, data)):
        return f"unknown key: a decimal comma? write {comma}"
    if shifted := _shifted(parent, data, schema):
        return f"unknown key; is {shifted!r} indented too little?"
    owner = section(descend(schema, parent, data), schema, _value(parent, data))
    known = list(owner.get("properties", {}))
    if suggestion := _suggestion(str(place[-1]), known):
        return f"unknown key{suggestion}"
    if len(known) <= _LONGEST_LIST:
        return f"unknown key; known here: {', '.join(known)}"
    return "unknown key; `hilbridge schema --reference` lists those that exist"


def _shifted(place: KeyPath, data: Any, schema: Schema) -> str:
    """Return the last step of a key path if it is a name of the user's that is a key in its neighbours; or nothing.

    `messages: {Engine: {period: 10}, signals: {Speed: 1}}`: `signals` was meant to be a key of `Engine`.
    """
    if not place or not isinstance(place[-1], str):
        return ""
    named = section(descend(schema, place[:-1], data), schema, _value(place[:-1], data))
    if place[-1] in named.get("properties", {}):
        return ""
    own = section(descend(schema, place, data), schema, _value(place, data))
    return place[-1] if place[-1] in own.get("properties", {}) else ""
