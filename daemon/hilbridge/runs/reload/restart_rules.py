"""The keys that a reload may not change: all that is opened or reserved once, at the start of the run.

| changed | |
|---|---|
| frames, signals, protection, raw frames, rest buses, databases, gates | adopted |
| calibration and time-outs of inputs, inputs that are added or removed | adopted |
| entries of the bench's own, which keep their values | adopted |
| values, formats, channels and periods of outputs and boards | adopted |
| telegrams, frames and schedules of serial buses | adopted |
| routes of the gateway, control units, trouble codes, faults, `shutdown` | adopted |
| `armed` of a bus or an output | adopted at the next start: the choice of `hilbridge ctl arm` stays |
| `hardware` of a bus, or what the kernel says now | adopted; a bus that has become hardware waits to be armed |
| `clock_follows`, `time_zone` | adopted |
| `clock` | adopted at the next start: the date goes on |
| the way into a bus; which buses there are | needs a restart |
| ports of inputs, outputs, boards, serial buses; ELM327s; which `parts` there are | needs a restart |
| whether there are `units`, and whether nodes of J1939 | needs a restart |
| the vehicle, and every other key at the top level of the bench file | needs a restart |

A key at the top level that is not named here needs a restart. Below `buses`, `inputs`, `outputs` and `diagnostics` it
is the other way round: a key is adopted unless the functions below compare it.
"""

from collections.abc import Hashable, Iterator
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.kinds import KINDS, brought_by_packages
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.settings import PORT_INPUTS, BenchSettings

_COMPARED: Final = {
    "vehicle",
    "buses",
    "inputs",
    "diagnostics",
    "parts",
    *(key for kind in KINDS for key in kind.sections),
}
"""The keys at the top level that the functions below and the kinds of parts compare."""

_ADOPTED: Final = {"custom", "faults", "shutdown", "clock", "clock_follows", "time_zone"}
_LINK_KEYS: Final = ("interface", "channel", "bitrate", "fd", "options", "slcan", "socketcand", "wait")


def needs_restart(before: BenchFile, after: BenchFile) -> list[KeyPath]:
    """Return the keys that have another value than before and cannot be adopted while the bench runs."""
    return list(_keys(before, after))


def _keys(before: BenchFile, after: BenchFile) -> Iterator[KeyPath]:
    old, new = before.settings, after.settings
    for key in BenchSettings.model_fields:
        if key not in _COMPARED | _ADOPTED and getattr(old, key) != getattr(new, key):
            yield (key,)
    if before.vehicle.settings != after.vehicle.settings:
        yield ("vehicle",)
    yield from _changed_links(old, new)
    if _ports(old) != _ports(new):
        yield ("inputs",)
    if list(old.parts) != list(new.parts):
        yield ("parts",)
    for kind in (*KINDS, *brought_by_packages(old.parts).values()):
        yield from kind.needs_restart(old, new)
    if old.diagnostics.elm327 != new.diagnostics.elm327:
        yield ("diagnostics", "elm327")
    for key in ("units", "j1939"):
        if bool(getattr(old.diagnostics, key)) != bool(getattr(new.diagnostics, key)):
            yield ("diagnostics", key)


def _changed_links(old: BenchSettings, new: BenchSettings) -> Iterator[KeyPath]:
    """Yield the keys of buses whose link differs."""
    if list(old.buses) != list(new.buses):
        yield ("buses",)
        return
    for name, bus in new.buses.items():
        for key in _LINK_KEYS:
            if getattr(old.buses[name], key) != getattr(bus, key):
                yield ("buses", name, key)


def _ports(settings: BenchSettings) -> list[Hashable]:
    """Return the ports of inputs that are open, in their order."""
    return [one.endpoint for one in settings.inputs if isinstance(one, PORT_INPUTS)]
