"""Diagnostic databases of control units: the keys that an ODX file means, taken over as those of a template are."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from hilbridge.base.common.errors import ConfigurationError, InvalidFileError, Problem
from hilbridge.files.configuration.profiles import merge
from hilbridge.files.configuration.yamlfile import YamlEntry, YamlFile, YamlNode
from hilbridge.files.odx.reader import OdxAccount, read_odx


def with_odx(file: YamlFile) -> tuple[YamlFile, dict[str, OdxAccount]]:
    """Return a bench file with the keys of the ODX files that its control units name, and what was read, by unit.

    The bench's own keys win, and those of a template. InvalidFileError: a file cannot be used.
    """
    accounts: dict[str, OdxAccount] = {}
    root, diagnostics = file.root.value, file.root.child("diagnostics")
    units = None if diagnostics is None else diagnostics.child("units")
    if not isinstance(root, dict) or diagnostics is None or units is None or not isinstance(units.value, dict):
        return file, accounts
    assert isinstance(diagnostics.value, dict)  # noqa: S101 - it has a child
    problems: list[Problem] = []
    whole = dict(units.value)
    for name, entry in units.value.items():
        named = entry.node.child("odx")
        if named is None or not isinstance(entry.node.value, dict):
            continue
        plain = entry.node.plain()
        text, variant = _named(plain["odx"])
        if text is None:
            continue  # refused by the settings
        beside = entry.node.value["odx"].file or file.path
        own = {key for key, value in (plain.get("uds") or {}).items() if value} if _is_keys(plain.get("uds")) else set()
        try:
            account = read_odx(beside.parent / text, variant, own, obd=plain.get("obd") is not None, vin="vin" in plain)
        except ConfigurationError as error:
            problems.append(file.problem(("diagnostics", "units", name, "odx"), error.message))
            continue
        accounts[name] = account
        base = _node(account.keys, named.line)
        whole[name] = replace(entry, node=merge(entry.node, base, beside))
    if problems:
        raise InvalidFileError(problems)
    if not accounts:
        return file, accounts
    filled = diagnostics.value | {"units": replace(diagnostics.value["units"], node=replace(units, value=whole))}
    section = replace(root["diagnostics"], node=replace(diagnostics, value=filled))
    return YamlFile(file.path, replace(file.root, value=root | {"diagnostics": section})), accounts


def _is_keys(value: Any) -> bool:
    return isinstance(value, dict)


def _named(value: Any) -> tuple[str | None, str | None]:
    """Return file and variant that a bench names; None: they are no texts."""
    if isinstance(value, dict):
        text, variant = value.get("file"), value.get("variant")
    else:
        text, variant = value, None
    right = isinstance(text, str) and (variant is None or isinstance(variant, str))
    return (text, variant) if right and text else (None, None)


def _node(value: Any, line: int) -> YamlNode:
    """Return plain data as if it were written at the line that names its file."""
    if isinstance(value, dict):
        return YamlNode(line, {key: YamlEntry(line, _node(one, line)) for key, one in value.items()})
    if isinstance(value, list):
        return YamlNode(line, [_node(one, line) for one in value])
    return YamlNode(line, value)


def is_odx(path: Path) -> bool:
    """Return whether the name of a file is that of a diagnostic database."""
    return path.suffix.lower() == ".pdx" or path.suffix.lower().startswith(".odx")
