"""Copies a bench file with its comments under another name, and puts its bus on another interface."""

import re

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.draft.from_database import Way
from hilbridge.files.configuration.benchfile import BenchFile


def copy_bench(file: BenchFile, name: str, way: Way) -> str:
    """Return the text of a bench, with another name.

    A log or a profile that lies beside the original is named by its path. ConfigurationError: another interface is
    asked for, and the bench has not just one embedded bus.
    """
    text = file.path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^name:.*?( *#.*)?$", lambda found: f"name: {name}{found[1] or ''}", text, count=1)
    for bus in file.settings.buses.values():
        if bus.rest_bus is not None and (log := file.path.parent / bus.rest_bus.file).is_file():
            text = _replaced(text, rf"^( +file: ){re.escape(bus.rest_bus.file)}", str(log.resolve()))
    for name_of_bus, profile in file.profiles.items():
        if not profile.is_installed:
            named = str(file.settings.buses[name_of_bus].profile)
            text = _replaced(text, rf"^( +profile: ){re.escape(named)}(?=\s|$)", str(profile.path.resolve()))
    return text if way.interface == "embedded" else _moved(file, text, way)


def _moved(file: BenchFile, text: str, way: Way) -> str:
    """Return the text with its embedded bus on an interface of this machine."""
    embedded = [bus for bus in file.settings.buses.values() if bus.interface == "embedded"]
    if len(embedded) != 1 or embedded[0].slcan is None:
        raise ConfigurationError(
            f"{file.path.name} has not just one embedded bus with an SLCAN port: copy it without --interface, "
            "and edit its buses"
        )
    text = _replaced(text, r"^( +interface: )embedded\b", way.interface)
    rate = f"\n    bitrate: {way.bitrate}" if way.bitrate else ""
    return re.sub(
        r"(?m)^( +)slcan:[^#\n]*", lambda found: f"{found[1]}channel: {way.channel or 'can0'}{rate}", text, count=1
    )


def _replaced(text: str, pattern: str, value: str) -> str:
    """Return the text with another value behind the first key that fits the pattern."""
    return re.sub(pattern, lambda found: found[1] + value, text, count=1, flags=re.MULTILINE)
