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

`NO_PARTS` of bench/kinds.py says of each key at the top level that makes no part whether it is adopted. Below `buses`,
and in the sections of parts, a key is adopted unless the functions below or `needs_restart` of the part compare it.
"""

from collections.abc import Iterator
from typing import Final

from hilbridge.base.common.errors import KeyPath
from hilbridge.bench.kinds import KINDS, NO_PARTS, brought_by_packages
from hilbridge.files.configuration.benchfile import BenchFile
from hilbridge.files.settings import BenchSettings

_COMPARED: Final = ("vehicle", "buses", "parts")
"""The keys at the top level that the functions below compare; each kind of part compares its own."""

_LINK_KEYS: Final = ("interface", "channel", "bitrate", "fd", "options", "slcan", "socketcand", "wait")


def needs_restart(before: BenchFile, after: BenchFile) -> list[KeyPath]:
    """Return the keys that have another value than before and cannot be adopted while the bench runs."""
    return list(_keys(before, after))


def _keys(before: BenchFile, after: BenchFile) -> Iterator[KeyPath]:
    old, new = before.settings, after.settings
    for key, one in NO_PARTS.items():
        if key not in _COMPARED and not one.adopted and getattr(old, key) != getattr(new, key):
            yield (key,)
    if before.vehicle.settings != after.vehicle.settings:
        yield ("vehicle",)
    yield from _changed_links(old, new)
    if list(old.parts) != list(new.parts):
        yield ("parts",)
    for kind in (*KINDS, *brought_by_packages(old.parts).values()):
        yield from kind.needs_restart(old, new)


def _changed_links(old: BenchSettings, new: BenchSettings) -> Iterator[KeyPath]:
    """Yield the keys of buses whose link differs."""
    if list(old.buses) != list(new.buses):
        yield ("buses",)
        return
    for name, bus in new.buses.items():
        for key in _LINK_KEYS:
            if getattr(old.buses[name], key) != getattr(bus, key):
                yield ("buses", name, key)
