"""Copies a bench file with its comments under another name, and puts its bus on another interface."""

from hilbridge.base.common.errors import ConfigurationError
from hilbridge.desk.draft.lines import BusAccess
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.configuration.yamledit import change, rename


def copy_bench(file: BenchFile, name: str, access: BusAccess) -> str:
    """Return the text of a bench, with another name.

    A log or a profile that lies beside the original is named by its path. ConfigurationError: another interface is
    asked for, and the bench has not just one embedded bus; or an anchor shares what has to differ.
    """
    text = change(file.path.read_text(encoding="utf-8-sig"), (), {"name": name})
    for bus, settings in file.settings.buses.items():
        if settings.rest_bus is not None and (log := file.path.parent / settings.rest_bus.file).is_file():
            text = change(text, ("buses", bus, "rest_bus"), {"file": str(log.resolve())})
    for bus, profile in file.profiles.items():
        if not profile.is_installed:
            text = change(text, ("buses", bus), {"profile": str(profile.path.resolve())})
    return text if access.interface == "embedded" else _moved(file, text, access)


def _moved(file: BenchFile, text: str, access: BusAccess) -> str:
    """Return the text with its embedded bus on an interface of this machine."""
    embedded = [name for name, bus in file.settings.buses.items() if bus.interface == "embedded"]
    if len(embedded) != 1 or file.settings.buses[embedded[0]].slcan is None:
        raise ConfigurationError(
            f"{file.path.name} has not just one embedded bus with an SLCAN port: copy it without --interface, "
            "and edit its buses"
        )
    place = ("buses", embedded[0])
    values = {"interface": access.interface, "slcan": access.channel or "can0"}
    text = change(text, place, values | ({"bitrate": access.bitrate} if access.bitrate else {}))
    return rename(text, place, "slcan", "channel")
